/** What a compaction says of everything before it, where a message behind it tells that. */
import type { Entry, EntryId, MessageEntry } from './entry.ts';

/**
 * The message with the summary of each compaction, by the compaction's id: the first one behind it, with nothing in between but notes
 * of the client, such as the date.
 */
export function summaryMessages(entries: readonly Entry[]): ReadonlyMap<EntryId, MessageEntry> {
	const found = new Map<EntryId, MessageEntry>();
	/** The compaction that a line comes right behind. */
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

/** True for the message that a compaction goes on from. */
export function isSummary(entry: Entry): entry is MessageEntry {
	return entry.kind === 'message' && entry.origin === 'compaction';
}
