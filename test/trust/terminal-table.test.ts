/** Nothing that a terminal would obey leaves a command: every command, every field of a session, into a pipe and on a terminal. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { oneLine, paint } from '../../src/terminal/print.ts';
import { rendered } from '../../src/terminal/writer.ts';
import { poison, poisonedSession, raw, type Where } from '../support/hostile.ts';
import { machineHere, type Printed, runHere } from '../support/in-process.ts';
import { formats } from '../support/sessions.ts';

const here = machineHere({ NO_COLOR: '', FORCE_COLOR: undefined, TERM: 'xterm', PAGER: 'cat' });

/** What is left of an output when our own colours and the progress line's codes are taken away; neither is for a pipe. */
function foreign({ out, err }: Printed, terminal: boolean): string {
	if (!terminal) return out + err;
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes that are ours.
	return (out + err.replace(/\r([^\r\n]*)\u001b\[K/g, '$1')).replace(/\u001b\[(?:[0123]|3[1-6])m/g, '');
}

/** The places where something raw came through, with what stands around it. */
function leaks(printed: Printed, terminal: boolean): readonly string[] {
	const text = foreign(printed, terminal);
	return Array.from(text.matchAll(new RegExp(raw, 'g')), ({ index }) =>
		JSON.stringify(text.slice(Math.max(0, index - 60), index + 5)),
	).slice(0, 3);
}

const others: { readonly [format: string]: string } = {
	'claude-code': 'clido',
	clido: 'openclaw',
	openclaw: 'cline',
	cline: 'claude-code',
};

/** Command lines by command, in this order; SESSION and OTHER stand for the poisoned file and another format, POISON for an argument. */
const lines: { readonly [command: string]: readonly (readonly string[])[] } = {
	inspect: [['SESSION'], ['SESSION', '--json'], ['POISON']],
	check: [['SESSION', '--profile', 'any'], ['SESSION', '--json'], ['POISON'], ['SESSION', '--profile', 'POISON']],
	show: [
		['SESSION', '--thinking', '--events', '--subagents', '--full'],
		['SESSION', '--md', '--thinking', '--events'],
		['SESSION', '--json'],
		['SESSION', '--at', 'POISON'],
		['last'],
	],
	context: [
		['SESSION'],
		['SESSION', '--json'],
		['SESSION', '--as', 'openai-chat'],
		['SESSION', '--client', 'POISON'],
		['SESSION', '--diff'],
	],
	ls: [['--all'], ['--all', '--count', '--json'], ['--project', 'POISON']],
	search: [
		['--all', 'parser'],
		['--all', 'parse*', '--json'],
		['--all', 'POISON'],
		['--project', 'POISON', 'parser'],
	],
	cost: [
		['--all', '--by', 'session'],
		['--all', '--by', 'model', '--explain'],
		['--all', '--json'],
		['--by', 'POISON'],
	],
	stats: [['--all'], ['--all', '--json']],
	tail: [
		['SESSION', '--thinking', '--events', '--full'],
		['SESSION', '--json'],
		['--all', '-n', '5'],
	],
	repair: [
		['SESSION', '--dry-run'],
		['SESSION', '--dry-run', '--json'],
		['SESSION', '-o', 'repaired POISON'],
	],
	convert: [
		['SESSION', '--to', 'OTHER', '-o', 'OUT/'],
		['SESSION', '--to', 'OTHER', '-o', 'OUTJSON/', '--json'],
		['SESSION', '--to', 'POISON', '-o', 'x'],
		['SESSION', '--to', 'OTHER', '-o', 'no such folder POISON/x.jsonl'],
	],
	fork: [['SESSION'], ['SESSION', '--json'], ['SESSION', '--at', 'POISON']],
	handoff: [
		['SESSION', '--to', 'OTHER'],
		['SESSION', '--to', 'OTHER', '--json', '--cwd', 'POISON'],
	],
	return: [['--list'], ['--list', '--json'], ['last'], ['SESSION']],
	resume: [
		['SESSION', '--check'],
		['SESSION', '--check', '--json'],
		['POISON', '--check'],
	],
	agents: [['SESSION'], ['SESSION', '--json'], ['SESSION', 'POISON']],
	uncompact: [['SESSION'], ['SESSION', '--json'], ['SESSION', '--to', 'POISON']],
	rewind: [
		['SESSION', '--to', 'POISON'],
		['SESSION', '--undo', '--dry-run'],
		['SESSION', '--undo', '--conflicts', 'POISON'],
	],
	replay: [['SESSION'], ['SESSION', '--json', '--project', '.'], ['SESSION', '--project', 'POISON']],
	rename: [
		['SESSION', 'a title POISON'],
		['SESSION', 'another POISON', '--json'],
	],
	tag: [['SESSION', 'POISON'], ['SESSION'], ['SESSION', '--json']],
	archive: [['SESSION'], ['SESSION', '--undo', '--json']],
	allowed: [
		['Bash', 'rm POISON'],
		['Bash', 'rm POISON', '--json', '--disallowedTools', 'Bash(rm:*)'],
		['Edit', '.git/POISON'],
		['POISON'],
		['Bash', 'ls', '--allowedTools', 'Bash(POISON'],
		['--cases', 'POISON'],
	],
	// What these say on stdout is in test/mcp-serve.test.ts and test/acp.
	mcp: [['POISON']],
	acp: [['POISON'], ['--allowedTools', 'Bash(POISON'], ['--model']],
	completion: [['ids'], ['bash'], ['POISON']],
	relink: [
		['/home/dev/notes', '.', '--dry-run'],
		['/home/dev/notesPOISON', '.', '--json'],
		['POISON', 'POISON'],
	],
	vault: [['add', 'SESSION'], ['list'], ['list', '--json'], ['sync'], ['restore', 'c'], ['POISON']],
	mirror: [
		['SESSION', '--to', 'mirrored'],
		['SESSION', '--to', 'mirrored again', '--json'],
		['SESSION', '--to', 'POISON://POISON'],
		['POISON', '--to', 'mirrored'],
	],
	delete: [['SESSION'], ['SESSION', '--yes']],
	restore: [[], ['--json'], ['0'], ['POISON']],
};

/** These print nothing of a session. */
const silent = new Set(['demo']);

/** Runs until it is interrupted, so one kind of poison has to do for all that `show` prints in the same way. */
const slow = new Set(['tail']);

describe('what a session, a file name or an argument says', () => {
	it('every command is in the table', () => {
		expect(Object.keys(commands).filter((name) => !(name in lines) && !silent.has(name))).toEqual([]);
	});

	const cells = formats.flatMap((format) =>
		(['fields', 'id', 'file name'] as const).map((where) => [format, where] as const),
	);
	describe.each([
		['into a pipe', false],
		['on a terminal', true],
	] as const)('%s', (_, terminal) => {
		it.each(cells)('never reaches it raw: %s, hostile %s', async (format, where: Where) => {
			const session = poisonedSession(here(), format, where);
			const leaking: object[] = [];
			const runs = Object.entries(lines).flatMap(([command, all]) => all.map((run) => [command, ...run]));
			for (const run of runs.filter(([command = '']) => where === 'fields' || !slow.has(command))) {
				const [command = '', ...args] = run;
				const printed = await runHere([command, ...args.map((arg) => filled(arg, session, format))], {
					terminal,
					...(slow.has(command) ? { interruptAfter: 250 } : {}),
				});
				const found = leaks(printed, terminal);
				if (found.length > 0) leaking.push({ run, found });
				if (/^ {4}at .*:\d+:\d+/m.test(printed.err)) leaking.push({ run, stack: printed.err });
			}
			expect(leaking).toEqual([]);
		});
	});
});

function filled(arg: string, session: string, format: string): string {
	if (arg === 'SESSION') return session;
	return arg.replace('OTHER', others[format] ?? '').replaceAll('POISON', poison);
}

describe('what a model and a server say', () => {
	const script = (turns: object): string => {
		const path = join(here().root, `script-${Math.random()}.json`);
		writeFileSync(path, JSON.stringify(turns));
		return path;
	};
	const working = [
		{
			content: [
				{ type: 'thinking', thinking: `hm ${poison}` },
				{ type: 'text', text: `Looking${poison}` },
				{
					type: 'tool_use',
					name: 'Bash',
					input: { command: `printf '\\033[2J\\302\\233'; echo '${poison.replaceAll('\u0007', '')}'` },
				},
				{ type: 'tool_use', name: `Odd${poison}`, input: { [poison]: poison } },
				{ type: 'tool_use', name: 'Read', input: { file_path: `no${poison}` } },
			],
		},
		{ text: `All done ${poison}\n` },
	];

	const outputs = [
		[],
		['--verbose'],
		['--output-format', 'json'],
		['--output-format', 'stream-json', '--include-partial-messages'],
	];
	it.each([false, true])('never reaches the output raw (terminal: %s)', async (terminal) => {
		for (const flags of outputs) {
			for (const turns of [working, [{ error: { status: 400, message: `refused ${poison}` } }]]) {
				const args = ['-p', `do it${poison}`, '--script', script(turns), '--dangerously-skip-permissions', ...flags];
				const printed = await runHere(args, { terminal });
				expect({ flags, found: leaks(printed, terminal) }).toEqual({ flags, found: [] });
				expect(printed.out + printed.err).toMatch(/done|refused/);
			}
		}
		for (const args of [
			[`--${poison}`],
			[poison],
			['-p', 'x', '--model', poison],
			['-p', 'x', '--script', poison],
			['-p', 'x', '-r', poison],
		]) {
			const printed = await runHere(args, { terminal });
			expect({ args, found: leaks(printed, terminal) }).toEqual({ args, found: [] });
			expect(printed.code).not.toBe(0);
		}
	});

	it('is the same document in JSON', async () => {
		const args = ['-p', 'x', '--script', script([{ text: `say ${poison}` }]), '--output-format', 'json'];
		const { out } = await runHere(args, { terminal: false });
		expect(JSON.parse(out)).toMatchObject({ result: `say ${poison}` });
	});
});

/** util-linux’s way to give a command a terminal of its own. */
const hasTerminals = spawnSync('script', ['--version']).status === 0;

describe.runIf(hasTerminals)('on a real terminal', () => {
	const bin = join(import.meta.dirname, '../../bin/reprise.js');
	it.each([
		['show', 'SESSION', '--thinking', '--full'],
		['show', 'SESSION', '--raw', '--no-pager'],
		['context', 'SESSION'],
		['ls', '--all'],
		['show', 'POISON'],
	])('nothing raw is written: %s %s %s', (...args) => {
		const session = poisonedSession(here(), 'claude-code', 'fields');
		const command = [process.execPath, bin, ...args.map((arg) => filled(arg, session, 'claude-code'))];
		const line = command.map((word) => `'${word}'`).join(' ');
		const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], { encoding: 'utf8', env: { ...process.env } });
		expect(stdout.length).toBeGreaterThan(40);
		expect(leaks({ code: 0, out: stdout.replaceAll('\r\n', '\n'), err: '' }, true)).toEqual([]);
	});
});

