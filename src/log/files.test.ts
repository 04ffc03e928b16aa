/** The file backend beside others: clients without our lease, planted links, file modes. */
import { execFileSync } from 'node:child_process';
import {
	appendFileSync,
	chmodSync,
	chownSync,
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskCalls, type FileCalls } from './calls.ts';
import { createFiles, filesLog, type Log, LogConflict, LogError } from './index.ts';

let folder = '';
let key = '';
let log: Log;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-files-')));
	key = join(folder, 'project', 'session.jsonl');
	mkdirSync(join(folder, 'project'));
	mkdirSync(join(folder, 'outside'));
	log = filesLog({ locks: join(folder, 'locks') });
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => Buffer.from(text);
const content = (path = key): string => readFileSync(path, 'utf8');
const locks = (): string[] => readdirSync(join(folder, 'locks'));
const faultOf = (promise: Promise<unknown>): Promise<string> =>
	promise.then(
		() => 'none',
		(error: unknown) => (error instanceof LogError ? error.fault : String(error)),
	);

describe('a client that does not know our lock', () => {
	it('appends: a conflict, and after reading its bytes the writer goes on behind them', async () => {
		await using writer = await log.writer(key);
		await writer.append(bytes('ours\n'));
		appendFileSync(key, 'theirs\n');
		const conflict = await writer.append(bytes('x\n')).catch((error: unknown) => error);
		expect(conflict).toBeInstanceOf(LogConflict);
		expect(conflict).toMatchObject({ expected: 5, actual: 12, replaced: false });
		await expect(writer.append(bytes('x\n'))).rejects.toBeInstanceOf(LogConflict);
		await writer.append(bytes('ours again\n'), { expect: 12 });
		await writer.append(bytes('and again\n'));
		expect(content()).toBe('ours\ntheirs\nours again\nand again\n');
	});

	it('appends half a line: the writer that goes on starts on its own line', async () => {
		await using writer = await log.writer(key);
		await writer.append(bytes('ours\n'));
		appendFileSync(key, 'half');
		const done = await writer.append(bytes('ours again\n'), { expect: 9 });
		expect(done).toEqual({ at: 10, end: 21, newline: true, foreign: 0 });
		expect(content()).toBe('ours\nhalf\nours again\n');
	});

	it('truncates, moves, removes or replaces the file: a conflict each time, and nothing is written', async () => {
		const other = join(folder, 'project', 'other');
		const meddling = [
			() => truncateSync(key, 2),
			() => renameSync(key, other),
			() => rmSync(key),
			() => {
				writeFileSync(other, 'same\n'); // as long as ours, so only its identity differs
				renameSync(other, key);
			},
		];
		for (const meddle of meddling) {
			rmSync(key, { force: true });
			await using writer = await log.writer(key);
			await writer.append(bytes('ours\n'));
			meddle();
			await pause(1); // a look stays valid for a tenth of a millisecond
			const after = existsSync(key) ? content() : undefined;
			for (const act of ['append', 'replace', 'append'] as const) {
				await expect(writer[act](bytes('x\n'))).rejects.toBeInstanceOf(LogConflict);
				expect(existsSync(key) ? content() : undefined).toBe(after);
			}
			await writer.append(bytes('on\n'), { expect: after?.length ?? 0 });
			expect(content()).toBe(after === 'ou' ? 'ou\non\n' : `${after ?? ''}on\n`);
		}
	});

	it('appends between our look and our write: nothing is overwritten and the answer says so', async () => {
		let meddle: (() => void) | undefined;
		const write: FileCalls['write'] = (...call) => {
			meddle?.();
			return diskCalls.write(...call);
		};
		await using writer = await filesLog({ locks: join(folder, 'locks'), calls: { ...diskCalls, write } }).writer(key);
		await writer.append(bytes('one\n'));
		meddle = () => appendFileSync(key, 'theirs\n');
		const [a, b] = await Promise.all([writer.append(bytes('two\n')), writer.append(bytes('three\n'))]);
		meddle = undefined;
		expect(content()).toBe('one\ntheirs\ntwo\nthree\n');
		expect(a).toEqual({ at: 11, end: 15, newline: false, foreign: 7 });
		expect(b).toEqual({ at: 15, end: 21, newline: false, foreign: 7 });
		await writer.append(bytes('four\n'), { expect: 21 });
	});

	it('appends just behind our write: our place stays, and the next append sees a conflict', async () => {
		let meddle = true;
		const write: FileCalls['write'] = (...call) => {
			const wrote = diskCalls.write(...call);
			if (meddle) appendFileSync(key, 'theirs\n');
			meddle = false;
			return wrote;
		};
		await using writer = await filesLog({ locks: join(folder, 'locks'), calls: { ...diskCalls, write } }).writer(key);
		expect(await writer.append(bytes('one\n'))).toEqual({ at: 0, end: 4, newline: false, foreign: 0 });
		await expect(writer.append(bytes('two\n'))).rejects.toMatchObject({ expected: 4, actual: 11 });
	});

	it('replaces the file in the very moment of our write: the append is not acknowledged', async () => {
		let meddle: (() => void) | undefined;
		const write: FileCalls['write'] = (...call) => {
			meddle?.();
			return diskCalls.write(...call);
		};
		await using writer = await filesLog({ locks: join(folder, 'locks'), calls: { ...diskCalls, write } }).writer(key);
		await writer.append(bytes('one\n'));
		meddle = () => {
			writeFileSync(`${key}.new`, 'theirs\n');
			renameSync(`${key}.new`, key);
		};
		const conflict = await writer.append(bytes('two\n')).catch((error: unknown) => error);
		expect(conflict).toBeInstanceOf(LogConflict);
		expect(conflict).toMatchObject({ replaced: true, left: { at: 4, length: 4 } });
		expect(content()).toBe('theirs\n');
	});

	it('rewrites a document while ours is being prepared: its version wins', async () => {
		writeFileSync(key, '{"a":1}');
		await using writer = await log.writer(key, { lines: false });
		function* pieces(): Generator<Uint8Array> {
			yield bytes('{"a":');
			writeFileSync(key, '{"b":2}');
			yield bytes('3}');
		}
		await expect(writer.replace(pieces())).rejects.toMatchObject({ replaced: true });
		expect(content()).toBe('{"b":2}');
	});

	it('creates the file while ours is being prepared: its version wins', async () => {
		await using writer = await log.writer(key, { lines: false });
		function* pieces(): Generator<Uint8Array> {
			writeFileSync(key, 'theirs');
			yield bytes('ours');
		}
		await expect(writer.replace(pieces())).rejects.toBeInstanceOf(LogConflict);
		expect(content()).toBe('theirs');
		expect(readdirSync(join(folder, 'project'))).toEqual(['session.jsonl']);
	});
});

