/** The way back: a converted session, continued or not, as what it was before. */

import { resolve } from 'node:path';
import { deriveUuid, isUuid } from '../codecs/derive.ts';
import { type Codec, codecOf, decodeBytes, findTrail, type Machine, parsedIndex } from '../codecs/index.ts';
import { currentLeaf, type Entry, type EntryId, type Loss, type MessageEntry, type Session } from '../model/index.ts';
import { withIds } from './flatten.ts';
import { type Lineage, lineages, storedFiles } from './lineage.ts';
import { mapTools } from './map-tools.ts';
import { beginsWith, type Conversation, conversationOf, isSaid } from './marks.ts';
import { pairCalls } from './pairs.ts';
import { profileOf } from './profiles.ts';
import { referenceIn } from './reference.ts';

/** What is known about where a session came from. */
export type Ancestry =
	| { readonly is: 'known'; readonly lineage: Lineage; readonly conversation: Conversation }
	/** It came from there, but its history is no longer what was written. */
	| { readonly is: 'changed'; readonly lineage: Lineage }
	| { readonly is: 'unknown' };

/** The stored source that the session at `path` goes on from: the one that explains most of it. */
export function ancestryOf(machine: Machine, session: Session, path: string, to?: Codec): Ancestry {
	const conversation = conversationOf(session);
	const { format } = session;
	const byId = lineages(machine, { format, id: session.id });
	// A client's own copy of the session has another id, but still says where it came from.
	const source = byId.length === 0 ? referenceIn(session) : undefined;
	const copies = source ? lineages(machine).filter((one) => one.source.sha256 === source.sha256) : [];
	const named = [...byId, ...copies.filter((one) => one.target.format === format)].filter(
		(one) => !to || one.source.format === to.id,
	);
	const fitting = named
		.filter((one) => beginsWith(conversation.marks, one.marks) && isSure(one, session, path, conversation))
		.sort(
			(a, b) => nearness(b, path) - nearness(a, path) || b.marks.length - a.marks.length || (a.made < b.made ? 1 : -1),
		);
	if (fitting[0]) return { is: 'known', lineage: fitting[0], conversation };
	return named[0] ? { is: 'changed', lineage: named[0] } : { is: 'unknown' };
}

/** A file that does not say its id goes by its name, which others may have: then its place or all of its content decides. */
function isSure(one: Lineage, session: Session, path: string, { marks }: Conversation): boolean {
	return session.header.id !== undefined || one.target.path === resolve(path) || one.marks.length === marks.length;
}

/** Two sources with one target id: the one that was written to this very file. */
function nearness(one: Lineage, path: string): number {
	return one.target.path === resolve(path) ? 1 : 0;
}

export interface Homecoming {
	readonly id: string;
	readonly codec: Codec;
	/** The source's bytes as they were, and what comes after them; `added` is empty when nothing is new. */
	readonly before: Uint8Array;
	readonly added: Uint8Array;
	/** The whole main file. */
	readonly bytes: Uint8Array;
	readonly beside: readonly { readonly path: string; readonly bytes: Uint8Array }[];
	readonly losses: readonly Loss[];
	/** How many messages are new. */
	readonly messages: number;
}

/** The source's bytes, followed by what was said since. */
export function comeHome(machine: Machine, session: Session, known: Extract<Ancestry, { is: 'known' }>): Homecoming {
	const { lineage, conversation } = known;
	const codec = codecOf(lineage.source.format);
	if (!codec) throw new Error(`no codec for ${lineage.source.format}`);
	const [main, ...beside] = storedFiles(machine, lineage);
	const before = main?.bytes ?? new Uint8Array(0);
	const losses: Loss[] = [];
	const source = decodeBytes(codec, before, lineage.source.id);
	const fresh = newEntries(session, lineage, conversation, source, losses);
	const messages = fresh.filter((entry) => entry.kind === 'message').length;
	const base = { id: lineage.source.id, codec, before, losses, messages };
	if (fresh.length === 0) return { ...base, added: new Uint8Array(0), bytes: before, beside };
	const made = codec.encode({
		profile: profileOf(source) ?? 'client',
		id: source.id,
		header: source.header,
		entries: fresh,
		after: source.format === 'cline' ? source : atLeaf(codec, source, before),
	});
	losses.push(...made.losses);
	const replaced = new Set(made.beside.map((file) => file.path));
	const files = [...beside.filter((file) => !replaced.has(file.path)), ...made.beside];
	if (codec.capabilities.container === 'document')
		return { ...base, added: made.bytes, bytes: made.bytes, beside: files };
	const added = ended(before, made.bytes);
	return { ...base, added, bytes: Buffer.concat([before, added]), beside: files };
}

