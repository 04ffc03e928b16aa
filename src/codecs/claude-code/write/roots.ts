/** Keeps one conversation per file: the entries that lead to its leaf, and no other roots beside it. */
import {
	byId,
	type EntriesWithLeaf,
	type Entry,
	type EntryId,
	history,
	type Loss,
	type MessageEntry,
} from '../../../model/index.ts';

/** The entries of one root: Claude Code sends no others, and they would make the file look damaged. */
export function oneRoot({ entries, leaf }: EntriesWithLeaf, losses: Loss[]): readonly Entry[] {
	const roots = rootsOf(entries);
	if (new Set(roots.values()).size < 2) return entries;
	const live = history({ entries }, leaf)[0];
	// What lies before a compaction rightly has a root of its own.
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
 * The entries without compactions on abandoned branches, where any compaction keeps messages: 2.1.325 then drops all
 * others before the file's last compaction, on whatever branch. Compactions that keep nothing hide only what is before
 * them on their own branch.
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
