/** With a failing, a full or a read-only disk, acknowledged bytes stay and failures are reported. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mountable, SmallDisk } from '../../test/support/mount.ts';
import { diskCalls, type FileCalls } from './calls.ts';
import { createFiles, filesLog, type Log, LogConflict, LogError } from './index.ts';

let folder = '';
let key = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'reprise-faults-'));
	key = join(folder, 'session.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => Buffer.from(text);
const content = (): string => readFileSync(key, 'utf8');

function errno(code: string): Error {
	return Object.assign(new Error(`${code}: injected`), { code });
}

/** The real disk with some calls replaced. */
function logOn(faults: Partial<FileCalls>): Log {
	return filesLog({ locks: join(folder, 'locks'), calls: { ...diskCalls, ...faults } });
}

async function failureOf(promise: Promise<unknown>): Promise<LogError> {
	const error = await promise.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (!(error instanceof LogError)) throw new Error(`expected a LogError, got ${String(error)}`);
	return error;
}

/** Writes at most `room` bytes in all, then the disk is full. */
function fullAfter(room: number): { readonly write: FileCalls['write']; free(more: number): void } {
	let left = room;
	return {
		write(file, from, at, length, position) {
			if (left === 0) throw errno('ENOSPC');
			const wrote = diskCalls.write(file, from, at, Math.min(length, left), position);
			left -= wrote;
			return wrote;
		},
		free(more) {
			left += more;
		},
	};
}

describe('a full disk', () => {
	it('leaves nothing of a failed append, and the writer goes on once there is room', async () => {
		const disk = fullAfter(10);
		await using writer = await logOn({ write: disk.write }).writer(key);
		await writer.append(bytes('12345\n'), { durable: true });
		const error = await failureOf(writer.append(bytes('abcdefgh\n')));
		expect(error.fault).toBe('full');
		expect(error.left).toBeUndefined();
		expect(error.message).toMatch(/disk is full.*ENOSPC/);
		expect(content()).toBe('12345\n');
		disk.free(100);
		await writer.append(bytes('abcdefgh\n'), { expect: 6 });
		expect(content()).toBe('12345\nabcdefgh\n');
	});

	it('acknowledges none of a batch that did not fit', async () => {
		const disk = fullAfter(10);
		await using writer = await logOn({ write: disk.write }).writer(key);
		const results = await Promise.allSettled([
			writer.append(bytes('12345\n')),
			writer.append(bytes('67890\n'), { durable: true }),
		]);
		expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
		expect(content()).toBe('');
	});

	it('does not cut away what somebody else has appended behind a torn piece, and reports the piece', async () => {
		const disk = fullAfter(4);
		const write: FileCalls['write'] = (file, from, at, length) => {
			try {
				return disk.write(file, from, at, length);
			} catch (error) {
				appendFileSync(key, '\nforeign\n'); // a client without our lock, at the worst moment
				throw error;
			}
		};
		await using writer = await logOn({ write }).writer(key);
		const error = await failureOf(writer.append(bytes('abcdefgh\n')));
		expect(error.left).toEqual({ at: 0, length: 4 });
		expect(error.message).toMatch(/4 unacknowledged bytes at offset 0/);
		expect(content()).toBe('abcd\nforeign\n');
		await expect(writer.append(bytes('x\n'))).rejects.toBeInstanceOf(LogConflict);
	});

	it('reports the torn piece when it cannot be taken back, and the next writer starts on its own line', async () => {
		const disk = fullAfter(4);
		const truncate = (): void => {
			throw errno('EIO');
		};
		const writer = await logOn({ write: disk.write, truncate }).writer(key);
		const error = await failureOf(writer.append(bytes('abcdefgh\n')));
		expect([error.fault, error.left]).toEqual(['full', { at: 0, length: 4 }]);
		await writer.release();
		await using next = await logOn({}).writer(key);
		expect(next.torn).toEqual({ at: 0, length: 4 });
		await next.append(bytes('next\n'));
		expect(content()).toBe('abcd\nnext\n');
	});

	it('leaves the old document and no litter when a replacement does not fit', async () => {
		writeFileSync(key, '{"old":1}');
		await using writer = await logOn({ write: fullAfter(4).write }).writer(key, { lines: false });
		expect((await failureOf(writer.replace(bytes('{"new":true}')))).fault).toBe('full');
		expect(content()).toBe('{"old":1}');
		expect(readdirSync(folder).sort()).toEqual(['locks', 'session.jsonl']);
	});

	it('short writes are continued until all is written', async () => {
		const write: FileCalls['write'] = (file, from, at, length) => diskCalls.write(file, from, at, Math.min(length, 3));
		await using writer = await logOn({ write }).writer(key);
		await writer.append(bytes('a longer line than three bytes\n'));
		await writer.append(bytes('two\n'));
		expect(content()).toBe('a longer line than three bytes\ntwo\n');
	});
});

