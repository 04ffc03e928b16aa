/** Goes on with a session: append, rewind, fork, follow; and what happens when another program wrote meanwhile (that is read, the append is tried once more, or it is a conflict). */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Encoded, Machine, Noted, Observed, RunEnd } from '../../codecs/index.ts';
import { type Log, LogConflict, type LogStat, type LogWriter } from '../../log/index.ts';
import {
	compact,
	type Entry,
	type EntryId,
	type Header,
	isPrompt,
	type Loss,
	lastInGraph,
	type Profile,
} from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { thisMachine } from '../find/folders.ts';
import { keepHome } from '../find/place.ts';
import { follow, type SessionChange } from '../follow/follow.ts';
import { type ForkedSession, type ForkOptions, forkSession } from '../manage/fork.ts';
import { backIn, pointerTo } from '../manage/rewind.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import { ownLog } from '../own-data/own-data.ts';
import { addRunNote, type RunNote, runNotes } from '../own-data/run-notes.ts';
import { withTitle } from '../reader/title.ts';
import { type Draft, looksBack, placed } from './draft.ts';
import { createSession, keepOriginal, noteEnd, readRange, writeBeside } from './handle-files.ts';
import { type HandleState, isOthers, startsAnew } from './handle-state.ts';
import { HookLog } from './hook-log.ts';
import { type Keeper, type KeptState, keepFile, keepsCopies, outputFolder } from './kept-files.ts';
import { gather } from './open-reply.ts';
import { type OpenedState, openState } from './open-state.ts';
import {
	type Appended,
	type CaughtUp,
	type HandleOptions,
	noLongerThere,
	type Rewound,
	type SessionFacts,
	type SessionHandle,
	type Surroundings,
} from './session-handle.ts';

export * from './session-handle.ts';

/** Opens the session in the file at `path` to go on with it. Nothing is locked until something is written. */
export async function openHandle(path: string, options: HandleOptions = {}): Promise<SessionHandle> {
	const holding = openState(path);
	const { profile = holding.profile, machine = thisMachine() } = options;
	keepHome(holding.held.codec, path, machine, holding.profile, profile);
	return handleOn(path, holding, options);
}

/** A handle's options, and what was said of a new session: its file may have no place for all of it. */
interface Setup extends HandleOptions {
	readonly given?: Header;
}

/** Makes a handle from what is known of a session. */
export function handleOn(path: string, holding: OpenedState, setup: Setup): SessionHandle {
	return new Handle(path, holding, setup);
}

class Handle implements SessionHandle {
	readonly path: string;
	readonly profile: Profile;
	/** Made once: every call asks for it, and its name is a sum. */
	readonly outputFolder: string;
	readonly #options: Setup;
	readonly machine: Machine;
	readonly #data: string;
	readonly #log: Log;
	#held: HandleState;
	#stat: LogStat | undefined;
	#writer: LogWriter | undefined;
	/** The queue of calls, which run one by one. Syncs are awaited outside it, so that calls can share one. */
	#turn: Promise<unknown> = Promise.resolve();
	#lastTime = Number.NEGATIVE_INFINITY;
	#originalKept = false;
	#described: Surroundings = {};
	#hookLog: HookLog | undefined;
	/** Blocks of a reply that is not complete yet. */
	#open: readonly Draft[] = [];
	/** True for a new session before its first prompt, with which its client notes things about the session. */
	#unprompted: boolean;
	/** Where the conversation went on before somebody else's write was read, until `caughtUp` has told. */
	#left: { readonly leaf: EntryId | null } | undefined;

	constructor(path: string, { held, stat, profile }: OpenedState, options: Setup) {
		this.path = path;
		this.profile = options.profile ?? profile;
		this.#options = options;
		this.machine = options.machine ?? thisMachine();
		this.#data = dataFolder(this.machine);
		this.outputFolder = outputFolder({ codec: held.codec, path }, this.machine);
		this.#log = options.log ?? ownLog(this.machine);
		this.#held = held;
		this.#stat = stat;
		this.#unprompted = held.isNew;
	}

