/** Drafts: entries before they have an id, a parent and a time; and which kinds of entries stand beside the conversation, so that nothing follows them. */
import type { Entry, EntryBase, EntryId } from '../../model/index.ts';

type Without<E, K extends PropertyKey> = E extends unknown ? Omit<E, K> : never;

/** An entry without what the handle gives it. */
export type Draft = Without<Entry, keyof Pick<EntryBase, 'id' | 'parent' | 'time' | 'records'>> & {
	/** The entry to follow instead of the last one: formats with a tree begin a branch there. */
	readonly after?: EntryId | null;
	/** An id that somebody else has given it; absent: a new one. */
	readonly id?: EntryId;
};

export interface Placing {
	/** The entry that the first draft follows. */
	readonly leaf: EntryId | null;
	newId(): EntryId;
	/** Milliseconds, later than every time written before. */
	nextTime(): number;
}

/** Kinds of entries that stand beside the conversation in every format: no entry follows them. */
const beside: ReadonlySet<string> = new Set(['checkpoint', 'leaf', 'outcome', 'start']);
const besideEvents: ReadonlySet<string> = new Set(['collapse', 'cost', 'queue', 'request']);

function standsBeside(draft: Draft): boolean {
	if (draft.kind === 'event') return besideEvents.has(draft.event.type);
	return beside.has(draft.kind) || (draft.kind === 'summary' && draft.of === 'conversation');
}

/** Drafts as entries, each following the one before. */
export function placed(drafts: readonly Draft[], placing: Placing): readonly Entry[] {
	let parent = placing.leaf;
	return drafts.map(({ after = parent, id = placing.newId(), ...draft }) => {
		const base = { id, time: new Date(placing.nextTime()).toISOString(), records: [] };
		if (standsBeside(draft)) return { ...draft, ...base } as Entry;
		const entry = { ...draft, ...base, parent: after } as Entry;
		parent = entry.id;
		return entry;
	});
}

/** True for an entry that is encoded with older ones: a compaction stands for them, an outcome counts prompts. */
export function looksBack({ kind }: Entry): boolean {
	return kind === 'compaction' || kind === 'outcome';
}
