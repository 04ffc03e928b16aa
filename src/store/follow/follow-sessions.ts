/** Follows many sessions at once, and those that appear meanwhile: how often they are looked at, how much of the time that may take, and which are given up. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Log, LogError, type LogStat } from '../../log/index.ts';
import type { Entry, Header } from '../../model/index.ts';
import type { FoundSession } from '../find/discover.ts';
import { databasePath } from '../reader/database.ts';
import { type Identified, identify } from '../reader/identify.ts';
import { emptySession, recentOf, recentState, stateBehind, type Wanted } from '../reader/recent.ts';
import { databaseLog } from './database-log.ts';
import { follow, type Known, type SessionChange } from './follow.ts';

export interface FollowSessionsOptions {
	/** Lists the sessions that exist; called at every poll. */
	find(): Iterable<FoundSession>;
	/** Asked when a session has news for the first time. Default: every session is wanted. */
	isWanted?(session: FoundSession): boolean;
	/** True for a session whose last entries are reported before anything new. */
	startsWith?(session: FoundSession): boolean;
	/** How many entries are reported first, and again after a file was truncated or replaced. */
	readonly wanted: Wanted;
	readonly log: Log;
	/** The longest time in milliseconds until a new session is noticed. Default 1000. */
	readonly pollMs?: number;
}

export type SessionNews = { readonly session: FoundSession } & (
	| SessionChange
	/** The last entries of a session that is followed from now on. */
	| { readonly kind: 'recent'; readonly entries: readonly Entry[]; readonly header: Header }
	/** The session cannot be read, and is not followed any longer. */
	| { readonly kind: 'unread'; readonly message: string }
);

/** Yields the changes of all sessions. Ends, without an error, with the signal. */
export async function* followSessions(
	options: FollowSessionsOptions,
	signal: AbortSignal,
): AsyncGenerator<SessionNews, void, undefined> {
	const news = new Queue<SessionNews>();
	const watching = new Sessions(options, signal, (one) => news.push(one)).run();
	const done = watching.finally(() => news.end());
	yield* news.items();
	await done;
}

/** Polling takes at most one part in so many of the time, however many sessions there are. */
const idleShare = 20;

class Sessions {
	readonly #options: FollowSessionsOptions;
	readonly #signal: AbortSignal;
	readonly #tell: (news: SessionNews) => void;
	readonly #databases: Pick<Log, 'stat' | 'watch'>;
	/** Sessions without news so far, each with its state at the last look. */
	readonly #idle = new Map<string, LogStat>();
	readonly #followed = new Map<string, Promise<void>>();
	readonly #unwanted = new Set<string>();

	constructor(options: FollowSessionsOptions, signal: AbortSignal, tell: (news: SessionNews) => void) {
		this.#options = options;
		this.#signal = signal;
		this.#tell = tell;
		this.#databases = databaseLog(options.pollMs ?? 1000);
	}

