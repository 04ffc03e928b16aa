/** How soon the console does what it is asked for: keys, pastes, lists, long sessions, and its own end. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Variant } from './lib/bench.ts';
import { OnTerminal } from './lib/on-terminal.ts';
import { median } from './lib/table.ts';

const tries = 3;

/** Milliseconds until something is on the screen, measured a few times. */
function reaction(name: string, atMost: number, once: () => Promise<number>): Variant {
	const times: number[] = [];
	return {
		name,
		goal: { atMost: { amount: atMost, unit: 'ms' } },
		async run() {
			for (let at = 0; at < tries; at += 1) times.push(await once());
			return undefined;
		},
		amount: () => median(times),
	};
}

async function until(terminal: OnTerminal, typed: string, wanted: string): Promise<number> {
	const since = performance.now();
	terminal.type(typed);
	await terminal.shows(wanted);
	return performance.now() - since;
}

const long = [{ text: 'This answer goes on and on. '.repeat(2000), chunk: 5, chunkDelayMs: 1 }];

async function streaming(): Promise<OnTerminal> {
	const terminal = new OnTerminal(long);
	await terminal.shows('lists the keys');
	terminal.type('go\r');
	await terminal.shows('This answer goes on');
	await sleep(500);
	return terminal;
}

async function stopped(key: string): Promise<number> {
	using terminal = await streaming();
	return await until(terminal, key, 'interrupted by the user');
}

async function closed(): Promise<number> {
	using terminal = await streaming();
	return await terminal.hungUp();
}

/** A command that heeds no signal runs while the window is closed. */
async function closedWhileStuck(): Promise<number> {
	const input = { command: "trap '' HUP TERM INT; echo stuck-$((40+2)); for i in 1 2 3 4 5 6 7 8; do sleep 1; done" };
	const call = { content: [{ type: 'tool_use', name: 'Bash', input }] };
	using terminal = new OnTerminal([call], undefined, () => '--permission-mode bypassPermissions');
	await terminal.shows('lists the keys');
	terminal.type('go\r');
	await terminal.shows('stuck-42');
	return await terminal.hungUp();
}

async function pasted(): Promise<number> {
	using terminal = new OnTerminal([]);
	await terminal.shows('lists the keys');
	await sleep(500);
	const text = Array.from({ length: 2000 }, (_, at) => `line ${at} ${'x'.repeat(41)}`).join('\n');
	return await until(terminal, `\u001b[200~${text}\u001b[201~`, '[paste #1 +2000 lines]');
}

const files = 100_000;
const folders = 250;

/** A repository whose index names so many files. They are not on the disk: what takes time is to list and to rank them. */
function repository(folder: string): string {
	const git = (args: readonly string[], input = ''): void => {
		execFileSync('git', args, { cwd: folder, input, stdio: ['pipe', 'ignore', 'ignore'] });
	};
	git(['init', '-q']);
	const empty = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
	const names = Array.from({ length: files }, (_, at) => `packages/part-${at % folders}/src/module-${at}.ts`);
	git(['update-index', '--index-info'], names.map((name) => `100644 ${empty} 0\t${name}\n`).join(''));
	return '';
}

async function listed(typed: string, wanted: string, before = ''): Promise<number> {
	using terminal = new OnTerminal([], undefined, repository);
	await terminal.shows('lists the keys');
	await sleep(500);
	if (before !== '') terminal.type(before);
	await sleep(before === '' ? 0 : 500);
	return await until(terminal, typed, wanted);
}

const entries = 10_000;

/** A session of Claude Code with so many entries. */
function longSession(folder: string): string {
	const id = '11111111-2222-4333-8444-555555555555';
	const uuid = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
	const usage = { input_tokens: 1, output_tokens: 1 };
	const more = { type: 'message', model: 'script', stop_reason: 'end_turn', stop_sequence: null, usage };
	const lines = Array.from({ length: entries }, (_, at) => {
		const role = at % 2 === 0 ? 'user' : 'assistant';
		const content = [{ type: 'text', text: `${role} says number ${at}.` }];
		return JSON.stringify({
			...{ parentUuid: at === 0 ? null : uuid(at - 1), isSidechain: false, userType: 'external', cwd: folder },
			...{ sessionId: id, version: '2.1.29', gitBranch: '', type: role, uuid: uuid(at) },
			message: role === 'user' ? { role, content } : { ...more, id: `msg_${at}`, role, content },
			timestamp: new Date(1_760_000_000_000 + at * 1000).toISOString(),
		});
	});
	mkdirSync(join(folder, 'old'));
	const path = join(folder, 'old/long.jsonl');
	writeFileSync(path, `${lines.join('\n')}\n`);
	return `-r '${path}'`;
}

async function opened(wanted: string): Promise<number> {
	let since = 0;
	using terminal = new OnTerminal([], undefined, (folder) => {
		const args = longSession(folder);
		since = performance.now();
		return args;
	});
	await terminal.shows(wanted);
	return performance.now() - since;
}

const sign = Buffer.from('❯').toString('latin1');

export const reactions: readonly [Variant, ...Variant[]] = [
	reaction('Ctrl-C until a run has stopped', 200, () => stopped('\u0003')),
	reaction('Esc until a run has stopped', 200, () => stopped('\u001b')),
	reaction('100 KB pasted in brackets until the marker', 200, pasted),
	reaction('@ among 100,000 files, the first key after the start', 100, () => listed('@', 'packages/')),
	reaction('@ and a name among 100,000 files', 100, () => listed('@module-99', 'module-99.ts', 'look at ')),
	reaction('a session of 10,000 entries: until the line of input', 500, () => opened(sign)),
	reaction('a session of 10,000 entries: until its end is shown', 1500, () => opened('says number 9999.')),
	reaction('a closed window until the process is gone', 2000, closed),
	reaction('the same with a command that heeds no signal', 2000, closedWhileStuck),
];
