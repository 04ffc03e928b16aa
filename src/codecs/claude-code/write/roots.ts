/** One conversation per file: which entries lead to where it goes on, and what must not start beside it. */
import {
	byId,
	type EntriesWithLeaf,
	type Entry,
	type EntryId,
	history,
	type Loss,
	type MessageEntry,
} from '../../../model/index.ts';

/** Claude Code sends what hangs on one root only; other conversations would make the file look damaged. */
export function oneRoot({ entries, leaf }: EntriesWithLeaf, losses: Loss[]): readonly Entry[] {
	const roots = rootsOf(entries);
	if (new Set(roots.values()).size < 2) return entries;
	const live = history({ entries }, leaf)[0];
	// What lies before a cut has a root of its own, and that is as it should be.
	if (!live || live.kind === 'compaction') return entries;
	return entries.filter((entry) => {
		const root = entry.agent === undefined ? roots.get(entry.id) : undefined;
		if (root === undefined || root === live.id) return true;
		const note = 'it belongs to a conversation that starts anew beside the one that goes on';
		losses.push({ entry: entry.id, path: '', how: 'dropped', note });
		return false;
	});
}

/**
 * Where any cut keeps messages, 2.1.325 forgets all others before the last cut of the file, on whatever branch that is: then cuts
 * on branches that were left are left out. Cuts that keep nothing hide only what is before them on their own branch.
 */
export function liveCuts({ entries, leaf }: EntriesWithLeaf, losses: Loss[]): readonly Entry[] {
	if (!entries.some((entry) => entry.kind === 'compaction' && entry.keptFrom !== undefined)) return entries;
	const live = new Set(history({ entries }, leaf).map((entry) => entry.id));
	const left = new Map<EntryId, EntryId | null>();
	for (const entry of entries) {
		if (entry.kind !== 'compaction' || entry.parent === undefined || entry.agent !== undefined || live.has(entry.id))
			continue;
		left.set(entry.id, entry.parent ?? entry.logicalParent ?? null);
		losses.push({
			entry: entry.id,
			path: '',
			how: 'dropped',
			note: 'a cut on a branch that was left would hide the others',
		});
	}
	if (left.size === 0) return entries;
	const above = (id: EntryId | null): EntryId | null =>
		id !== null && left.has(id) ? above(left.get(id) ?? null) : id;
	return entries.flatMap((entry) => {
		if (left.has(entry.id)) return [];
		if (typeof entry.parent !== 'string' || !left.has(entry.parent)) return [entry];
		const { origin: _, ...rest } = entry as MessageEntry;
		return [{ ...(entry.kind === 'message' ? rest : entry), parent: above(entry.parent) } as Entry];
	});
}

function rootsOf(entries: readonly Entry[]): ReadonlyMap<EntryId, EntryId> {
	const known = byId({ entries });
	const roots = new Map<EntryId, EntryId>();
	for (const entry of entries) {
		if (entry.parent === undefined) continue;
		const near = roots.get(entry.parent ?? entry.logicalParent ?? '');
		if (near !== undefined && !roots.has(entry.id)) {
			roots.set(entry.id, near);
			continue;
		}
		const way = new Set<EntryId>();
		let at: Entry = entry;
		while (!roots.has(at.id) && !way.has(at.id)) {
			way.add(at.id);
			const above = known.get(at.parent ?? at.logicalParent ?? '');
			if (!above) break;
			at = above;
		}
		const root = roots.get(at.id) ?? at.id;
		for (const id of way) roots.set(id, root);
	}
	return roots;
}