describe('a disk that fails to sync', () => {
	const failing = (times: number): { readonly syncData: FileCalls['syncData']; count(): number } => {
		let calls = 0;
		return {
			async syncData(file) {
				calls += 1;
				if (calls <= times) throw errno('EIO');
				await diskCalls.syncData(file);
			},
			count: () => calls,
		};
	};

	it('poisons the writer: every later call gets the same error, though the disk would answer again', async () => {
		const disk = failing(1);
		const writer = await logOn({ syncData: disk.syncData }).writer(key);
		await writer.append(bytes('one\n'));
		const error = await failureOf(writer.append(bytes('two\n'), { durable: true }));
		expect(error.fault).toBe('unsynced');
		expect(error.message).toMatch(/cannot make durable.*EIO.*open the log again/);
		expect(await failureOf(writer.append(bytes('x\n')))).toBe(error);
		expect(await failureOf(writer.append(bytes('x\n'), { durable: true }))).toBe(error);
		expect(await failureOf(writer.sync())).toBe(error);
		expect(await failureOf(writer.replace(bytes('x\n')))).toBe(error);
		expect(content()).toBe('one\ntwo\n');
		expect(disk.count()).toBe(1);
		await writer.release();
		await using next = await logOn({}).writer(key);
		await next.append(bytes('three\n'), { durable: true });
	});

	it('fails everybody who waited for that sync, and those who gathered for the next', async () => {
		const writer = await logOn({ syncData: failing(1).syncData }).writer(key);
		const first = writer.append(bytes('1\n'), { durable: true });
		await Promise.resolve();
		await Promise.resolve();
		const rest = [writer.append(bytes('2\n'), { durable: true }), writer.sync()];
		const results = await Promise.allSettled([first, ...rest]);
		expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
		await writer.release();
	});

	it('a replacement that cannot be synced is not put in place', async () => {
		writeFileSync(key, '{"old":1}');
		const sync = (): Promise<void> => Promise.reject(errno('EIO'));
		await using writer = await logOn({ sync }).writer(key, { lines: false });
		expect((await failureOf(writer.replace(bytes('{"new":1}')))).message).toMatch(/EIO/);
		expect(content()).toBe('{"old":1}');
		expect(readdirSync(folder).sort()).toEqual(['locks', 'session.jsonl']);
	});

	it('a replacement whose name cannot be synced poisons the writer', async () => {
		let calls = 0;
		const sync: FileCalls['sync'] = (file) => (++calls > 1 ? Promise.reject(errno('EIO')) : diskCalls.sync(file));
		await using writer = await logOn({ sync }).writer(key, { lines: false });
		const error = await failureOf(writer.replace(bytes('{"new":1}')));
		expect(error.fault).toBe('unsynced');
		expect(await failureOf(writer.append(bytes('x')))).toBe(error);
	});
});

