/** Pairs calls with results, as every model's API wants them: each call answered once, right after its reply. */
import { deriveHex } from '../codecs/shared/write/derive.ts';
import {
	type Block,
	blockText,
	byId,
	compact,
	type EntriesWithLeaf,
	type Entry,
	type EntryId,
	type Loss,
	type MessageEntry,
	responseKey,
	type ToolCallBlock,
	type ToolResultBlock,
} from '../model/index.ts';
import { withIds } from './flatten.ts';
import { callsOf, Graph } from './pairs-graph.ts';

/** What the source's client says in place of a result that never came. */
export type Unanswered = (tool: string) => string;

/** The entries that `straighten` made, with calls and results that no API refuses. */
export function pairCalls({ entries, leaf }: EntriesWithLeaf, unanswered: Unanswered, losses: Loss[]): EntriesWithLeaf {
	const unique = uniqueCalls(strayTexts(entries, losses), losses);
	const graph = new Graph(unique);
	const checked = checkResults(graph, losses);
	const tails = replyTails(graph);
	const added = new Map<EntryId, MessageEntry[]>();
	const add = (caller: EntryId, result: MessageEntry): void => {
		const tail = tails.get(caller) ?? caller;
		const list = added.get(tail);
		if (list) list.push(result);
		else added.set(tail, [result]);
	};
	for (const entry of unique) {
		for (const call of callsOf(entry)) {
			if (checked.answered.has(keyOf(entry.id, call.id))) continue;
			const late = checked.late.get(keyOf(entry.id, call.id));
			if (!late) {
				const note = `the call ${call.id} has no result; the one that the client itself would send is written`;
				losses.push({ entry: entry.id, path: 'content', how: 'invented', note });
			}
			add(entry.id, resultAfter(entry, late ?? madeUp(call, unanswered)));
		}
	}
	for (const [tail, results] of besideTheChain(graph, leaf, checked, tails)) {
		for (const id of results) {
			const result = checked.changed.get(id) ?? graph.at(id);
			if (result?.kind !== 'message') continue;
			add(tail, result);
		}
	}
	return assembled({ entries: unique, leaf }, checked.changed, added);
}

/**
 * For the end of each reply, the results that hang on other parts of it: some clients put each on its own call. In one
 * line they all precede what comes next, so the one that something follows comes last.
 */
function besideTheChain(
	graph: Graph,
	leaf: EntryId | null,
	checked: Checked,
	tails: ReadonlyMap<EntryId, EntryId>,
): ReadonlyMap<EntryId, readonly EntryId[]> {
	const followed = new Set<EntryId | null | undefined>();
	for (const { parent } of graph.entries) followed.add(parent);
	followed.add(leaf);
	const found = new Map<EntryId, { readonly dead: EntryId[]; readonly alive: EntryId[] }>();
	for (const [id, callers] of checked.callers) {
		const [caller, more] = callers;
		const tail = caller === undefined ? undefined : tails.get(caller);
		const parent = graph.at(id)?.parent ?? '';
		if (tail === undefined || more !== undefined || tails.get(parent) !== tail) continue;
		if (parent !== tail && isAbove(graph, id, tail)) continue;
		const group = found.get(tail) ?? { dead: [], alive: [] };
		found.set(tail, group);
		if (!followed.has(id)) group.dead.push(id);
		else if (parent !== tail) group.alive.push(id);
	}
	// Where the conversation goes on from several results, they are branches and stay.
	return new Map([...found].map(([tail, { dead, alive }]) => [tail, alive.length === 1 ? [...dead, ...alive] : dead]));
}

/** True for a result on the path to the end of the reply. The search stops at the entry that the result hangs on. */
function isAbove(graph: Graph, id: EntryId, tail: EntryId): boolean {
	const end = graph.at(tail);
	const parent = graph.at(id)?.parent;
	for (const up of end ? graph.ancestors(end) : []) {
		if (up.id === id || up.id === parent) return up.id === id;
	}
	return false;
}

/** Results as texts, for a conversation that has nothing but results without calls: they can at least be read. */
function strayTexts(entries: readonly Entry[], losses: Loss[]): readonly Entry[] {
	const main = entries.filter((entry) => entry.kind === 'message' && entry.agent === undefined);
	if (!main.every((entry) => entry.kind === 'message' && entry.content.every((block) => block.type === 'tool_result')))
		return entries;
	return entries.map((entry) => {
		if (entry.kind !== 'message' || entry.agent !== undefined) return entry;
		const note = 'a result without a call is written as text: there is nothing else in the session';
		losses.push({ entry: entry.id, path: 'content', how: 'approximated', note });
		const content = entry.content.map((block) => ({ type: 'text', text: blockText(block) }) as const);
		return { ...entry, content };
	});
}

function madeUp(call: ToolCallBlock, unanswered: Unanswered): ToolResultBlock {
	const content: readonly Block[] = [{ type: 'text', text: unanswered(call.name) }];
	return { type: 'tool_result', call: call.id, name: call.name, content, isError: true };
}

function keyOf(entry: EntryId, call: string): string {
	return `${entry}\n${call}`;
}