describe('a planted link', () => {
	it('in place of the file is refused, whether it leads somewhere or nowhere', async () => {
		const victim = join(folder, 'outside', 'victim');
		writeFileSync(victim, 'precious\n');
		for (const target of [victim, join(folder, 'outside', 'nothing')]) {
			symlinkSync(target, key);
			expect(await faultOf(log.writer(key))).toBe('link');
			rmSync(key);
		}
		expect(readdirSync(join(folder, 'outside'))).toEqual(['victim']);
		expect(content(victim)).toBe('precious\n');
	});

	it('put there while the writer is open is refused too', async () => {
		const victim = join(folder, 'outside', 'victim');
		writeFileSync(victim, 'precious\n');
		await using writer = await log.writer(key);
		await writer.append(bytes('ours\n'));
		rmSync(key);
		symlinkSync(victim, key);
		expect(await faultOf(writer.append(bytes('x\n'), { expect: 9 }))).toBe('link');
		expect(await faultOf(writer.replace(bytes('x\n'), { expect: 9 }))).toBe('link');
		expect(content(victim)).toBe('precious\n');
		expect(lstatSync(key).isSymbolicLink()).toBe(true);
	});

	it('in place of a folder below the session folder is refused; above it, it is the user’s own choice', async () => {
		symlinkSync(join(folder, 'outside'), join(folder, 'project', 'subagents'));
		const inner = join(folder, 'project', 'subagents', 'agent.jsonl');
		expect(await faultOf(log.writer(inner, { within: join(folder, 'project') }))).toBe('link');
		expect(readdirSync(join(folder, 'outside'))).toEqual([]);
		symlinkSync(join(folder, 'project'), join(folder, 'home'));
		await using writer = await log.writer(join(folder, 'home', 'session.jsonl'), { within: join(folder, 'home') });
		await writer.append(bytes('ours\n'));
		expect(content()).toBe('ours\n');
		expect(await faultOf(log.writer(key))).toBe('held'); // one file, one lock, whatever it is called
	});

	it('put in place of the folder between our look and our opening gets nothing', async () => {
		const open: FileCalls['open'] = (path, flags, mode) => {
			if (path === key) {
				renameSync(join(folder, 'project'), join(folder, 'moved'));
				symlinkSync(join(folder, 'outside'), join(folder, 'project'));
			}
			return diskCalls.open(path, flags, mode);
		};
		await using writer = await filesLog({ locks: join(folder, 'locks'), calls: { ...diskCalls, open } }).writer(key);
		expect(await faultOf(writer.append(bytes('secret\n')))).toBe('link');
		for (const name of readdirSync(join(folder, 'outside'))) expect(content(join(folder, 'outside', name))).toBe('');
	});

	it('put in place of the file between our look and our opening is not opened', async () => {
		const victim = join(folder, 'outside', 'victim');
		writeFileSync(victim, 'precious\n');
		writeFileSync(key, 'ours\n');
		const open: FileCalls['open'] = (path, flags, mode) => {
			if (path === key) {
				rmSync(key);
				symlinkSync(victim, key);
			}
			return diskCalls.open(path, flags, mode);
		};
		expect(await faultOf(filesLog({ locks: join(folder, 'locks'), calls: { ...diskCalls, open } }).writer(key))).toBe(
			'link',
		);
		expect(content(victim)).toBe('precious\n');
	});

	it('cannot be had by walking out of the folder', async () => {
		const within = join(folder, 'project');
		for (const path of [join(within, '..', 'outside', 'x'), within, join(folder, 'project2', 'x')]) {
			expect(await faultOf(log.writer(path, { within }))).toBe('outside');
		}
	});

	it('a pipe or a folder in place of the file is refused at once', async () => {
		execFileSync('mkfifo', [key]);
		expect(await faultOf(log.writer(key))).toBe('not-a-file');
		expect(await faultOf(log.source(key))).toBe('not-a-file');
		expect(await faultOf(log.writer(join(folder, 'project')))).toBe('not-a-file');
		rmSync(key);
		await using writer = await log.writer(key);
		await writer.append(bytes('ours\n'));
		rmSync(key);
		execFileSync('mkfifo', [key]);
		expect(await faultOf(writer.append(bytes('x\n')))).toBe('not-a-file');
	});
});

