/** Compactions: the summary of one, where it is a message behind it, and the conversation without them. */
import type { CompactionEntry, Entry, EntryId, MessageEntry } from './entry.ts';
import { byId, history } from './graph.ts';
import type { EntriesWithLeaf, Session } from './session.ts';

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

/** The compactions that the conversation has gone through, oldest first. */
export function compactionsOf(session: EntriesWithLeaf): readonly CompactionEntry[] {
	return history(session).filter(isCut);
}

export interface Uncompacted {
	/** Compactions, the messages with their summaries, and the commands that asked for them. */
	readonly dropped: ReadonlySet<EntryId>;
	/** The new parents of entries that followed one of those. */
	readonly parents: ReadonlyMap<EntryId, EntryId | null>;
}

/** A conversation without its compactions: which entries are left out, and what the others follow instead. */
export function withoutCompactions({ entries }: Pick<Session, 'entries'>): Uncompacted {
	const known = byId({ entries });
	const cuts = entries.filter(isCut);
	const summaries = [...summaryMessages(entries).values()];
	const commands = entries.filter(isCompactCommand);
	const dropped = new Set([...cuts, ...summaries, ...commands].map(({ id }) => id));
	const above = ({ parent, logicalParent }: Entry): EntryId | null => {
		const seen = new Set<EntryId>();
		let at = parent ?? logicalParent ?? null;
		while (at !== null && dropped.has(at) && !seen.has(at)) {
			seen.add(at);
			const one = known.get(at);
			at = one?.parent ?? one?.logicalParent ?? null;
		}
		return at;
	};
	const parents = new Map<EntryId, EntryId | null>();
	for (const entry of entries) {
		if (typeof entry.parent === 'string' && dropped.has(entry.parent)) parents.set(entry.id, above(entry));
	}
	return { dropped, parents };
}

/** A compaction beside the conversation is only a remark: its client goes on with everything. */
function isCut(entry: Entry): entry is CompactionEntry {
	return entry.kind === 'compaction' && entry.parent !== undefined;
}

/** True for the command that asked for a compaction. */
export function isCompactCommand(entry: Entry): boolean {
	return entry.kind === 'event' && entry.event.type === 'command' && entry.event.name === '/compact';
}
