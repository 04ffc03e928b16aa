/** Laws of what the console writes, in a terminal in memory: the scrollback is the user's, and no row is written twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import { resetCapabilitiesCache, setCapabilities } from '@earendil-works/pi-tui';
import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/events.ts';
import { Controller } from '../../src/console/controller.ts';
import { Dialogs, holdMs } from '../../src/console/dialogs.ts';
import { keyActions } from '../../src/console/key-actions.ts';
import { List, Pick } from '../../src/console/screens/list.ts';
import { PermissionScreen } from '../../src/console/screens/permission.ts';
import type { Screen } from '../../src/console/screens/screen.ts';
import { Bursts } from '../../src/console/shell/console-terminal.ts';
import { keyOf } from '../../src/console/shell/key-names.ts';
import { Shell } from '../../src/console/shell/shell.ts';
import { plainTheme } from '../../src/console/theme.ts';
import type { AssistantMessage } from '../../src/model/index.ts';
import { HeadlessTerminal } from '../support/headless-terminal.ts';

/** Longer than the console waits between frames: the timers of both are in one process, so that a busy machine does not change their order. */
const aFrame = 100;

interface Stage extends Disposable {
	readonly terminal: HeadlessTerminal;
	readonly controller: Controller;
	readonly shell: Shell;
	readonly sent: string[];
}

/** `before`: what stands on the screen already. */
function stage(columns = 80, rows = 24, before = ''): Stage {
	const terminal = new HeadlessTerminal(columns, rows);
	terminal.write(before);
	const controller = new Controller({ theme: plainTheme });
	const sent: string[] = [];
	const shell: Shell = new Shell({
		terminal,
		theme: () => plainTheme,
		face: controller.face,
		key: (key) => controller.press(key, () => false),
		submitted: (text) => sent.push(text),
		changed: () => undefined,
	});
	shell.start();
	controller.drawOn(shell);
	return { terminal, controller, shell, sent, [Symbol.dispose]: () => shell.stop() };
}

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const partial: AssistantMessage = {
	...{ role: 'assistant', content: [], api: 'a', provider: 'p', model: 'm', stopReason: 'stop', timestamp: 1 },
	usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
};

function* reply(text: string, size: number): Generator<AgentEvent> {
	const update = (event: Extract<AgentEvent, { type: 'message_update' }>['assistantMessageEvent']): AgentEvent => ({
		type: 'message_update',
		message: partial,
		assistantMessageEvent: event,
	});
	yield { type: 'message_start', message: partial };
	yield update({ type: 'text_start', contentIndex: 0, partial });
	for (let at = 0; at < text.length; at += size)
		yield update({ type: 'text_delta', contentIndex: 0, delta: text.slice(at, at + size), partial });
	yield update({ type: 'text_end', contentIndex: 0, content: text, partial });
	yield { type: 'message_end', message: { ...partial, content: [{ type: 'text', text }] } };
}

/** Streams it so fast that many frames are drawn on the way. */
async function stream({ controller }: Stage, text: string, size: number, each = 40): Promise<void> {
	controller.dispatch({ type: 'busy', busy: true });
	let count = 0;
	for (const event of reply(text, size)) {
		controller.dispatch({ type: 'event', event });
		count += 1;
		if (count % each === 0) await sleep(17);
	}
	controller.dispatch({ type: 'busy', busy: false });
	await sleep(aFrame);
}

const paragraphs = (count: number): string =>
	Array.from({ length: count }, (_, at) => `Row ${at} of the answer.`).join('\n\n');
const code = (count: number): string =>
	`Before.\n\n\`\`\`\n${Array.from({ length: count }, (_, at) => `code row ${at};`).join('\n')}\n\`\`\`\n\nAfter.`;
const table = (count: number): string =>
	`| a | b |\n|---|---|\n${Array.from({ length: count }, (_, at) => `| cell ${at}; | ${'x'.repeat(at % 20)} |`).join('\n')}\n\nAfter.`;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: codes are what is looked for.