describe('modes', () => {
	const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

	it('files are 0600 in folders 0700, locks too, whatever the umask', async () => {
		const before = process.umask(0);
		try {
			const path = join(folder, 'a', 'b', 'session.jsonl');
			await using writer = await log.writer(path);
			await writer.append(bytes('one\n'));
			expect([modeOf(path), modeOf(join(folder, 'a')), modeOf(join(folder, 'a', 'b'))]).toEqual(['600', '700', '700']);
			await writer.replace(bytes('two\n'));
			expect(modeOf(path)).toBe('600');
			await createFiles([{ to: join(folder, 'c', 'copy.jsonl'), pieces: bytes('three\n') }]);
			expect([modeOf(join(folder, 'c')), modeOf(join(folder, 'c', 'copy.jsonl'))]).toEqual(['700', '600']);
			expect(modeOf(join(folder, 'locks'))).toBe('700');
			expect(locks().map((name) => modeOf(join(folder, 'locks', name)))).toEqual(['600', '600', '600']);
		} finally {
			process.umask(before);
		}
	});

	it('appending keeps a client’s own mode', async () => {
		writeFileSync(key, 'theirs\n');
		chmodSync(key, 0o644);
		await using writer = await log.writer(key);
		await writer.append(bytes('ours\n'));
		expect(modeOf(key)).toBe('644');
	});

	it.skipIf(process.geteuid?.() !== 0)('a replacement made by root still belongs to the session’s owner', async () => {
		writeFileSync(key, 'theirs\n');
		chownSync(key, 1234, 2345);
		await using writer = await log.writer(key);
		await writer.replace(bytes('ours\n'));
		expect([statSync(key).uid, statSync(key).gid]).toEqual([1234, 2345]);
	});
});