/** A torn tail is first ended by a newline, or the new lines would be written onto it. */
function ended(before: Uint8Array, added: Uint8Array): Uint8Array {
	const torn = before.length > 0 && before[before.length - 1] !== 10 && added[0] !== 10;
	return torn ? Buffer.concat([Buffer.from('\n'), added]) : added;
}

/** The session with a pointer to where its own client goes on. */
function atLeaf(codec: Codec, session: Session, bytes: Uint8Array): Session {
	const target = leafOf(codec, session, bytes);
	const last: Entry[] = target === null ? [] : [{ kind: 'leaf', id: 'reprise:leaf', target, records: [] }];
	return { ...session, entries: [...session.entries.filter((entry) => entry.kind !== 'leaf'), ...last] };
}

function leafOf(codec: Codec, session: Session, bytes: Uint8Array): EntryId | null {
	const { trail } = codec;
	if (!trail?.links(session.dialect)) return currentLeaf(session);
	const index = parsedIndex(codec, bytes);
	const line = findTrail(index, trail)?.lines.at(-1);
	return line === undefined ? null : (trail.id(index, line) ?? null);
}

/** What was said in the session after the part that was written, ready to follow the source. */
function newEntries(
	session: Session,
	lineage: Lineage,
	{ entries, marks }: Conversation,
	source: Session,
	losses: Loss[],
): readonly Entry[] {
	const first = marks[lineage.marks.length];
	const old = new Set(lineage.tail);
	const last = marks[lineage.marks.length - 1]?.entry ?? -1;
	const from = first === undefined ? entries.length : first.entry;
	const cuts = entries.slice(last + 1, from).filter((entry) => entry.kind === 'compaction' && !old.has(entry.id));
	const later = entries.slice(from).filter((entry) => isCarried(entry, losses));
	if (first && first.entry === last && later[0]?.kind === 'message') {
		later[0] = { ...later[0], content: later[0].content.slice(first.block) };
	}
	if (later.length === 0) return titleOnly(session, lineage);
	const chained = inLine([...answersFor(source, entries), ...cuts, ...later], session, source);
	const paired = pairCalls(chained, (tool) => codecOf(session.format)?.unanswered(tool) ?? '', losses);
	const { format } = lineage.source;
	const mapped = lineage.target.mapTools ? mapTools(paired, session.format, format, losses) : paired;
	return [...mapped, ...titleOnly(session, lineage)];
}

function isCarried(entry: Entry, losses: Loss[]): boolean {
	if (entry.kind === 'message' && isSaid(entry)) return true;
	if (entry.kind === 'compaction' || (entry.kind === 'summary' && entry.of === 'branch')) return true;
	if (entry.kind === 'message') {
		const note = 'a note of the client to its user or its model: it stays behind';
		losses.push({ entry: entry.id, path: '', how: 'dropped', note });
	}
	return false;
}

/** Calls that the source left open were answered when it was converted; the new turns build on those answers. */
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

/** One after the other, the first after the source's last, under ids that the source does not have yet. */
function inLine(entries: readonly Entry[], session: Session, source: Session): readonly Entry[] {
	const taken = new Set(source.entries.map((entry) => entry.id));
	const names = new Map<EntryId, EntryId>();
	for (const { id } of entries) {
		names.set(id, isUuid(id) && !taken.has(id) ? id : deriveUuid('returned', session.format, session.id, id));
	}
	const codec = codecOf(source.format);
	let parent = codec ? leafOf(codec, source, source.source.read(0, source.source.size)) : null;
	return entries.map((entry) => {
		const {
			keptFrom: _kept,
			logicalParent: _logical,
			extra: _extra,
			agent: _agent,
			...rest
		} = entry as Entry & { keptFrom?: EntryId };
		const named = withIds(rest as Entry, (id) => names.get(id) ?? id);
		const made = { ...named, parent, records: [] };
		parent = made.id;
		return made;
	});
}

/** A title that was given since. */
function titleOnly(session: Session, lineage: Lineage): readonly Entry[] {
	const { title } = session.header;
	if (title === undefined || title === lineage.target.title || title === lineage.source.title) return [];
	return [{ kind: 'setting', id: deriveUuid('title', session.id, title), set: { title }, records: [] }];
}