describe('group commit', () => {
	it('concurrent durable appends share one write and one sync; later ones share the next', async () => {
		let syncs = 0;
		let writes = 0;
		const finish: (() => void)[] = [];
		const log = logOn({
			syncData: () => {
				syncs += 1;
				return new Promise((resolve) => finish.push(resolve));
			},
			write: (...call) => {
				writes += 1;
				return diskCalls.write(...call);
			},
		});
		await using writer = await log.writer(key);
		let done = 0;
		const append = (text: string): Promise<unknown> => writer.append(bytes(text), { durable: true }).then(() => done++);
		const first = Array.from({ length: 50 }, (_, n) => append(`first ${n}\n`));
		await vi.waitFor(() => expect(syncs).toBe(1));
		expect([writes, done]).toEqual([1, 0]);
		const second = Array.from({ length: 50 }, (_, n) => append(`second ${n}\n`));
		await vi.waitFor(() => expect(content().split('\n').length).toBe(101));
		expect([syncs, writes, done]).toEqual([1, 2, 0]); // written, but the sync under way may have missed them
		finish[0]?.();
		await Promise.all(first);
		expect(done).toBe(50);
		await vi.waitFor(() => expect(syncs).toBe(2));
		finish[1]?.();
		await Promise.all(second);
		expect([syncs, writes, done]).toEqual([2, 2, 100]);
	});

	it('the first durable append makes the new names durable too', async () => {
		let folders = 0;
		const sync: FileCalls['sync'] = (file) => {
			folders += diskCalls.fstat(file).isDirectory() ? 1 : 0;
			return diskCalls.sync(file);
		};
		await using writer = await logOn({ sync }).writer(join(folder, 'a', 'b', 'session.jsonl'));
		await writer.append(bytes('one\n'), { durable: true });
		expect(folders).toBe(3); // the folder it began in, a, and b
		await writer.append(bytes('two\n'), { durable: true });
		expect(folders).toBe(3);
	});
});

describe('a read-only place', () => {
	it('is told in plain words, by an injected EROFS', async () => {
		const open: FileCalls['open'] = (path, flags, mode) => {
			if ((flags & 3) !== 0) throw errno('EROFS');
			return diskCalls.open(path, flags, mode);
		};
		await using writer = await logOn({ open }).writer(key);
		const error = await failureOf(writer.append(bytes('x\n')));
		expect(error.fault).toBe('read-only');
		expect(error.message).toMatch(/read-only; fork the session to another place/);
		expect((await failureOf(writer.replace(bytes('x\n')))).fault).toBe('read-only');
	});

	it('is told of the file that was to be made, and not of one that never was', async () => {
		const refused = (): never => {
			throw errno('EROFS');
		};
		const open: FileCalls['open'] = (path, flags, mode) =>
			(flags & 3) !== 0 ? refused() : diskCalls.open(path, flags, mode);
		const made = createFiles([{ to: key, pieces: bytes('x\n') }], { ...diskCalls, open, unlink: refused });
		await expect(made).rejects.toMatchObject({ fault: 'read-only', key });
	});

	it('a session that cannot be opened for writing gives its lease back', async () => {
		writeFileSync(key, 'there\n');
		const open: FileCalls['open'] = () => {
			throw errno('EACCES');
		};
		expect((await failureOf(logOn({ open }).writer(key))).fault).toBe('denied');
		await using writer = await logOn({}).writer(key);
		expect(writer.length).toBe(6);
	});

	it('without a place for locks nothing can be written, and the error says where', async () => {
		writeFileSync(join(folder, 'locks'), 'a file where the folder should be');
		const error = await failureOf(logOn({}).writer(key));
		expect(error.message).toContain(join(folder, 'locks'));
	});
});

