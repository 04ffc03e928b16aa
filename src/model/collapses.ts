/** Records of context collapse: what a compaction replaced, and what that saved. */
import type { Entry, EntryId } from './entry.ts';
import { isObject, type JsonObject, numberAt, objectAt, stringAt } from './json.ts';

/** What is known of one step. Clients name the fields as they like: only those that a run of ours writes are understood. */
export interface Collapse {
	/** `commit`: the replacement counts from now on. `snapshot`: a state that somebody recorded. */
	readonly step: 'commit' | 'snapshot';
	readonly compaction?: EntryId;
	/** The entries that the summary stands for, and how many of them are messages. */
	readonly replaced?: { readonly first: EntryId; readonly last: EntryId; readonly messages: number };
	/** What the replaced part was about. */
	readonly summary?: string;
	readonly tokensSaved?: number;
	/** The record as it stands in the session. */
	readonly data: JsonObject;
}

/** The collapse records among these entries, in order. */
export function collapsesIn(entries: readonly Entry[]): readonly Collapse[] {
	return entries.flatMap((entry) => {
		if (entry.kind !== 'event' || entry.event.type !== 'collapse') return [];
		const { of, data } = entry.event;
		return [{ step: of.endsWith('commit') ? ('commit' as const) : ('snapshot' as const), ...factsIn(data), data }];
	});
}

function factsIn(data: JsonObject): Omit<Collapse, 'step' | 'data'> {
	const compaction = stringAt(data, 'compaction');
	const summary = stringAt(data, 'summary');
	const tokensSaved = numberAt(data, 'tokensSaved');
	const replaced = rangeIn(objectAt(data, 'replaced'));
	return {
		...(compaction === undefined ? {} : { compaction }),
		...(summary === undefined ? {} : { summary }),
		...(tokensSaved === undefined ? {} : { tokensSaved }),
		...(replaced === undefined ? {} : { replaced }),
	};
}

function rangeIn(range: JsonObject | undefined): Collapse['replaced'] {
	if (!isObject(range)) return undefined;
	const [first, last, messages] = [stringAt(range, 'first'), stringAt(range, 'last'), numberAt(range, 'messages')];
	return first === undefined || last === undefined || messages === undefined ? undefined : { first, last, messages };
}
