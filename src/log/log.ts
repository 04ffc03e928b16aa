/** Named byte logs: all that the rest of the product may ask of a backend. */
import type { Source } from '../model/index.ts';

/**
 * Reading needs no lock and never waits for a writer. Writing needs the lease, see `writer`. A log that does not exist
 * has length 0 for a writer; its first append or replacement makes it. Keys of the file backend are paths.
 */
export interface Log {
	/** What is known about a log without reading it; undefined when there is none. */
	stat(key: string): Promise<LogStat | undefined>;
	/** The bytes from `from` up to `to`, in pieces; `to` defaults to the length found at the start. Throws `missing`, and
	 * LogConflict when the log becomes shorter than promised while it is read. */
	read(key: string, options?: ReadOptions): AsyncIterable<Uint8Array>;
	/** The log as it is now, for synchronous reading. Later appends and replacements are not seen through it. */
	source(key: string): Promise<LogSource>;
	/** Every log whose key starts with the prefix, in no particular order. */
	list(prefix: string): AsyncIterable<LogStat>;
	/** Yields whenever the log differs from what was seen last, beginning with `from` (a stat, or a length; 0 stands for
	 * an absent log too). Changes in quick succession may arrive as one. Ends, without an error, with the signal. */
	watch(key: string, from: number | LogStat, signal: AbortSignal): AsyncIterable<LogChange>;
	/** The one writer of this log, here or in any other process. Throws LogHeld, which names the holder. */
	writer(key: string, options?: WriterOptions): Promise<LogWriter>;
	/** Closes what the backend itself holds open (a database). Writers and sources are released on their own. */
	close(): Promise<void>;
}

export interface LogStat {
	readonly key: string;
	readonly length: number;
	/** The time of the last write, for people. No decision depends on it: clocks go backwards. */
	readonly mtimeMs: number;
	/** Stays the same while the log is only appended to; differs after a replacement. */
	readonly id: string;
	/** Differs after any write that the backend can detect. */
	readonly version: string;
}

export interface LogSource extends Source, Disposable {
	readonly stat: LogStat;
}

export interface ReadOptions {
	readonly from?: number;
	readonly to?: number;
	readonly signal?: AbortSignal;
}

export interface LogChange {
	/** `replaced`: read it again from the start, whatever its length (another file, or changed in place). */
	readonly kind: 'grown' | 'shrunk' | 'replaced' | 'removed';
	/** The length now; 0 when removed. */
	readonly length: number;
	/** The length seen before. */
	readonly before: number;
	/** What was found, for the next `watch` or `replace`. Absent when removed. */
	readonly stat?: LogStat;
}

export interface WriterOptions {
	/** Every append starts on its own line: after a torn tail a newline is written first. Default true. */
	readonly lines?: boolean;
	/**
	 * A prefix of the key, for files a folder: below it nothing may lead elsewhere (no symbolic link in any component).
	 * Above it links are the user's own choice. Default: the key's own folder. Backends without links ignore it.
	 */
	readonly within?: string;
}

/**
 * The lease on one log and the only way to write to it. Calls are done in the order they were made; appends made
 * together are written together, and those that ask to be durable share one sync.
 */
export interface LogWriter extends AsyncDisposable {
	readonly key: string;
	/** The length as this writer knows it: at opening, then after its own last write. */
	readonly length: number;
	/** The unfinished line found at opening, which stays in the log. */
	readonly torn: TornTail | undefined;
	/**
	 * Appends iff the log is exactly as long as expected (default: as this writer knows it), else throws LogConflict and
	 * writes nothing. After a conflict: read what is new, then append with `expect` set to the length read. The bytes
	 * must not change until it resolves.
	 */
	append(bytes: Uint8Array, options?: AppendOptions): Promise<Appended>;
	/** Replaces all bytes atomically and durably, under the same rule as `append`. */
	replace(bytes: Uint8Array | Iterable<Uint8Array>, options?: ReplaceOptions): Promise<LogStat>;
	/** Resolves when everything appended so far is durable. */
	sync(): Promise<void>;
	/** Finishes the queued calls, then releases the lease. It does not sync. */
	release(): Promise<void>;
}

/** The bytes after the last newline. */
export interface TornTail {
	readonly at: number;
	readonly length: number;
}

export interface AppendOptions {
	readonly expect?: number;
	/** Resolve only when the bytes survive a power failure. Default false: they survive the end of this process. */
	readonly durable?: boolean;
}

export interface ReplaceOptions {
	readonly expect?: number;
	/** The `version` of the log that the new bytes were made from: catches a change that kept the length. */
	readonly version?: string;
}

export interface Appended {
	/** The offset at which the given bytes begin. */
	readonly at: number;
	/** The offset at which they end. */
	readonly end: number;
	/** True when a newline was written before them, because the log ended in the middle of a line. */
	readonly newline: boolean;
	/**
	 * How many bytes a client without our lease appended between our look at the length and our write: they are directly
	 * before ours, and the caller has not read them. Almost always 0: the gap is microseconds.
	 */
	readonly foreign: number;
}

/** Makes one durable append under a lease of its own. */
export async function appendOnce(log: Log, key: string, bytes: Uint8Array, expect: number): Promise<Appended> {
	await using writer = await log.writer(key);
	return await writer.append(bytes, { expect, durable: true });
}