describe.skipIf(!mountable)('a real small disk', () => {
	const mounted = (): string => join(folder, 'disk');
	let disk: SmallDisk;
	beforeEach(() => {
		disk = new SmallDisk(mounted());
	});
	afterEach(() => disk[Symbol.dispose]());

	it('that fills up keeps every acknowledged line, nothing of the one that failed, and goes on with room', async () => {
		const path = join(mounted(), 'session.jsonl');
		const filler = join(mounted(), 'filler');
		writeFileSync(filler, Buffer.alloc(20_000));
		await using writer = await logOn({}).writer(path);
		let acknowledged = '';
		let failure: LogError | undefined;
		for (let n = 0; n < 100 && !failure; n++) {
			const line = `${n} ${'x'.repeat(3000 + n)}\n`;
			const result = await writer.append(bytes(line), { durable: true }).catch((error: unknown) => error);
			if (result instanceof LogError) failure = result;
			else acknowledged += line;
		}
		expect([failure?.fault, failure?.left]).toEqual(['full', undefined]);
		expect(acknowledged.length).toBeGreaterThan(20_000);
		expect(readFileSync(path, 'utf8')).toBe(acknowledged);
		expect((await failureOf(writer.replace(bytes('x'.repeat(60_000))))).fault).toBe('full');
		rmSync(filler);
		await writer.append(bytes('room again\n'), { durable: true });
		expect(readFileSync(path, 'utf8')).toBe(`${acknowledged}room again\n`);
		expect(readdirSync(mounted())).toEqual(['session.jsonl']);
	});

	it('that is read-only can be read, and says so when written to', async () => {
		const path = join(mounted(), 'session.jsonl');
		writeFileSync(path, 'one\n');
		disk.protect();
		const log = logOn({});
		expect((await log.stat(path))?.length).toBe(4);
		using source = await log.source(path);
		expect(Buffer.from(source.read(0, 4)).toString()).toBe('one\n');
		expect((await failureOf(log.writer(path))).fault).toBe('read-only');
		await using fresh = await log.writer(join(mounted(), 'new', 'session.jsonl'));
		expect((await failureOf(fresh.append(bytes('x\n')))).fault).toBe('read-only');
	});
});

describe('bytes that cannot be had', () => {
	it('are no failure of the file that they were for, and nothing is made', async () => {
		const source = join(folder, 'gone');
		const two = function* (): Iterable<Uint8Array> {
			yield bytes('two');
			yield readFileSync(source);
		};
		const plan = [
			{ to: key, pieces: bytes('one') },
			{ to: `${key}-2`, pieces: two() },
		];
		await expect(createFiles(plan)).rejects.toMatchObject({ code: 'ENOENT', path: source });
		const amended = (): never => {
			throw errno('EIO');
		};
		await expect(createFiles([{ to: key, pieces: bytes('one'), amended }])).rejects.toMatchObject({ code: 'EIO' });
		expect(readdirSync(folder)).toEqual([]);
	});

	it('a file that cannot be put in its place is named itself, not another of the same plan', async () => {
		const link: FileCalls['link'] = (from, to) => {
			if (to.endsWith('-2')) throw errno('EACCES');
			diskCalls.link(from, to);
		};
		const plan = [key, `${key}-2`, `${key}-3`].map((to) => ({ to, pieces: bytes('x') }));
		const error = await failureOf(createFiles(plan, { ...diskCalls, link }));
		expect(error).toMatchObject({ fault: 'denied', key: `${key}-2` });
		expect(readdirSync(folder)).toEqual([]);
	});
});

describe('a clock that goes backwards', () => {
	it('changes nothing: not for appends, replacements, leases or watches', async () => {
		const log = filesLog({ locks: join(folder, 'locks'), pollMs: 20 });
		const writer = await log.writer(key);
		await writer.append(bytes('one\n'));
		vi.useFakeTimers({ toFake: ['Date'], now: new Date('1980-01-01') });
		try {
			utimesSync(key, new Date('1975-01-01'), new Date('1975-01-01'));
			const from = await log.stat(key);
			expect(from?.mtimeMs).toBe(Date.parse('1975-01-01'));
			await writer.append(bytes('two\n'), { durable: true });
			utimesSync(key, new Date('1971-01-01'), new Date('1971-01-01'));
			const changes = log.watch(key, from ?? 0, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
			expect((await changes.next()).value).toMatchObject({ kind: 'grown', before: 4, length: 8 });
			await changes.return?.();
			expect((await failureOf(log.writer(key))).fault).toBe('held');
			await writer.release();
			await using next = await log.writer(key);
			const { version } = (await log.stat(key)) ?? { version: '' };
			await next.replace(bytes('three\n'), { version });
			expect(content()).toBe('three\n');
		} finally {
			vi.useRealTimers();
		}
	});
});
