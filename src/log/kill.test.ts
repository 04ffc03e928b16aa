/** Writers killed at random points, and writers started together. */

// `REPRISE_KILLS=10000 vitest run src/log/kill.test.ts` kills that many; `REPRISE_ROUNDS=200` starts that many pairs.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesLog, type Log, sqliteLog } from './index.ts';

const kills = Number(process.env.REPRISE_KILLS ?? 60);
/** With so many, a law that was never put to the test is a broken test. */
const manyKills = kills >= 500;
const rounds = Number(process.env.REPRISE_ROUNDS ?? 40);
const patience = 60_000 + kills * 2_000 + rounds * 3_000;
const child = join(import.meta.dirname, 'kill.child.mjs');

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'reprise-kill-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const locks = (): string => join(folder, 'locks');
const database = (): string => join(folder, 'logs.db');

function start(mode: string, backend: string, key: string, from = 0): ChildProcessWithoutNullStreams {
	const args = [child, mode, backend, database(), locks(), key, String(from)];
	const running = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
	running.stderr.on('data', (text: Buffer) => process.stderr.write(text));
	return running;
}

/** What a child said until it was killed: how many lines it had acknowledged and where they ended. */
interface Said {
	readonly open: number;
	readonly tornAt: number;
	readonly acknowledged: number;
	readonly end: number;
}

/**
 * Starts a writer, kills it at a random point after it has opened the log, and returns what it said. Writes are a small
 * part of its time, so every second kill of a file writer is aimed into one: those are the kills that tear lines.
 */
async function runAndKill(mode: string, backend: string, key: string, from: number, aimed: boolean): Promise<Said> {
	const running = start(mode, backend, key, from);
	let output = '';
	const heard = 1 + Math.floor(Math.random() * (aimed ? 3 : 8));
	const ripe = Promise.withResolvers<void>();
	running.stdout.on('data', (text: Buffer) => {
		output += text.toString();
		if (output.split(aimed ? 'write\n' : '\n').length > heard) ripe.resolve();
	});
	const closed = once(running, 'close');
	await Promise.race([ripe.promise, closed]);
	if (!aimed) await pause(Math.random() * 20);
	running.kill('SIGKILL');
	const [, signal] = await closed;
	expect(signal, `the child ended by itself: ${output}`).toBe('SIGKILL');
	const whole = output.split('\n').slice(0, -1); // a last line without its end was not said
	const lines = whole.filter((line) => line !== 'write');
	const [, open = '', tornAt = ''] = lines[0]?.split(' ') ?? [];
	const [, acknowledged = String(from), end = open] = lines.slice(1).at(-1)?.split(' ') ?? [];
	return { open: Number(open), tornAt: Number(tornAt), acknowledged: Number(acknowledged), end: Number(end) };
}

const sizes = [0, 10, 300, 5_000, 70_000, 4_000_000];
const lineOf = (n: number): string => JSON.stringify({ n, pad: 'x'.repeat(sizes[(n * 7) % sizes.length] as number) });

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

const openLog = async (backend: string): Promise<Log> =>
	backend === 'files' ? filesLog({ locks: locks() }) : await sqliteLog(database(), { locks: locks() });

interface Tally {
	readonly acknowledged: number;
	readonly torn: number;
}

/** One log, written by several processes that are killed one after the other, and then by this one. */
async function killOver(log: Log, backend: string, key: string, times: number): Promise<Tally> {
	let content = '';
	let next = 0;
	let acknowledged = 0;
	for (let run = 0; run < times; run++) {
		const said = await runAndKill('append', backend, key, next, backend === 'files' && run % 2 === 0);
		const tornAt = content === '' || content.endsWith('\n') ? -1 : content.lastIndexOf('\n') + 1;
		expect([said.open, said.tornAt]).toEqual([content.length, tornAt]); // what the last one left, all of it
		content = (await log.stat(key)) ? await contentOf(log, key) : '';
		acknowledged += said.acknowledged - next;
		next = verify(content, said).next;
	}
	await using writer = await log.writer(key); // at once: the kernel has given the lock back
	expect(writer.length).toBe(content.length);
	await writer.append(Buffer.from(`${lineOf(next)}\n`));
	const said = { open: 0, tornAt: -1, acknowledged: next + 1, end: writer.length };
	return { acknowledged, torn: verify(await contentOf(log, key), said).torn };
}

