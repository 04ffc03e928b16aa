/** A session as something to go on with: append, rewind, fork, follow. One writer, any number of readers. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Encoded, Machine } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import { createFiles, type Log, LogConflict, type LogStat, type LogWriter } from '../log/index.ts';
import type { Entry, EntryId, FormatId, Header, Loss } from '../model/index.ts';
import { dataFolder } from './data-folder.ts';
import { type Draft, placed } from './draft.ts';
import { InputError } from './errors.ts';
import { thisMachine } from './folders.ts';
import { follow, type SessionChange } from './follow.ts';
import { type ForkedSession, type ForkOptions, forkSession } from './fork.ts';
import type { Held } from './held.ts';
import { hold } from './hold.ts';
import { ownLog } from './own-data.ts';
import { pointerTo } from './rewind.ts';

export interface HandleOptions {
	/** `append` resolves only when what it wrote survives a power cut. Appends that wait together share one sync. */
	readonly durable?: boolean;
	/** Default: this machine and the files on it, locks in our own data folder. */
	readonly machine?: Machine;
	readonly log?: Log;
	/** Milliseconds. A clock that goes backwards does no harm. */
	readonly now?: () => number;
}

export interface SessionFacts {
	readonly id: string;
	readonly format: FormatId;
	readonly dialect: string;
	readonly header: Header;
}

export interface Appended {
	/** As they are in the file now, with ids, times and records. */
	readonly entries: readonly Entry[];
	readonly losses: readonly Loss[];
}

export interface Rewound {
	/** Where the conversation goes on, in the file at `path`. */
	readonly leaf: EntryId;
	readonly path: string;
	readonly id: string;
	/** The format has no branches: the conversation goes on in this new session, and the old one is as it was. */
	readonly fork?: ForkedSession;
}

export interface SessionHandle extends AsyncDisposable {
	readonly path: string;
	readonly session: SessionFacts;
	/** Where the conversation goes on, as far as this handle has read. */
	readonly leaf: EntryId | null;
	/** Appends the drafts one after the other behind the leaf, in one write. The first call takes the session's lock. */
	append(...drafts: readonly Draft[]): Promise<Appended>;
	rewind(to: EntryId): Promise<Rewound>;
	fork(at?: EntryId, options?: Pick<ForkOptions, 'to'>): Promise<ForkedSession>;
	/** What is written from now on, by whomever. Ends with the signal. */
	changes(signal: AbortSignal): AsyncIterable<SessionChange>;
	/** Resolves when everything appended so far survives a power cut. */
	sync(): Promise<void>;
}

/** The conversation went on elsewhere while something was about to be appended: nothing was written. */
export class SessionConflict extends InputError {
	override readonly name: string = 'SessionConflict';
}

/** Opens the session in the file at `path` to go on with it. Nothing is locked until something is written. */
export async function openHandle(path: string, options: HandleOptions = {}): Promise<SessionHandle> {
	return new Handle(path, options);
}

class Handle implements SessionHandle {
	readonly path: string;
	readonly #options: HandleOptions;
	readonly #data: string;
	readonly #log: Log;
	#held: Held;
	#stat: LogStat | undefined;
	#writer: LogWriter | undefined;
	/** Calls are done one after the other; syncs are waited for outside, so that they can be shared. */
	#turn: Promise<unknown> = Promise.resolve();
	#lastTime = Number.NEGATIVE_INFINITY;
	#originalKept = false;

	constructor(path: string, options: HandleOptions) {
		this.path = path;
		this.#options = options;
		const machine = options.machine ?? thisMachine();
		this.#data = dataFolder(machine);
		this.#log = options.log ?? ownLog(machine);
		const { held, stat } = hold(path);
		this.#held = held;
		this.#stat = stat;
	}

	get session(): SessionFacts {
		const { id, dialect, header, codec } = this.#held;
		return { id, format: codec.id, dialect, header };
	}

	get leaf(): EntryId | null {
		return this.#held.leaf;
	}

	async append(...drafts: readonly Draft[]): Promise<Appended> {
		const done = await this.#inTurn(() => this.#append(drafts));
		if (this.#options.durable) await this.sync();
		return done;
	}

	async sync(): Promise<void> {
		await this.#writer?.sync();
	}

	rewind(to: EntryId): Promise<Rewound> {
		return this.#inTurn(() => this.#rewind(to));
	}

	fork(at?: EntryId, options: Pick<ForkOptions, 'to'> = {}): Promise<ForkedSession> {
		const { now } = this.#options;
		return forkSession(this.path, at ?? this.leaf ?? undefined, { ...options, ...(now ? { now } : {}) });
	}

	changes(signal: AbortSignal): AsyncIterable<SessionChange> {
		this.#held.prepare();
		const { codec, length } = this.#held;
		const known = { length, stat: this.#stat, state: this.#held.state(), session: this.#held.after() };
		return follow(this.#log, this.path, codec, known, signal);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#inTurn(() => Promise.resolve());
		await this.#writer?.release();
		if (!this.#options.log) await this.#log.close();
	}

	#inTurn<T>(run: () => Promise<T>): Promise<T> {
		const done = this.#turn.then(run);
		this.#turn = done.then(undefined, () => undefined); // whoever called it was told
		return done;
	}

	async #append(drafts: readonly Draft[]): Promise<Appended> {
		if (drafts.length === 0) return { entries: [], losses: [] };
		return await this.#retrying(() => this.#encode((parent) => this.#place(drafts, parent)));
	}

	/** Writes what `encode` makes. When somebody else has written meanwhile: reads that, and tries once more behind it. */
	async #retrying(encode: () => Encoded): Promise<Appended> {
		const parent = this.leaf;
		try {
			return await this.#write(encode());
		} catch (error) {
			if (!(error instanceof LogConflict)) throw error;
			this.#catchUp(error);
			if (parent !== null && !this.#held.has(parent)) {
				const what = `the conversation in ${this.path} no longer goes through ${parent}, which this was to follow`;
				throw new SessionConflict(
					'conflict',
					`${what}: nothing was written. Look at what it says now, then try again.`,
				);
			}
			return await this.#write(encode());
		}
	}

	#encode(make: (parent: EntryId | null) => readonly Entry[]): Encoded {
		this.#held.prepare();
		const held = this.#held;
		const { id, header, codec } = held;
		const path = resolve(this.path);
		return codec.encode({ profile: 'client', id, header, path, entries: make(held.leaf), after: held.after() });
	}