const cleared = /\u001b\[[23]J/;
const absolute = /\u001b\[\d*;?\d*H/;
const frame = /\u001b\[\?2026h[\s\S]*?\u001b\[\?2026l/g;
const moves = /\u001b\[[?\d;]*[A-Za-z]/g;
const obeyed = /\u001b\]|\u001b\[[23]J|[\u0007\u0080-\u009f\u202e]/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: see above.

describe('while an answer streams', () => {
	it.each([
		['paragraphs', paragraphs(80), (at: number) => `Row ${at} of the answer.`, 80],
		['a block of code three screens tall', code(72), (at: number) => `code row ${at};`, 72],
		['a growing table', table(60), (at: number) => `cell ${at};`, 60],
	])('%s: every row is there exactly once, and nothing was cleared', async (_, text, row, count) => {
		using here = stage();
		await stream(here, text, 7);
		const lines = await here.terminal.lines();
		for (let at = 0; at < count; at += 1) {
			expect(
				lines.filter((line) => line.includes(row(at))),
				row(at),
			).toHaveLength(1);
		}
		expect(here.terminal.raw).not.toMatch(cleared);
		// A frame is drawn as a whole, and never moves to an absolute place.
		expect(here.terminal.raw).not.toMatch(absolute);
		const begun = here.terminal.raw.split('\u001b[?2026h').length;
		expect(here.terminal.raw.split('\u001b[?2026l')).toHaveLength(begun);
		expect(here.terminal.raw.replace(frame, '').replace(moves, '').trim()).toBe('');
	});

	it('what has scrolled away is never written again', async () => {
		using here = stage(60, 16);
		await stream(here, paragraphs(40), 9);
		const before = here.terminal.raw.length;
		await stream(here, 'Something else entirely, said later.', 5);
		expect(here.terminal.raw.slice(before)).not.toContain('Row 3 of');
	});

	it('no row ends in a blank, and none is wider than the screen', async () => {
		for (const columns of [20, 40, 80, 200]) {
			using here = stage(columns, 12);
			await stream(here, `${code(20)}\n\n${table(5)}\n\n${'words '.repeat(100)}${'w'.repeat(300)}`, 31);
			for (const line of await here.terminal.lines()) expect(line.length).toBeLessThanOrEqual(columns);
			expect(here.terminal.raw).not.toMatch(/[^ ❯] +\r\n/);
		}
	});

	it('codes in what is said and done never reach the terminal', async () => {
		using here = stage();
		const evil = '\u001b]0;owned\u0007\u001b[2J\u001b[3J\u009b2J\u202e';
		await stream(here, `Text ${evil} more\n\n\`\`\`\n${evil}\n\`\`\``, 3);
		const args = { command: evil };
		const call = { toolCallId: '1', toolName: evil };
		const result = { content: [{ type: 'text', text: evil }] };
		here.controller.dispatch({ type: 'event', event: { type: 'tool_execution_start', ...call, args } });
		here.controller.dispatch({ type: 'event', event: { type: 'tool_execution_end', ...call, result, isError: false } });
		here.controller.dispatch({ type: 'note', text: evil });
		await sleep(aFrame);
		expect(here.terminal.raw).not.toMatch(obeyed);
	});

	it('a resize redraws one screen, and clears no scrollback', async () => {
		using here = stage();
		await stream(here, paragraphs(40), 50);
		here.terminal.resize(60, 20);
		await sleep(aFrame);
		here.terminal.resize(100, 30);
		await sleep(aFrame);
		expect(here.terminal.raw).not.toContain('\u001b[3J');
		expect((await here.terminal.lines()).filter((line) => line.includes('Row 1 of the answer.'))).toHaveLength(1);
	});

	it.each([
		[
			'grown and shrunk',
			[
				[80, 40],
				[80, 12],
				[80, 30],
			],
		],
		[
			'narrowed and widened',
			[
				[40, 24],
				[120, 24],
				[80, 24],
			],
		],
		[
			'both',
			[
				[60, 20],
				[100, 36],
				[40, 12],
				[80, 30],
			],
		],
	] as const)('on a screen that is %s every row of what was said is there exactly once', async (_, sizes) => {
		using here = stage();
		await stream(here, paragraphs(40), 50);
		for (const [columns, rows] of sizes) {
			here.terminal.resize(columns, rows);
			await sleep(aFrame);
		}
		const lines = await here.terminal.lines();
		const found = Array.from({ length: 40 }, (_, at) => lines.filter((line) => line.includes(`Row ${at} of`)).length);
		expect(found).toEqual(found.map(() => 1));
		expect(lines.filter((line) => line.includes('❯'))).toHaveLength(1);
	});

	it('idle it writes nothing', async () => {
		using here = stage();
		await stream(here, 'Done.', 2);
		const before = here.terminal.raw.length;
		await sleep(700);
		expect(here.terminal.raw.length).toBe(before);
	});
});

describe('what was thought, and pictures', () => {
	it('a thought is one row, shown in place and hidden again as long as it is on the screen', async () => {
		using here = stage();
		const thought = 'First this, then that, and the parser last.';
		here.controller.dispatch({ type: 'blocks', blocks: [{ kind: 'thinking', text: thought }] });
		await sleep(aFrame);
		const before = await here.terminal.lines();
		expect(before.join('\n')).toContain('✻ Thought, 8 words (alt+t)');
		for (const expected of [true, false]) {
			here.controller.dispatch({ type: 'toggle-thinking' });
			here.shell.refresh();
			await sleep(aFrame);
			expect((await here.terminal.lines()).join('\n').includes(thought)).toBe(expected);
		}
		expect(await here.terminal.lines()).toEqual(before);
	});

	it('a picture is sent once where the terminal can draw it, and elsewhere told in a row', async () => {
		const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
		const picture = { kind: 'picture', name: 'dot.png', mime: 'image/png', base64: png } as const;
		for (const images of ['kitty', 'iterm2', null] as const) {
			setCapabilities({ images, trueColor: true, hyperlinks: false });
			using here = stage();
			here.controller.dispatch({ type: 'blocks', blocks: [{ kind: 'prompt', text: 'look at dot.png' }, picture] });
			await sleep(aFrame);
			await stream(here, paragraphs(3), 9);
			expect((await here.terminal.lines()).join('\n')).toContain(
				'❯ look at dot.png\n  ⎿  dot.png · image/png · 70 bytes',
			);
			const sent = here.terminal.raw.split(/_Ga=|\]1337;File=/).length - 1;
			expect(sent).toBe(images ? 1 : 0);
		}
		resetCapabilitiesCache();
	});
});

describe('the line of input', () => {
	it('a paste of 100 KB becomes a marker at once, and is sent whole', async () => {
		using here = stage();
		const text = Array.from({ length: 2000 }, (_, at) => `line ${at} ${'x'.repeat(40)}`).join('\n');
		const began = performance.now();
		here.terminal.press(`\u001b[200~${text}\u001b[201~`);
		expect(performance.now() - began).toBeLessThan(500);
		await sleep(aFrame);
		expect((await here.terminal.shown()).join('\n')).toContain('[paste #1 +2000 lines]');
		here.terminal.press('\r');
		expect(here.sent).toEqual([text]);
	});

	it.each([
		['backslash and Enter', ['a', '\\', '\r', 'b']],
		['Alt-Enter', ['a', '\u001b\r', 'b']],
		['Ctrl-J', ['a', '\n', 'b']],
		['Shift-Enter of modifyOtherKeys', ['a', '\u001b[27;2;13~', 'b']],
		['Shift-Enter of Kitty', ['a', '\u001b[13;2u', 'b']],
	])('%s begins a new line', (_, keys) => {
		using here = stage();
		for (const key of keys) here.terminal.press(key);
		expect(here.sent).toEqual([]);
		here.terminal.press('\r');
		expect(here.sent).toEqual(['a\nb']);
	});

	it('Enter takes nothing from a list that was made for another text, and nothing that is not on the screen', async () => {
		using here = stage();
		const waiting: (() => void)[] = [];
		const item = { value: 'rewind', label: '/rewind', description: 'go back' };
		here.shell.complete({
			async getSuggestions([text = '']) {
				if (text !== '/re') await new Promise<void>((resolve) => waiting.push(resolve));
				return text.startsWith('/') ? { items: [item], prefix: text } : null;
			},
			applyCompletion: (_lines, line, _column, { value }) => ({ lines: [`/${value}`], cursorLine: line, cursorCol: 7 }),
		});
		const release = async (): Promise<void> => {
			for (const go of waiting.splice(0)) go();
			await sleep(aFrame);
		};
		for (const key of '/re') here.terminal.press(key);
		await release();
		expect((await here.terminal.shown()).join('\n')).toContain('go back');
		// The list of `/re` still stands there while the one for the new text is being made.
		here.terminal.press('\u0015');
		for (const key of 'hello') here.terminal.press(key);
		here.terminal.press('\r');
		expect(here.sent).toEqual(['hello']);
		for (const key of '/re') here.terminal.press(key);
		await release();
		here.terminal.press('\r');
		expect(here.sent).toEqual(['hello', '/rewind']);
	});

	it('Enter writes a command out that fits only loosely what was typed, and the next Enter carries it out', async () => {
		using here = stage();
		const item = { value: 'web:fullscreen', label: '/web:fullscreen', description: 'all of it' };
		here.shell.complete({
			getSuggestions: ([text = '']) => Promise.resolve(/^\/\S+$/.test(text) ? { items: [item], prefix: text } : null),
			applyCompletion: (_lines, line, _column, { value }) => ({
				lines: [`/${value} `],
				cursorLine: line,
				cursorCol: 16,
			}),
		});
		const called = async (typed: string): Promise<void> => {
			for (const key of typed) here.terminal.press(key);
			await sleep(aFrame);
			await here.terminal.shown();
			here.terminal.press('\r');
		};
		await called('/ls');
		expect(here.sent).toEqual([]);
		expect((await here.terminal.shown()).join('\n')).toContain('❯ /web:fullscreen');
		here.terminal.press('\r');
		expect(here.sent).toEqual(['/web:fullscreen']);
		await called('/Full');
		expect(here.sent).toEqual(['/web:fullscreen', '/web:fullscreen']);
	});

	it('↑ into the history and back gives the draft back whole', () => {
		using here = stage();
		here.shell.remember('an earlier one');
		for (const key of ['n', 'e', 'w', '\u0001']) here.terminal.press(key);
		here.terminal.press('\u001b[A');
		expect(here.shell.text).toBe('an earlier one');
		here.terminal.press('\u001b[B');
		expect(here.shell.text).toBe('new');
	});

	it('plain characters in one read are a paste, keys are keys, and a bracketed paste in pieces stays one', async () => {
		const keys: string[] = [];
		const pastes: string[] = [];
		const bursts = new Bursts(
			(data) => keys.push(data),
			(text) => pastes.push(text),
		);
		bursts.take('a');
		bursts.take(`${'typed by a machine\n'.repeat(3)}`);
		bursts.take('and its rest');
		await sleep(aFrame);
		bursts.take(`\u001b[200~${'x'.repeat(100)}`);
		bursts.take('y'.repeat(100));
		bursts.take('z\u001b[201~');
		bursts.take('b');
		expect(keys).toEqual(['a', `\u001b[200~${'x'.repeat(100)}`, 'y'.repeat(100), 'z\u001b[201~', 'b']);
		expect(pastes).toEqual([`${'typed by a machine\n'.repeat(3)}and its rest`]);
	});

	it('keys have names, whatever protocol sends them', () => {
		const named = (data: string) => keyOf(data)?.name;
		expect(['\u001b', '\u001b[A', '\r', '\u0003', '\u001b[Z', '\u001b[99;5u', '\u007f'].map(named)).toEqual([
			...['escape', 'up', 'enter', 'ctrl+c', 'shift+tab', 'ctrl+c', 'backspace'],
		]);
		expect(keyOf('é')).toEqual({ name: 'text', text: 'é' });
		expect(keyOf('\u001b[200~a\r\nb\u001b]x\u001b[201~')).toEqual({ name: 'text', text: 'a\nb]x' });
	});
});

describe('a dialog', () => {
	const pick = () => new Pick({ title: 'Which?', none: '' }, new List([{ key: '1', label: 'One', value: 1 }]));

	it('whose data cannot be loaded says why in the console, and stays as it is', async () => {
		const controller = new Controller({ theme: plainTheme });
		const waiting: Screen<number> = {
			wants: { what: 'preview', of: 'x' },
			rows: () => ['Waiting'],
			press: () => ({ answer: 1 }),
		};
		const serve = () => Promise.reject(new Error('the disk is gone'));
		const answer = controller.dialogs.open(() => waiting, { serve });
		await vi.waitFor(() =>
			expect(controller.state.blocks).toMatchObject([{ kind: 'error', text: 'the disk is gone' }]),
		);
		expect(controller.dialogs.rows({ width: 40, height: 12 }, plainTheme)).toEqual(['Waiting']);
		controller.dialogs.press({ name: 'enter' }, { width: 40, height: 12 });
		expect(await answer).toBe(1);
	});

	it('that opens by itself takes no key until nobody has typed for a moment', async () => {
		let now = 1000;
		const dialogs = new Dialogs(
			() => undefined,
			() => now,
		);
		const size = { width: 40, height: 12 };
		const answer = dialogs.open(pick, { guarded: true });
		now += 300;
		expect(dialogs.press({ name: 'text', text: '1' }, size)).toBe(false);
		now += 300;
		expect(dialogs.press({ name: 'enter' }, size)).toBe(true);
		expect(dialogs.isOpen).toBe(true);
		now += 500;
		expect(dialogs.press({ name: 'text', text: '1' }, size)).toBe(true);
		expect(await answer).toBe(1);
	});

	it('that opens by itself: after text was typed, Enter alone answers nothing, and what was typed is seen and kept', async () => {
		using here = stage();
		const two = () =>
			new Pick(
				{ title: 'Which?', none: '' },
				new List([
					{ key: '1', label: 'One', value: 1 },
					{ key: '2', label: 'Two', value: 2 },
				]),
			);
		const answers: (number | undefined)[] = [];
		const ask = async () => {
			void here.controller.dialogs.open<number | undefined>(two, { guarded: true }).then((one) => answers.push(one));
			await sleep(450);
		};
		await ask();
		for (const key of '? and 2') here.terminal.press(key);
		await sleep(450);
		here.terminal.press('\r');
		await sleep(aFrame);
		const shown = (await here.terminal.shown()).join('\n');
		expect(shown).toContain('Typed, not sent: ? and 2');
		expect(shown).toContain('An arrow and Enter answer');
		expect(answers).toEqual([]);
		here.terminal.press('\u001b[B');
		here.terminal.press('\r');
		await sleep(0);
		expect(answers).toEqual([2]);
		// The text still stands in the line when the next question comes.
		await ask();
		here.terminal.press('\r');
		await sleep(0);
		expect(answers).toEqual([2]);
		here.terminal.press('1');
		await sleep(holdMs + 50);
		expect(answers).toEqual([2]);
		await sleep(450);
		here.terminal.press('\u001b[A');
		here.terminal.press('\r');
		await sleep(0);
		expect(answers).toEqual([2, 2]);
		expect([here.shell.text, here.sent]).toEqual(['? and 21', []]);
	});

	it('on a screen too small for it takes numbers as neither answer nor text; with text in the line it names no key that does nothing', () => {
		let now = 1000;
		let line = '';
		const dialogs = new Dialogs(
			() => undefined,
			() => now,
			() => line,
		);
		const question = {
			shown: { tool: 'Bash', parts: [{ text: 'npm test -- one two three four' }] },
			rule: 'Bash(npm test)',
			settings: '.claude/settings.local.json',
		};
		void dialogs.open(() => new PermissionScreen(question), { guarded: true });
		const tiny = { width: 20, height: 5 };
		expect(dialogs.rows(tiny, plainTheme)?.join('\n')).toContain('Too small');
		now += 500;
		for (const text of '13') expect(dialogs.press({ name: 'text', text }, tiny)).toBe(true);
		expect(dialogs.press({ name: 'text', text: 'x' }, tiny)).toBe(false);
		now += 500;
		const wide = { width: 40, height: 14 };
		expect(dialogs.rows(wide, plainTheme)?.join('\n')).toMatch(/1-3 or ↑↓ Enter/);
		line = 'x';
		const typed = dialogs.rows(wide, plainTheme)?.join('\n');
		expect(typed).toContain('An arrow and Enter answer');
		expect(typed).not.toContain('1-3');
		dialogs.press({ name: 'down' }, wide);
		expect(dialogs.rows(wide, plainTheme)?.join('\n')).toMatch(/1-3 or ↑↓ Enter/);
	});

	it('is not answered by a text that begins with a number, which stays in the line whole', async () => {
		using here = stage();
		let answer: number | undefined;
		void here.controller.dialogs.open(pick, { guarded: true }).then((one) => {
			answer = one;
		});
		await sleep(450);
		for (const key of '1 file is missing') {
			here.terminal.press(key);
			await sleep(30);
		}
		here.terminal.press('\r');
		await sleep(holdMs + 150);
		expect([answer, here.shell.text, here.controller.dialogs.isOpen]).toEqual([undefined, '1 file is missing', true]);
		expect((await here.terminal.shown()).join('\n')).toContain('Typed, not sent: 1 file is missing');
		// The line is empty again: a number alone is an answer.
		here.shell.text = '';
		here.terminal.press('1');
		await sleep(holdMs + 50);
		expect([answer, here.shell.text]).toEqual([1, '']);
	});

	it('takes a number at once where a key follows that types nothing, and forgets it where that is Esc', async () => {
		using here = stage();
		const first = here.controller.dialogs.open(pick, { guarded: true });
		await sleep(450);
		here.terminal.press('1');
		here.terminal.press('\r');
		expect(await first).toBe(1);
		const second = here.controller.dialogs.open(pick, { guarded: true });
		await sleep(450);
		here.terminal.press('1');
		here.terminal.press('\u001b');
		expect(await second).toBeUndefined();
	});

	it('is closed when nobody needs its answer any more, and the next one is shown', async () => {
		let now = 1000;
		const dialogs = new Dialogs(
			() => undefined,
			() => now,
		);
		const stop = new AbortController();
		const counted: number[] = [];
		const question = (of: number) => {
			counted.push(of);
			return pick();
		};
		const first = dialogs.open(question, { signal: stop.signal, guarded: true });
		const second = dialogs.open(question, { guarded: true });
		stop.abort();
		expect(await first).toBeUndefined();
		expect(counted).toEqual([1, 1]);
		now += 500;
		dialogs.press({ name: 'escape' }, { width: 40, height: 12 });
		expect(await second).toBeUndefined();
		expect(dialogs.isOpen).toBe(false);
	});

	it('stands in place of the line of input, which keeps its draft', async () => {
		using here = stage();
		for (const key of 'draft') here.terminal.press(key);
		const answer = here.controller.dialogs.open(pick, { guarded: true });
		await sleep(aFrame);
		expect((await here.terminal.shown()).join('\n')).toContain('Which?');
		await sleep(450);
		here.terminal.press('\u001b');
		await answer;
		await sleep(aFrame);
		expect((await here.terminal.shown()).join('\n')).toContain('❯ draft');
	});
});

it('what a killed program has left below the cursor is gone with the first frame, and what stands above stays', async () => {
	using here = stage(40, 12, 'above\r\n$ reprise\r\nold text\r\n> old line of input\r\n  old status\u001b[2A\r');
	expect(await here.terminal.shown()).toEqual(expect.arrayContaining(['above', '$ reprise']));
	expect((await here.terminal.shown()).join('\n')).not.toContain('old');
	expect(here.terminal.raw).not.toMatch(cleared);
});

it('a screen that the user opens leaves the conversation as it stood', async () => {
	using here = stage(60, 16);
	await stream(here, paragraphs(20), 50);
	const before = await here.terminal.lines();
	const items = Array.from({ length: 40 }, (_, at) => ({ label: `Choice ${at}`, value: at }));
	const answer = here.controller.dialogs.open(() => new Pick({ title: 'Which?', none: '' }, new List(items)));
	await sleep(aFrame);
	expect((await here.terminal.shown())[0]).toContain('Which?');
	here.terminal.press('\u001b');
	await answer;
	await sleep(aFrame);
	expect(await here.terminal.lines()).toEqual(before);
});

it('Esc and Ctrl-C: once clears or stops, twice rewinds or exits, also where something is asked', () => {
	const done: string[] = [];
	const line = { text: 'x', busy: false, asks: false };
	let now = 0;
	const press = keyActions(
		{
			...{ isBusy: () => line.busy, isCompleting: () => false, text: () => line.text, hasQueue: () => false },
			clear: () => done.push('clear'),
			interrupt: () => done.push('interrupt'),
			leaveDialog: () => line.asks && done.push('no') > 0,
			exit: () => done.push('exit'),
			ends: () => '',
			suspend: () => done.push('suspend'),
			editOutside: () => done.push('editor'),
			showAll: () => done.push('all'),
			nextMode: () => done.push('mode'),
			toggleTasks: () => done.push('tasks'),
			pastePicture: () => done.push('picture'),
			toggleThinking: () => done.push('thinking'),
			searchHistory: () => done.push('history'),
			redraw: () => done.push('redraw'),
			editQueue: () => done.push('queue'),
			sendLater: () => done.push('later'),
			command: (name) => done.push(name),
			hint: () => undefined,
		},
		undefined,
		() => now,
	);
	const pressed = (name: string, after = 5000): readonly string[] => {
		now += after;
		done.splice(0);
		press(name);
		return [...done];
	};
	expect(pressed('ctrl+c')).toEqual(['clear']);
	line.text = '';
	line.busy = true;
	expect(pressed('ctrl+c')).toEqual(['interrupt']);
	expect(pressed('ctrl+c', 100)).toEqual(['exit']);
	expect(pressed('escape')).toEqual(['interrupt']);
	line.text = 'words';
	expect(pressed('tab')).toEqual(['later']);
	line.text = 'look at @src/a';
	expect(pressed('tab')).toEqual([]);
	line.asks = true;
	expect(pressed('ctrl+c')).toEqual(['no']);
	expect(pressed('ctrl+c', 100)).toEqual(['exit']);
	line.asks = false;
	line.text = '';
	line.busy = false;
	expect(pressed('escape')).toEqual([]);
	expect(pressed('escape', 100)).toEqual(['rewind']);
	expect(pressed('ctrl+d')).toEqual(['exit']);
	line.text = 'x';
	expect(pressed('ctrl+d')).toEqual([]);
});
