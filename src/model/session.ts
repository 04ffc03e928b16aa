/** Sessions: one conversation of one agent, as bytes and as meaning at once. */
import type { Entry, EntryId } from './entry.ts';
import type { Issue } from './issue.ts';
import type { JsonObject } from './json.ts';
import type { SessionRecord, Source } from './record.ts';

export type FormatId = 'claude-code' | 'cline' | 'clido' | 'openclaw';

/** What a format may be called where one is chosen: pi writes what OpenClaw does. */
export type FormatName = FormatId | 'pi';

export interface Header {
	/** The dialect of the format; each codec's README lists its own. */
	readonly dialect?: string;
	readonly id?: string;
	readonly cwd?: string;
	readonly title?: string;
	readonly created?: string;
	/** The version of the client that wrote the last message, or of the schema where there is no other. */
	readonly version?: string;
	readonly gitBranch?: string;
	readonly model?: string;
	readonly provider?: string;
	readonly systemPrompt?: string;
	/** Set when the file is a sub-agent's own. */
	readonly agent?: string;
	/** The session it was forked from or belongs to. */
	readonly from?: Origin;
	/** Fields of the header that the neutral model has no name for. */
	readonly extra?: JsonObject;
}

export interface Origin {
	readonly how: 'fork' | 'subagent' | 'import';
	/** An id or a path, as the format records it. */
	readonly session: string;
	readonly entry?: EntryId;
}

export interface Session {
	readonly id: string;
	readonly format: FormatId;
	readonly dialect: string;
	readonly header: Header;
	readonly source: Source;
	readonly records: readonly SessionRecord[];
	/** In file order. */
	readonly entries: readonly Entry[];
	/**
	 * The entry that the conversation goes on from, as the format's client decides it. `null` where there is none, and where
	 * all that was said was taken back.
	 */
	readonly leaf: EntryId | null;
	/** Absent where every parent on the path to the leaf exists. */
	readonly bridges?: Bridges;
	readonly issues: readonly Issue[];
	/** Sub-agents that have files of their own. */
	readonly subagents: readonly Subagent[];
}

/** For an entry whose parent is lost or circular: the parent that the client uses. */
export type Bridges = ReadonlyMap<EntryId, EntryId>;

/** Entries, and the one of them that their conversation goes on from. */
export type EntriesWithLeaf = Pick<Session, 'entries' | 'leaf' | 'bridges'>;

export interface Subagent {
	readonly id: string;
	readonly path?: string;
	/** The tool call that started it, where known. */
	readonly call?: string;
	/** What the client noted about it in a file of its own. */
	readonly meta?: JsonObject;
	readonly session: Session;
}
