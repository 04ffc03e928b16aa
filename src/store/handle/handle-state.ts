/** The handle state: what a handle knows of its session between two writes, and when the file counts as changed by somebody else. */
import type { Codec, ReadState } from '../../codecs/index.ts';
import type { LogStat } from '../../log/index.ts';
import type { Entry, EntryId, Header, Profile, Session } from '../../model/index.ts';

export interface HandleState {
	readonly codec: Codec;
	/** True before the first write, which creates the file. */
	readonly isNew: boolean;
	readonly id: string;
	readonly dialect: string;
	/** The session's header; without its title where `title` finds that. */
	readonly header: Header;
	/** Looks through the file for its title; absent where `header` has it. */
	readonly title?: (() => string | undefined) | undefined;
	readonly leaf: EntryId | null;
	/** How many bytes of the file are known. */
	readonly length: number;
	/** True after a write that does not follow the known path: the file has to be opened anew. */
	readonly lost: boolean;
	/** True for an entry on the path to the leaf. */
	has(id: EntryId): boolean;
	/** Reads what encoding needs. Opening leaves that out, since most sessions that are opened are not written to. */
	prepare(): void;
	/** The latest time in what was read, in milliseconds. Call `prepare` first. */
	readonly lastTime: number;
	/** True for an id that the session uses, which a new entry must not have. Call `prepare` first. */
	isTaken(id: EntryId): boolean;
	/** As much of the session as encoding needs, or with `all` everything that was read. Call `prepare` first. */
	after(all?: boolean): Session;
	/** The session for followers: all of a document, but of lines no more than `after` gives. Call `prepare` first. */
	session(): Session;
	/** Where a follower goes on reading; undefined for documents. Call `prepare` first. */
	state(): ReadState | undefined;
	/** Adds to a document that was encoded from `after` what `after` had left out. */
	complete?(bytes: Uint8Array): Iterable<Uint8Array>;
	/** Takes in bytes that were encoded from `after` and then written, and returns their entries. */
	take(bytes: Uint8Array): readonly Entry[];
}

/** True where the next entry begins a new root: in the profile `published`, right behind a compaction that is a root itself. Clients link it to what was before. */
export function startsAnew(held: HandleState, profile: Profile): boolean {
	if (profile !== 'published' || held.isNew) return false;
	const last = held.after(false).entries.findLast(({ parent }) => parent !== undefined);
	return last?.kind === 'compaction' && last.parent === null;
}

/** True where the file is not what the handle has left. Its own appends make a file of lines longer, and nothing else. */
export function isOthers(now: LogStat, held: HandleState, known: LogStat): boolean {
	if (held.codec.capabilities.container !== 'lines') return now.version !== known.version;
	return now.length !== held.length || now.id !== known.id;
}
