/** One line out of a tree: the entries that lead to the current leaf, with the results of parallel calls that hang off it. */
import { byId, type Entry, type EntryId, history, inGraph, type MessageEntry } from '../../model/index.ts';

export interface Order {
	/** The conversation, first to last. */
	readonly line: readonly Entry[];
	/** Entries that stand beside the conversation. */
	readonly beside: readonly Entry[];
	/** Entries of other branches. */
	readonly left: readonly Entry[];
}

export function orderOf(entries: readonly Entry[], leaf: EntryId | null): Order {
	const chain = chainOf(entries, leaf);
	if (chain) return { line: chain, beside: entries.filter((entry) => !inGraph(entry)), left: [] };
	// Somebody who hands over messages without parents means them one after the other.
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

/** The conversation where each entry up to the leaf follows the one before, as in most sessions: nothing has to be looked up then. */
export function chainOf(entries: readonly Entry[], leaf: EntryId | null): readonly Entry[] | undefined {
	const chain: Entry[] = [];
	const ids = new Set<EntryId>();
	for (const entry of entries) {
		const last = chain.at(-1);
		if (ids.has(entry.id) || entry.agent !== undefined) return undefined;
		ids.add(entry.id);
		if (!inGraph(entry)) continue;
		if (last && !follows(entry, last)) return undefined;
		chain.push(entry);
	}
	const [first] = chain;
	if (!first || chain.at(-1)?.id !== leaf || ids.has(first.parent ?? '') || ids.has(first.logicalParent ?? ''))
		return undefined;
	return chain;
}

function follows({ parent, logicalParent }: Entry, last: Entry): boolean {
	return parent === last.id || (parent === null && logicalParent === last.id);
}

/** Messages beside the path that answer calls on it which nothing on it answers, by the id of the call. */
function openResults(path: readonly Entry[], off: readonly Entry[]): ReadonlyMap<string, MessageEntry> {
	const open = new Set<string>();
	for (const entry of path) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) if (block.type === 'tool_call') open.add(block.id);
	}
	for (const entry of path) for (const call of answered(entry)) open.delete(call);
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
	if (entry.kind !== 'message' || entry.role !== 'user') return [];
	return entry.content.flatMap((block) => (block.type === 'tool_result' ? [block.call] : []));
}

/** Each result goes after the reply that made its call, before whatever the user says next. */
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
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			const result = block.type === 'tool_call' ? results.get(block.id) : undefined;
			if (result) waiting.add(result);
		}
	}
	flush();
	return line;
}
