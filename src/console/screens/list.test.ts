/** Laws of the list that all screens are made of. */
import { describe, expect, it } from 'vitest';
import {
	answer,
	expectFits,
	hostile,
	plainRows,
	plainText,
	pressed,
	selectedRow,
	sizes,
} from '../../../test/support/screens.ts';
import { plainTheme } from '../theme.ts';
import { Input } from './input.ts';
import { List, Pick } from './list.ts';
import { hintRows, scrolled } from './parts.ts';

const many = Array.from({ length: 50 }, (_, at) => ({ value: at, label: `item ${at}`, below: `about ${at}` }));
const pick = (list: List<number>): Pick<number> => new Pick({ title: 'Things', none: 'There is none.' }, list);
const filtered = pick(new List(many, { filters: true }));

describe('the list', () => {
	it('fits every size, and its selected row is always there', () => {
		let screen = filtered;
		for (let at = 0; at < 60; at += 7) {
			expectFits(screen);
			for (const size of sizes) expect(selectedRow(screen, size)).toMatch(/^item \d+/);
			screen = pressed(screen, ...Array.from({ length: 7 }, () => 'down'));
		}
		expectFits(pick(new List<number>([], { filters: true })));
	});

	it('arrows go round, page keys and Home and End stop at the ends', () => {
		expect(selectedRow(pressed(filtered, 'up'))).toBe('item 49');
		expect(selectedRow(pressed(filtered, 'up', 'down'))).toBe('item 0');
		expect(selectedRow(pressed(filtered, 'pagedown', 'pagedown', 'pageup'))).toBe('item 10');
		expect(selectedRow(pressed(filtered, 'end', 'pagedown'))).toBe('item 49');
		expect(selectedRow(pressed(filtered, 'end', 'home', 'pageup'))).toBe('item 0');
	});

	it('typing leaves what has all the words, in whatever order, and Enter gives the selected one', () => {
		const found = pressed(filtered, '=12 about');
		expect(plainText(found)).toContain('Filter: 12 about');
		expect(plainText(found)).toContain('1 of 1');
		expect(answer(found, 'enter')).toBe(12);
		expect(plainText(pressed(filtered, '=nowhere'))).toContain('Nothing fits what you typed.');
		expect(answer(pressed(filtered, '=nowhere', 'ctrl+u'), 'enter')).toBe(0);
		expect(pressed(filtered, '=nowhere', 'enter')).toBeDefined();
	});

	it('digits choose at once where nothing is typed to filter, and only those that are shown', () => {
		const screen = pick(
			new List([
				{ value: 7, label: 'seven', key: '1' },
				{ value: 8, label: 'eight', key: '3' },
			]),
		);
		expect(answer(screen, '3')).toBe(8);
		expect(selectedRow(pressed(screen, '2'))).toBe('1. seven');
		expect(selectedRow(pressed(screen, '=13'))).toBe('1. seven');
	});

	it('Esc gives nothing, whatever was typed', () => {
		expect(answer(pressed(filtered, '=12'), 'escape')).toBeUndefined();
	});

	it('a hostile label is one row, and no second row looks selected', () => {
		for (const wraps of [false, true]) {
			const item = { value: 1, label: hostile, detail: hostile, below: hostile };
			const screen = pick(new List([item, { ...item, value: 2 }], { wraps }));
			expectFits(screen);
			for (const size of sizes) expect(plainRows(screen, size).filter((row) => row.startsWith('❯'))).toHaveLength(1);
		}
	});

	it('an item that is taller than the screen says that there is more', () => {
		const screen = pick(new List([{ value: 1, label: 'word '.repeat(400) }], { wraps: true }));
		expect(plainText(screen, { width: 40, height: 12 })).toContain('… more than fits');
	});
});

describe('the line of input', () => {
	const row = (input: Input | undefined, width = 20): string => input?.row('Why: ', width, plainTheme) ?? '';
	const typed = (input: Input, ...keys: string[]): Input =>
		keys.reduce(
			(now, name) => now.press(name.startsWith('=') ? { name: 'text', text: name.slice(1) } : { name }) ?? now,
			input,
		);

	it('takes text at the caret and moves over whole signs', () => {
		const input = typed(new Input('ab'), 'left', '=👩‍👩‍👧', 'left', '=x');
		expect(input.text).toBe('ax👩‍👩‍👧b');
		expect(typed(input, 'delete').text).toBe('axb');
		expect(typed(input, 'end', 'backspace', 'backspace').text).toBe('ax');
		expect(typed(new Input('one two'), 'ctrl+w').text).toBe('one ');
		expect(typed(new Input('one two'), 'home', 'ctrl+k', 'ctrl+u').text).toBe('');
	});

	it('a pasted text of several lines becomes one', () => {
		expect(typed(new Input(), '=a\n  b\tc').text).toBe('a b c');
	});

	it('shows the part around the caret, and an ellipsis for what is left of it', () => {
		expect(row(new Input('0123456789abcdefghij'))).toBe('Why: …789abcdefghij_');
		expect(row(typed(new Input('0123456789abcdefghij'), 'home'))).toBe('Why: 0123456789abcde');
	});
});

describe('text that scrolls', () => {
	const rows = Array.from({ length: 10 }, (_, at) => `row ${at}`);
	it('nothing is hidden without a row that counts it', () => {
		expect(scrolled(rows, 0, 4, 40, plainTheme)).toEqual(['row 0', 'row 1', 'row 2', '… 7 more rows below (PgDn)']);
		expect(scrolled(rows, 99, 4, 40, plainTheme)).toEqual(['… 7 more rows above (PgUp)', 'row 7', 'row 8', 'row 9']);
		expect(scrolled(rows, 3, 4, 40, plainTheme)).toHaveLength(4);
		expect(scrolled(rows, 0, 1, 40, plainTheme)).toEqual(['… 10 more rows below (PgDn)']);
		expect(scrolled(rows, 0, 10, 40, plainTheme)).toEqual(rows);
	});
});

describe('the hints', () => {
	const hints = ['Enter to open', 'Space to preview', 'Tab to search', 'Ctrl-A all projects', 'Esc to cancel'];
	it('take as many rows as a screen can spare, and the last of them says how to leave', () => {
		expect(hintRows(hints, { width: 200, height: 24 }, plainTheme)).toEqual([hints.join(' · ')]);
		expect(hintRows(hints, { width: 40, height: 24 }, plainTheme)).toEqual([
			'Enter to open · Space to preview',
			'Tab to search · Ctrl-A all projects',
			'Esc to cancel',
		]);
		expect(hintRows(hints, { width: 40, height: 12 }, plainTheme)).toEqual([
			'Enter to open · Space to preview',
			'Tab to search · Esc to cancel',
		]);
		expect(hintRows(hints, { width: 20, height: 5 }, plainTheme)).toEqual(['Esc to cancel']);
	});
});
