/** Where a conversation goes on and the lines that lead there, found by the envelopes of lines alone. */
import type { Bridges, Entry, EntryId, EventEntry, Json, LeafEntry } from '../../../model/index.ts';
import type { LineIndex } from '../read/line-index.ts';

/** What an entry is to the conversation, as far as the entry alone can tell. */
export type Link =
	/** It stands beside. */
	| { readonly is: 'beside' }
	/** The conversation goes on from it, if it went on from the entry that it follows. */
	| { readonly is: 'next'; readonly id: EntryId; readonly parent: EntryId | null }
	/** It says that the conversation goes on from `target`. */
	| { readonly is: 'pointer'; readonly target: EntryId | null }
	/** Only the whole file can tell where the conversation goes on now. */
	| { readonly is: 'turn' };

/** An entry that moves the conversation, but for its id, time and records. */
export type PointingEntry =
	| (Pick<LeafEntry, 'kind' | 'target' | 'extra'> & { readonly parent?: undefined })
	| (Pick<EventEntry, 'kind' | 'event'> & { readonly parent: EntryId });

/** How one format's lines are linked. The methods ask for single fields of `envelope`, so that few are looked at. */
export interface ResumePathRules {
	readonly envelope: readonly string[];
	/** False for dialects whose lines do not name each other. */
	links(dialect: string): boolean;
	/** Absent for a line beside the conversation. */
	id(index: LineIndex, line: number): EntryId | undefined;
	/**
	 * The line that the client goes on from: `null` where all was taken back, undefined where no line is one to go on from.
	 * `more`: the index is partial, and lines before its first one could change the answer.
	 */
	leaf(index: LineIndex): number | null | undefined | 'more';
	/** The way to the line that the client goes on from, or to the line `at` if it were the last. */
	trail(index: LineIndex, at?: number): ResumePath;
	/** What the client takes for parents that are lost or lead back, on the way to the line that it goes on from. */
	bridges?(index: LineIndex): Bridges;
	/** The types of lines that can give the session a title. */
	readonly titles: readonly string[];
	/** A parent that is not in the file is replaced by the line before. */
	readonly bridgesGaps: boolean;
	/** Ids are so short that a new one has to be held against all others of the file. */
	readonly shortIds: boolean;
	linkOf(entry: Entry): Link;
	/** What is written so that the conversation goes on from `target`; `prompt` is the text of the last prompt up to there. */
	pointTo(target: EntryId, prompt: string): PointingEntry;
	/** A decoder's state for going on at a line in the midst of a file; `head` is the state after the file's first lines. */
	stateAt(index: LineIndex, line: number, head: Json): Json;
}

export interface ResumePath {
	/**
	 * Root to leaf, as lines of the index; what lies before a compaction may be missing. Empty where there is no leaf.
	 */
	readonly lines: readonly number[];
	/** False when the index does not go back far enough: look at more of the file. */
	readonly reached: boolean;
	/** Everything was taken back: the conversation starts anew. */
	readonly nothing?: true;
	/** The client no longer looks at the line that was asked for: what is written there would be lost. */
	readonly unreachable?: true;
}

/** The way to the line that the client goes on from, or to the entry `at`; undefined when `at` is not there. */
export function findResumePath(index: LineIndex, rules: ResumePathRules, at?: EntryId): ResumePath | undefined {
	if (at === undefined) return rules.trail(index);
	// The last of equal ids counts.
	for (let line = index.length - 1; line >= 0; line -= 1) {
		if (rules.id(index, line) === at) return rules.trail(index, line);
	}
	return undefined;
}
