/** The lease: who has it, who lost it, and what it leaves behind. */
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesLog, type Log, LogError, LogHeld, sqliteLog } from './index.ts';

let folder = '';
let key = '';
let log: Log;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-lease-')));
	key = join(folder, 'session.jsonl');
	log = filesLog({ locks: join(folder, 'locks'), command: 'reprise serve' });
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => Buffer.from(text);
const stem = (path: string): string =>
	join(folder, 'locks', createHash('sha256').update(path).digest('hex').slice(0, 32));
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
	promise.then(
		() => undefined,
		(error: unknown) => error,
	);

describe('a lease', () => {
	it('names its holder to the one who comes second', async () => {
		await using _writer = await log.writer(key);
		const error = await failureOf(log.writer(key));
		expect(error).toBeInstanceOf(LogHeld);
		const { holder, message } = error as LogHeld;
		expect(holder).toMatchObject({ pid: process.pid, command: 'reprise serve' });
		expect(message).toContain(
			`being written by process ${process.pid} (reprise serve) on ${holder?.host}, since ${holder?.since}`,
		);
	});

	it('leaves nothing behind when it is released, but for the gate that all of them go through', async () => {
		const writer = await log.writer(key);
		expect(readdirSync(join(folder, 'locks')).length).toBe(3);
		await writer.release();
		expect(readdirSync(join(folder, 'locks'))).toEqual(['gate.lock']);
		expect(readdirSync(folder)).toEqual(['locks']);
	});

	it('is not removed while somebody is opening one, and is the next holder’s then', async () => {
		const writer = await log.writer(key);
		const gate = new DatabaseSync(join(folder, 'locks', 'gate.lock'));
		gate.exec('BEGIN IMMEDIATE');
		await writer.release(); // waits for the gate, and leaves the file when it stays closed
		expect(existsSync(`${stem(key)}.lock`)).toBe(true);
		gate.close();
		await using next = await log.writer(key);
		await next.append(bytes('one\n'));
	});

	it('survives a second taker in the same process coming and going', async () => {
		await using writer = await log.writer(key);
		for (let n = 0; n < 3; n++) expect(await failureOf(log.writer(key))).toBeInstanceOf(LogHeld);
		await writer.append(bytes('one\n'));
	});

	it('whose lock file was removed or replaced cannot write any more', async () => {
		for (const meddle of [
			(lock: string) => rmSync(lock),
			(lock: string) => {
				writeFileSync(`${lock}.new`, '');
				renameSync(`${lock}.new`, lock);
			},
		]) {
			rmSync(key, { force: true });
			const writer = await log.writer(key);
			await writer.append(bytes('one\n'));
			meddle(`${stem(key)}.lock`);
			await pause(1); // a look stays valid for a tenth of a millisecond
			for (const act of ['append', 'replace'] as const) {
				const error = await failureOf(writer[act](bytes('x\n')));
				expect([(error as LogError).fault, (error as LogError).message]).toEqual([
					'lost',
					expect.stringContaining('.lock was removed'),
				]);
			}
			expect(readFileSync(key, 'utf8')).toBe('one\n');
			await using next = await log.writer(key);
			await next.append(bytes('two\n'));
			await writer.release(); // must not take the new holder's lock away
			expect(await failureOf(log.writer(key))).toBeInstanceOf(LogHeld);
			await next.append(bytes('three\n'));
			await next.release();
			rmSync(`${stem(key)}.lock`, { force: true });
		}
	});

	it('a dead holder’s note is not believed, and does not stand in the way', async () => {
		mkdirSync(join(folder, 'locks'));
		const dead = { pid: 2 ** 22 + 1, host: hostname(), command: 'dead', since: 'then' };
		writeFileSync(`${stem(key)}.holder`, JSON.stringify(dead));
		writeFileSync(`${stem(key)}.lock`, '');
		await using _writer = await log.writer(key);
		writeFileSync(`${stem(key)}.holder`, JSON.stringify(dead));
		const error = (await failureOf(log.writer(key))) as LogHeld;
		expect(error.holder).toBeUndefined();
		expect(error.message).toMatch(/another process, which left no note/);
	});

	it('a damaged lock file is told about, not trusted', async () => {
		mkdirSync(join(folder, 'locks'));
		writeFileSync(`${stem(key)}.lock`, 'not a database at all '.repeat(100));
		const error = await failureOf(log.writer(key));
		expect(error).toBeInstanceOf(LogError);
		expect((error as LogError).message).toContain(join(folder, 'locks'));
		expect(existsSync(key)).toBe(false);
	});

	it('of the database backend is lost in the same way', async () => {
		const path = join(folder, 'logs.db');
		const database = await sqliteLog(path, { locks: join(folder, 'locks') });
		const writer = await database.writer('a');
		await writer.append(bytes('one\n'));
		for (const name of readdirSync(join(folder, 'locks'))) rmSync(join(folder, 'locks', name));
		expect(((await failureOf(writer.append(bytes('x\n')))) as LogError).fault).toBe('lost');
		await writer.release();
		await database.close();
	});
});