	async run(): Promise<void> {
		for (let first = true; !this.#signal.aborted; first = false) {
			const start = performance.now();
			await this.#look(first);
			const took = performance.now() - start;
			await this.#pause(Math.max(this.#options.pollMs ?? 1000, idleShare * took));
		}
		await Promise.all(this.#followed.values());
	}

	async #pause(ms: number): Promise<void> {
		try {
			await pause(ms, undefined, { signal: this.#signal });
		} catch (error) {
			if (!this.#signal.aborted) throw error;
		}
	}

	async #look(first: boolean): Promise<void> {
		const present = new Set<string>();
		for (const session of this.#options.find()) {
			present.add(session.path);
			if (this.#followed.has(session.path) || this.#unwanted.has(session.path)) continue;
			const stat = await this.#stat(session);
			if (!stat) continue;
			const before = this.#idle.get(session.path);
			this.#idle.set(session.path, stat);
			if (first) {
				if (this.#options.startsWith?.(session)) this.#start(session, 'recent');
			} else if (!before) this.#start(session, undefined);
			else if (before.length !== stat.length || before.version !== stat.version) this.#start(session, before);
		}
		for (const path of this.#idle.keys()) if (!present.has(path)) this.#idle.delete(path);
	}

	/** The state of a session's file; undefined when it is gone, or unreadable, which is reported once. */
	async #stat(session: FoundSession): Promise<LogStat | undefined> {
		try {
			return await this.#logOf(session).stat(session.path);
		} catch (error) {
			this.#giveUp(session, faultOf(error));
			return undefined;
		}
	}

	#giveUp(session: FoundSession, message: string): void {
		this.#followed.delete(session.path);
		this.#unwanted.add(session.path);
		this.#tell({ session, kind: 'unread', message });
	}

	#logOf(session: FoundSession): Pick<Log, 'stat' | 'watch'> {
		return isStored(session) ? this.#databases : this.#options.log;
	}

	/** Begins to follow a session: with its last entries, with what came after a known state, or with all of it. */
	#start(session: FoundSession, from: 'recent' | LogStat | undefined): void {
		const { path } = session;
		if (this.#options.isWanted?.(session) === false) {
			this.#unwanted.add(path);
			return;
		}
		const found = identify(path);
		if (!found.ok) {
			// An empty file, or one of no known format, may become a session later; only an unreadable one is given up.
			if (found.rule === 'unreadable') this.#giveUp(session, found.message);
			return;
		}
		const following = this.#follow(session, found, from).catch((error: unknown) =>
			this.#giveUp(session, faultOf(error)),
		);
		this.#followed.set(path, following);
	}

	async #follow(session: FoundSession, found: Identified, from: 'recent' | LogStat | undefined): Promise<void> {
		const { codec, dialect } = found;
		const { wanted } = this.#options;
		const known = this.#known(session, found, from);
		const changes = follow(this.#logOf(session), session.path, codec, known, this.#signal, {
			restart: (source) => recentState(codec, dialect, source, wanted),
			...(isStored(session) ? { open: openStored } : {}),
		});
		for await (const change of changes) this.#tell({ session, ...change });
	}

	#known(session: FoundSession, found: Identified, from: 'recent' | LogStat | undefined): Known {
		using source = found.source;
		const { codec, dialect } = found;
		if (from === undefined) return { length: 0, stat: undefined, state: undefined, session: emptySession(codec) };
		if (from === 'recent') {
			const { entries, header, state, session: all } = recentOf(codec, dialect, source, this.#options.wanted);
			this.#tell({ session, kind: 'recent', entries, header });
			return { length: source.size, stat: this.#idle.get(session.path), state, session: all };
		}
		const { length } = from;
		if (codec.capabilities.container === 'lines') {
			const state = stateBehind(codec, dialect, source, length);
			return { length, stat: from, state, session: emptySession(codec) };
		}
		// Nobody kept the document's earlier state, so entries older than its last write count as known.
		const all = recentOf(codec, dialect, source, { last: 0, counts: () => true }).session;
		const old = all.entries.filter(({ time }) => time === undefined || Date.parse(time) <= from.mtimeMs);
		return { length: -1, stat: from, state: undefined, session: { ...all, entries: old } };
	}
}

/** The message of an error of the file system; any other error is a mistake of ours and is thrown on. */
function faultOf(error: unknown): string {
	if (error instanceof LogError || (error instanceof Error && 'code' in error)) return error.message;
	throw error;
}

function isStored(session: FoundSession): boolean {
	return databasePath(session.path).session !== undefined;
}

function openStored(path: string): Identified['source'] {
	const found = identify(path);
	if (found.ok) return found.source;
	throw Object.assign(new Error(found.message), { code: 'ENOENT' });
}

/** Gives its items to one consumer in the order in which they were added. */
class Queue<T> {
	#items: T[] = [];
	#ended = false;
	#wake: () => void = () => undefined;

	push(item: T): void {
		this.#items.push(item);
		this.#wake();
	}

	end(): void {
		this.#ended = true;
		this.#wake();
	}

	async *items(): AsyncGenerator<T, void, undefined> {
		for (;;) {
			const items = this.#items;
			this.#items = [];
			yield* items;
			if (this.#items.length > 0) continue;
			if (this.#ended) return;
			await new Promise<void>((wake) => {
				this.#wake = wake;
			});
		}
	}
}
