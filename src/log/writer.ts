/** The writer that all backends share: order, the compare rule, one write per batch, line starts, group commit. */
import { LogConflict, LogError, unsynced } from './errors.ts';
import { GroupSync } from './group-sync.ts';
import type { Appended, AppendOptions, LogStat, LogWriter, ReplaceOptions, TornTail } from './log.ts';

/** What a backend does for its writer. There is no other call and no pause between `look` and `write`. */
export interface Medium {
	/** The current log; `replaced` is true once, when it is not that of the last look. Throws when the lease is lost. */
	look(): { readonly length: number; readonly replaced: boolean };
	/** Reads a few bytes of the log, fewer at its end. */
	peek(at: number, length: number): Uint8Array;
	/** Appends at `expect`, all or nothing. Returns where the bytes begin: later than asked if others wrote first. */
	write(bytes: Uint8Array, expect: number): number;
	sync(): Promise<void>;
	/** Replaces the log that `look` found (and that has this version, if one is given). */
	replace(bytes: Uint8Array | Iterable<Uint8Array>, expect: number, version: string | undefined): Promise<LogStat>;
	/** Releases the log and the lease. */
	close(): void;
}

interface AppendTask {
	readonly bytes: Uint8Array;
	readonly expect: number | undefined;
	readonly durable: boolean;
	readonly resolve: (done: Appended) => void;
	readonly reject: (error: unknown) => void;
}

/** An append, or a call that has to wait for its turn. */
type Task = AppendTask | (() => void | Promise<void>);

const newline = 10;
const lineBreak = new Uint8Array([newline]);
/** Code after this runs when all synchronous calls are queued; `queueMicrotask` would also allocate for tracing. */
const now = Promise.resolve();

export class QueuedWriter implements LogWriter {
	readonly key: string;
	readonly torn: TornTail | undefined;
	readonly #medium: Medium;
	readonly #lines: boolean;
	readonly #group: GroupSync;
	#queue: Task[] = [];
	#busy = false;
	#length: number;
	/** True when the log ends where a line may start. */
	#atLineStart: boolean;
	/** True when the log is not the one this writer knows: only a caller that states what it expects may go on. */
	#strange = false;
	/** The error of a failed sync, which every later call gets: nobody knows what the disk holds. */
	#broken: LogError | undefined;
	/** The memory in which batches are put together. */
	#room = Buffer.alloc(0);
	#released: Promise<void> | undefined;

	constructor(key: string, medium: Medium, lines: boolean) {
		this.key = key;
		this.#medium = medium;
		this.#lines = lines;
		this.#group = new GroupSync(() => this.#syncNow());
		this.#length = medium.look().length;
		this.torn = lines ? tornTail(medium, this.#length) : undefined;
		this.#atLineStart = this.torn === undefined;
	}

	get length(): number {
		return this.#length;
	}

	append(bytes: Uint8Array, options: AppendOptions = {}): Promise<Appended> {
		const { promise, resolve, reject } = Promise.withResolvers<Appended>();
		this.#enqueue({ bytes, expect: options.expect, durable: options.durable === true, resolve, reject }, reject);
		return promise;
	}

	replace(bytes: Uint8Array | Iterable<Uint8Array>, options: ReplaceOptions = {}): Promise<LogStat> {
		return this.#inTurn(async () => {
			const { length, replaced } = this.#look();
			const expect = options.expect ?? (this.#strange ? -1 : this.#length);
			if (replaced || expect !== length) throw new LogConflict(this.key, this.#told(options.expect), length, replaced);
			try {
				const stat = await this.#medium.replace(bytes, length, options.version);
				this.#knows(stat.length, this.#startsLine(stat.length));
				return stat;
			} catch (error) {
				if (error instanceof LogError && error.fault === 'unsynced') this.#broken = error;
				throw error;
			}
		});
	}

	sync(): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		this.#enqueue(() => void this.#group.run().then(resolve, reject), reject);
		return promise;
	}

	release(): Promise<void> {
		if (this.#released) return this.#released;
		const finished = Promise.withResolvers<void>();
		this.#queue.push(finished.resolve);
		this.#wake();
		this.#released = finished.promise.then(() => this.#group.idle()).then(() => this.#medium.close());
		return this.#released;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.release();
	}

	#enqueue(task: Task, reject: (error: unknown) => void): void {
		if (this.#released) {
			reject(new LogError('released', this.key, `cannot write to ${this.key}: this writer was released.`));
			return;
		}
		this.#queue.push(task);
		this.#wake();
	}

