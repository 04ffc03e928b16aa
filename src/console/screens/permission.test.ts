/** Laws of the permission dialog: it shows all of a command, and no key but yes allows anything. */
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
import { type PermissionAnswer, type PermissionQuestion, PermissionScreen, permissionVerdict } from './permission.ts';
import { isAnswered, type Screen } from './screen.ts';

const settings = '/home/me/project/.claude/settings.local.json';
const asked: PermissionQuestion = {
	shown: {
		tool: 'Bash',
		reason: 'a rule asks',
		parts: [{ text: 'npm test -- --watch=false' }, { name: 'description', text: 'Runs the tests' }],
	},
	rule: 'Bash(npm test:*)',
	settings,
	editable: 'command',
	at: 1,
	of: 3,
};
const screen = new PermissionScreen(asked);
const long = Array.from({ length: 60 }, (_, at) => `echo ${at}`).join('\n');
const tall = new PermissionScreen({ ...asked, shown: { tool: 'Bash', parts: [{ text: long }] } });
const bad = new PermissionScreen({
	...asked,
	rule: `Bash(${hostile})`,
	agent: hostile,
	shown: {
		tool: hostile,
		reason: hostile,
		parts: [{ text: hostile }, { name: hostile, text: hostile }, { text: `+${hostile}`, isDiff: true }],
	},
});