function isResult(block: Block): boolean {
	return block.type === 'tool_result';
}

/** Gives a second call with the same id on a path an id of its own, and its results too. */
function uniqueCalls(entries: readonly Entry[], losses: Loss[]): readonly Entry[] {
	if (!hasRepeatedCalls(entries)) return entries;
	const graph = new Graph(entries);
	const names = new Map<string, string>();
	const renamed = entries.map((entry) => {
		const calls = callsOf(entry);
		if (calls.length === 0 || entry.kind !== 'message') return entry;
		const own = new Set<string>();
		const content = entry.content.map((block) => {
			if (block.type !== 'tool_call') return block;
			const again = own.has(block.id) || hasCallerAbove(graph, entry, block.id);
			own.add(block.id);
			if (!again) return block;
			const id = `call_${deriveHex(20, 'repeated call', entry.id, block.id, String(own.size))}`;
			losses.push({
				entry: entry.id,
				path: 'content',
				how: 'approximated',
				note: `the call ${block.id} is made twice: this one is called ${id}`,
			});
			names.set(keyOf(entry.id, block.id), id);
			return { ...block, id };
		});
		return { ...entry, content };
	});
	if (names.size === 0) return entries;
	return renamed.map((entry) => withResultNames(graph, entry, names, losses));
}

function hasRepeatedCalls(entries: readonly Entry[]): boolean {
	const known = new Set<string>();
	for (const entry of entries) {
		for (const { id } of callsOf(entry)) {
			if (known.has(id)) return true;
			known.add(id);
		}
	}
	return false;
}

function hasCallerAbove(graph: Graph, entry: Entry, call: string): boolean {
	const callers = graph.callers(call);
	if (callers.length < 2) return false;
	for (const up of graph.ancestors(entry)) if (callers.includes(up.id)) return true;
	return false;
}

function withResultNames(graph: Graph, entry: Entry, names: ReadonlyMap<string, string>, losses: Loss[]): Entry {
	if (entry.kind !== 'message' || !entry.content.some((block) => block.type === 'tool_result')) return entry;
	const content = entry.content.map((block, index) => {
		if (block.type !== 'tool_result') return block;
		const callers = graph.callers(block.call);
		for (const up of graph.ancestors(entry)) {
			if (!callers.includes(up.id)) continue;
			const call = names.get(keyOf(up.id, block.call));
			if (call === undefined) return block;
			const note = `the call ${block.call} that it answers is called ${call}`;
			losses.push({ entry: entry.id, path: `content[${index}].call`, how: 'approximated', note });
			return { ...block, call };
		}
		return block;
	});
	return { ...entry, content };
}

interface Checked {
	/** Calls with a result in the right place, by entry and id. */
	readonly answered: ReadonlySet<string>;
	/** Results that came after the conversation had gone on. */
	readonly late: ReadonlyMap<string, ToolResultBlock>;
	/** Entries without the results that have no place; `null` for an entry of which nothing is left. */
	readonly changed: Map<EntryId, Entry | null>;
	/** For each entry that only has results: the entries that made the calls. */
	readonly callers: ReadonlyMap<EntryId, readonly EntryId[]>;
}

function checkResults(graph: Graph, losses: Loss[]): Checked {
	const answered = new Set<string>();
	const late = new Map<string, ToolResultBlock>();
	const changed = new Map<EntryId, Entry | null>();
	const callers = new Map<EntryId, readonly EntryId[]>();
	for (const entry of graph.entries) {
		if (entry.kind !== 'message' || entry.role === 'assistant' || !entry.content.some(isResult)) continue;
		const own: string[] = [];
		const from: EntryId[] = [];
		const content = entry.content.filter((block, index) => {
			if (block.type !== 'tool_result') return true;
			const found = own.includes(block.call) ? ({ is: 'repeated' } as const) : placeOf(graph, entry, block.call);
			own.push(block.call);
			if (found.is === 'answer') {
				answered.add(keyOf(found.caller, block.call));
				if (!from.includes(found.caller)) from.push(found.caller);
				return true;
			}
			const path = `content[${index}]`;
			if (found.is === 'late' && !late.has(keyOf(found.caller, block.call))) {
				late.set(keyOf(found.caller, block.call), block);
				losses.push({ entry: entry.id, path, how: 'approximated', note: 'a late result is moved to its call' });
			} else {
				const why = found.is === 'orphan' ? 'it answers no call' : 'its call has a result already';
				losses.push({ entry: entry.id, path, how: 'dropped', note: `${why}: no model would take it` });
			}
			return false;
		});
		if (content.length > 0 && content.every(isResult)) callers.set(entry.id, from);
		if (content.length < entry.content.length)
			changed.set(entry.id, content.length === 0 ? null : { ...entry, content });
	}
	return { answered, late, changed, callers };
}

type CallPlace =
	| { readonly is: 'answer' | 'late'; readonly caller: EntryId }
	| { readonly is: 'orphan' }
	| { readonly is: 'repeated' };

