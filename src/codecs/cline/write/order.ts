/** Makes one line of a tree: the path to the leaf, with results of parallel calls that hang off it. */
import { byId, type Entry, type EntryId, history, inGraph, type MessageEntry } from '../../../model/index.ts';
import { callsIn, resultsIn } from '../../shared/write/said.ts';

export interface Order {
	/** The conversation, from first to last. */
	readonly line: readonly Entry[];
	/** Entries that stand beside the conversation. */
	readonly beside: readonly Entry[];
	/** Entries on other branches. */
	readonly left: readonly Entry[];
}

export function orderOf(entries: readonly Entry[], leaf: EntryId | null): Order {
	// Messages without parents are meant to follow one another.
	if (!entries.some(inGraph)) {
		const isMessage = (entry: Entry) => entry.kind === 'message';
		return { line: entries.filter(isMessage), beside: entries.filter((entry) => !isMessage(entry)), left: [] };
	}
	const known = byId({ entries });
	const path = history({ entries }, leaf);
	const on = new Set(path);
	const off = entries.filter((entry) => inGraph(entry) && !on.has(entry));
	const results = openResults(path, off);
	const line = insertResults(path, results);
	const placed = new Set(line);
	return {
		line,
		beside: entries.filter((entry) => !inGraph(entry)),
		left: off.filter((entry) => !placed.has(entry) && known.get(entry.id) === entry),
	};
}

/** Messages beside the path that answer calls without an answer on it, by the id of the call. */
function openResults(path: readonly Entry[], off: readonly Entry[]): ReadonlyMap<string, MessageEntry> {
	const open = new Set(path.flatMap(callsIn));
	for (const call of path.flatMap(answered)) open.delete(call);
	const found = new Map<string, MessageEntry>();
	for (const entry of off) {
		const calls = answered(entry);
		if (entry.kind !== 'message' || calls.length === 0 || !calls.every((call) => open.has(call))) continue;
		for (const call of calls) {
			open.delete(call);
			found.set(call, entry);
		}
	}
	return found;
}

function answered(entry: Entry): readonly string[] {
	return entry.kind === 'message' && entry.role === 'user' ? resultsIn(entry) : [];
}

/** Inserts each result after the reply with its call, before the user's next words. */
function insertResults(path: readonly Entry[], results: ReadonlyMap<string, MessageEntry>): readonly Entry[] {
	const line: Entry[] = [];
	const waiting = new Set<Entry>();
	const flush = () => {
		line.push(...waiting);
		waiting.clear();
	};
	for (const entry of path) {
		if (entry.kind === 'message' && entry.role !== 'assistant') flush();
		line.push(entry);
		for (const call of callsIn(entry)) {
			const result = results.get(call);
			if (result) waiting.add(result);
		}
	}
	flush();
	return line;
}
