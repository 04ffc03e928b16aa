/** Turns: which messages count as prompts of a person, and everything that came of each. */
import type { Entry, EntryId, MessageEntry } from './entry.ts';
import { history } from './graph.ts';
import type { EntriesWithLeaf } from './session.ts';

export interface Turn {
	/** Absent for what comes before the first prompt. */
	readonly prompt?: MessageEntry;
	readonly entries: readonly Entry[];
}

/** Messages in the user's name that a client writes: nobody said them, and no turn begins with them. */
const writtenByClient: ReadonlySet<string | undefined> = new Set(['compaction', 'interruption']);

/** True for a message in which a person says something to the model. */
export function isPrompt(entry: Entry): entry is MessageEntry {
	if (entry.kind !== 'message' || entry.role !== 'user') return false;
	if (entry.audience !== undefined || writtenByClient.has(entry.origin)) return false;
	return entry.content.some((block) => block.type !== 'tool_result');
}

/** The turns on the path to `leaf`, oldest first, through compactions. */
export function turns(session: EntriesWithLeaf, leaf: EntryId | null = session.leaf): readonly Turn[] {
	const found: { prompt?: MessageEntry; entries: Entry[] }[] = [];
	for (const entry of history(session, leaf)) {
		if (isPrompt(entry)) found.push({ prompt: entry, entries: [entry] });
		else if (found.length === 0) found.push({ entries: [entry] });
		else found.at(-1)?.entries.push(entry);
	}
	return found;
}
