/** The graph of a conversation: which entry follows which, where it ends and where it branches. */
import type { Entry, EntryId } from './entry.ts';
import type { Bridges, EntriesWithLeaf, Session } from './session.ts';

type Entries = Pick<Session, 'entries'>;

/** Entries by id. Of two with the same id the later one counts, as in every client. */
export function byId(session: Entries): ReadonlyMap<EntryId, Entry> {
	const map = new Map<EntryId, Entry>();
	for (const entry of session.entries) map.set(entry.id, entry);
	return map;
}

/** True for entries that are part of the conversation graph. */
export function inGraph(entry: Entry): boolean {
	return entry.parent !== undefined;
}

/** The children of each entry, in file order; roots under `null`. A child of an unknown parent counts as a root. */
export function children(session: Entries): ReadonlyMap<EntryId | null, readonly EntryId[]> {
	const known = byId(session);
	const map = new Map<EntryId | null, EntryId[]>();
	for (const entry of known.values()) {
		if (entry.parent === undefined) continue;
		const above = parentOf(entry, known);
		const list = map.get(above);
		if (list) list.push(entry.id);
		else map.set(above, [entry.id]);
	}
	return map;
}

function parentOf(entry: Entry, known: ReadonlyMap<EntryId, Entry>, bridges?: Bridges): EntryId | null {
	const bridge = bridges?.get(entry.id);
	if (bridge !== undefined) return bridge;
	if (entry.parent != null && known.has(entry.parent)) return entry.parent;
	if (entry.logicalParent !== undefined && known.has(entry.logicalParent)) return entry.logicalParent;
	return null;
}

/** Entries of the graph without children, in file order. */
export function leaves(session: Entries): readonly EntryId[] {
	const below = children(session);
	const found: EntryId[] = [];
	for (const entry of byId(session).values()) {
		if (inGraph(entry) && !below.has(entry.id)) found.push(entry.id);
	}
	return found;
}

/**
 * The last entry of the main thread in the order of the list; in a sub-agent's own file, which has no main thread, its
 * last one. Only formats without links go on from there; for all others the codec decides, and `Session.leaf` has its
 * answer.
 */
export function lastInGraph(entries: readonly Entry[]): EntryId | null {
	let ofAgent: EntryId | null = null;
	for (let at = entries.length - 1; at >= 0; at -= 1) {
		const entry = entries[at] as Entry;
		if (!inGraph(entry) || entry.kind === 'leaf') continue;
		if (entry.agent === undefined) return entry.id;
		ofAgent ??= entry.id;
	}
	return ofAgent;
}

/** Root to leaf along `parent`. A missing parent ends the walk, and so does a cycle: this never loops. */
export function path(session: EntriesWithLeaf): readonly Entry[];
export function path(session: Entries, leaf: EntryId | null): readonly Entry[];
export function path(session: Entries & Partial<EntriesWithLeaf>, leaf = session.leaf ?? null): readonly Entry[] {
	return walk(byId(session), leaf, (entry) => entry.parent ?? null);
}

/** Root to leaf through compactions too: the whole history, with lost parents replaced as the client replaces them. */
export function history(session: EntriesWithLeaf): readonly Entry[];
export function history(session: Entries, leaf: EntryId | null): readonly Entry[];
export function history(session: Entries & Partial<EntriesWithLeaf>, leaf = session.leaf ?? null): readonly Entry[] {
	const known = byId(session);
	return walk(known, leaf, (entry) => parentOf(entry, known, session.bridges));
}

function walk(
	known: ReadonlyMap<EntryId, Entry>,
	leaf: EntryId | null,
	up: (entry: Entry) => EntryId | null,
): readonly Entry[] {
	const seen = new Set<EntryId>();
	const found: Entry[] = [];
	let at = leaf;
	while (at !== null && !seen.has(at)) {
		const entry = known.get(at);
		if (!entry) break;
		seen.add(at);
		found.push(entry);
		at = up(entry);
	}
	return found.reverse();
}
