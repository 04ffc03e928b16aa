/** Laws of the console's screen: it is the view of the state however that came about, the caret is where input goes, and no list of files holds up a key. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileMatches, ProjectFiles } from '../../src/console/composer/completion.ts';
import { Controller } from '../../src/console/controller.ts';
import { TextScreen } from '../../src/console/screens/text-screen.ts';
import { completions } from '../../src/console/shell/completions.ts';
import { Shell } from '../../src/console/shell/shell.ts';
import type { Action } from '../../src/console/state.ts';
import { plainTheme } from '../../src/console/theme.ts';
import { HeadlessTerminal } from '../support/headless-terminal.ts';
import { Scratch } from '../support/sessions.ts';

const [width, height] = [60, 16];

function stage(sent: string[] = []) {
	const terminal = new HeadlessTerminal(width, height);
	const controller = new Controller({ theme: plainTheme });
	const said: string[] = [];
	const shell: Shell = new Shell({
		terminal,
		theme: () => plainTheme,
		face: controller.face,
		key: (key) => controller.press(key, () => false),
		submitted: (text) => sent.push(text),
		changed: () => undefined,
	});
	shell.start();
	controller.drawOn({
		append(rows) {
			said.push(...rows(width));
			shell.append(rows);
		},
		draw: () => shell.draw(),
		text: '',
		size: { width, height },
		remember: () => undefined,
	});
	return { terminal, controller, shell, said, [Symbol.dispose]: () => shell.stop() };
}

const call = (toolCallId: string) => ({ toolCallId, toolName: 'Bash', args: { command: `run ${toolCallId}` } });
const id = fc.constantFrom('1', '2', '3');
const text = fc
	.array(fc.constantFrom('word', '日本語', 'e\u0301', 'a\tb', 'שלום', 'x'.repeat(70), '\n', '\u001b[2J'), {
		maxLength: 30,
	})
	.map((words) => words.join(' '));
const action: fc.Arbitrary<Action> = fc.oneof(
	fc
		.tuple(fc.constantFrom('note', 'said', 'prompt', 'error'), text)
		.map(([type, said]): Action => ({ type, text: said })),
	fc.boolean().map((busy): Action => ({ type: 'busy', busy })),
	fc.array(text, { maxLength: 4 }).map((all): Action => ({ type: 'queue', queue: all.map((one) => ({ text: one })) })),
	id.map((one): Action => ({ type: 'event', event: { type: 'tool_execution_start', ...call(one) } })),
	fc.tuple(id, text).map(([one, output]): Action => {
		const result = { content: [{ type: 'text', text: output }] };
		return { type: 'event', event: { type: 'tool_execution_end', ...call(one), result, isError: false } };
	}),
);

/** What was said, what goes on, the line of input and the status line. */
function viewOf({ said, controller: { face } }: ReturnType<typeof stage>): string {
	const rule = '─'.repeat(width);
	const below = [rule, '❯', rule, ...face.status({ width, height })];
	const live = face.live({ width, height: Math.min(height / 2, height - below.length) });
	return [...said, ...live, ...below].map((row) => row.trimEnd()).join('\n');
}

it('the screen and the scrollback are the view of the state after any order of events', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 16 }), async (actions) => {
			using here = stage();
			for (const [at, one] of actions.entries()) {
				here.controller.dispatch(one);
				if (at % 2 === 1) await sleep(18);
			}
			await sleep(60);
			// The caret is a drawn blank.
			const shown = async () =>
				(await here.terminal.lines())
					.map((row) => row.trimEnd())
					.join('\n')
					.trimEnd();
			// A clock runs while something goes on: it may have moved between the frame and the look at it.
			for (let looks = 0; looks < 5 && (await shown()) !== viewOf(here).trimEnd(); looks += 1) await sleep(60);
			expect(await shown()).toBe(viewOf(here).trimEnd());
		}),
		{ numRuns: 25 },
	);
}, 60_000);

it('a screen that is opened while a frame is due leaves the conversation as it stood, and what is said behind it stands below', async () => {
	using here = stage();
	for (const text of ['one', 'two', 'three']) here.controller.dispatch({ type: 'prompt', text });
	await sleep(60);
	const before = await here.terminal.lines();
	// The library draws this one by itself, when the dialog is open already.
	here.terminal.press('x');
	here.terminal.press('\u007f');
	const rows = Array.from({ length: 40 }, (_, at) => `row ${at}`);
	const closed = here.controller.dialogs.open(() => new TextScreen({ title: 'Tall', body: () => rows }));
	await sleep(60);
	expect(await here.terminal.shown()).toContain('row 3');
	here.terminal.press('\u001b');
	here.controller.dispatch({ type: 'note', text: 'Saved' });
	await closed;
	await sleep(60);
	const after = await here.terminal.lines();
	const said = (lines: readonly string[]) => lines.filter((row) => /^❯ \w|^·/.test(row));
	expect(said(after)).toEqual([...said(before), '· Saved']);
	expect(await here.terminal.shown()).toEqual(expect.arrayContaining(['❯ one', '· Saved']));
}, 20_000);

