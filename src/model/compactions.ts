/** Finds the summary of a compaction, where it is a message behind it. */
import type { Entry, EntryId, MessageEntry } from './entry.ts';

/**
 * The message with the summary of each compaction, by the compaction's id: the first one behind it, with only notes of
 * the client, such as the date, in between.
 */
export function summaryMessages(entries: readonly Entry[]): ReadonlyMap<EntryId, MessageEntry> {
	const found = new Map<EntryId, MessageEntry>();
	/** For a line, the compaction right before it. */
	const cuts = new Map<EntryId, EntryId>();
	for (const entry of entries) {
		if (entry.kind === 'compaction') cuts.set(entry.id, entry.id);
		if (cuts.size === 0 || typeof entry.parent !== 'string') continue;
		const cut = cuts.get(entry.parent);
		if (cut === undefined) continue;
		if (entry.kind === 'event') cuts.set(entry.id, cut);
		else if (isSummary(entry) && !found.has(cut)) found.set(cut, entry);
	}
	return found;
}

/** True for the message that the conversation goes on from after a compaction. */
export function isSummary(entry: Entry): entry is MessageEntry {
	return entry.kind === 'message' && entry.origin === 'compaction';
}
