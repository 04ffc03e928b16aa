/** Mirrors sessions into a store: how long and with which pauses one that does not answer is tried again, how often sessions are looked at, and how much is queued. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from '../../codecs/index.ts';
import { LogError } from '../../log/errors.ts';
import { InputError } from '../../store/errors.ts';
import type { FoundSession } from '../../store/find/discover.ts';
import { thisMachine } from '../../store/find/folders.ts';
import type { SessionKey } from '../contract.ts';
import type { Destination } from '../open-store.ts';
import { type DatedTranscript, oldestFirst, type Transcript, transcriptsOf } from '../transcripts.ts';
import { faultText, isRefusal } from './faults.ts';
import { heldBy } from './held-by.ts';
import { MirrorQueue } from './queue.ts';
import { newBytes, queueNew } from './read-new.ts';

export interface MirrorOptions {
	readonly to: Destination;
	/** The sessions to keep; asked again at every look. */
	sessions(): Iterable<FoundSession>;
	/** Go on until the signal. Otherwise the work ends when everything is stored. */
	readonly follow?: boolean;
	readonly signal?: AbortSignal;
	readonly machine?: Machine;
	/** How long a store may be away before the work is given up, in milliseconds. Default: a minute; forever while following. */
	readonly patienceMs?: number;
	/** How often sessions are looked at while following, in milliseconds. Default 1000. */
	readonly pollMs?: number;
	tell?(event: MirrorEvent): void;
}

export type MirrorEvent =
	/** The store has acknowledged these entries. */
	| { readonly kind: 'stored'; readonly key: SessionKey; readonly entries: number; readonly bytes: number }
	/** The store did not take them; they are sent again after a pause. */
	| { readonly kind: 'waiting'; readonly why: string; readonly pauseMs: number; readonly queued: number }
	/** The store takes entries again. */
	| { readonly kind: 'back' }
	/** The store holds less of so many sessions than it did; they are sent again from their beginning. */
	| { readonly kind: 'lost'; readonly sessions: number }
	/** Everything that there is now is stored. */
	| { readonly kind: 'caught-up'; readonly entries: number }
	/** A session that cannot be read. The others go on. */
	| { readonly kind: 'unread'; readonly path: string; readonly why: string }
	/** How much is to be read, before the first look begins. */
	| { readonly kind: 'planned'; readonly bytes: number };

export interface Mirrored {
	/** Sessions of which something was stored, and how many entries. */
	readonly sessions: number;
	readonly entries: number;
	/** Entries that wait in the queue: the store was away for too long. */
	readonly queued: number;
	/** Why the work was given up. */
	readonly failed?: string;
	readonly unread: readonly { readonly path: string; readonly why: string }[];
}

/** Stores what is new of the sessions. Killed and started again, it goes on where it was. */
export async function mirrorSessions(options: MirrorOptions): Promise<Mirrored> {
	const machine = options.machine ?? thisMachine();
	using queue = new MirrorQueue(machine, options.to.name);
	return await new Mirror(options, machine, queue).run();
}

const firstPauseMs = 200;
const longestPauseMs = 30_000;
/** As long as the store is away, no more than this is queued: the rest stays in its files. */
const mostQueued = 200_000;
/** Looking takes at most one part in so many of the time. */
const idleShare = 20;

class Mirror {
	readonly #options: MirrorOptions;
	readonly #machine: Machine;
	readonly #queue: MirrorQueue;
	readonly #sessions = new Set<string>();
	readonly #unread = new Map<string, string>();
	/** The store has been asked whether it still has what it acknowledged, and was not away since. */
	#isSure = false;
	#entries = 0;
	#failed: string | undefined;
	/** Since when the store does not answer, and when it is asked again. */
	#away: { readonly since: number; readonly next: number; readonly pauseMs: number } | undefined;

	constructor(options: MirrorOptions, machine: Machine, queue: MirrorQueue) {
		this.#options = options;
		this.#machine = machine;
		this.#queue = queue;
	}