it.each([
	[68, 10],
	[40, 12],
	[80, 14],
] as const)(
	'a size of %i by %i that is told late, to a process that was kept from running, loses no row',
	async (columns, rows) => {
		using here = stage();
		let count = 0;
		const say = (some: number) => {
			for (const until = count + some; count < until; count += 1)
				here.controller.dispatch({ type: 'prompt', text: `Prompt ${count} of them` });
		};
		here.terminal.resize(63, 31);
		say(9);
		await sleep(150);
		await here.terminal.resizeUntold(columns, rows);
		for (let round = 0; round < 3; round += 1) {
			say(2);
			await sleep(5);
		}
		// What a busy machine does to a process.
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
		here.terminal.tellSize();
		await sleep(150);
		const all = (await here.terminal.lines()).join('\n');
		for (let at = 0; at < count; at += 1) expect(all).toContain(`❯ Prompt ${at} of them`);
	},
);

it.each([
	['ascii', 'abc', 3],
	['wide', '日本', 4],
	['a combined sign', 'e\u0301x', 2],
	['a family', '👩‍👩‍👧', 2],
	['right to left', 'שלום', 4],
])('the terminal’s own cursor stands at the caret, where input methods look for it: %s', async (_, typed, columns) => {
	using here = stage();
	here.terminal.press(typed);
	await sleep(40);
	expect(await here.terminal.column()).toBe(2 + columns);
	here.controller.dispatch({ type: 'note', text: 'Something is said meanwhile.' });
	await sleep(60);
	expect(await here.terminal.column()).toBe(2 + columns);
});

it('among 100,000 files what was typed last is listed soon, and no key waits', async () => {
	using here = stage();
	const files = Array.from({ length: 100_000 }, (_, at) => `packages/part-${at % 300}/src/module-${at}.ts`);
	here.shell.complete(completions(() => [], { list: async () => files, all: async () => files } as never));
	let longest = 0;
	for (const key of 'look at @module-99') {
		const began = performance.now();
		here.terminal.press(key);
		longest = Math.max(longest, performance.now() - began);
	}
	const began = performance.now();
	while (!(await here.terminal.shown()).join('\n').includes('module-99.ts') && performance.now() - began < 3000)
		await sleep(5);
	const shown = (await here.terminal.shown()).join('\n');
	expect(shown).toContain('❯ look at @module-99');
	expect(shown).toContain('module-99.ts');
	// How long the list takes is measured where nothing else runs (`npm run bench -- console`).
	expect(longest).toBeLessThan(100);
	expect(performance.now() - began).toBeLessThan(3000);
});

it('a list of files that nobody wants any more is not made, whether its files are still read or already searched', async () => {
	using here = stage();
	const files = Array.from({ length: 400_000 }, (_, at) => `packages/part-${at % 300}/src/module-${at}.ts`);
	let release = (): void => undefined;
	const read = new Promise<readonly string[]>((resolve) => {
		release = () => resolve(files);
	});
	const commands = [{ name: 'help', about: 'what there is' }];
	here.shell.complete(completions(() => commands, { list: () => read, all: () => read } as never));
	for (const key of 'see @module') here.terminal.press(key);
	await sleep(60);
	// The files are not read yet, and nobody waits for them: the next list is there without them.
	here.terminal.press('\u0015');
	for (const key of '/h') here.terminal.press(key);
	await sleep(80);
	expect((await here.terminal.shown()).join('\n')).toContain('what there is');
	release();
	const stop = new AbortController();
	const matches = fileMatches('m-o-d-u-l-e', files, stop.signal);
	stop.abort();
	expect(await matches).toBeUndefined();
	expect((await fileMatches('module-399999', files))?.[0]?.value).toBe('packages/part-99/src/module-399999.ts');
});

it('the files of a project are listed at once from what is known, and again where they have changed', async () => {
	using scratch = new Scratch();
	const { folder } = scratch;
	writeFileSync(join(folder, 'first.ts'), '');
	const files = new ProjectFiles(folder);
	expect(await files.list()).toEqual(['first.ts']);
	writeFileSync(join(folder, 'second.ts'), '');
	expect(await files.list()).toEqual(['first.ts']);
	expect(await new ProjectFiles(folder).all()).toEqual(['first.ts', 'second.ts']);
});