	#inTurn<T>(run: () => Promise<T>): Promise<T> {
		const { promise, resolve, reject } = Promise.withResolvers<T>();
		this.#enqueue(() => run().then(resolve, reject), reject);
		return promise;
	}

	/** Starts the queue after all synchronous calls were added, so that they become one write. */
	#wake(): void {
		if (this.#busy) return;
		this.#busy = true;
		void now.then(this.#work);
	}

	readonly #work = (): void => {
		while (this.#queue.length > 0) {
			const queue = this.#queue;
			this.#queue = [];
			const waiting = this.#run(queue);
			if (waiting) {
				void waiting.then(this.#work);
				return;
			}
		}
		this.#busy = false;
	};

	/** Runs tasks up to one that has to be awaited; the rest goes back to the front of the queue. */
	#run(queue: readonly Task[]): Promise<void> | undefined {
		const appends: AppendTask[] = [];
		for (let at = 0; at < queue.length; at += 1) {
			const task = queue[at] as Task;
			if (typeof task !== 'function') {
				appends.push(task);
				continue;
			}
			if (appends.length > 0) this.#appendAll(appends.splice(0));
			const waiting = task();
			if (!waiting) continue;
			this.#queue = [...queue.slice(at + 1), ...this.#queue];
			return waiting;
		}
		if (appends.length > 0) this.#appendAll(appends);
		return undefined;
	}

	/** Throws if writing is impossible, else looks at the log. */
	#look(): { readonly length: number; readonly replaced: boolean } {
		if (this.#broken) throw this.#broken;
		const seen = this.#medium.look();
		if (seen.replaced) this.#strange = true;
		return seen;
	}

	#appendAll(tasks: readonly AppendTask[]): void {
		try {
			const { length, replaced } = this.#look();
			const [only] = tasks;
			if (only && tasks.length === 1 && !replaced && this.#isPlain(only, length)) this.#appendOne(only, length);
			else this.#commit(this.#accept(tasks, length, replaced), length);
		} catch (error) {
			for (const task of tasks) task.reject(error); // tasks that were rejected already stay so
		}
	}

	/** True for a single append that finds the log as expected and at a line start, as nearly all do. */
	#isPlain({ bytes, expect, durable }: AppendTask, length: number): boolean {
		if (durable || bytes.length === 0 || this.#strange || this.#length !== length) return false;
		return (expect === undefined || expect === length) && (this.#atLineStart || !this.#lines);
	}

	#appendOne({ bytes, resolve }: AppendTask, length: number): void {
		const at = this.#medium.write(bytes, length);
		const end = at + bytes.length;
		this.#knows(end, bytes[bytes.length - 1] === newline);
		resolve({ at, end, newline: false, foreign: at - length });
	}

	/** Lays the batch out behind `length`; tasks whose expectation does not hold are rejected. */
	#accept(tasks: readonly AppendTask[], length: number, replaced: boolean): Batch {
		let known = !this.#strange && this.#length === length;
		let lineStart = known ? this.#atLineStart : this.#startsLine(length);
		let end = length;
		const batch: Batch = { parts: [], placed: [], end: length, lineStart };
		for (const task of tasks) {
			if (replaced || (task.expect === undefined ? !known : task.expect !== end)) {
				task.reject(new LogConflict(this.key, this.#told(task.expect), end, replaced));
				continue;
			}
			known = true;
			const breakLine = this.#lines && !lineStart && task.bytes.length > 0;
			if (breakLine) batch.parts.push(lineBreak);
			const at = breakLine ? end + 1 : end;
			end = at + task.bytes.length;
			if (task.bytes.length > 0) {
				batch.parts.push(task.bytes);
				lineStart = task.bytes.at(-1) === newline;
			}
			batch.placed.push({ task, at, end, newline: breakLine });
		}
		batch.end = end;
		batch.lineStart = lineStart;
		return batch;
	}

	#commit(batch: Batch, length: number): void {
		const [first] = batch.parts;
		let foreign = 0;
		if (first) {
			const bytes = batch.parts.length === 1 ? first : this.#joined(batch.parts, batch.end - length);
			foreign = this.#medium.write(bytes, length) - length;
		}
		if (batch.placed.length > 0) this.#knows(batch.end + foreign, batch.lineStart);
		const synced = batch.placed.some(({ task }) => task.durable) ? this.#group.run() : undefined;
		for (const { task, at, end, newline } of batch.placed) {
			const done = { at: at + foreign, end: end + foreign, newline, foreign };
			if (task.durable) synced?.then(() => task.resolve(done), task.reject);
			else task.resolve(done);
		}
	}

	/** Joins parts in memory that is reused: new memory would cost more than writing. A medium keeps none of it. */
	#joined(parts: readonly Uint8Array[], size: number): Uint8Array {
		if (size > largestRoom) return Buffer.concat(parts);
		if (size > this.#room.length) this.#room = Buffer.allocUnsafeSlow(Math.min(largestRoom, 2 * size));
		let at = 0;
		for (const part of parts) {
			this.#room.set(part, at);
			at += part.length;
		}
		return this.#room.subarray(0, at);
	}

	#knows(length: number, atLineStart: boolean): void {
		this.#length = length;
		this.#atLineStart = atLineStart;
		this.#strange = false;
	}

	#told(expect: number | undefined): number {
		return expect ?? this.#length;
	}

	#startsLine(length: number): boolean {
		return length === 0 || this.#medium.peek(length - 1, 1)[0] === newline;
	}

	async #syncNow(): Promise<void> {
		if (this.#broken) throw this.#broken;
		try {
			await this.#medium.sync();
		} catch (error) {
			this.#broken ??= unsynced(this.key, error);
			throw this.#broken;
		}
	}
}

const largestRoom = 1 << 22;

interface Batch {
	readonly parts: Uint8Array[];
	readonly placed: {
		readonly task: AppendTask;
		readonly at: number;
		readonly end: number;
		readonly newline: boolean;
	}[];
	end: number;
	lineStart: boolean;
}

const window = 1 << 16;

/** The bytes behind the last newline, found by reading backwards. */
function tornTail(medium: Medium, length: number): TornTail | undefined {
	if (length === 0 || medium.peek(length - 1, 1)[0] === newline) return undefined;
	for (let to = length; to > 0; to -= window) {
		const from = Math.max(0, to - window);
		const found = medium.peek(from, to - from).lastIndexOf(newline);
		if (found !== -1) return { at: from + found + 1, length: length - (from + found + 1) };
	}
	return { at: 0, length };
}