	async run(): Promise<Mirrored> {
		const { follow = false, pollMs = 1000 } = this.#options;
		let told = -1;
		for (;;) {
			const start = performance.now();
			await this.#look();
			if (this.#failed !== undefined || this.#isStopped) break;
			if (!this.#away && told !== this.#entries) {
				told = this.#entries;
				this.#tell({ kind: 'caught-up', entries: told });
			}
			if (!follow && !this.#away) break;
			await this.#pause(Math.max(this.#away ? 50 : pollMs, Math.min(idleShare * (performance.now() - start), 30_000)));
		}
		const unread = Array.from(this.#unread, ([path, why]) => ({ path, why }));
		const { waiting: queued } = this.#queue;
		const failed = this.#failed === undefined ? {} : { failed: this.#failed };
		return { sessions: this.#sessions.size, entries: this.#entries, queued, unread, ...failed };
	}

	/** Sends what waits, then queues and sends what is new of every session, a part at a time. */
	async #look(): Promise<void> {
		const transcripts = this.#transcripts();
		// One that is sent nothing is asked for nothing, so that looking at what has not changed costs the store nothing.
		await this.#check(this.#isSure ? transcripts.filter((one) => newBytes(one, this.#queue) > 0) : transcripts);
		await this.#send();
		const fresh = transcripts.filter((one) => newBytes(one, this.#queue) > 0);
		const bytes = fresh.reduce((sum, one) => sum + newBytes(one, this.#queue), 0);
		if (bytes > 0) this.#tell({ kind: 'planned', bytes });
		// Where a store goes by its own clock, what was written last is the last that it gets.
		for (const transcript of oldestFirst(fresh)) {
			for (let more = true; more && !this.#isStopped && this.#failed === undefined; ) {
				if (this.#away && this.#queue.waiting > mostQueued) return;
				more = this.#take(transcript);
				await this.#send();
			}
		}
	}

	#transcripts(): readonly Transcript[] {
		const found: Transcript[] = [];
		for (const session of this.#options.sessions()) {
			if (session.parent === undefined)
				this.#reading(session.path, () => found.push(...transcriptsOf(session, this.#machine)));
		}
		return found;
	}

	/** True when more of the transcript is to come. */
	#take(transcript: DatedTranscript): boolean {
		return this.#reading(transcript.path, () => queueNew(transcript, this.#queue)?.more) ?? false;
	}

	/** One session that cannot be read must not keep the others from the store. */
	#reading<T>(path: string, read: () => T): T | undefined {
		try {
			return read();
		} catch (error) {
			if (!(error instanceof InputError) && !(error instanceof LogError) && !isDiskError(error)) throw error;
			if (!this.#unread.has(path)) this.#tell({ kind: 'unread', path, why: error.message });
			this.#unread.set(path, error.message);
			return undefined;
		}
	}

	/**
	 * Asks the store whether it still has what it acknowledged of these, before the end of one is sent to a store that has lost its
	 * beginning: a store may have been deleted, restored from an old copy, or replaced by another of its name.
	 */
	async #check(transcripts: readonly Transcript[]): Promise<void> {
		if (this.#isWaiting) return;
		const queue = this.#queue;
		const files = Map.groupBy(transcripts, ({ key }) => JSON.stringify(key));
		const known = [...files.values()].flatMap((all) => {
			const [first] = all;
			const isKnown = all.some(({ path }) => queue.cursor(path) !== undefined);
			// Before the store is asked: another mirror may send more meanwhile.
			return first && isKnown
				? [{ key: first.key, paths: all.map(({ path }) => path), had: queue.held(first.key) }]
				: [];
		});
		const keys = known.map(({ key }) => key);
		const held = await this.#asking(() => heldBy(this.#options.to.store, keys));
		if (!held) return;
		const lost = new Set<string>();
		for (const [index, { key, paths, had }] of known.entries()) {
			if (had !== undefined && (held[index] ?? 0) >= had) continue;
			queue.forget(key, paths);
			if (had !== undefined) lost.add(JSON.stringify([key.projectKey, key.sessionId]));
		}
		this.#isSure = true;
		if (lost.size > 0) this.#tell({ kind: 'lost', sessions: lost.size });
	}

	/** Undefined where the store does not answer. */
	async #asking<T>(ask: () => Promise<T>): Promise<T | undefined> {
		try {
			return await ask();
		} catch (error) {
			this.#failedToSend(error);
			return undefined;
		}
	}

	/** Sends what waits, in order, until nothing does or the store is away. */
	async #send(): Promise<void> {
		if (this.#isWaiting || !this.#isSure) return;
		const sent = new Map<string, SessionKey>();
		for (let batch = this.#queue.next(); batch && !this.#isStopped; batch = this.#queue.next()) {
			try {
				await this.#options.to.store.appendLines(batch.key, batch.lines, batch.written);
			} catch (error) {
				this.#failedToSend(error);
				return;
			}
			this.#queue.done(batch);
			this.#isBack();
			this.#entries += batch.lines.length;
			sent.set(JSON.stringify(batch.key), batch.key);
			this.#sessions.add(JSON.stringify([batch.key.projectKey, batch.key.sessionId]));
			const bytes = batch.lines.reduce((sum, { text }) => sum + text.length + 1, 0);
			this.#tell({ kind: 'stored', key: batch.key, entries: batch.lines.length, bytes });
		}
		const keys = [...sent.values()];
		const held = await this.#asking(() => heldBy(this.#options.to.store, keys));
		if (!held) return;
		for (const [index, key] of keys.entries()) this.#queue.holds(key, held[index] ?? 0);
		// Nothing waited for it: that it answers is all there is to know.
		this.#isBack();
	}

	/** Not until something was taken, or nothing waits: a store may answer questions, and still take nothing. */
	#isBack(): void {
		if (this.#away) this.#tell({ kind: 'back' });
		this.#away = undefined;
	}

	/** A store that was away is not asked again yet. */
	get #isWaiting(): boolean {
		return this.#away !== undefined && performance.now() < this.#away.next;
	}

	#failedToSend(error: unknown): void {
		const why = faultText(error);
		this.#isSure = false;
		const now = performance.now();
		const { since = now, pauseMs: before = firstPauseMs / 2 } = this.#away ?? {};
		const { follow = false, patienceMs = follow ? Number.POSITIVE_INFINITY : 60_000 } = this.#options;
		const pauseMs = Math.min(longestPauseMs, before * 2);
		// The last try is when patience ends, and not a whole pause later.
		const next = Math.min(now + pauseMs * (0.75 + Math.random() / 2), since + patienceMs);
		this.#away = { since, pauseMs, next };
		if (isRefusal(error) || now - since >= patienceMs) this.#failed = why;
		else this.#tell({ kind: 'waiting', why, pauseMs, queued: this.#queue.waiting });
	}

	#tell(event: MirrorEvent): void {
		this.#options.tell?.(event);
	}

	get #isStopped(): boolean {
		return this.#options.signal?.aborted ?? false;
	}

	async #pause(ms: number): Promise<void> {
		const { signal } = this.#options;
		try {
			await pause(ms, undefined, signal ? { signal } : {});
		} catch (error) {
			if (!this.#isStopped) throw error;
		}
	}
}

function isDiskError(error: unknown): error is Error {
	return error instanceof Error && 'code' in error && 'syscall' in error;
}
