/** The SessionStore contract of the Claude Agent SDK, as types of our own, and what our adapters give beyond it. */

/** Names one transcript. Without `subpath` it is the main one; a sub-agent's is `subagents/agent-ID`. */
export interface SessionKey {
	readonly projectKey: string;
	readonly sessionId: string;
	readonly subpath?: string;
}

/** One line of a transcript. Nothing but `uuid` is looked at by an adapter. */
export interface SessionStoreEntry {
	type: string;
	uuid?: string;
	timestamp?: string;
	[field: string]: unknown;
}

export interface StoredSession {
	readonly sessionId: string;
	/** Whole milliseconds since 1970: when something was stored, or was written, where whoever stored it has said so. Never later than now. */
	readonly mtime: number;
}

/** What a list shows of a session, kept up to date by every append. `data` is what `foldSessionSummary` made. */
export interface SessionSummaryEntry extends StoredSession {
	readonly data: Record<string, unknown>;
}

/** What the SDK takes as `sessionStore`. */
export interface SessionStore {
	append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
	/** All entries in the order of their appends; null for a key that was never written. */
	load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
	listSessions?(projectKey: string): Promise<StoredSession[]>;
	listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
	/** Deletes a transcript; of a session, all that it has. */
	delete?(key: SessionKey): Promise<void>;
	listSubkeys?(key: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<string[]>;
}

/** An entry as its exact JSON text, without a line break. */
export interface StoredLine {
	readonly text: string;
	/**
	 * A key holds one line of each id, the first that came. Without one the line is appended each time. For an entry with
	 * a `uuid` that is the id.
	 */
	readonly id?: string;
}

/** What every adapter of ours gives: the contract whole, and the exact text of entries. */
export interface ExactStore extends Required<Omit<SessionStore, 'listSessionSummaries'>>, AsyncDisposable {
	listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
	/**
	 * `append` for text that must not change, such as the number 1.0; all of the lines are stored, or none. `written`: when they were
	 * written, in milliseconds, where that is not now; a list goes by it, so that old sessions that are stored today are old there, too.
	 */
	appendLines(key: SessionKey, lines: readonly StoredLine[], written?: number): Promise<void>;
	/** `load` as text. */
	loadLines(key: SessionKey): Promise<readonly string[] | null>;
	/**
	 * How much is held of each, in their order, and 0 where nothing is: a number that grows with every entry that has an id, in whatever
	 * the store counts most cheaply. By a smaller one than before a mirror sees that entries were lost. Without it a mirror
	 * sees only that a transcript is gone as a whole.
	 */
	sizes?(keys: readonly SessionKey[]): Promise<readonly number[]>;
	close(): Promise<void>;
}
