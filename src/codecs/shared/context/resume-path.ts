/** The resume path: where a conversation goes on and the lines that lead there, found by linking fields alone. */
import type { Bridges, Entry, EntryId, EventEntry, Json, LeafEntry } from '../../../model/index.ts';
import type { LineIndex } from '../read/line-index.ts';

/** What an entry means for where the conversation goes on, as far as the entry alone can tell. */
export type Link =
	/** The entry is beside the conversation. */
	| { readonly is: 'beside' }
	/** The entry is the new leaf, if its parent was the leaf. */
	| { readonly is: 'next'; readonly id: EntryId; readonly parent: EntryId | null }
	/** The entry makes `target` the leaf. */
	| { readonly is: 'pointer'; readonly target: EntryId | null }
	/** Only reading the whole file can tell the leaf. */
	| { readonly is: 'turn' };

/** An entry that moves the conversation, without id, time and records. */
export type PointingEntry =
	| (Pick<LeafEntry, 'kind' | 'target' | 'extra'> & { readonly parent?: undefined })
	| (Pick<EventEntry, 'kind' | 'event'> & { readonly parent: EntryId | null });

/** How a format's lines are linked. The methods ask for single fields of `envelope`, so that few are read. */
export interface ResumePathRules {
	readonly envelope: readonly string[];
	/** False for dialects whose lines do not link to each other. */
	links(dialect: string): boolean;
	/** A line's id; absent for a line beside the conversation. */
	id(index: LineIndex, line: number): EntryId | undefined;
	/**
	 * The line that the client goes on from: `null` where all was taken back, undefined where no line qualifies. `more`:
	 * the index is partial, and lines before its first one could change the answer.
	 */
	leaf(index: LineIndex): number | null | undefined | 'more';
	/** The path to the line that the client goes on from, or to `at` as if it were the last line. */
	trail(index: LineIndex, at?: number): ResumePath;
	/** The parents that the client uses in place of missing or circular ones, on the path to its leaf. */
	bridges?(index: LineIndex): Bridges;
	/** The types of lines that can set the title. */
	readonly titles: readonly string[];
	/** True when the client replaces a missing parent by the line before. */
	readonly bridgesGaps: boolean;
	/** True when ids are so short that a new one must be compared with all others of the file. */
	readonly shortIds: boolean;
	linkOf(entry: Entry): Link;
	/**
	 * The entry that makes the client go on from `target`, or with `null` from nothing; `prompt` is the text of the last prompt up to
	 * there, undefined where nothing was said up to there.
	 */
	pointTo(target: EntryId | null, prompt: string | undefined): PointingEntry;
	/** The decoder's state for reading on from a line in the middle; `head` is the state after the first lines. */
	stateAt(index: LineIndex, line: number, head: Json): Json;
}

export interface ResumePath {
	/** Root to leaf, as lines of the index; those before a compaction may be missing. Empty where there is no leaf. */
	readonly lines: readonly number[];
	/** False when the index does not reach back far enough: read more of the file. */
	readonly reached: boolean;
	/** True when everything was taken back, so that the conversation starts anew. */
	readonly nothing?: true;
	/** True when the client ignores the line that was asked for: what is written after it would be lost. */
	readonly unreachable?: true;
}

/** The path to the client's leaf, or to the entry `at`; undefined when `at` does not exist. */
export function findResumePath(index: LineIndex, rules: ResumePathRules, at?: EntryId): ResumePath | undefined {
	if (at === undefined) return rules.trail(index);
	// Of equal ids the last counts.
	for (let line = index.length - 1; line >= 0; line -= 1) {
		if (rules.id(index, line) === at) return rules.trail(index, line);
	}
	return undefined;
}
