/** One conversation per file: which entries lead to where it goes on, and what must not start beside it. */
import { byId, currentLeaf, type Entry, type EntryId, history, type Loss } from '../../model/index.ts';

/** Claude Code sends what hangs on one root only; other conversations would make the file look damaged. */
export function oneRoot(entries: readonly Entry[], losses: Loss[]): readonly Entry[] {
	const roots = rootsOf(entries);
	const live = history({ entries }, currentLeaf({ entries }))[0];
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

/** The entries on the way to where the conversation goes on. */
export function liveIds(entries: readonly Entry[]): ReadonlySet<EntryId> {
	return new Set(history({ entries }, currentLeaf({ entries })).map((entry) => entry.id));
}

function rootsOf(entries: readonly Entry[]): ReadonlyMap<EntryId, EntryId> {
	const known = byId({ entries });
	const roots = new Map<EntryId, EntryId>();
	for (const entry of entries) {
		if (entry.parent === undefined) continue;
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