describe('files', () => {
	it('a vault’s hard link sees appends and keeps what a replacement removes', async () => {
		await using writer = await log.writer(key);
		await writer.append(bytes('one\n'));
		linkSync(key, join(folder, 'vault'));
		await writer.append(bytes('two\n'));
		expect(content(join(folder, 'vault'))).toBe('one\ntwo\n');
		await writer.replace(bytes('new\n'));
		expect(content(join(folder, 'vault'))).toBe('one\ntwo\n');
	});

	it('the litter of a killed replacement is swept by the next one, and never listed', async () => {
		writeFileSync(key, 'old\n');
		const litter = join(folder, 'project', '.session.jsonl.0123456789ab.tmp');
		const notOurs = join(folder, 'project', '.session.jsonl.swp');
		writeFileSync(litter, 'half');
		writeFileSync(notOurs, 'theirs');
		const listed: string[] = [];
		for await (const stat of log.list(join(folder, 'project'))) listed.push(stat.key);
		expect(listed.sort()).toEqual([notOurs, key]);
		await using writer = await log.writer(key);
		await writer.replace(bytes('new\n'));
		expect(readdirSync(join(folder, 'project')).sort()).toEqual(['.session.jsonl.swp', 'session.jsonl']);
	});

	it('created together, files are there all or none, and none replaces another', async () => {
		const [a, b] = [join(folder, 'new', 'a'), join(folder, 'new', 'deep', 'b')];
		mkdirSync(join(folder, 'new', 'deep'), { recursive: true });
		writeFileSync(b, 'theirs');
		const plan = [
			{ to: a, pieces: [bytes('one'), bytes('two')] },
			{ to: b, pieces: bytes('ours') },
		];
		await expect(createFiles(plan)).rejects.toBeInstanceOf(LogConflict);
		expect([existsSync(a), content(b), readdirSync(join(folder, 'new', 'deep'))]).toEqual([false, 'theirs', ['b']]);
		rmSync(b);
		await createFiles(plan);
		expect([content(a), content(b)]).toEqual(['onetwo', 'ours']);
		expect(readdirSync(join(folder, 'new')).sort()).toEqual(['a', 'deep']);
	});

	it('what was not known when a file was written is put over it before anybody sees it', async () => {
		const to = join(folder, 'amended');
		let taken = 0;
		function* pieces() {
			for (const text of ['time: ????', ', and ', 'the end']) {
				taken += 1;
				yield bytes(text);
			}
		}
		await createFiles([{ to, pieces: pieces(), amended: () => ({ at: 6, bytes: bytes(`000${taken}`) }) }]);
		expect(content(to)).toBe('time: 0003, and the end');
		const failing = () => {
			throw new LogError('io', to, 'no');
		};
		await expect(createFiles([{ to: `${to}2`, pieces: pieces(), amended: failing }])).rejects.toThrow('no');
		expect(readdirSync(folder).filter((name) => name.includes('amended'))).toEqual(['amended']);
	});

	it('a file that shrinks while it is read is a conflict, not a short answer', async () => {
		writeFileSync(key, Buffer.alloc(3 << 20, 'x'));
		const reading = log.read(key)[Symbol.asyncIterator]();
		expect((await reading.next()).value?.length).toBe(1 << 20);
		truncateSync(key, 1_500_000);
		await expect(reading.next()).rejects.toBeInstanceOf(LogConflict);
	});

	it('a watch sees truncation and removal', async () => {
		writeFileSync(key, 'one\ntwo\n');
		const watching = filesLog({ locks: join(folder, 'locks'), pollMs: 50 });
		const start = await watching.stat(key);
		const changes = watching.watch(key, start ?? 0, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
		const shrunk = changes.next();
		truncateSync(key, 4);
		expect((await shrunk).value).toMatchObject({ kind: 'shrunk', before: 8, length: 4 });
		const removed = changes.next();
		rmSync(key);
		expect((await removed).value).toEqual({ kind: 'removed', before: 4, length: 0 });
		await changes.return?.();
	});
});