function placeOf(graph: Graph, entry: Entry, call: string): CallPlace {
	const callers = graph.callers(call);
	if (callers.length === 0) return { is: 'orphan' };
	const between: Entry[] = [];
	for (const up of graph.ancestors(entry)) {
		if (callers.includes(up.id))
			return { is: between.some((one) => speaks(one, up)) ? 'late' : 'answer', caller: up.id };
		if (answers(up, call)) return { is: 'repeated' };
		between.push(up);
	}
	return { is: 'orphan' };
}

function answers(entry: Entry, call: string): boolean {
	if (entry.kind !== 'message' || entry.role === 'assistant') return false;
	return entry.content.some((block) => block.type === 'tool_result' && block.call === call);
}

/** True for a message that continues the conversation; parts of the reply that made the call do not count. */
function speaks(entry: Entry, reply: Entry): boolean {
	if (entry.kind !== 'message' || entry.audience === 'user') return false;
	if (entry.role === 'assistant') return !sameReply(entry, reply);
	return entry.content.some((block) => block.type !== 'tool_result');
}

function sameReply(a: Entry, b: Entry): boolean {
	if (a.kind !== 'message' || b.kind !== 'message' || !a.response || !b.response) return false;
	const key = responseKey(a.response);
	return key !== undefined && key === responseKey(b.response);
}

/** The last part of the reply that each part belongs to: results follow all parts. */
function replyTails(graph: Graph): ReadonlyMap<EntryId, EntryId> {
	const first = new Map<EntryId, EntryId>();
	const tails = new Map<EntryId, EntryId>();
	for (const entry of graph.entries) {
		if (entry.kind !== 'message' || entry.role !== 'assistant') continue;
		const before = replyAbove(graph, entry);
		const root = (before && first.get(before.id)) ?? entry.id;
		first.set(entry.id, root);
		// A copy of a part on another branch does not end this reply.
		if (!before || tails.get(root) === before.id) tails.set(root, entry.id);
	}
	for (const [id, root] of first) first.set(id, tails.get(root) ?? id);
	return first;
}

function replyAbove(graph: Graph, entry: MessageEntry): Entry | undefined {
	for (const up of graph.ancestors(entry)) {
		if (up.kind !== 'message') continue;
		if (up.role === 'assistant') return sameReply(up, entry) ? up : undefined;
		if (up.content.some((block) => block.type !== 'tool_result')) return undefined;
	}
	return undefined;
}

/** The entries again: gaps of what was left out are bridged, and what was added is inserted. */
function assembled(
	{ entries, leaf }: EntriesWithLeaf,
	changed: ReadonlyMap<EntryId, Entry | null>,
	added: ReadonlyMap<EntryId, readonly MessageEntry[]>,
): EntriesWithLeaf {
	const groups = byId({ entries });
	const bridges = [...changed.values()].includes(null);
	const nearest = <T extends EntryId | null | undefined>(id: T): T | EntryId | null => nearestKept(id, groups, changed);
	const moved = new Set([...added.values()].flatMap((list) => list.map((entry) => entry.id)));
	const made: Entry[] = [];
	for (const entry of entries) {
		const now = changed.get(entry.id) === undefined ? entry : changed.get(entry.id);
		if (!now || moved.has(now.id)) continue;
		const parent = nearest(now.parent);
		// Behind an entry with additions only parts of the same reply follow directly.
		const followed = typeof parent === 'string' && added.has(parent) ? groups.get(parent) : undefined;
		const stays = followed !== undefined && now.kind === 'message' && sameReply(now, followed);
		const linked = bridges ? withIds(now, (id) => (id === now.id ? id : (nearest(id) ?? id))) : now;
		const placed =
			linked.kind === 'leaf' && linked.target !== null ? { ...linked, target: behind(linked.target, added) } : linked;
		const above = parent == null || stays ? parent : behind(parent, added);
		made.push(above === placed.parent ? placed : ({ ...placed, parent: above } as Entry));
		let last = entry.id;
		for (const result of added.get(entry.id) ?? []) {
			made.push({ ...result, parent: last });
			last = result.id;
		}
	}
	return { entries: made, leaf: behind(nearest(leaf), added) };
}

/** The entry itself, or the nearest one above that is kept. */
function nearestKept<T extends EntryId | null | undefined>(
	id: T,
	known: ReadonlyMap<EntryId, Entry>,
	changed: ReadonlyMap<EntryId, Entry | null>,
): T | EntryId | null {
	let at: T | EntryId | null = id;
	while (at != null && changed.get(at) === null) at = known.get(at)?.parent ?? null;
	return at;
}

/** The last addition behind an entry, or the entry itself. */
function behind<T extends EntryId | null>(id: T, added: ReadonlyMap<EntryId, readonly MessageEntry[]>): T | EntryId {
	return id === null ? id : (added.get(id)?.at(-1)?.id ?? id);
}

function resultAfter(entry: Entry, block: ToolResultBlock): MessageEntry {
	const id = `${entry.id}/result of ${block.call}`;
	const base = { kind: 'message', role: 'user', content: [block], id, parent: entry.id, records: [] } as const;
	return { ...base, ...compact({ time: entry.time, agent: entry.agent }) };
}
