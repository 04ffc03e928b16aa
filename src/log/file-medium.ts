/** One file with one writer: what is checked before an append and for how long that holds, how a failed append is taken back, and when a file counts as replaced. */
import { constants } from 'node:fs';
import { type Pieces, stage, sweep, syncFolders } from './atomic.ts';
import { type FileCalls, type FileStat, noFollow, sameFile } from './calls.ts';
import { asLogError, codeOf, LogConflict, type LogError, telling, unsynced } from './errors.ts';
import type { LogStat } from './log.ts';
import { type FilePlace, makeFolders, refuseMovedFolder, refuseOddFile } from './paths.ts';
import type { Medium } from './writer.ts';
import type { Lease } from './writer-lock.ts';

/** O_NONBLOCK: a pipe put in the file's place must not hang us. Regular files ignore it. Neither exists on Windows. */
const openFlags = constants.O_RDWR | constants.O_APPEND | noFollow | (constants.O_NONBLOCK ?? 0);

/** How long a full look stays valid, on the monotonic clock: less than it takes to take over a removed lock. */
const momentMs = 0.1;
const never = Number.NEGATIVE_INFINITY;

/** A file's state. Inode numbers are reused at once, so the identity includes the birth time, only to compare it. */
export function statOf(key: string, stat: FileStat): LogStat {
	const id = `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
	return { key, length: stat.size, mtimeMs: stat.mtimeMs, id, version: `${id}:${stat.size}:${stat.mtimeMs}` };
}

export class FileMedium implements Medium {
	readonly #calls: FileCalls;
	readonly #place: FilePlace;
	readonly #lease: Lease;
	#file: number | undefined;
	#opened: FileStat | undefined;
	#unsynced = false;
	#changedFolders: string[] = [];
	#syncing = false;
	#retired: number[] = [];
	#swept = false;
	#lookedAt = never;

	constructor(calls: FileCalls, place: FilePlace, lease: Lease) {
		this.#calls = calls;
		this.#place = place;
		this.#lease = lease;
	}

	/**
	 * A full look checks the lease, and that the path still names the open file. Soon after one, a look at the open file
	 * is enough: its length, and whether it has lost a name.
	 */
	look(): { readonly length: number; readonly replaced: boolean } {
		const now = performance.now();
		if (now - this.#lookedAt < momentMs) {
			const stat = this.#stillNamed();
			if (stat) return { length: stat.size, replaced: false };
		}
		this.#lookedAt = now;
		this.#lease.check();
		const { key, path } = this.#place;
		const stat = telling(key, 'look at', () => this.#calls.lstat(path));
		if (stat && this.#opened && sameFile(stat, this.#opened)) {
			this.#opened = stat;
			return { length: stat.size, replaced: false };
		}
		const replaced = this.#opened !== undefined;
		this.#retire();
		if (!stat) return { length: 0, replaced };
		refuseOddFile(key, path, stat);
		return { length: this.#open(openFlags).size, replaced };
	}

	/** The open file's state; undefined when it has lost a name since the last full look: it was removed or replaced. */
	#stillNamed(): FileStat | undefined {
		if (this.#file === undefined) return undefined;
		const stat = this.#calls.fstat(this.#file);
		return stat.nlink === this.#opened?.nlink ? stat : undefined;
	}

	peek(at: number, length: number): Uint8Array {
		if (this.#file === undefined) return new Uint8Array(0);
		const bytes = Buffer.allocUnsafe(length);
		let got = 0;
		while (got < length) {
			const file = this.#file;
			const read = telling(this.#place.key, 'read', () => this.#calls.read(file, bytes, got, length - got, at + got));
			if (read === 0) break;
			got += read;
		}
		return bytes.subarray(0, got);
	}

	write(bytes: Uint8Array, expect: number): number {
		const file = this.#file ?? this.#create();
		this.#unsynced = true;
		let done = 0;
		try {
			while (done < bytes.length) {
				const wrote = this.#calls.write(file, bytes, done, bytes.length - done);
				if (wrote === 0) throw new Error('the system wrote nothing and gave no reason');
				done += wrote;
			}
		} catch (error) {
			throw this.#takeBack(file, expect, done, error);
		}
		return this.#confirm(bytes, expect);
	}

	/**
	 * Truncates the file to where a failed append began, unless somebody else has appended behind it: their bytes matter
	 * more than our tidiness, so ours are reported as left.
	 */
	#takeBack(file: number, expect: number, done: number, error: unknown): LogError {
		const { key } = this.#place;
		if (done === 0) return asLogError(key, 'append to', error);
		const left = { at: expect, length: done };
		try {
			if (this.#calls.fstat(file).size !== expect + done) return asLogError(key, 'append to', error, left);
			this.#calls.truncate(file, expect);
			return asLogError(key, 'append to', error);
		} catch {
			return asLogError(key, 'append to', error, left); // the first failure is the one to report
		}
	}

	/** Checks that the bytes are in the file that has the name now, and returns where. */
	#confirm(bytes: Uint8Array, expect: number): number {
		const end = expect + bytes.length;
		if (this.#stillNamed()?.size === end) return expect;
		this.#lookedAt = never;
		const { length, replaced } = this.look();
		if (replaced) throw new LogConflict(this.#place.key, expect, length, true, { at: expect, length: bytes.length });
		return length === end ? expect : this.#find(bytes, expect, length);
	}

	/** Finds our bytes after a client without our lease wrote too: in place if it came after us, else behind its own. */
	#find(bytes: Uint8Array, expect: number, size: number): number {
		if (size < expect + bytes.length) throw new LogConflict(this.#place.key, expect + bytes.length, size, true);
		const found = Buffer.from(this.peek(expect, size - expect)).indexOf(bytes);
		if (found !== -1) return expect + found;
		const left = { at: expect, length: bytes.length };
		throw asLogError(this.#place.key, 'append to', new Error('another process wrote into the middle of it'), left);
	}

	async sync(): Promise<void> {
		this.#syncing = true;
		try {
			const file = this.#file;
			if (file !== undefined && this.#unsynced) {
				this.#unsynced = false; // bytes written from now on belong to the next sync
				await this.#calls.syncData(file);
			}
			const folders = this.#changedFolders.splice(0);
			await syncFolders(this.#calls, folders);
		} finally {
			this.#syncing = false;
			for (const file of this.#retired.splice(0)) this.#calls.close(file);
		}
	}

	async replace(pieces: Pieces, expect: number, version: string | undefined): Promise<LogStat> {
		const { key } = this.#place;
		const read = this.#stat();
		if (version !== undefined && read?.version !== version) throw new LogConflict(key, expect, read?.length ?? 0, true);
		if (!this.#swept && read) sweep(this.#calls, this.#place);
		this.#swept = true;
		const staged = await stage(this.#calls, this.#place, pieces);
		try {
			this.#lease.check();
			const now = this.#stat();
			if (now?.version !== read?.version) throw new LogConflict(key, expect, now?.length ?? 0, true);
			if (now) staged.replace();
			else staged.create();
		} catch (error) {
			staged.discard();
			throw asLogError(key, 'replace', error);
		}
		this.#retire();
		const stat = statOf(key, this.#open(openFlags));
		await staged.settle().catch((error: unknown) => {
			throw unsynced(key, error);
		});
		return stat;
	}

	#stat(): LogStat | undefined {
		const { key, path } = this.#place;
		const stat = telling(key, 'look at', () => this.#calls.lstat(path));
		refuseOddFile(key, path, stat);
		return stat && statOf(key, stat);
	}

	close(): void {
		try {
			this.#retire();
		} finally {
			this.#lease.release();
		}
	}

	#create(): number {
		const folders = makeFolders(this.#calls, this.#place);
		this.#open(openFlags | constants.O_CREAT | constants.O_EXCL);
		this.#changedFolders.push(...folders, this.#place.folder);
		return this.#file as number;
	}

	/** Opens the path and checks that the opened file is the one that the path names, in the right folder. */
	#open(flags: number): FileStat {
		const { key, path } = this.#place;
		const calls = this.#calls;
		let file: number;
		try {
			file = calls.open(path, flags, 0o600);
		} catch (error) {
			const there = codeOf(error) === 'EEXIST' ? calls.lstat(path) : undefined;
			throw there ? new LogConflict(key, 0, there.size, true) : asLogError(key, 'write to', error);
		}
		try {
			const stat = calls.fstat(file);
			const named = calls.lstat(path);
			refuseMovedFolder(calls, this.#place);
			if (!stat.isFile() || !named || !sameFile(stat, named))
				throw new LogConflict(key, stat.size, named?.size ?? 0, true);
			this.#file = file;
			this.#opened = stat;
			return stat;
		} catch (error) {
			calls.close(file);
			throw asLogError(key, 'write to', error);
		}
	}

	/** Closes a file, after its sync if one runs: its descriptor number must not mean another file meanwhile. */
	#retire(): void {
		if (this.#file === undefined) return;
		if (this.#syncing) this.#retired.push(this.#file);
		else this.#calls.close(this.#file);
		this.#file = undefined;
		this.#opened = undefined;
	}
}
