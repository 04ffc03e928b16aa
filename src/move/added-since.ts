/** Which entries that were added to a converted session go home to its source, and which stay behind as losses, with the words for why. */

import { codecOf } from '../codecs/index.ts';
import { deriveUuid, isUuid } from '../codecs/shared/write/derive.ts';
import { type Entry, type EntryId, type Loss, lastInGraph, type MessageEntry, type Session } from '../model/index.ts';
import { type Conversation, conversationOf, isSaid, type Said } from './conversation-print.ts';
import { flatten, withIds } from './flatten.ts';
import type { Lineage } from './lineage.ts';
import { mapTools } from './map-tools.ts';
import { pairCalls } from './pairs.ts';

export interface NewsInput {
	readonly session: Session;
	readonly conversation: Conversation;
	readonly lineage: Lineage;
	readonly said: Said;
	/** The session that it was converted from. */
	readonly source: Session;
}

/** What was said after the part that was written; everything else that is new becomes a loss. */
export function newEntries(input: NewsInput, losses: Loss[]): readonly Entry[] {
	const { session, lineage, said, source, conversation } = input;
	const { entries, marks } = conversation;
	const first = marks[said.marks.length];
	const old = new Set(said.tail);
	const last = marks[said.marks.length - 1]?.entry ?? -1;
	const from = first === undefined ? entries.length : first.entry;
	const cuts = entries.slice(last + 1, from).filter((entry) => entry.kind === 'compaction' && !old.has(entry.id));
	const later = entries.slice(from).filter(isCarried);
	const threads = newThreads(input);
	const written = new Set(entries.slice(0, from).map((entry) => entry.id));
	sayLeft(input, new Set([...cuts, ...later, ...threads, ...entries].map((entry) => entry.id)), losses);
	for (const entry of entries.slice(last + 1)) if (!old.has(entry.id) && !isCarried(entry)) sayOne(entry, losses);
	if (first && first.entry === last && later[0]?.kind === 'message') {
		later[0] = { ...later[0], content: later[0].content.slice(first.block) };
	}
	if (later.length === 0 && cuts.length === 0) return titleOnly(input);
	const kept = (id: EntryId): EntryId | undefined => (written.has(id) ? sourceOf(id, input) : undefined);
	const chained = inLine([...answersFor(source, entries), ...cuts, ...later], threads, input, kept, losses);
	const told = { entries: chained, leaf: lastInGraph(chained) };
	const paired = pairCalls(told, (tool) => codecOf(session.format)?.context.unanswered(tool) ?? '', losses).entries;
	const { format } = lineage.source;
	const mapped = lineage.target.mapTools ? mapTools(paired, session.format, format, losses) : paired;
	return [...mapped, ...titleOnly(input)];
}

function isCarried(entry: Entry): boolean {
	if (entry.kind === 'message') return isSaid(entry);
	return entry.kind === 'compaction' || (entry.kind === 'summary' && entry.of === 'branch');
}

/** The threads of sub-agents that were started since the conversion. */
function newThreads({ session, lineage, said }: NewsInput): readonly Entry[] {
	const known = new Set([...lineage.agents, ...said.agents]);
	return flatten(session, []).filter((entry) => entry.agent !== undefined && !known.has(entry.agent));
}

/** Reports as losses what was added beside the conversation, or on a branch that was abandoned. */
function sayLeft({ session, said }: NewsInput, carried: ReadonlySet<EntryId>, losses: Loss[]): void {
	for (const entry of session.entries.slice(said.entries)) {
		if (!carried.has(entry.id) && !saysTitle(entry)) sayOne(entry, losses);
	}
}

function saysTitle(entry: Entry): boolean {
	return entry.kind === 'setting' && Object.keys(entry.set).every((name) => name === 'title');
}

function sayOne(entry: Entry, losses: Loss[]): void {
	const note = whyLeft(entry);
	if (note !== undefined) losses.push({ entry: entry.id, path: '', how: 'dropped', note: `${note}: it stays behind` });
}