	#place(drafts: readonly Draft[], leaf: EntryId | null): readonly Entry[] {
		return placed(drafts, { leaf, newId: () => this.#newEntryId(), nextTime: () => this.#nextTime() });
	}

	#newEntryId(): EntryId {
		for (;;) {
			const id = this.#held.codec.newEntryId(randomBytes(16));
			if (!this.#held.isTaken(id)) return id;
		}
	}

	/** Strictly later than everything before: Claude Code goes on after the line with the latest time. */
	#nextTime(): number {
		const now = this.#options.now?.() ?? Date.now();
		this.#lastTime = Math.max(now, this.#held.lastTime + 1, this.#lastTime + 1);
		return this.#lastTime;
	}

	async #write(encoded: Encoded): Promise<Appended> {
		const { bytes, losses } = encoded;
		if (this.#stat === undefined) {
			const why = 'is in a database that only its client may write to';
			throw new InputError('read-only', `${this.path} ${why}: fork it to a file to go on with it`);
		}
		const lines = this.#held.codec.capabilities.container === 'lines';
		this.#writer ??= await this.#log.writer(this.path, { lines });
		await this.#writeBeside(encoded);
		const entries = bytes.length === 0 ? [] : lines ? await this.#appendLines(bytes) : await this.#replace(bytes);
		if (this.#held.lost) this.#reopen();
		// Ids and times are the handle's own: that a format does not keep them is no loss to anybody.
		return { entries, losses: losses.filter(({ path }) => path !== 'id' && path !== 'time') };
	}

	async #appendLines(bytes: Uint8Array): Promise<readonly Entry[]> {
		const known = this.#held.length;
		const writer = this.#writer as LogWriter;
		const { at, end } = await writer.append(bytes, { expect: known });
		// Not at once behind what is known: a newline that ended a torn line, or bytes of another client, come first.
		return this.#held.take(at === known ? bytes : this.#readRange(known, end));
	}

	async #replace(bytes: Uint8Array): Promise<readonly Entry[]> {
		const writer = this.#writer as LogWriter;
		await this.#keepOriginal();
		const version = this.#stat?.version;
		this.#stat = await writer.replace(bytes, { expect: this.#held.length, ...(version ? { version } : {}) });
		return this.#held.take(bytes);
	}

	/** A document is replaced as a whole: how it was before this handle wrote to it is kept, one copy per session. */
	async #keepOriginal(): Promise<void> {
		if (this.#originalKept) return;
		const name = createHash('sha256').update(resolve(this.path)).digest('hex').slice(0, 32);
		await using copy = await this.#log.writer(join(this.#data, 'originals', `${name}.json`), { lines: false });
		await copy.replace(this.#readRange(0, this.#held.length));
		this.#originalKept = true;
	}

	/** A document's sidecar belongs to it and goes with it; any other file that is there already stays as it is. */
	async #writeBeside({ beside }: Encoded): Promise<void> {
		for (const file of beside) {
			const path = join(dirname(resolve(this.path)), file.path);
			if (!(await this.#log.stat(path))) await createFiles([{ to: path, pieces: file.bytes }]);
			else if (this.#held.codec.capabilities.container === 'document') {
				await using writer = await this.#log.writer(path, { lines: false });
				await writer.replace(file.bytes);
			} else if (!readFileSync(path).equals(file.bytes)) {
				throw new InputError('exists', `${path} is there already and says something else: nothing was written`);
			}
		}
	}

	#readRange(from: number, to: number): Uint8Array {
		using source = openFile(this.path);
		return source.read(from, to - from);
	}

	#catchUp({ replaced, actual }: LogConflict): void {
		const lines = this.#held.codec.capabilities.container === 'lines';
		if (!lines || replaced || actual <= this.#held.length) {
			this.#reopen();
			return;
		}
		this.#held.take(this.#readRange(this.#held.length, actual));
		if (this.#held.lost) this.#reopen();
	}

	#reopen(): void {
		const { held, stat } = hold(this.path);
		this.#held = held;
		this.#stat = stat;
	}

	async #rewind(to: EntryId): Promise<Rewound> {
		const { codec, dialect, id } = this.#held;
		if (!codec.trail?.links(dialect)) {
			const fork = await this.fork(to);
			return { leaf: hold(fork.path).held.leaf ?? fork.at, path: fork.path, id: fork.id, fork };
		}
		const rules = codec.trail;
		await this.#retrying(() => {
			const { entry, target } = pointerTo(codec, rules, this.path, to);
			this.#held.prepare();
			const held = this.#held;
			const after = held.after();
			const made = { ...entry, id: this.#newEntryId(), time: new Date(this.#nextTime()).toISOString(), records: [] };
			return codec.encode({
				profile: 'client',
				id,
				header: held.header,
				path: resolve(this.path),
				entries: [made as Entry],
				after: { ...after, entries: [target, ...after.entries] },
			});
		});
		this.#reopen();
		return { leaf: this.leaf ?? to, path: this.path, id };
	}
}