describe('the permission dialog', () => {
	it('fits every size at every step, and the selected row is there', () => {
		for (const one of [screen, tall, bad]) {
			const steps = [
				one,
				pressed(one, '2'),
				pressed(one, '3'),
				pressed(one, '2', '3'),
				pressed(one, '2', '3', '=(', 'enter'),
				pressed(one, 'pagedown'),
			];
			for (const step of steps) expectFits(step);
			for (const size of sizes) {
				expect(selectedRow(one, size)).toMatch(/^1\. Yes, once/);
				expect(selectedRow(pressed(one, '2'), size)).toMatch(/^1\. Until this session/);
			}
		}
	});

	it('says who asks, what would run, why somebody is asked, and which question of how many it is', () => {
		const text = plainText(screen);
		for (const part of [
			'1 of 3',
			'Bash wants to run (a rule asks):',
			'  │ npm test -- --watch=false',
			'  ├ description: Runs the tests',
		])
			expect(text).toContain(part);
		expect(plainText(new PermissionScreen({ ...asked, agent: 'explore' }))).toContain('sub-agent explore');
		const edit = { tool: 'Edit', parts: [{ text: '/project/a.ts' }] };
		expect(plainText(new PermissionScreen({ ...asked, shown: edit }))).toContain('Edit wants to change:');
	});

	it('a line of a change that is broken passes for no other line of it', () => {
		const parts = [{ text: `+${'word '.repeat(7)}-old line`, isDiff: true as const }];
		const text = plainText(new PermissionScreen({ ...asked, shown: { tool: 'Edit', parts } }), {
			width: 40,
			height: 24,
		});
		expect(text).toMatch(/ {2}│ \+word[^\n]*\n {2}┊ [^\n]*-old line/);
		expect(text).not.toMatch(/│ -old/);
	});

	it('all choices stand on a screen of nine rows, and what is asked about gives way', () => {
		const text = { tool: 'Bash', parts: [{ text: 'echo\n'.repeat(30) }] };
		const rows = new PermissionScreen({ ...asked, shown: text, editable: 'command' }).rows(
			{ width: 40, height: 9 },
			plainTheme,
		);
		for (const digit of ['1', '2', '3', '4']) expect(rows.join('\n')).toContain(` ${digit}. `);
		expect(rows.join('\n')).toContain('PgDn');
	});

	it('no part of a long command is hidden without saying so, and paging shows every line of it', () => {
		for (const size of sizes) {
			expect(plainText(tall, size)).toMatch(/… \d+ more rows below \(PgDn\)/);
			expect(plainText(tall, size)).toContain('PgUp/PgDn to read all');
		}
		const seen = new Set<string>();
		let now = tall;
		for (let page = 0; page < 60; page += 1) {
			for (const row of plainRows(now)) seen.add(row);
			now = pressed(now, 'pagedown');
		}
		for (let at = 0; at < 60; at += 1) expect(seen).toContain(`  │ echo ${at}`);
		expect(plainText(pressed(now, 'pageup'))).not.toBe(plainText(now));
	});

	it('every digit does what its row says', () => {
		expect(answer(screen, '1')).toEqual({ is: 'once' });
		expect(answer(screen, 'enter')).toEqual({ is: 'once' });
		expect(answer(screen, '4')).toEqual({ is: 'edit' });
		expect(answer(screen, '3', 'enter')).toEqual({ is: 'no' });
		expect(answer(screen, '3', '=use pnpm', 'enter')).toEqual({ is: 'no', reason: 'use pnpm' });
		expect(answer(screen, '2', '1')).toEqual({ is: 'always', rule: 'Bash(npm test:*)', keep: 'session' });
		expect(answer(screen, '2', '2')).toEqual({ is: 'always', rule: 'Bash(npm test:*)', keep: 'project' });
		expect(selectedRow(pressed(screen, '2', '4'))).toBe('1. Yes, once');
	});

	it('a rule is shown with the file that it is saved in before it holds, and can be edited', () => {
		const rule = pressed(screen, '2');
		expect(plainText(rule)).toContain('Bash(npm test:*)');
		expect(plainText(rule)).toContain(settings);
		const edited = pressed(rule, '3', 'backspace', 'backspace', 'backspace', '= --watch=false)', 'enter');
		expect(edited.wants).toEqual({ what: 'rule', of: 'Bash(npm test --watch=false)' });
		const judged = edited.withJudged('Bash(npm test --watch=false)', true);
		expect(plainText(judged)).toContain('Bash(npm test --watch=false)');
		expect(answer(judged, '2')).toEqual({ is: 'always', rule: 'Bash(npm test --watch=false)', keep: 'project' });
	});

	it('what is no rule is not taken, and the dialog says why', () => {
		const wrong = pressed(screen, '2', '3', 'backspace', 'enter');
		expect(plainText(wrong)).toContain('No rule: ');
		const mended = pressed(wrong, '=)', 'enter').withJudged('Bash(npm test:*)', true);
		expect(answer(mended, '1')).toMatchObject({ rule: 'Bash(npm test:*)' });
	});

	it('a rule that does not allow the call is not taken, and can be edited on', () => {
		const other = pressed(screen, '2', '3', 'ctrl+u', '=Bash(git push:*)', 'enter');
		expect(answer(other, '1', 'enter', 'escape', 'escape', 'escape')).toEqual({ is: 'stop' });
		const refused = other.withJudged('Bash(git push:*)', false);
		expect(plainText(refused)).toContain('This rule does not allow what is asked about.');
		expect(plainText(refused)).toContain('❯ Bash(git push:*)');
		expect(refused.wants).toBeUndefined();
		expect(pressed(refused, 'enter').wants).toEqual({ what: 'rule', of: 'Bash(git push:*)' });
	});

	it('on a screen too small for the command and a choice no key answers but Esc: keys scroll, and the dialog says so', () => {
		const size = { width: 20, height: 5 };
		for (const one of [screen, tall, bad]) {
			const rows = plainRows(one, size);
			expect(rows.at(-2)).toContain('Too small: enlarge');
			let now: Screen<PermissionAnswer> = one;
			for (const name of ['enter', 'down', 'enter', 'up', 'pagedown', 'enter']) {
				const next = now.press({ name }, size);
				if (isAnswered(next)) throw new Error(`${name} has answered`);
				now = next;
			}
			for (const digit of ['1', '2', '3', '4'])
				expect(now.press({ name: 'text', text: digit }, size)).not.toHaveProperty('answer');
			expect(now.press({ name: 'escape' }, size)).toEqual({ answer: { is: 'stop' } });
		}
		expect(plainRows(screen, size)[0]).toBe('  │ npm test -- ');
		const short = new PermissionScreen({ ...asked, shown: { tool: 'Bash', parts: [{ text: 'touch R1' }] } });
		expect(plainRows(short, size)).toEqual([
			...['Bash wants to run:', '  │ touch R1', 'Allow it?', '❯ 1. Yes, once', 'Esc: no, and stop'],
		]);
		expect(plainRows(pressed(short, 'down'), size)[3]).toBe('❯ 2. Yes, always: s…');
		expect(short.press({ name: 'enter' }, size)).toEqual({ answer: { is: 'once' } });
	});

	it('Esc is no and stops, and from every other step goes back by one', () => {
		for (const keys of [[], ['2', 'escape'], ['3', '=because', 'escape'], ['2', '3', 'escape', 'escape'], ['down']])
			expect(answer(screen, ...keys, 'escape')).toEqual({ is: 'stop' });
		expect(plainText(pressed(screen, '2', '3', '=x', 'escape'))).toContain('Until when?');
		expect(plainText(pressed(screen, '3', '=x', 'escape'))).toContain('Allow it?');
	});

	it('what cannot be chosen is not offered, choices are numbered without a gap, and the hint names the digits there are', () => {
		const { rule: _, editable: __, ...rest } = asked;
		expect(plainText(screen)).toMatch(/2\. Yes, always[\s\S]*4\. Edit the command first/);
		const plain = new PermissionScreen(rest);
		expect(plainText(plain)).not.toMatch(/always|Edit the/);
		expect(plainText(plain)).toMatch(/1\. Yes, once\n {2}2\. No, and tell the model why\n1-2 or ↑↓ Enter/);
		expect(answer(plain, '2', 'enter')).toEqual({ is: 'no' });
		expect(plainText(screen)).toContain('1-4 or ↑↓ Enter');
	});

	it('no line of a command can pass for the question: each has a mark', () => {
		const rows = plainRows(bad, { width: 80, height: 200 });
		const question = rows.indexOf('Allow it?');
		for (const row of rows.slice(2, question)) expect(row).toMatch(/^ {2}[│├┊] /);
		expect(rows.filter((row) => row.startsWith('❯'))).toHaveLength(1);
	});

	it('an indentation by tabs in a change can be read, and is no indentation by blanks', () => {
		const parts = [{ text: '-\t\tone\n+    one', isDiff: true }] as const;
		const rows = plainRows(new PermissionScreen({ ...asked, shown: { tool: 'Edit', parts } }), {
			width: 80,
			height: 40,
		});
		expect(rows).toEqual(expect.arrayContaining(['  │ -→   →   one', '  │ +    one']));
	});

	it('the loop is told what was answered', () => {
		expect(permissionVerdict({ is: 'once' })).toEqual({ allow: true });
		expect(permissionVerdict({ is: 'always', rule: 'Edit', keep: 'session' })).toEqual({ allow: true, always: 'Edit' });
		expect(permissionVerdict({ is: 'no' })).toEqual({ allow: false, reason: 'the user said no' });
		expect(permissionVerdict({ is: 'no', reason: 'why' })).toEqual({ allow: false, reason: 'the user said no: why' });
		expect(permissionVerdict({ is: 'stop' })).toEqual({ allow: false, reason: 'the user said no', interrupt: true });
		expect(permissionVerdict({ is: 'edit' })).toBeUndefined();
	});
});
