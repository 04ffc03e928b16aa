/** Forks as pi does: a header that names the source file, the path with the same ids, its labels anew. */
import {
	type EntryId,
	history,
	type JsonObject,
	type LabelEntry,
	recordBytes,
	type Session,
	withoutCompactions,
} from '../../../model/index.ts';
import type { Forked, ForkInput } from '../../codec.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { endedLine, spliceFields } from '../../shared/write/splice.ts';

export function fork(input: ForkInput): Forked {
	return { pieces: lines(input), beside: [], losses: [] };
}

function* lines(input: ForkInput): Generator<Uint8Array> {
	const { session, at } = input;
	const links = input.uncompacted ? withoutCompactions(session) : undefined;
	const path = history(session, at).filter(({ id }) => !links?.dropped.has(id));
	const records = new Map(path.flatMap((entry) => entry.records.map((record) => [record, entry.id])));
	if (session.dialect !== 'bare') yield line(headerOf(input));
	for (const record of session.records) {
		const entry = records.get(record.index);
		if (entry === undefined) continue;
		const parentId = links?.parents.get(entry);
		const bytes = recordBytes(session.source, record);
		yield endedLine(parentId === undefined ? bytes : spliceFields(bytes, { parentId }));
	}
	const kept = new Set(path.map((entry) => entry.id));
	let parent = path.at(-1)?.id ?? at;
	for (const label of labelsOf(session, kept)) {
		const id = deriveHex(8, input.id, 'label', label.target);
		const { target: targetId, text } = label;
		yield line({ type: 'label', id, parentId: parent, timestamp: input.time, targetId, label: text });
		parent = id;
	}
}

function headerOf({ session, id, time, from }: ForkInput): JsonObject {
	const start = session.entries.find((entry) => entry.kind === 'start');
	// Rows of OpenClaw's database are lines of version 3.
	const version = start?.version === undefined ? undefined : Math.min(start.version, 3);
	return { type: 'session', version, id, timestamp: time, cwd: session.header.cwd, parentSession: from };
}

/** The labels of copied entries that are not copied themselves; the last one of each target counts. */
function labelsOf(session: Session, kept: ReadonlySet<EntryId>): readonly LabelEntry[] {
	if (session.dialect === 'v1' || session.dialect === 'bare') return [];
	const last = new Map<EntryId, LabelEntry>();
	for (const entry of session.entries) {
		if (entry.kind !== 'label' || !kept.has(entry.target)) continue;
		last.delete(entry.target);
		last.set(entry.target, entry);
	}
	return [...last.values()].filter((label) => label.text !== null && !kept.has(label.id));
}

function line(value: JsonObject): Uint8Array {
	return Buffer.from(`${JSON.stringify(value)}\n`);
}
