/** Forks as Cline does: the messages under another id, and a manifest that names their source. */
import { type Json, type JsonObject, joinRecords, type Loss, objectAt } from '../../../model/index.ts';
import type { Encoded, Forked, ForkInput } from '../../codec.ts';
import { arraySpans, fieldSpan } from '../../shared/read/json-spans.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { spliceFields } from '../../shared/write/splice.ts';
import { compactionFits, parseCompaction } from '../read/compaction.ts';
import { jsonFile, stemOf } from './beside.ts';
import { encode } from './encode.ts';

export function fork(input: ForkInput): Forked {
	const losses: Loss[] = [];
	const { id: sessionId, time: updated_at } = input;
	const document = renamed(cutAfter(input), { sessionId, updated_at });
	const sidecar = sidecarOf(input, document, losses);
	// The contract has no side files.
	if (input.profile === 'published') return { pieces: [document], beside: [], losses };
	const beside = [
		{ path: `${stemOf(input.to, input.id)}.json`, bytes: jsonFile(manifestOf(input, sidecar !== undefined)) },
	];
	if (sidecar) beside.push(sidecar);
	return { pieces: [document], beside, losses };
}

/** The document up to the message that the fork ends with. */
function cutAfter({ session, at }: ForkInput): Uint8Array {
	const old = joinRecords(session.source, session.records);
	const spans = arraySpans(old, 'messages');
	const last = spans?.elements.at(-1)?.end;
	const first = spans?.elements[0]?.at;
	if (at === null && first !== undefined && last !== undefined)
		return Buffer.concat([old.subarray(0, first), old.subarray(last)]);
	const entry = session.entries.findLast((one) => one.id === at);
	const record = session.records[Math.max(-1, ...(entry?.records ?? []))];
	if (!record || last === undefined || record.at + record.length >= last) return old;
	return Buffer.concat([old.subarray(0, record.at + record.length), old.subarray(last)]);
}

/** The document of another session, with the names that it has there; those in its origin change too. */
export function renamed(
	document: Uint8Array,
	names: { readonly sessionId: string; readonly updated_at?: string },
	more: JsonObject = {},
): Uint8Array {
	const named = spliceFields(document, names);
	const origin = fieldSpan(named, 'origin');
	if (!origin) return named;
	const inner = spliceFields(named.subarray(origin.at, origin.end), { sessionId: names.sessionId, ...more });
	return Buffer.concat([named.subarray(0, origin.at), inner, named.subarray(origin.end)]);
}

function manifestOf(input: ForkInput, compacted: boolean): JsonObject {
	const { session, id, time, to } = input;
	const old = input.manifest && parseRecord(input.manifest, true).value;
	const base = old ?? madeManifest(input);
	const { compaction_path: _, ...rest } = base;
	const metadata = objectAt(base, 'metadata') ?? {};
	const fork = {
		forkedFromSessionId: session.id,
		forkedAt: time,
		source: base.source ?? 'cli',
		checkpoints: metadata.checkpoint,
	};
	return {
		...rest,
		session_id: id,
		pid: 0,
		started_at: time,
		// Cline marks a session as failed whose manifest says that it runs while its process is gone.
		ended_at: time,
		exit_code: 0,
		status: 'completed',
		metadata: { ...metadata, fork },
		messages_path: to,
		...(compacted ? { compaction_path: to.replace(/[^/\\]*$/, `${stemOf(input.to, input.id)}.compaction.json`) } : {}),
	};
}

/** A manifest as for a new session, where the messages have none. */
function madeManifest(input: ForkInput): JsonObject {
	const { session, id, to, time } = input;
	const { beside } = encode({
		profile: 'client',
		id,
		header: { ...session.header, created: time },
		path: to,
		entries: session.entries,
	});
	const made = beside.find((file) => file.path === `${stemOf(input.to, input.id)}.json`);
	return (made && parseRecord(made.bytes, true).value) ?? {};
}

/** The sidecar for the fork, if everything that it replaces was copied. */
function sidecarOf(input: ForkInput, document: Uint8Array, losses: Loss[]): Encoded['beside'][number] | undefined {
	const sidecar = input.compaction && parseCompaction(input.compaction);
	if (!input.compaction || !sidecar) return undefined;
	const messages: Json | undefined = parseRecord(document, true).value?.messages;
	if (Array.isArray(messages) && compactionFits(sidecar, messages)) {
		const bytes = spliceFields(input.compaction, {
			session_id: input.id,
			sessionId: input.id,
			conversation_id: input.id,
		});
		return { path: `${stemOf(input.to, input.id)}.compaction.json`, bytes };
	}
	const note = 'the summary stands for messages that are not in the fork: Cline sends what there is in full';
	losses.push({ entry: '', path: 'compaction', how: 'dropped', note });
	return undefined;
}