function whyLeft(entry: Entry): string | undefined {
	switch (entry.kind) {
		case 'message':
			if (entry.agent !== undefined) return `a message of the sub-agent ${entry.agent}`;
			return isSaid(entry) ? 'on a branch that was left again' : 'a note of the client to its user or its model';
		case 'event':
			return `what the client noted (${entry.event.type})`;
		case 'setting':
			return `a setting (${Object.keys(entry.set).join(', ')})`;
		case 'leaf':
		case 'start':
		case 'summary':
			return undefined;
		case 'compaction':
			return 'a cut on a branch that was left again';
		default:
			return `what the client keeps as ${entry.kind}`;
	}
}

/** Answers that the conversion gave to open calls of the source: the new turns build on them. */
function answersFor(source: Session, entries: readonly Entry[]): readonly MessageEntry[] {
	const open = new Set<string>();
	for (const entry of conversationOf(source).entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			if (block.type === 'tool_call') open.add(block.id);
			else if (block.type === 'tool_result') open.delete(block.call);
		}
	}
	if (open.size === 0) return [];
	return entries.flatMap((entry) => {
		if (entry.kind !== 'message' || entry.role !== 'user') return [];
		const content = entry.content.filter((block) => block.type === 'tool_result' && open.delete(block.call));
		return content.length === 0 ? [] : [{ ...entry, content }];
	});
}

/** The entry of the source that says what `id` says, counted from the ends of both conversations, which must agree. */
function sourceOf(id: EntryId, { conversation, said, source }: NewsInput): EntryId | undefined {
	const place = conversation.entries.findIndex((entry) => entry.id === id);
	const from = conversation.marks.findIndex((mark) => mark.entry >= place);
	const tail = conversation.marks.slice(from, said.marks.length);
	const own = conversationOf(source);
	const start = own.marks.length - tail.length;
	if (from === -1 || start < 0 || tail.length === 0) return undefined;
	if (!tail.every((mark, index) => own.marks[start + index]?.hash === mark.hash)) return undefined;
	return own.entries[own.marks[start]?.entry ?? -1]?.id;
}

/**
 * The new entries in one line behind the source's last one, under ids that are free in the source, with the threads of
 * sub-agents beside them.
 */
function inLine(
	entries: readonly Entry[],
	threads: readonly Entry[],
	{ session, source }: NewsInput,
	kept: (id: EntryId) => EntryId | undefined,
	losses: Loss[],
): readonly Entry[] {
	const taken = new Set(source.entries.map((entry) => entry.id));
	const names = new Map<EntryId, EntryId>();
	for (const { id } of [...entries, ...threads]) {
		names.set(id, isUuid(id) && !taken.has(id) ? id : deriveUuid('returned', session.format, session.id, id));
	}
	const name = (id: EntryId): EntryId => names.get(id) ?? id;
	let parent = source.leaf;
	const line = entries.map((entry) => {
		const { logicalParent: _logical, extra: _extra, agent: _agent, ...rest } = entry;
		const named = withKept(withIds(rest as Entry, name), entry, { name: (id) => names.get(id) ?? kept(id), losses });
		const made = { ...named, parent, records: [] };
		parent = made.id;
		return made;
	});
	const beside = threads.map((entry) => {
		const { extra: _extra, ...rest } = withIds(entry, name);
		return { ...rest, records: [] } as Entry;
	});
	return [...line, ...beside];
}

/** A compaction that keeps the same messages as before, where the source has them. */
function withKept(
	named: Entry,
	{ id, ...entry }: Entry,
	{ name, losses }: { readonly name: (id: EntryId) => EntryId | undefined; readonly losses: Loss[] },
): Entry {
	if (named.kind !== 'compaction' || entry.kind !== 'compaction' || entry.keptFrom === undefined) return named;
	const { keptFrom: _, ...rest } = named;
	const keptFrom = name(entry.keptFrom);
	if (keptFrom !== undefined) return { ...rest, keptFrom };
	const note = 'the format it comes home to cannot say which messages it kept: only its summary is written';
	losses.push({ entry: id, path: 'keptFrom', how: 'dropped', note });
	return rest;
}

/** A title that was given since the conversion. */
function titleOnly({ session, lineage, said }: NewsInput): readonly Entry[] {
	const { title } = session.header;
	if (title === undefined || title === said.title || title === lineage.source.title) return [];
	return [{ kind: 'setting', id: deriveUuid('title', session.id, title), set: { title }, records: [] }];
}
