/** What a handle knows of a session between two writes. */
import type { Codec, ReadState } from '../../codecs/index.ts';
import type { Entry, EntryId, Header, Session } from '../../model/index.ts';

export interface HandleState {
	readonly codec: Codec;
	/** Nothing is written yet: the next write makes the file. */
	readonly isNew: boolean;
	readonly id: string;
	readonly dialect: string;
	/** Without the title where `title` tells it. */
	readonly header: Header;
	/** Looks through the file for its title; absent where `header` has it. */
	readonly title?: (() => string | undefined) | undefined;
	readonly leaf: EntryId | null;
	/** How many bytes of the file are known. */
	readonly length: number;
	/** Something was written that does not follow the path: the file has to be opened anew. */
	readonly lost: boolean;
	/** True for an entry on the path to the leaf. */
	has(id: EntryId): boolean;
	/** Reads what encoding looks at. Opening leaves that out: most sessions that are opened are not written to. */
	prepare(): void;
	/** The latest time of what was read, in milliseconds. After `prepare`. */
	readonly lastTime: number;
	/** False for an id that a new entry may have. After `prepare`. */
	isTaken(id: EntryId): boolean;
	/** As much of the session as encoding looks at, or `all` that was read. After `prepare`. */
	after(all?: boolean): Session;
	/** All of a document, for those who follow it; of lines no more than `after` gives. After `prepare`. */
	session(): Session;
	/** Where reading would go on, for those who follow the file; undefined for documents. After `prepare`. */
	state(): ReadState | undefined;
	/** A document that was encoded behind `after`, with what `after` had left out. */
	complete?(bytes: Uint8Array): Iterable<Uint8Array>;
	/** Takes in what was encoded behind `after` and then written, and returns the entries that it brought. */
	take(bytes: Uint8Array): readonly Entry[];
}
