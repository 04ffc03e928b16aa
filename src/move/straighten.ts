/** Makes a graph that any writer can follow: every id once, every parent known and before its children, no cycle. */
import { type Bridges, byId, type Entry, type EntryId, type Loss } from '../model/index.ts';

export interface StraightenOptions {
	/** True when the source's client replaces a missing parent by the entry before; others start anew there. */
	readonly bridgesGaps: boolean;
	/** The parents that the client puts there on the path to the leaf, where that is known. */
	readonly bridges?: Bridges | undefined;
	/** An earlier entry that these may follow. */
	readonly after?: EntryId | undefined;
}

export function straighten(entries: readonly Entry[], options: StraightenOptions, losses: Loss[]): readonly Entry[] {
	if (options.bridgesGaps) nameAboveGaps(entries, options, losses);
	if (isStraight(entries, options)) return entries;
	const single = lastOfEach(entries, losses);
	const known = byId({ entries: single });
	return parentsFirst(withKnownParents(single, known, options, losses), losses);
}

/**
 * Reports the last entry before each gap of the main thread: some versions of the client bridge a gap only where
 * little time has passed, and otherwise no longer send what is above it.
 */
function nameAboveGaps(entries: readonly Entry[], { after, bridges }: StraightenOptions, losses: Loss[]): void {
	const agents = new Map<EntryId, string | undefined>(after === undefined ? [] : [[after, undefined]]);
	let last: EntryId | undefined;
	for (const { id, parent, agent } of entries) {
		agents.set(id, agent);
		if (parent === undefined || agent !== undefined) continue;
		const gap = typeof parent === 'string' && (!agents.has(parent) || agents.get(parent) !== undefined);
		if (gap && last !== undefined && !bridges?.has(id)) {
			const note = 'what followed it has lost its parent: its own client may no longer send it';
			losses.push({ entry: last, path: '', how: 'approximated', note });
		}
		last = id;
	}
}

/** True when nothing has to be put in order, as in nearly all sessions. */
function isStraight(entries: readonly Entry[], { after }: StraightenOptions): boolean {
	const before = new Set<EntryId>(after === undefined ? [] : [after]);
	for (const { id, parent, logicalParent } of entries) {
		if (before.has(id) || (typeof parent === 'string' && !before.has(parent))) return false;
		if (logicalParent !== undefined && !before.has(logicalParent)) return false;
		before.add(id);
	}
	return true;
}

/** Keeps the later of two entries with one id, in the place of the first, as clients do. */
function lastOfEach(entries: readonly Entry[], losses: Loss[]): readonly Entry[] {
	const places = new Map<EntryId, number>();
	const kept: Entry[] = [];
	for (const entry of entries) {
		const place = places.get(entry.id);
		if (place === undefined) {
			places.set(entry.id, kept.length);
			kept.push(entry);
			continue;
		}
		kept[place] = entry;
		const note = 'another entry has the same id; the later one counts';
		losses.push({ entry: entry.id, path: '', how: 'dropped', note });
	}
	return kept;
}

function withKnownParents(
	entries: readonly Entry[],
	known: ReadonlyMap<EntryId, Entry>,
	options: StraightenOptions,
	losses: Loss[],
): readonly Entry[] {
	const last = new Map<string | undefined, EntryId>();
	return entries.map((entry) => {
		let made = entry;
		if (entry.logicalParent !== undefined && !known.has(entry.logicalParent)) {
			const { logicalParent: _, ...rest } = made;
			made = rest as Entry;
		}
		const bridge = options.bridges?.get(entry.id);
		if (typeof entry.parent === 'string' && (bridge !== undefined || !known.has(entry.parent))) {
			const before = bridge ?? (options.bridgesGaps ? (last.get(entry.agent) ?? null) : null);
			const note =
				before === null ? 'the conversation starts anew here' : `it follows ${bridge ?? 'the entry before it'}`;
			losses.push({
				entry: entry.id,
				path: 'parent',
				how: 'approximated',
				note: `what it follows is missing: ${note}`,
			});
			made = { ...made, parent: before };
		}
		if (entry.parent !== undefined) last.set(entry.agent, entry.id);
		return made;
	});
}

function parentsFirst(entries: readonly Entry[], losses: Loss[]): readonly Entry[] {
	const known = byId({ entries });
	const placed = new Set<EntryId>();
	const ordered: Entry[] = [];
	for (const entry of entries) {
		if (!placed.has(entry.id) && (typeof entry.parent !== 'string' || placed.has(entry.parent))) {
			placed.add(entry.id);
			ordered.push(entry);
			continue;
		}
		const chain: Entry[] = [];
		const waiting = new Set<EntryId>();
		let at: Entry | undefined = entry;
		while (at && !placed.has(at.id) && !waiting.has(at.id)) {
			waiting.add(at.id);
			chain.push(at);
			at = typeof at.parent === 'string' ? known.get(at.parent) : undefined;
		}
		const circle = at !== undefined && waiting.has(at.id);
		for (const [index, one] of chain.reverse().entries()) {
			placed.add(one.id);
			if (index > 0 || !circle) ordered.push(one);
			else {
				losses.push({ entry: one.id, path: 'parent', how: 'approximated', note: 'it followed itself: it starts anew' });
				ordered.push({ ...one, parent: null });
			}
		}
	}
	return ordered;
}