	get session(): SessionFacts {
		const { id, dialect, codec } = this.#held;
		return { id, format: codec.id, dialect, header: withTitle(this.#held, this.#header) };
	}

	describe(now: Surroundings): void {
		this.#described = { ...this.#described, ...now };
	}

	observe(observed: Observed): void {
		this.#hookLog ??= new HookLog(this.#held.codec, this.path, this.profile);
		this.#hookLog.add(this.#held.id, observed);
	}

	note(noted: Noted): void {
		addRunNote(this.machine, this.session, { after: this.leaf, noted });
	}

	get notes(): readonly RunNote[] {
		return runNotes(this.machine, this.session);
	}

	get #keeper(): Keeper {
		return { codec: this.#held.codec, path: this.path, profile: this.profile, header: this.#header };
	}

	keepFile(file: string, bytes: Uint8Array | null, last: KeptState | undefined): Promise<KeptState> {
		return keepFile(this.#keeper, file, bytes, last);
	}

	get keepsCopies(): boolean {
		return keepsCopies(this.#keeper);
	}

	ended(end: RunEnd): Promise<void> {
		return this.#inTurn(() => noteEnd(this.#log, this.#held.codec, this.path, end));
	}

	get #header(): Header {
		const { folder: _, ...described } = this.#described;
		return compact({ ...this.#options.given, ...this.#held.header, ...described });
	}

	get leaf(): EntryId | null {
		return this.#held.leaf;
	}

	async append(...drafts: readonly Draft[]): Promise<Appended> {
		const done = await this.#inTurn(() => this.#append(drafts));
		if (this.#options.durable) await this.sync();
		return done;
	}

	caughtUp(): Promise<CaughtUp | undefined> {
		return this.#inTurn(async () => {
			if (!this.#held.isNew && this.#stat) {
				const now = await this.#log.stat(this.path);
				if (now && isOthers(now, this.#held, this.#stat)) this.#reopen(true);
			}
			const left = this.#left;
			this.#left = undefined;
			return left && { leaf: left.leaf, isOnPath: left.leaf === null || this.#held.has(left.leaf) };
		});
	}

	async sync(): Promise<void> {
		await this.#writer?.sync();
	}

	rest(): Promise<void> {
		return this.#inTurn(async () => {
			try {
				await this.#flush();
			} finally {
				await this.#writer?.release();
				this.#writer = undefined;
			}
		});
	}

	rewind(to: EntryId | null, { takesBack = false }: { readonly takesBack?: boolean } = {}): Promise<Rewound> {
		return this.#inTurn(async () => {
			await this.#flush();
			return await this.#rewind(to, takesBack);
		});
	}

	fork(at?: EntryId, options: Pick<ForkOptions, 'to'> = {}): Promise<ForkedSession> {
		return this.#inTurn(async () => {
			await this.#flush();
			return await this.#fork(at, options);
		});
	}

	#fork(at?: EntryId | null, options: Pick<ForkOptions, 'to'> = {}): Promise<ForkedSession> {
		const { now } = this.#options;
		return forkSession(this.path, at, {
			...options,
			profile: this.profile,
			machine: this.machine,
			...(now ? { now } : {}),
		});
	}

	changes(signal: AbortSignal): AsyncIterable<SessionChange> {
		this.#held.prepare();
		const { codec, length } = this.#held;
		const known = { length, stat: this.#stat, state: this.#held.state(), session: this.#held.session() };
		return follow(this.#log, this.path, codec, known, signal);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		try {
			await this.rest();
		} finally {
			if (!this.#options.log) await this.#log.close();
		}
	}

	#inTurn<T>(run: () => Promise<T>): Promise<T> {
		const done = this.#turn.then(run);
		this.#turn = done.then(undefined, () => undefined); // the caller got the error already
		return done;
	}

	async #append(drafts: readonly Draft[]): Promise<Appended> {
		const { wholeReplies } = this.#held.codec.write;
		const ready = wholeReplies ? gather(this.#open, drafts) : { drafts, open: [] };
		const done = await this.#appendNow(ready.drafts);
		this.#open = ready.open; // only after the write: if that fails, the caller tries again with the rest of the reply
		return done;
	}

	async #appendNow(drafts: readonly Draft[]): Promise<Appended> {
		if (drafts.length === 0) return { entries: [], losses: [] };
		return await this.#retrying(() => this.#encode((parent) => this.#place(drafts, parent)));
	}