describe('a killed writer', () => {
	for (const [backend, share] of Object.entries({ files: 0.7, sqlite: 0.1 })) {
		const times = Math.ceil(kills * share);
		const law = `of ${backend} loses nothing it has acknowledged, hides nothing, and the next goes on (${times} kills)`;
		it(law, { timeout: patience }, async () => {
			const log = await openLog(backend);
			let acknowledged = 0;
			let torn = 0;
			for (let done = 0; done < times; done += 6) {
				const key = join(folder, 'sessions', `${done}.jsonl`);
				const tally = await killOver(log, backend, key, Math.min(6, times - done));
				acknowledged += tally.acknowledged;
				torn += tally.torn;
				rmSync(key, { force: true });
			}
			await log.close();
			if (backend === 'sqlite') expect(torn).toBe(0); // a transaction is there or not
			if (!manyKills) return; // how far a child comes before it is killed is a matter of chance
			expect(acknowledged).toBeGreaterThan(0);
			if (backend === 'files') expect(torn).toBeGreaterThan(0); // else the law above was not put to the test
		});
	}

	const times = Math.ceil(kills * 0.2);
	it(`while it replaces a document leaves one whole version, the last acknowledged or the next (${times} kills)`, {
		timeout: patience,
	}, async () => {
		const key = join(folder, 'documents', 'session.messages.json');
		let next = 0;
		for (let run = 0; run < times; run++) {
			const said = await runAndKill('replace', 'files', key, next, run % 2 === 0);
			if (!existsSync(key)) {
				expect(said.acknowledged).toBe(0);
				continue;
			}
			const content = readFileSync(key, 'utf8');
			const { n } = JSON.parse(content) as { readonly n: number };
			expect(content).toBe(`${lineOf(n)}\n`);
			expect([said.acknowledged - 1, said.acknowledged]).toContain(n);
			next = n + 1;
		}
		if (manyKills) expect(next).toBeGreaterThan(times / 2);
		await using writer = await filesLog({ locks: locks() }).writer(key, { lines: false });
		await writer.replace(Buffer.from('{}'));
		expect(readdirSync(join(folder, 'documents'))).toEqual(['session.messages.json']); // what the killed ones left is swept
	});
});

describe('two writers started together', () => {
	it(`exactly one wins, and the other names it (${rounds} rounds)`, { timeout: patience }, async () => {
		for (let round = 0; round < rounds; round++) {
			const key = join(folder, 'sessions', `${round}.jsonl`);
			const backend = round % 4 === 3 ? 'sqlite' : 'files';
			const pair = [start('race', backend, key), start('race', backend, key)];
			const ended = pair.map((each) => once(each, 'close'));
			const said = pair.map((each) => each.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>);
			const hear = async (index: number): Promise<string> => String((await said[index]?.next())?.value).trim();
			expect(await Promise.all([hear(0), hear(1)])).toEqual(['ready', 'ready']);
			for (const each of pair) each.stdin.write('go\n');
			const results = await Promise.all([hear(0), hear(1)]);
			const winner = results.indexOf('won');
			const loser = results[1 - winner] ?? '';
			const { pid } = pair[winner] ?? {};
			expect(results.filter((each) => each === 'won').length, results.join(' | ')).toBe(1);
			expect(loser.startsWith(`lost LogHeld ${pid} `), loser).toBe(true);
			expect(loser).toContain(`is being written by process ${pid} (kill child) on `);
			const log = await openLog(backend);
			expect(await contentOf(log, key)).toBe(`${pid}\n`);
			await log.close();
			for (const each of pair) each.stdin.end();
			await Promise.all(ended);
		}
		expect(readdirSync(locks())).toEqual([]);
	});

	it('and taking turns as fast as they can, they never write at once', { timeout: patience }, async () => {
		const turns = 300;
		const key = join(folder, 'sessions', 'turns.jsonl');
		const pair = [start('turns', 'files', key, turns), start('turns', 'files', key, turns)];
		const ends = await Promise.all(pair.map((each) => once(each, 'close')));
		expect(ends.map(([code]) => code)).toEqual([0, 0]);
		const lines = readFileSync(key, 'utf8').trimEnd().split('\n');
		for (const { pid } of pair) expect(lines.filter((line) => line === String(pid)).length).toBe(turns);
		expect(readdirSync(locks())).toEqual([]);
	});
});
