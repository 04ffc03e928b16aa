/** Turns a compaction sidecar into an entry of the conversation: its place, its summary, and which messages it keeps. */
import {
	type CompactionEntry,
	compact,
	type EntriesWithLeaf,
	type Entry,
	type EntryId,
	isObject,
	type JsonObject,
	type Loss,
	type MessageEntry,
	numberAt,
	objectAt,
	type Session,
	stringAt,
} from '../../../model/index.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { heldCount } from '../context/runtime-messages.ts';
import type { ClineCompaction } from '../lines.ts';
import { compactionFits, parseCompaction } from './compaction.ts';

/** The entries with the compaction in its place; undefined where Cline would ignore the sidecar. */
export function cutBy(session: Session, sidecar: Uint8Array, losses: Loss[]): EntriesWithLeaf | undefined {
	const value = parseCompaction(sidecar);
	const messages = value ? messagesOf(session) : [];
	if (
		!value ||
		!compactionFits(
			value,
			messages.map(({ message }) => message),
		)
	)
		return undefined;
	const last = lastBefore(value.source_message_count, messages);
	const cut = last && cutAfter(last, value, new Set(messages.map(({ entry }) => entry.id)), losses);
	return cut && withCut(session, cut, last.id);
}

interface Named {
	readonly entry: MessageEntry;
	readonly message: JsonObject;
}

function messagesOf({ entries, records, source }: Session): readonly Named[] {
	return entries.flatMap((entry) => {
		const record = entry.kind === 'message' ? records[entry.records[0] ?? -1] : undefined;
		if (entry.kind !== 'message' || !record) return [];
		const { value } = parseRecord(source.read(record.at, record.length), false);
		return value ? [{ entry, message: value }] : [];
	});
}

/** The last message that the count covers. It counts running messages, each result by itself. */
function lastBefore(count: number, messages: readonly Named[]): MessageEntry | undefined {
	let held = 0;
	let last: MessageEntry | undefined;
	for (const { entry, message } of messages) {
		if (held >= count) break;
		held += heldCount(message);
		last = entry;
	}
	return last;
}

function cutAfter(
	last: MessageEntry,
	{ messages }: ClineCompaction,
	known: ReadonlySet<EntryId>,
	losses: Loss[],
): CompactionEntry {
	const all = (messages as readonly unknown[]).filter(isObject);
	const from = all.findIndex((message) => entryOf(message, known) !== undefined);
	const told = from === -1 ? all : all.slice(0, from);
	const kept = from === -1 ? undefined : entryOf(all[from] ?? {}, known);
	const id = `${last.id}/compaction`;
	if (all.slice(from + 1).some((message) => entryOf(message, known) === undefined) && from !== -1) {
		const note = 'Cline goes on from messages that it shortened; here they are whole';
		losses.push({ entry: id, path: 'keptFrom', how: 'approximated', note });
	}
	const metadata = objectAt(told[0] ?? {}, 'metadata') ?? {};
	return {
		kind: 'compaction',
		id,
		parent: last.id,
		records: [],
		summary: told.map(summaryOf).join('\n\n'),
		...compact({ time: last.time, keptFrom: kept, tokensBefore: numberAt(metadata, 'tokensBefore') }),
	};
}

/** The entry that a message of the sidecar repeats; parts of a message have names made from its own. */
function entryOf(message: JsonObject, known: ReadonlySet<EntryId>): EntryId | undefined {
	const id = stringAt(message, 'id') ?? '';
	return [id, id.replace(/_tool_.*$/s, ''), id.replace(/_part_\d+$/, '')].find((name) => known.has(name));
}

function summaryOf(message: JsonObject): string {
	const own = stringAt(objectAt(message, 'metadata') ?? {}, 'summary');
	if (own !== undefined) return own;
	const { content } = message;
	if (typeof content === 'string') return content;
	const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
	return blocks.flatMap((block) => (isObject(block) ? [stringAt(block, 'text') ?? ''] : [])).join('\n');
}

/** The entries with the compaction behind the entry `last`, whose children follow it. */
function withCut({ entries, leaf }: EntriesWithLeaf, cut: CompactionEntry, last: EntryId): EntriesWithLeaf {
	const made = entries.flatMap((entry) => {
		if (entry.id === last) return [entry, cut];
		return entry.parent === last ? [{ ...entry, parent: cut.id } as Entry] : [entry];
	});
	return { entries: made, leaf: leaf === last ? cut.id : leaf };
}
