/** Carried parts: what a session holds that another one wrote. A hand-off copies replies, and nobody pays twice. */
import type { FormatId } from './session.ts';

/** Names a session of any agent: an id is unique within its format only. */
export interface NamedSession {
	readonly format: FormatId;
	readonly id: string;
}

/** A part of a session's file that came from elsewhere. */
export interface CarriedPart {
	/** The session that wrote it first. */
	readonly of: NamedSession;
	/** The first byte; `to` is the one behind it, absent for all. In documents: numbers of messages, from 1. */
	readonly from: number;
	readonly to?: number;
	/**
	 * In documents and sub-agents' files: anything with a later time, in milliseconds, was written here. Documents are
	 * rewritten as a whole, so a message that was taken back may have left its number to another.
	 */
	readonly until?: number;
	/** The sub-agents whose files hold the part; absent for the main file. */
	readonly agents?: readonly string[];
	/** True when nothing in it is recognised as a response, so that it cannot take that session's place in costs. */
	readonly hidden?: true;
	/**
	 * When the fork was made, in milliseconds, of a part of a fork. Every response has the key there that it has in the original, so
	 * that nothing is lost where the original no longer has it: of all that have it, the one that was made first counts it.
	 */
	readonly forked?: number;
	/** The agent in whose file the part is, of a copy under the same id: two agents may share a format. */
	readonly agent?: string;
	/** The length of that session's file: of two copies, the longer one has all that the other has. */
	readonly length: number;
	/** How many conversions are between: 1 for a part that came directly from that session. */
	readonly hops: number;
}

/** All carried parts of a session. */
export interface Carried extends NamedSession {
	readonly parts: readonly CarriedPart[];
}