describe('byte-exact output', () => {
	it.each(formats)('of %s is exact into a pipe and text on a terminal', async (format) => {
		const session = poisonedSession(here(), format, 'fields');
		const piped = await runHere(['show', session, '--raw'], { terminal: false });
		expect(piped.out).toMatch(raw);
		const shown = await runHere(['show', session, '--raw'], { terminal: true });
		expect(leaks(shown, true)).toEqual([]);
		expect(shown.out).toContain('\\u202e');
	});

	it('of convert -o - is exact into a pipe and text on a terminal', async () => {
		const session = poisonedSession(here(), 'clido', 'fields');
		const args = ['convert', session, '--to', 'clido', '-o', '-'];
		expect((await runHere(args, { terminal: false })).out).toBe(readFileSync(session, 'utf8'));
		const shown = await runHere(args, { terminal: true });
		expect(leaks(shown, true)).toEqual([]);
		expect(shown.out).toContain('\\u202e');
	});
});

describe('the writer', () => {
	it('lets its own colours through and shows every other code as text', () => {
		vi.stubEnv('FORCE_COLOR', '1');
		const painted = paint('red', `a\u001b[31mb\u001b[0m`);
		expect(rendered(painted)).toBe('\u001b[31ma\\x1b[31mb\\x1b[0m\u001b[0m');
		expect(rendered('a\r\nb\tc\rd')).toBe('a\nb\tc\\x0dd');
		expect(oneLine(poison)).not.toMatch(raw);
	});

	it('does not take codes of another process for its own', () => {
		for (const numbers of ['1000;1000;1000', '9999;9999;9999', '1'])
			expect(rendered(`\u001b[31;${numbers}m`)).not.toMatch(raw);
	});
});
