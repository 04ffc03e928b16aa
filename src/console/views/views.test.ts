/** The views fit every width, and show nothing that a terminal would obey. */
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../terminal/width.ts';
import { rendered } from '../../terminal/writer.ts';
import { reduce } from '../reduce.ts';
import { type Action, type Block, newState, nothingLive, type State } from '../state.ts';
import { darkTheme, plainTheme } from '../theme.ts';
import { toldTool } from '../told-tool.ts';
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

	it('breaks a line of code below its own beginning', () => {
		const text = `\`\`\`\n  if (x) ${'word '.repeat(14)}\n\`\`\``;
		expect(shown({ kind: 'reply', text, first: false })).toMatch(/^\n {6}if \(x\) word[^\n]*\n {6}word word/);
	});

	it('shows of a failed command the end, where the error is, under a sign that needs no colour', () => {
		const output = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
		const failed = shown({ kind: 'tool', name: 'Bash', subject: 'make', output, isError: true });
		expect(failed).toMatch(/^\n✗ Bash\(make\)\n {2}⎿ {2}… 22 lines before \(ctrl\+o\)\n {5}line 22\n[\s\S]*line 29$/);
	});

	it('shows more of what the user has run, and never folds what has as much room as the words for it', () => {
		const output = (lines: number): string => Array.from({ length: lines }, (_, at) => `line ${at}`).join('\n');
		const own = (lines: number): string =>
			shown({ kind: 'tool', name: '!', subject: 'seq', output: output(lines), isError: false, own: true });
		expect(own(22)).toMatch(/line 21$/);
		expect(own(23)).toMatch(/line 19\n {5}… \+3 lines \(ctrl\+o\)$/);
		expect(shown({ kind: 'tool', name: 'Bash', subject: 'x', output: output(5), isError: false })).toMatch(/line 4$/);
	});

	it('keeps a plan, whatever was decided about it, and no words that are for the model', () => {
		const plan = '## Steps\n\n1. **Read** it';
		const told = (name: string, output: string, input: object, isError = false): string =>
			shown({ kind: 'tool', ...toldTool({ name, subject: 's', output, isError }, input as never) });
		expect(told('ExitPlanMode', 'User has approved your plan. You can now start coding.', { plan })).toBe(
			'\n● Plan(approved)\n  ⎿  Steps\n\n     1. Read it',
		);
		const refused = 'Permission to use ExitPlanMode was denied: the user wants to go on planning: test it, too.';
		expect(told('ExitPlanMode', refused, { plan }, true)).toBe(
			'\n✗ Plan(not approved: test it, too)\n  ⎿  Steps\n\n     1. Read it',
		);
		const report = 'It is **fine**.\nagentId: a1b2 (for resuming to continue this agent’s work if needed)';
		expect(told('Task', report, {})).toBe('\n● Task(s)\n  ⎿  It is fine.');
		const answered =
			'User has answered your questions: "Which database?"="SQLite", "Since when?"="I said "now"". You can now continue with the user\'s answers in mind.';
		expect(told('AskUserQuestion', answered, {})).toBe(
			'\n● AskUserQuestion(s)\n  ⎿  SQLite (Which database?)\n     I said "now" (Since when?)',
		);
		const left =
			'Command running in background with ID: b1. Output is being written to: /tmp/x. You will be notified when it completes. To check interim output, use TaskOutput, or Read on that file path.';
		expect(told('Bash', left, {})).toBe('\n● Bash(s)\n  ⎿  It runs on in the background (b1): /tasks shows it.');
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

	it('counts no time while a question waits for the user, and none for a call that has ended before those above it', () => {
		const begun = { type: 'event', event: { type: 'tool_execution_start', toolName: 'Task', args: {} } } as const;
		const call = (toolCallId: string) => ({ ...begun, event: { ...begun.event, toolCallId } });
		const stateAfter = (actions: readonly Action[], state: State = newState(0)): State => actions.reduce(reduce, state);
		const at = (now: number): Action => ({ type: 'tick', now });
		const rows = (state: State): string => liveRows(state, { width: 80, height: 20 }, plainTheme).join('\n');
		const ended = { is: 'ended', id: 'a', call: '2', kind: 'agent', background: false, status: 'killed' } as const;
		const task = { ...ended, time: 0, outputFile: '', summary: '' };
		const begin: readonly Action[] = [{ type: 'busy', busy: true }, call('1'), call('2'), at(5000)];
		const open = stateAfter([...begin, { type: 'asking', asks: true }, at(60_000)]);
		expect(rows(open)).toMatch(/Task.* · 5s\n[\s\S]*Waiting for you… \(5s · /);
		const goesOn = stateAfter(
			[{ type: 'asking', asks: false }, { type: 'loop', event: { type: 'task', task } }, at(62_000)],
			open,
		);
		expect(rows(goesOn)).toMatch(/Task.* · 7s\n[\s\S]*Task.* · 5s, ended\n[\s\S]*Working… \(7s · /);
	});

	it('says what is done in the words for that, and shows the list between two turns to whoever asks for it', () => {
		const todos = [{ state: 'in_progress', text: 'Run tests', active: 'Running tests' }] as const;
		const size = { width: 60, height: 20 };
		const busy = { ...newState(0), todos, busySince: 0 };
		expect(liveRows(busy, size, plainTheme).join('\n')).toContain('Running tests… (');
		const idle = reduce({ ...newState(0), todos }, { type: 'toggle-todos' });
		expect(liveRows(idle, size, plainTheme)).toEqual(['', '  ⎿  ◼ Run tests']);
		expect(reduce(newState(0), { type: 'toggle-todos' }).status.hint?.text).toBe('There is no task list.');
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