/** All that a terminal could obey: control characters, codes, and signs that turn the direction of writing. */
const foreign = fc
	.array(
		fc.oneof(
			fc.constantFrom('word', '日本語', 'e\u0301', '👩‍👩‍👧', 'שלום', '\t', '\n', ' ', 'x'.repeat(70)),
			fc.constantFrom('\u001b]0;pwned\u0007', '\u001b[31mred', '\u001b[2J', '\u009b31m', '\u001b_pi:x\u0007', '\u202e'),
			fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
			fc.constantFrom(...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069'),
		),
		{ minLength: 1, maxLength: 12 },
	)
	.map((parts) => `z${parts.join('z')}z`);

/** What the console itself sends: the end and the beginning of a frame, of a row and of the caret, and moves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: codes are what is looked for.
const ours = /\u001b\[(?:\?2026[hl]|\?25[hl]|[07]?m|\d*[A-DGKLMPJ])|\r\n|\r(?!z)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Each way in which a text comes into the line of input. */
const ways: { readonly [way: string]: (here: ReturnType<typeof stage>, text: string) => void } = {
	'a rewind, or the user’s editor': ({ shell }, given) => {
		shell.text = given;
	},
	'the history': ({ shell, terminal }, given) => {
		shell.remember(given);
		terminal.press('\u001b[A');
	},
	'a paste': ({ terminal }, given) => terminal.press(`\u001b[200~${given.replaceAll('\u001b[201~', '')}\u001b[201~`),
	'a path from the clipboard': ({ shell }, given) => shell.insert(given),
};

it.each(Object.keys(ways))(
	'nothing in the line of input that a terminal would obey reaches it: %s',
	async (way) => {
		await fc.assert(
			fc.asyncProperty(foreign, fc.nat(12), async (given, left) => {
				using here = stage();
				await sleep(5);
				const before = here.terminal.raw.length;
				ways[way]?.(here, given);
				for (let at = 0; at < left; at += 1) here.terminal.press('\u001b[D');
				await sleep(30);
				expect(here.terminal.raw.slice(before).replaceAll(ours, '')).not.toMatch(obeyed);
				expect(here.shell.text.trim()).toBe(given.replace(/\r\n?/g, '\n').trim());
			}),
			{ numRuns: 40 },
		);
	},
	60_000,
);

it('a name with control characters is completed as it is and drawn spelled out; one that no prompt can name is listed, and not taken', async () => {
	const sent: string[] = [];
	using here = stage(sent);
	const names = ['a\u001b[31mred.txt', 'b\u001b]0;pwned\u0007.txt', 'c\nline.md', 'd e.txt'];
	here.shell.complete(completions(() => [], { list: async () => names, all: async () => names } as never));
	const complete = async (typed: string): Promise<string> => {
		for (const key of typed) here.terminal.press(key);
		await sleep(100);
		const shown = (await here.terminal.shown()).join('\n');
		here.terminal.press('\t');
		await sleep(30);
		return shown;
	};
	await complete('@red');
	await complete('@pwned');
	await complete('@e.txt');
	expect(await complete('@line')).toContain('cannot be named');
	expect((await here.terminal.shown()).join('\n')).toContain(
		'❯ @a\\x1b[31mred.txt @b\\x1b]0;pwned\\x07.txt @d\\ e.txt @line',
	);
	expect(here.terminal.raw.replaceAll(ours, '')).not.toMatch(obeyed);
	here.terminal.press('\u001b');
	here.terminal.press('\r');
	expect(sent).toEqual([`@${names[0]} @${names[1]} @d\\ e.txt @line`]);
});

it('pasted text is sent byte for byte: its tabs, its indentation, its control characters, in the line and behind a marker', () => {
	const sent: string[] = [];
	using here = stage(sent);
	for (const given of ['\ta\tb', 'x\u001by', Array.from({ length: 80 }, (_, at) => `\tif (${at}) {\t}`).join('\n')]) {
		here.terminal.press(`\u001b[200~${given}\u001b[201~`);
		here.terminal.press('\r');
		expect(sent.pop()).toBe(given);
	}
});

it('behind a folder that was completed stands what is in it', async () => {
	using here = stage();
	const names = ['docs/', 'docs/one.md', 'docs/two/', 'docs/two/three.md'];
	here.shell.complete(completions(() => [], { list: async () => names, all: async () => names } as never));
	for (const key of 'see @doc') here.terminal.press(key);
	await sleep(100);
	here.terminal.press('\t');
	await sleep(100);
	const shown = (await here.terminal.shown()).join('\n');
	expect(shown).toContain('❯ see @docs/');
	expect(shown).toMatch(/^ *(?:→ )?docs\/one\.md$/m);
	expect(shown).not.toMatch(/^ *(?:→ )?docs\/$/m);
});
