/** Compactions: which message is the summary of one, which a conversation has gone through, and what it is without them. */
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

/** The compactions that the conversation has gone through, oldest first; in formats that only remark them, those remarks. */
export function compactionsOf(session: EntriesWithLeaf): readonly CompactionEntry[] {
	const cuts = history(session).filter(isCut);
	return cuts.length > 0 ? cuts : session.entries.filter(isRemark);
}

export interface Uncompacted {
	/** Compactions, the messages with their summaries, and the commands that asked for them. */
	readonly dropped: ReadonlySet<EntryId>;
	/** The new parents of entries that followed one of those. */
	readonly parents: ReadonlyMap<EntryId, EntryId | null>;
}

/** A conversation without its compactions: which entries are left out, and what the others follow instead. */
export function withoutCompactions({ entries }: Pick<Session, 'entries'>): Uncompacted {
	const all = byId({ entries });
	const cuts = entries.filter(isCut);
	const summaries = [...summaryMessages(entries).values()];
	const commands = entries.filter(isCompactCommand);
	const dropped = new Set([...cuts, ...summaries, ...commands].map(({ id }) => id));
	const before = beforeCuts(entries, dropped);
	const above = (entry: Entry): EntryId | null => {
		const seen = new Set<EntryId>();
		let one = entry;
		for (;;) {
			const next = one.parent ?? one.logicalParent ?? null;
			// What a compaction followed may be lost: then it followed what stands before it.
			const known = next !== null && all.has(next) ? next : (before.get(one.id) ?? next);
			const over = known === null || !dropped.has(known) || seen.has(known) ? undefined : all.get(known);
			if (!over) return known;
			seen.add(over.id);
			one = over;
		}
	};
	const parents = new Map<EntryId, EntryId | null>();
	for (const entry of entries) {
		// Where a conversation goes on from a new root, only the logical parent says what that follows.
		const up = entry.parent === null ? entry.logicalParent : entry.parent;
		if (up !== undefined && dropped.has(up)) parents.set(entry.id, above(entry));
	}
	return { dropped, parents };
}

/** For each compaction the last entry of the conversation before it in the file. */
function beforeCuts(entries: readonly Entry[], dropped: ReadonlySet<EntryId>): ReadonlyMap<EntryId, EntryId> {
	const found = new Map<EntryId, EntryId>();
	let last: EntryId | undefined;
	for (const entry of entries) {
		if (entry.parent === undefined || entry.agent !== undefined) continue;
		if (isCut(entry) && last !== undefined) found.set(entry.id, last);
		if (!dropped.has(entry.id)) last = entry.id;
	}
	return found;
}

function isCut(entry: Entry): entry is CompactionEntry {
	return entry.kind === 'compaction' && entry.parent !== undefined;
}

/** A compaction beside the conversation is only a remark: its client goes on with everything whenever it resumes. */
export function isRemark(entry: Entry): entry is CompactionEntry & { readonly parent?: undefined } {
	return entry.kind === 'compaction' && entry.parent === undefined && entry.agent === undefined;
}

/** True for the command that asked for a compaction. */
export function isCompactCommand(entry: Entry): boolean {
	return entry.kind === 'event' && entry.event.type === 'command' && entry.event.name === '/compact';
}
