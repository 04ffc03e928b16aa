/** The views fit every width, and show nothing that a terminal would obey. */
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../terminal/width.ts';
import { rendered } from '../../terminal/writer.ts';
import { type Block, newState, nothingLive, type State } from '../state.ts';
import { darkTheme, plainTheme } from '../theme.ts';
import { blockRows } from './block.ts';
import { liveRows } from './live.ts';
import { statusRows } from './status.ts';

const hostile = 'evil \u001b]0;title\u0007\u001b[2J\u202etxt\u009b31m\ttab 日本語 👩‍👩‍👧 é';
const long = `${'wide '.repeat(80)}${'x'.repeat(300)}`;
const change = '@@ -1,2 +1,2 @@\n-const a = 1;\n+const a = 2;\n context';

const blocks: readonly Block[] = [
	{ kind: 'prompt', text: `${hostile}\n${long}` },
	{ kind: 'reply', text: `# ${long}`, first: true },
	{ kind: 'reply', text: `\`\`\`js\n${long}\n${hostile}\n\`\`\``, first: false },
	{ kind: 'reply', text: `| a | b |\n|---|---|\n| ${long} | ${hostile} |`, first: true },
	{ kind: 'thinking', text: long },
	{
		kind: 'tool',
		name: 'Bash',
		subject: `${long}${hostile}`,
		output: `${hostile}\n${long}\n\n\n\nend`,
		isError: false,
	},
	{ kind: 'tool', name: 'Bash', subject: 'x', output: long, isError: true },
	{ kind: 'tool', name: hostile, subject: hostile, isError: false },
	{ kind: 'tool', name: 'Edit', subject: 'a.ts', change, isError: false, output: 'ok' },
	{
		kind: 'tool',
		name: 'TodoWrite',
		subject: '1 of 2 done',
		list: [{ state: 'completed', text: long }],
		isError: false,
	},
	{ kind: 'tool', name: '!', subject: 'ls', output: hostile, isError: false, own: true },
	{ kind: 'error', text: `${long}${hostile}` },
	{ kind: 'note', text: hostile },
	{ kind: 'said', text: `${long}\n${hostile}` },
	{ kind: 'compaction', text: 'short' },
	{ kind: 'omitted', entries: 1234 },
];

const running: State = {
	...newState(5000, {
		model: long,
		branch: hostile,
		format: 'claude-code',
		tokens: 900,
		window: 1000,
		costUsd: 1.5,
		mode: 'plan',
	}),
	busySince: 0,
	todos: [{ state: 'in_progress', text: long }],
	queue: [{ text: hostile }, { text: long, after: true }],
	live: {
		...nothingLive,
		reply: `${long}\n${hostile}`,
		thinking: hostile,
		tools: [
			{
				id: '1',
				name: 'Bash',
				input: { command: long },
				since: 0,
				tail: `${hostile}\n${long}`,
				steps: [],
				stepCount: 0,
			},
			{
				id: '2',
				name: 'Task',
				input: { description: hostile },
				since: 0,
				tail: '',
				steps: [hostile, long],
				stepCount: 9,
			},
		],
	},
};

describe.each([20, 40, 80, 200])('at %i columns', (width) => {
	it.each(blocks.map((block) => [block.kind, block] as const))('a %s fits, and cannot steer a terminal', (_, block) => {
		for (const theme of [plainTheme, darkTheme]) {
			for (const row of blockRows(block, width, theme)) {
				expect(textWidth(row), row).toBeLessThanOrEqual(width);
				expect(row).not.toMatch(/\n| $/);
				// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys is looked for.
				expect(rendered(row).replace(/\u001b\[[\d;]*m/g, '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
			}
		}
	});

	it.each([1, 3, 8, 30])('what goes on takes no more than %i rows', (height) => {
		const rows = liveRows(running, { width, height }, plainTheme);
		expect(rows.length).toBeLessThanOrEqual(height);
		for (const row of rows) expect(textWidth(row), row).toBeLessThanOrEqual(width);
	});

	it('the status line is one row, with as many parts as fit', () => {
		const rows = statusRows(running.status, width, plainTheme);
		expect(rows).toHaveLength(1);
		expect(textWidth(rows[0] ?? '')).toBeLessThanOrEqual(width);
	});

	it('the status line never leaves out that plans alone are made, or that edits need no question', () => {
		for (const [mode, words] of [
			['plan', 'plan mode'],
			['acceptEdits', 'accepts edits'],
		] as const) {
			const [row = ''] = statusRows({ ...running.status, mode, model: 'a-rather-long-model-name' }, width, plainTheme);
			expect(row).toContain(words);
			expect(textWidth(row)).toBeLessThanOrEqual(width);
		}
	});
});

describe('a conversation', () => {
	const shown = (block: Block, full = false) => blockRows(block, 60, plainTheme, { full }).join('\n');

	it('folds a long result, says how much is missing, and shows it whole where that is wanted', () => {
		const output = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
		const block: Block = { kind: 'tool', name: 'Bash', subject: 'count', output, isError: false };
		expect(shown(block)).toBe('\n● Bash(count)\n  ⎿  line 0\n     line 1\n     line 2\n     … +27 lines (ctrl+o)');
		expect(shown(block, true)).toContain('line 29');
	});

	it('shows an edit as what was taken and what came', () => {
		expect(shown({ kind: 'tool', name: 'Edit', subject: 'a.ts', change, isError: false })).toBe(
			'\n● Edit(a.ts)\n  ⎿  +1 -1\n     -const a = 1;\n     +const a = 2;\n      context',
		);
	});

	it('shows a list with boxes', () => {
		const list = [
			{ state: 'completed', text: 'Read' },
			{ state: 'in_progress', text: 'Fix' },
			{ state: 'pending', text: 'Test' },
		] as const;
		expect(shown({ kind: 'tool', name: 'TodoWrite', subject: '1 of 3 done', list, isError: false })).toBe(
			'\n● TodoWrite(1 of 3 done)\n  ⎿  ✔ Read\n     ◼ Fix\n     ◻ Test',
		);
	});

	it('shows while a command runs the end of what it writes, and for how long it runs', () => {
		const tail = 'a\nb\nc\nd\ne\nf\n';
		const tools = [{ id: '1', name: 'Bash', input: { command: 'make' }, since: 0, tail, steps: [], stepCount: 0 }];
		const state = { ...newState(65_000), live: { ...nothingLive, tools } };
		expect(liveRows(state, { width: 60, height: 20 }, plainTheme)).toEqual([
			'',
			'● Bash(make) · 1m 05s',
			'  ⎿  c',
			'     d',
			'     e',
			'     f',
		]);
	});
});
