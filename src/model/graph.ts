/** The shape of a conversation: who follows whom, where it ends and where it branches. */
import type { Entry, EntryId } from './entry.ts';
import type { Session } from './session.ts';

type Entries = Pick<Session, 'entries'>;

/** Entries by id. Of two with the same id the later one counts, as every client does it. */
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

function parentOf(entry: Entry, known: ReadonlyMap<EntryId, Entry>): EntryId | null {
	if (entry.parent != null && known.has(entry.parent)) return entry.parent;
	if (entry.logicalParent !== undefined && known.has(entry.logicalParent)) return entry.logicalParent;
	return null;
}

/** Entries of the graph that nothing follows, in file order. */
export function leaves(session: Entries): readonly EntryId[] {
	const below = children(session);
	const found: EntryId[] = [];
	for (const entry of byId(session).values()) {
		if (inGraph(entry) && !below.has(entry.id)) found.push(entry.id);
	}
	return found;
}

/**
 * Where the conversation goes on: each leaf pointer moves it to its target if that exists, each later entry of the main
 * thread moves it on. In a sub-agent's own file, where nothing is on the main thread, its last entry. A client's own rule
 * may differ; its codec's context knows it.
 */
export function currentLeaf(session: Entries): EntryId | null {
	const known = byId(session);
	let leaf: EntryId | null = null;
	let ofAgent: EntryId | null = null;
	for (const entry of session.entries) {
		if (entry.kind === 'leaf') {
			if (entry.target !== null && known.has(entry.target)) leaf = entry.target;
		} else if (inGraph(entry)) {
			if (entry.agent === undefined) leaf = entry.id;
			else ofAgent = entry.id;
		}
	}
	return leaf ?? ofAgent;
}

/** Root to leaf along `parent`. A missing parent ends the walk, a cycle too: this never loops. */
export function path(session: Entries, leaf: EntryId | null = currentLeaf(session)): readonly Entry[] {
	return walk(byId(session), leaf, (entry) => entry.parent ?? null);
}

/** Root to leaf through compactions as well: the whole history as it happened. */
export function history(session: Entries, leaf: EntryId | null = currentLeaf(session)): readonly Entry[] {
	const known = byId(session);
	return walk(known, leaf, (entry) => parentOf(entry, known));
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
