/** Writers killed at random points, and writers started together. */

// `REPRISE_KILLS=10000 vitest run src/log/kill.test.ts` kills that many; `REPRISE_ROUNDS=200` starts that many pairs.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineOf } from '../../test/kill/log-lines.ts';
import { type Program, programOf, randomFrom } from '../../test/support/writers.ts';
import { filesLog, type Log, sqliteLog } from './index.ts';

const kills = Number(process.env.REPRISE_KILLS ?? 100);
const rounds = Number(process.env.REPRISE_ROUNDS ?? 40);
const seed = Number(process.env.REPRISE_SEED ?? 1);
const patience = 60_000 + kills * 2_000 + rounds * 3_000;

let writers: Program;
beforeAll(async () => {
	writers = await programOf(join(import.meta.dirname, '../../test/kill/log-child.ts'));
});
afterAll(() => writers[Symbol.dispose]());

type Backend = 'files' | 'sqlite';

/** A folder for one test, because tests run beside each other. */
class Scratch implements Disposable {
	readonly folder = mkdtempSync(join(tmpdir(), 'reprise-kill-'));
	readonly locks = join(this.folder, 'locks');
	readonly #database = join(this.folder, 'logs.db');

	async open(backend: Backend): Promise<Log> {
		const { locks } = this;
		return backend === 'files' ? filesLog({ locks }) : await sqliteLog(this.#database, { locks });
	}

	start(mode: string, backend: Backend, key: string, from = 0, end = 0): ChildProcess {
		const args = [mode, backend, this.#database, this.locks, key, String(from), String(end)];
		return writers.start(args, ['pipe', 'pipe', 'inherit']);
	}

	[Symbol.dispose](): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** What a child reported before it was killed: the log as it found it, acknowledged lines, and where they ended. */
interface Said {
	readonly open?: { readonly length: number; readonly tornAt: number };
	readonly acknowledged: number;
	readonly end: number;
}

/** Waits for a writer to be killed and returns what it reported. `hear` gets each line. */
async function lastWords(running: ChildProcess, from: number, hear?: (line: string) => void): Promise<Said> {
	let output = '';
	running.stdout?.setEncoding('utf8').on('data', (text: string) => {
		output += text;
		hear?.(output);
	});
	const [, signal] = (await once(running, 'close')) as [number | null, string | null];
	expect(signal, `the child ended by itself: ${output}`).toBe('SIGKILL');
	const [open, ...acks] = output.split('\n').slice(0, -1); // a last line without a newline was not reported whole
	const [, length, tornAt] = open?.split(' ') ?? [];
	const [, acknowledged = from, end = length ?? 0] = acks.at(-1)?.split(' ') ?? [];
	return {
		...(open === undefined ? {} : { open: { length: Number(length), tornAt: Number(tornAt) } }),
		acknowledged: Number(acknowledged),
		end: Number(end),
	};
}

/** When a writer is killed: at a point of its own work, or from outside. */
interface Fate {
	/** After so much of its own work. */
	readonly budget?: number;
	/** From outside: after so many reported lines, and a moment more. */
	readonly hit?: { readonly lines: number; readonly afterMs: number };
}

async function runAndKill(running: ChildProcess, from: number, { hit }: Fate): Promise<Said> {
	if (!hit) return await lastWords(running, from);
	let struck = false;
	return await lastWords(running, from, (output) => {
		if (struck || output.split('\n').length <= hit.lines) return;
		struck = true;
		void pause(hit.afterMs).then(() => running.kill('SIGKILL'));
	});
}

const mostBytes = 150_000;
const mostStatements = 60;

/** For files inside a write or at a call; for databases at a statement, or from outside, maybe inside one. */
function fateOf(backend: Backend, run: number, random: () => number): Fate {
	if (backend === 'files') return { budget: 1 + Math.floor(random() ** 2 * mostBytes) };
	if (run % 2 === 0) return { budget: 1 + Math.floor(random() * mostStatements) };
	return { hit: { lines: 1 + Math.floor(random() * 6), afterMs: random() * 4 } };
}

/** Every acknowledged line is there whole; anything else is the torn beginning of one that was not. */
function verify(content: string, said: Said): { readonly next: number; readonly torn: number } {
	const lines = content.split('\n');
	expect(Buffer.byteLength(content)).toBeGreaterThanOrEqual(said.end);
	let expected = 0;
	let torn = 0;
	for (const [index, line] of lines.entries()) {
		if (line === lineOf(expected)) {
			expected += 1;
			continue;
		}
		if (index === lines.length - 1 && line === '') continue;
		expect(lineOf(expected).startsWith(line), `line ${index + 1} is neither whole nor torn`).toBe(true);
		if (line !== '') torn += 1;
	}
	expect(expected).toBeGreaterThanOrEqual(said.acknowledged);
	return { next: expected, torn };
}

async function contentOf(log: Log, key: string): Promise<string> {
	using source = await log.source(key);
	return Buffer.from(source.read(0, source.size)).toString();
}

interface Tally {
	acknowledged: number;
	torn: number;
}

/** Writes one log by several processes that are killed in turn, and then by this one. */
async function killOver(
	scratch: Scratch,
	log: Log,
	backend: Backend,
	key: string,
	times: number,
	random: () => number,
): Promise<Tally> {
	let content = '';
	let next = 0;
	let acknowledged = 0;
	for (let run = 0; run < times; run++) {
		const fate = fateOf(backend, run, random);
		const said = await runAndKill(scratch.start('append', backend, key, next, fate.budget), next, fate);
		const tornAt = content === '' || content.endsWith('\n') ? -1 : content.lastIndexOf('\n') + 1;
		if (said.open) expect(said.open).toEqual({ length: content.length, tornAt }); // all that the last one left
		content = (await log.stat(key)) ? await contentOf(log, key) : '';
		acknowledged += said.acknowledged - next;
		next = verify(content, said).next;
	}
	await using writer = await log.writer(key); // without waiting: the kernel has released the lock
	expect(writer.length).toBe(content.length);
	await writer.append(Buffer.from(`${lineOf(next)}\n`));
	const said = { acknowledged: next + 1, end: writer.length };
	return { acknowledged, torn: verify(await contentOf(log, key), said).torn };
}

const killsPerLog = 6;

/** Kills so many writers, on one log after the other. */
async function killWriters(backend: Backend, times: number, random: () => number): Promise<Tally> {
	using scratch = new Scratch();
	const log = await scratch.open(backend);
	const all: Tally = { acknowledged: 0, torn: 0 };
	for (let done = 0; done < times; done += killsPerLog) {
		const key = join(scratch.folder, 'sessions', `${done}.jsonl`);
		const tally = await killOver(scratch, log, backend, key, Math.min(killsPerLog, times - done), random);
		all.acknowledged += tally.acknowledged;
		all.torn += tally.torn;
		rmSync(key, { force: true });
	}
	await log.close();
	return all;
}

describe.concurrent('a killed writer', () => {
	/** Two lanes run side by side, since the tests mostly wait for other processes. */
	const lane = Math.ceil(kills * 0.35);
	it.each([1, 2])(
		`of files loses nothing it has acknowledged, hides nothing, and the next goes on (${lane} kills, lane %i)`,
		{ timeout: patience },
		async (number) => {
			const { acknowledged, torn } = await killWriters('files', lane, randomFrom(seed * 10 + number));
			expect(acknowledged).toBeGreaterThan(lane); // a process acknowledges more than one line
			expect(torn).toBeGreaterThan(lane / 4); // otherwise the law was not tested
		},
	);

	const inDatabase = Math.ceil(kills * 0.1);
	it(`of a database loses nothing it has acknowledged, and no line is torn (${inDatabase} kills)`, {
		timeout: patience,
	}, async () => {
		const { acknowledged, torn } = await killWriters('sqlite', inDatabase, randomFrom(seed * 10 + 3));
		expect(acknowledged).toBeGreaterThan(inDatabase);
		expect(torn).toBe(0); // a transaction is complete or absent
	});

	const times = Math.ceil(kills * 0.2);
	it(`while it replaces a document leaves one whole version, the last acknowledged or the next (${times} kills)`, {
		timeout: patience,
	}, async () => {
		using scratch = new Scratch();
		const random = randomFrom(seed * 10 + 4);
		const key = join(scratch.folder, 'documents', 'session.messages.json');
		let next = 0;
		let unfinished = 0;
		for (let run = 0; run < times; run++) {
			const budget = 1 + Math.floor(random() ** 2 * mostBytes);
			const said = await lastWords(scratch.start('replace', 'files', key, next, budget), next);
			if (!existsSync(key)) {
				expect(said.acknowledged).toBe(0);
				continue;
			}
			const content = readFileSync(key, 'utf8');
			const { n } = JSON.parse(content) as { readonly n: number };
			expect(content).toBe(`${lineOf(n)}\n`);
			expect([said.acknowledged - 1, said.acknowledged]).toContain(n);
			next = n + 1;
			if (readdirSync(join(scratch.folder, 'documents')).length > 1) unfinished += 1;
		}
		expect(next).toBeGreaterThan(times);
		expect(unfinished).toBeGreaterThan(times / 4); // killed while a new version was being written
		await using writer = await filesLog({ locks: scratch.locks }).writer(key, { lines: false });
		await writer.replace(Buffer.from('{}'));
		expect(readdirSync(join(scratch.folder, 'documents'))).toEqual(['session.messages.json']); // nothing staged is left
	});
});

/** How many races two processes run before two new ones are started. */
const roundsPerPair = 10;

describe('two writers started together', () => {
	it(`exactly one wins, and the other names it (${rounds} rounds)`, { timeout: patience }, async () => {
		using scratch = new Scratch();
		for (let done = 0; done < rounds; done += roundsPerPair) {
			const backend = (done / roundsPerPair) % 4 === 3 ? 'sqlite' : 'files';
			await raceOn(scratch, backend, done, Math.min(roundsPerPair, rounds - done));
		}
		expect(readdirSync(scratch.locks)).toEqual(['gate.lock']);
	});

	it('and taking turns as fast as they can, they never write at once', { timeout: patience }, async () => {
		using scratch = new Scratch();
		const turns = 300;
		const key = join(scratch.folder, 'sessions', 'turns.jsonl');
		const pair = [scratch.start('turns', 'files', key, turns), scratch.start('turns', 'files', key, turns)];
		const ends = await Promise.all(pair.map((each) => once(each, 'close')));
		expect(ends.map(([code]) => code)).toEqual([0, 0]);
		const lines = readFileSync(key, 'utf8').trimEnd().split('\n');
		for (const { pid } of pair) expect(lines.filter((line) => line === String(pid)).length).toBe(turns);
		expect(readdirSync(scratch.locks)).toEqual(['gate.lock']);
	});
});

async function raceOn(scratch: Scratch, backend: Backend, first: number, times: number): Promise<void> {
	const pair = [scratch.start('race', backend, ''), scratch.start('race', backend, '')];
	const ended = pair.map((each) => once(each, 'close'));
	const said = pair.map((each) => createInterface({ input: each.stdout ?? process.stdin })[Symbol.asyncIterator]());
	const hear = (): Promise<readonly string[]> =>
		Promise.all(said.map(async (lines) => String((await lines.next()).value)));
	const tell = (text: string): void => {
		for (const each of pair) each.stdin?.write(`${text}\n`);
	};
	expect(await hear()).toEqual(['ready', 'ready']);
	const log = await scratch.open(backend);
	for (let round = first; round < first + times; round++) {
		const key = join(scratch.folder, 'sessions', `${round}.jsonl`);
		tell(key);
		const results = await hear();
		const winner = results.indexOf('won');
		const { pid } = pair[winner] ?? {};
		expect(results.filter((each) => each === 'won').length, results.join(' | ')).toBe(1);
		const loser = results[1 - winner] ?? '';
		expect(loser.startsWith(`lost LogHeld ${pid} `), loser).toBe(true);
		expect(loser).toContain(`is being written by process ${pid} (kill child) on `);
		expect(await contentOf(log, key)).toBe(`${pid}\n`);
		tell('');
		expect(await hear()).toEqual(['ready', 'ready']);
	}
	await log.close();
	for (const each of pair) each.stdin?.end();
	expect((await Promise.all(ended)).map(([code]) => code)).toEqual([0, 0]);
}
