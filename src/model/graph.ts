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
	return walk(session, leaf, (entry) => entry.parent ?? null);
}

/** Root to leaf through compactions as well: the whole history as it happened. */
export function history(session: Entries, leaf: EntryId | null = currentLeaf(session)): readonly Entry[] {
	const known = byId(session);
	return walk(session, leaf, (entry) => parentOf(entry, known));
}

function walk(session: Entries, leaf: EntryId | null, up: (entry: Entry) => EntryId | null): readonly Entry[] {
	const known = byId(session);
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

export interface Branch {
	readonly leaf: EntryId;
	/** The entry after which this branch is alone; `null` when it has a root of its own. */
	readonly from: EntryId | null;
}

/**
 * The conversations a file holds: one per leaf that has a prompt or a reply of its own. Results of parallel tool calls and
 * progress lines hang off the chain as well, but nobody would call them a branch.
 */
export function branches(session: Entries): readonly Branch[] {
	const { entries, above, below } = links(session.entries);
	const found: Branch[] = [];
	/** The leaf from which an entry was last passed: no walk goes round a cycle twice. */
	const passed = new Int32Array(entries.length).fill(-1);
	for (let leaf = 0; leaf < entries.length; leaf += 1) {
		const end = entries[leaf] as Entry;
		if (!inGraph(end) || (below[leaf] as number) > 0 || end.agent !== undefined) continue;
		let speaks = false;
		let at = leaf;
		while (at !== root(entries) && passed[at] !== leaf) {
			passed[at] = leaf;
			speaks ||= isSpeech(entries[at] as Entry);
			at = above[at] as number;
			if ((below[at] as number) > 1) break;
		}
		if (speaks) found.push({ leaf: end.id, from: entries[at]?.id ?? null });
	}
	return found;
}

interface Links {
	/** Entries by id, the later of equal ones in the place of the first. */
	readonly entries: readonly Entry[];
	/** The position of what each follows, `root` for nothing. */
	readonly above: Int32Array;
	/** How many of the graph follow each; last, how many follow nothing. */
	readonly below: Int32Array;
}

const root = (entries: readonly Entry[]): number => entries.length;

/** The graph by positions: ids are looked up once, which is what costs in a session of a million entries. */
function links(all: readonly Entry[]): Links {
	const positions = new Map<EntryId, number>();
	const entries: Entry[] = [];
	for (const entry of all) {
		const position = positions.get(entry.id);
		if (position !== undefined) entries[position] = entry;
		else {
			positions.set(entry.id, entries.length);
			entries.push(entry);
		}
	}
	const above = new Int32Array(entries.length);
	const below = new Int32Array(entries.length + 1);
	entries.forEach((entry, position) => {
		let parent = entry.parent == null ? undefined : positions.get(entry.parent);
		if (parent === undefined && entry.logicalParent !== undefined) parent = positions.get(entry.logicalParent);
		above[position] = parent ?? root(entries);
		if (inGraph(entry)) below[above[position] as number] = (below[above[position] as number] as number) + 1;
	});
	return { entries, above, below };
}

function isSpeech(entry: Entry): boolean {
	if (entry.kind !== 'message') return false;
	return entry.role === 'assistant' || entry.content.some((block) => block.type !== 'tool_result');
}
