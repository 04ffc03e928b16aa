/** Forks as `--fork-session` does: the lines of the conversation with the same ids, under another session id. */
import {
	byId,
	type Entry,
	type EntryId,
	recordBytes,
	type Session,
	type SessionRecord,
	type Uncompacted,
	withoutCompactions,
} from '../../../model/index.ts';
import type { Forked, ForkInput } from '../../codec.ts';
import { deriveUuid } from '../../shared/write/derive.ts';
import { callsIn, resultsIn } from '../../shared/write/said.ts';
import { endedLine, spliceFields } from '../../shared/write/splice.ts';

/**
 * Unlike the client, which copies only what it still sends, this copies the lines before a compaction too. Titles,
 * costs, checkpoints and recorded requests stay with the original, whose id they carry.
 */
export function fork({ session, at, path = at === null ? [] : [at], id, profile, uncompacted }: ForkInput): Forked {
	const links = uncompacted ? withoutCompactions(session) : undefined;
	const kept = new Set([...chain(session, path)].filter((one) => !links?.dropped.has(one)));
	if (profile === 'published') keepSummaries(session, kept);
	const records = new Set(session.entries.flatMap((entry) => (kept.has(entry.id) ? entry.records : [])));
	const lines = session.records.filter((record) => records.has(record.index));
	const last = session.entries.findLast((entry) => kept.has(entry.id));
	// The document has no line that states where a conversation goes on.
	const pointer = at === null || last?.id === at || profile === 'published' ? undefined : at;
	const moved = new Map(session.entries.flatMap((entry) => movedIn(entry, links)));
	return { pieces: copies(session, lines, moved, id, pointer), beside: [], losses: [] };
}

function* copies(
	session: Session,
	lines: readonly SessionRecord[],
	moved: ReadonlyMap<number, EntryId | null>,
	id: string,
	pointer: EntryId | undefined,
): Generator<Uint8Array> {
	const fields = { sessionId: id, session_id: id, promptId: deriveUuid('fork', id) };
	for (const record of lines) {
		const parentUuid = moved.get(record.index);
		const own = parentUuid === undefined ? fields : { ...fields, parentUuid };
		yield endedLine(spliceFields(recordBytes(session.source, record), own));
	}
	if (pointer === undefined) return;
	const line = { type: 'last-prompt', lastPrompt: '', leafUuid: pointer, explicit: true, sessionId: id };
	yield Buffer.from(`${JSON.stringify(line)}\n`);
}

/** The records of an entry that follows another one, where compactions are left out. */
function movedIn(
	{ id, records }: Entry,
	links: Uncompacted | undefined,
): readonly (readonly [number, EntryId | null])[] {
	const parent = links?.parents.get(id);
	return parent === undefined ? [] : records.map((record) => [record, parent] as const);
}

/** The path of 2.1.325, what lies before it, and the results that hang beside it. */
function chain(session: Session, path: readonly EntryId[]): ReadonlySet<EntryId> {
	const known = byId(session);
	const before = linesBefore(session);
	const [first = ''] = path;
	const kept = new Set(path);
	const seen = new Set<EntryId>();
	for (let entry = known.get(first); entry && !seen.has(entry.id); ) {
		seen.add(entry.id);
		kept.add(entry.id);
		const above: EntryId | null = entry.parent ?? entry.logicalParent ?? null;
		entry = above === null ? undefined : (known.get(above) ?? before.get(entry.id));
	}
	for (const id of leftBehind(path, known)) kept.add(id);
	keepReplies(session, kept, known);
	const open = openCalls(session, kept);
	for (const entry of session.entries) {
		if (entry.parent != null && kept.has(entry.parent) && answers(entry, open)) kept.add(entry.id);
	}
	return kept;
}

/** By the document the line before a boundary has the whole summary: without it nothing stands for what was compacted. */
function keepSummaries({ entries }: Session, kept: Set<EntryId>): void {
	entries.forEach((entry, at) => {
		const before = entries[at - 1];
		if (entry.kind === 'compaction' && kept.has(entry.id) && before?.kind === 'summary') kept.add(before.id);
	});
}

/** Lines before a compaction that lines behind it name: they tell the client what the latter follow. */
function* leftBehind(path: readonly EntryId[], known: ReadonlyMap<EntryId, Entry>): Generator<EntryId> {
	const place = (entry: Entry | undefined): number => entry?.records[0] ?? Number.NaN;
	const cut = known.get(path[0] ?? '');
	for (const id of path.slice(1)) {
		const parent = known.get(known.get(id)?.parent ?? '');
		if (parent && place(parent) < place(cut)) yield parent.id;
	}
}

/** Adds all blocks of each reply: an early result may be followed before the reply's last block. */
function keepReplies(session: Session, kept: Set<EntryId>, known: ReadonlyMap<EntryId, Entry>): void {
	const followed = new Set<string>();
	for (const id of kept) {
		const entry = known.get(id);
		const above = entry?.parent == null ? undefined : known.get(entry.parent);
		const reply = above && responseOf(above);
		// The reply that the fork ends with stops at that block.
		if (entry && reply !== undefined && responseOf(entry) !== reply) followed.add(reply);
	}
	for (const entry of session.entries) {
		const reply = responseOf(entry);
		if (reply !== undefined && followed.has(reply) && entry.parent != null && kept.has(entry.parent))
			kept.add(entry.id);
	}
}

function responseOf(entry: Entry): string | undefined {
	return entry.kind === 'message' ? entry.response?.id : undefined;
}

/** For each line the one before, which replaces a missing parent. */
function linesBefore(session: Session): ReadonlyMap<EntryId, Entry> {
	const before = new Map<EntryId, Entry>();
	let last: Entry | undefined;
	for (const entry of session.entries) {
		if (entry.parent === undefined || entry.agent !== undefined) continue;
		if (last) before.set(entry.id, last);
		last = entry;
	}
	return before;
}

/** Calls on the path whose results the client wrote beside it. */
function openCalls(session: Session, kept: ReadonlySet<EntryId>): ReadonlySet<string> {
	const open = new Set<string>();
	const mine = session.entries.filter((entry) => kept.has(entry.id));
	for (const entry of mine) for (const call of callsIn(entry)) open.add(call);
	for (const entry of mine) for (const call of resultsIn(entry)) open.delete(call);
	return open;
}

function answers(entry: Entry, open: ReadonlySet<string>): boolean {
	const results = resultsIn(entry);
	return results.length > 0 && results.every((call) => open.has(call));
}
