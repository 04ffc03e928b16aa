/** Makes one list of a session's entries and its sub-agents': each id once, none bound to bytes. */
import type { EntriesWithLeaf, Entry, EntryId, Loss, Session } from '../model/index.ts';

/** The entries of a session and of the sub-agents that have files of their own, as if all were new. */
export function flatten(session: Session, losses: Loss[]): readonly Entry[] {
	const own = session.header.agent ?? onlyThread(session.entries);
	if (own !== undefined) {
		const note = `it was the thread of the sub-agent ${own}; here it is a conversation of its own`;
		losses.push({ entry: '', path: 'header.agent', how: 'approximated', note });
	}
	const entries = session.entries.map((entry) => {
		if (entry.agent === undefined && entry.records.length === 0) return entry;
		const { agent, ...rest } = entry;
		return (agent === undefined || agent === own ? { ...rest, records: [] } : { ...entry, records: [] }) as Entry;
	});
	if (session.subagents.length === 0) return entries;
	const taken = new Set(entries.map((entry) => entry.id));
	for (const { id: agent, call, session: thread } of session.subagents) {
		// The leaf of a sub-agent's file says nothing about the session's.
		const lines = thread.entries.filter((entry) => entry.kind !== 'leaf');
		if (call !== undefined && lines[0]) {
			const note = `that the call ${call} started the sub-agent ${agent} can only be seen from its result`;
			losses.push({ entry: lines[0].id, path: 'agent.call', how: 'approximated', note });
		}
		entries.push(...renamed(lines, agent, taken));
	}
	return entries;
}

/** The one sub-agent that all messages of the file belong to; undefined where there are several or none. */
function onlyThread(entries: readonly Entry[]): string | undefined {
	const agents = new Set(entries.filter((entry) => entry.kind === 'message').map((entry) => entry.agent));
	const [agent] = agents;
	return agents.size === 1 ? agent : undefined;
}

/** Gives entries unique ids: lines are often named by their number, which several files share. */
function renamed(entries: readonly Entry[], agent: string, taken: Set<EntryId>): readonly Entry[] {
	const names = new Map<EntryId, EntryId>();
	const fresh = new Set<EntryId>();
	for (const { id } of entries) {
		if (names.has(id)) continue;
		let name = id;
		for (let n = 0; taken.has(name) || fresh.has(name); n += 1) name = `${agent}/${id}${n === 0 ? '' : `/${n}`}`;
		names.set(id, name);
		fresh.add(name);
	}
	for (const name of fresh) taken.add(name);
	return entries.map((entry) => ({ ...withIds(entry, (id) => names.get(id) ?? id), agent, records: [] }));
}

/** The entries as `keep` changes them, without those for which it returns nothing; their children get their parents. */
export function leavingOut(
	{ entries, leaf }: EntriesWithLeaf,
	keep: (entry: Entry) => Entry | undefined,
): EntriesWithLeaf {
	const above = new Map<EntryId, EntryId | null>();
	const kept: Entry[] = [];
	for (const entry of entries) {
		const bridged = typeof entry.parent === 'string' ? above.get(entry.parent) : undefined;
		const parent = bridged === undefined ? entry.parent : bridged;
		const made = keep(entry);
		if (made === undefined) above.set(entry.id, parent ?? null);
		else kept.push(parent === made.parent ? made : ({ ...made, parent } as Entry));
	}
	const goesOn = leaf === null ? undefined : above.get(leaf);
	return { entries: kept, leaf: goesOn === undefined ? leaf : goesOn };
}

/** The entry with every id in it changed. */
export function withIds(entry: Entry, name: (id: EntryId) => EntryId): Entry {
	const made: { -readonly [K in keyof Entry]: Entry[K] } & {
		target?: EntryId | null;
		of?: unknown;
		keptFrom?: EntryId;
		leaf?: EntryId;
	} = { ...entry, id: name(entry.id) };
	if (typeof entry.parent === 'string') made.parent = name(entry.parent);
	if (entry.logicalParent !== undefined) made.logicalParent = name(entry.logicalParent);
	if (entry.kind === 'compaction' && entry.keptFrom !== undefined) made.keptFrom = name(entry.keptFrom);
	if (entry.kind === 'summary' && entry.leaf !== undefined) made.leaf = name(entry.leaf);
	if (entry.kind === 'checkpoint' && entry.of !== undefined) made.of = name(entry.of);
	if ((entry.kind === 'label' || entry.kind === 'edit') && entry.target !== null) made.target = name(entry.target);
	if (entry.kind === 'leaf' && entry.target !== null) made.target = name(entry.target);
	return made as Entry;
}
