/** Tables fit every width, and stay tables as long as there is room for words. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownText } from './terminal-markdown.ts';
import { textWidth } from './width.ts';
import { withoutColours } from './writer.ts';

const sentence = 'The parser reads every byte of the file and keeps what it does not know.';
const table = `| part | what it does | size |\n|---|---|---:|\n| parser | ${sentence} | 12 |\n| 日本語 | short 👩‍👩‍👧 | 3,456 |`;

const rows = (text: string, width: number): string[] => withoutColours(markdownText(text, { width })).split('\n');

describe('a table', () => {
	it('wraps its cells in their columns where it is wider than the terminal', () => {
		expect(rows(table, 50)).toEqual([
			'part    what it does                          size',
			'──────  ───────────────────────────────────  ─────',
			'parser  The parser reads every byte of the      12',
			'        file and keeps what it does not',
			'        know.',
			'',
			'日本語  short 👩‍👩‍👧                             3,456',
		]);
	});

	it.each([200, 100, 60, 40])('has no raw pipes, and no row that is too wide, at %s columns', (width) => {
		const drawn = rows(table, width);
		expect(drawn.join('\n')).not.toContain('|');
		for (const row of drawn) expect(textWidth(row)).toBeLessThanOrEqual(width);
		expect(drawn.join(' ').replace(/\s+/g, ' ')).toContain('parser');
	});

	it('keeps short columns whole beside a long one', () => {
		const drawn = rows(table, 40);
		expect(drawn[0]).toMatch(/^part {4}what it does +size$/);
		expect(drawn).toContainEqual(expect.stringMatching(/^日本語 {2}short/));
		expect(drawn.filter((row) => row.startsWith('        ') && /\S/.test(row)).length).toBeGreaterThan(1);
	});

	it('is a list of its rows where there are more columns than fit', () => {
		const names = Array.from({ length: 9 }, (_, at) => `column ${at}`);
		const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
		const wide = [line(names), line(names.map(() => '---')), line(names.map((_, at) => `cell number ${at}`))].join(
			'\n',
		);
		expect(rows(wide, 40)).toEqual(names.map((name, at) => `${name}: cell number ${at}`));
	});

	it('never makes a row that is wider than the width, whatever is in it, and loses no words', () => {
		const cell = fc.stringMatching(/^[a-zé日本語👩 ]{0,30}$/u);
		const body = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 });
		fc.assert(
			fc.property(body, fc.integer({ min: 20, max: 120 }), (cells, width) => {
				const text = ['| a | b | c |', '|---|---|---|', ...cells.map((row) => `| ${row.join(' | ')} |`)].join('\n');
				const drawn = rows(text, width);
				for (const row of drawn) if (textWidth(row) > width) return false;
				const signs = (words: string): string => [...words.replace(/\s/g, '')].sort().join('');
				return cells.flat().every((one) => [...signs(one)].every((sign) => drawn.join('').includes(sign)));
			}),
		);
	});
});
