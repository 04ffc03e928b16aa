/** What a session holds that another one wrote: a hand-off copies replies, and nobody pays for them twice. */
import type { FormatId } from './session.ts';

/** A session of any agent: an id is unique within its format only. */
export interface NamedSession {
	readonly format: FormatId;
	readonly id: string;
}

/** A part of a session's file that came from elsewhere. */
export interface CarriedPart {
	/** The session that wrote it first. */
	readonly of: NamedSession;
	/** Its first byte, and the one behind it; in a document the numbers of messages, from 1. No end: all that is there. */
	readonly from: number;
	readonly to?: number;
	/**
	 * Of documents, and of sub-agents' files: what has a later time, in milliseconds, was written here. Documents are written
	 * anew as a whole, so a message that was taken back may have left its number to another one.
	 */
	readonly until?: number;
	/** It is not in the main file but in those of these sub-agents. */
	readonly agents?: readonly string[];
	/** Nothing in it can be told for a response: it cannot stand for that session where that is gone. */
	readonly hidden?: true;
	/** How long the file of that session was: of two copies, the one of more bytes has all that the other has. */
	readonly length: number;
	/** How many conversions lie between: 1 for what came from that session itself. */
	readonly hops: number;
}

/** All that is known of what a session holds of others. */
export interface Carried extends NamedSession {
	readonly parts: readonly CarriedPart[];
}