	/** Writes a reply that broke off, as far as it came. */
	async #flush(): Promise<void> {
		await this.#appendNow(this.#open);
		this.#open = [];
	}

	/** Writes what `encode` makes. When somebody else has written meanwhile, reads that and tries once more behind it. */
	async #retrying(encode: () => Encoded): Promise<Appended> {
		const parent = this.leaf;
		try {
			return await this.#write(encode());
		} catch (error) {
			if (!(error instanceof LogConflict)) throw error;
			this.#catchUp(error);
			if (parent !== null && !this.#held.has(parent)) throw noLongerThere(this.path, parent);
			return await this.#write(encode());
		}
	}

	/** Encodes new entries. `named`: entries that the new ones refer to, which may stand far up in the file. */
	#encode(make: (parent: EntryId | null) => readonly Entry[], named: readonly Entry[] = []): Encoded {
		if (!this.#held.isNew && this.#stat === undefined) {
			const why = 'is in a database that only its client may write to';
			throw new InputError('read-only', `${this.path} ${why}: fork it to a file to go on with it (--fork-session)`);
		}
		this.#held.prepare();
		const held = this.#held;
		const { version } = this.#options;
		const { folder } = this.#described;
		const entries = make(startsAnew(held, this.profile) ? null : held.leaf);
		const after = held.after(entries.some(looksBack));
		return held.codec.write.encode({
			profile: this.profile,
			live: folder === undefined ? {} : { folder },
			id: held.id,
			header: this.#header,
			path: resolve(this.path),
			entries,
			...(version === undefined ? {} : { version }),
			...(held.isNew ? {} : { after: { ...after, entries: [...named, ...after.entries] } }),
		});
	}

	#place(drafts: readonly Draft[], leaf: EntryId | null): readonly Entry[] {
		const entries = placed(drafts, { leaf, newId: () => this.#newEntryId(), nextTime: () => this.#nextTime() });
		const { codec, id } = this.#held;
		const cut = entries.find(({ kind }) => kind === 'compaction');
		if (!codec.write.adopt || (!this.#unprompted && !cut)) return entries;
		// No loss is reported for what `adopt` adds: this session was not converted from another.
		const told = { entries, leaf: lastInGraph(entries) };
		const begun = this.#unprompted || !cut ? {} : { begun: cut };
		return codec.write.adopt(told, { session: id, profile: this.profile, ...begun }, []).entries;
	}

	#newEntryId(): EntryId {
		for (;;) {
			const id = this.#held.codec.write.newEntryId((this.#options.random ?? randomBytes)(16));
			if (!this.#held.isTaken(id)) return id;
		}
	}

	/** A time strictly later than all before: Claude Code goes on after the line with the latest time. */
	#nextTime(): number {
		const now = this.#options.now?.() ?? Date.now();
		this.#lastTime = Math.max(now, this.#held.lastTime + 1, this.#lastTime + 1);
		return this.#lastTime;
	}

	async #write(encoded: Encoded): Promise<Appended> {
		if (this.#held.isNew) return await this.#create(encoded);
		const { bytes, losses } = encoded;
		const lines = this.#held.codec.capabilities.container === 'lines';
		this.#writer ??= await this.#log.writer(this.path, { lines });
		await writeBeside(this.#log, this.#held.codec, this.path, encoded.beside);
		const entries = bytes.length === 0 ? [] : lines ? await this.#appendLines(bytes) : await this.#replace(bytes);
		if (this.#held.lost) this.#reopen();
		return this.#wrote(entries, losses);
	}

	#wrote(entries: readonly Entry[], losses: readonly Loss[]): Appended {
		this.#unprompted &&= !entries.some(isPrompt);
		// The handle itself made the ids and times: it is no loss that a format does not keep them.
		return { entries, losses: losses.filter(({ path }) => path !== 'id' && path !== 'time') };
	}

	/** Creates the file with the first write. */
	async #create(encoded: Encoded): Promise<Appended> {
		const { bytes, losses } = encoded;
		if (bytes.length === 0) return { entries: [], losses };
		const { codec } = this.#held;
		this.#writer ??= await this.#log.writer(this.path, { lines: codec.capabilities.container === 'lines' });
		const unlisted = await createSession(codec, this.path, encoded, this.machine);
		const entries = this.#held.take(bytes);
		this.#reopen();
		this.#originalKept = true; // there was no original
		return this.#wrote(entries, [...losses, ...unlisted]);
	}

	async #appendLines(bytes: Uint8Array): Promise<readonly Entry[]> {
		const known = this.#held.length;
		const writer = this.#writer as LogWriter;
		const { at, end } = await writer.append(bytes, { expect: known });
		// The bytes do not follow the known part: a newline behind a torn line, or another client's bytes, come first.
		return this.#held.take(at === known ? bytes : readRange(this.path, known, end));
	}

	async #replace(bytes: Uint8Array): Promise<readonly Entry[]> {
		const writer = this.#writer as LogWriter;
		if (!this.#originalKept)
			await keepOriginal(this.#log, this.#data, this.path, readRange(this.path, 0, this.#held.length));
		this.#originalKept = true;
		const version = this.#stat?.version;
		const whole = this.#held.complete?.(bytes) ?? bytes;
		this.#stat = await writer.replace(whole, { expect: this.#held.length, ...(version ? { version } : {}) });
		return this.#held.take(bytes);
	}

	#catchUp({ replaced, actual }: LogConflict): void {
		const lines = this.#held.codec.capabilities.container === 'lines';
		if (!lines || replaced || actual <= this.#held.length) {
			this.#reopen(true);
			return;
		}
		this.#left ??= { leaf: this.leaf };
		this.#held.take(readRange(this.path, this.#held.length, actual));
		if (this.#held.lost) this.#reopen();
	}

	#reopen(isForeign = false): void {
		if (isForeign) this.#left ??= { leaf: this.leaf };
		const { held, stat } = openState(this.path);
		this.#held = held;
		this.#stat = stat;
	}

	async #rewind(to: EntryId | null, takesBack: boolean): Promise<Rewound> {
		const { codec, dialect, id, header } = this.#held;
		if (this.#held.isNew)
			throw new InputError('empty', `${this.path} is not written yet: there is nothing to go back to`);
		// No document has a record that says where the conversation goes on.
		const points = codec.context.resumePath?.links(dialect) && this.#stat !== undefined && this.profile === 'client';
		if (!points || !codec.context.resumePath) return await this.#rewindByFork(to, takesBack);
		const found = pointerTo(codec, codec.context.resumePath, this.path, to, { agent: header.agent, takesBack });
		if (typeof found === 'string') return await this.#rewindByFork(found, takesBack);
		const { entry, target, ...taken } = found;
		const made = () =>
			({ ...entry, id: this.#newEntryId(), time: new Date(this.#nextTime()).toISOString(), records: [] }) as Entry;
		await this.#retrying(() => this.#encode(() => [made()], target ? [target] : []));
		this.#reopen();
		return { leaf: this.leaf, path: this.path, id, ...taken };
	}

	async #rewindByFork(to: EntryId | null, takesBack: boolean): Promise<Rewound> {
		const { at, ...taken } = takesBack && to !== null ? await backIn(this.path, to) : { at: to };
		const fork = await this.#fork(at);
		return { leaf: openState(fork.path).held.leaf ?? fork.at, path: fork.path, id: fork.id, fork, ...taken };
	}
}
