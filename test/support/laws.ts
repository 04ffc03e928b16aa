/** The laws of DESIGN as checks that throw: used by each codec's own tests and over the whole corpus. */
import { expect } from 'vitest';
import type { Codec } from '../../src/codecs/codec.ts';
import { checkBytes, issuesIn } from '../../src/codecs/shared/check/check.ts';
import { decodeBytes, readSession, sessionBuilder } from '../../src/codecs/shared/read/read.ts';
import {
	type Entry,
	type Header,
	joinRecords,
	memorySource,
	type Profile,
	type Session,
} from '../../src/model/index.ts';
import type { MadeSession } from './arbitrary.ts';

/** Law 1: read then write gives the same bytes, for any bytes. Law 4: reading never throws on content. */
export function readThenWriteGivesTheSameBytes(codec: Codec, bytes: Uint8Array): Session {
	const session = decodeBytes(codec, bytes);
	expect(writtenAgain(codec, session).equals(Buffer.from(bytes))).toBe(true);
	for (const entry of session.entries) {
		for (const index of entry.records) expect(session.records[index]?.index).toBe(index);
	}
	return session;
}

/** The file as its writer leaves it when there is nothing to add. */
function writtenAgain(codec: Codec, session: Session): Buffer {
	const { id, header, dialect } = session;
	const records = Buffer.from(joinRecords(session.source, session.records));
	if (codec.profiles.readOnly?.includes(dialect)) return records;
	const made = codec.write.encode({ profile: 'client', id, header, entries: [], after: session }).bytes;
	// Lines are added to what is there; a document is written anew around its records.
	return codec.capabilities.container === 'lines' ? Buffer.concat([records, made]) : Buffer.from(made);
}

/** Law 4 for validation, and every issue has a rule of its codec and a position inside the file. */
export function checkNeverThrows(codec: Codec, bytes: Uint8Array): void {
	const rules = new Set(codec.check.rules.map((rule) => rule.id));
	for (const issue of checkBytes(codec, bytes)) {
		expect(rules.has(issue.rule)).toBe(true);
		expect(issue.offset).toBeLessThanOrEqual(bytes.length);
	}
}

/** Law 3: reading in pieces, stopping and going on from a stored state, equals reading once. */
export function piecesEqualTheWhole(codec: Codec, bytes: Uint8Array, cuts: readonly number[]): void {
	const once = decodeBytes(codec, bytes);
	const source = memorySource(bytes);
	const chunked = sessionBuilder(codec, source, '');
	const reading = readSession(codec);
	let at = 0;
	for (const cut of [...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length]) {
		chunked.add(reading.push(bytes.slice(at, cut)));
		at = cut;
	}
	chunked.add(reading.end());
	sameSession(chunked.build(reading.issues()), once);

	const resumed = sessionBuilder(codec, source, '');
	const middle = cuts[0] === undefined ? 0 : Math.min(cuts[0], bytes.length);
	const first = readSession(codec);
	resumed.add(first.push(bytes.slice(0, middle)));
	const state = JSON.parse(JSON.stringify(first.state())) as ReturnType<typeof first.state>;
	const second = readSession(codec, state);
	resumed.add(second.push(bytes.slice(state.position.at)));
	resumed.add(second.end());
	sameSession(resumed.build([]), { ...once, issues: [] });
}

function sameSession(a: Session, b: Session): void {
	expect(a.records).toEqual(b.records);
	expect(a.entries).toEqual(b.entries);
	expect(a.header).toEqual(b.header);
	expect(a.issues).toEqual(b.issues);
}

/** Law 7: validation accepts what encoding writes, in that profile, without a warning. */
export function validateAcceptsWhatEncodeWrites(codec: Codec, made: MadeSession, profile: Profile): Session {
	const { bytes } = codec.write.encode({ profile, id: made.id, header: made.header, entries: made.entries });
	const wrong = issuesIn(profile, checkBytes(codec, bytes)).filter((issue) => issue.severity !== 'info');
	expect(wrong).toEqual([]);
	return decodeBytes(codec, bytes, made.id);
}

/** Law 2: appending only appends (line formats), and a document keeps every old message's bytes in order. */
export function appendingOnlyAppends(codec: Codec, made: MadeSession, profile: Profile, split: number): void {
	const head = made.entries.slice(0, split);
	const tail = made.entries.slice(split);
	const base = { profile, id: made.id, header: made.header };
	const before = codec.write.encode({ ...base, entries: head }).bytes;
	const held = decodeBytes(codec, before, made.id);
	const added = codec.write.encode({ ...base, entries: tail, after: held }).bytes;
	if (codec.capabilities.container === 'lines') {
		const after = decodeBytes(codec, Buffer.concat([before, added]), made.id);
		expect(after.entries.slice(0, held.entries.length)).toEqual(held.entries);
		return;
	}
	const after = decodeBytes(codec, added, made.id);
	const messages = (session: Session) =>
		session.records.filter((record) => record.type === 'user' || record.type === 'assistant');
	const bytesOf = (session: Session) =>
		messages(session).map((record) => Buffer.from(session.source.read(record.at, record.length)).toString('utf8'));
	expect(bytesOf(after).slice(0, messages(held).length)).toEqual(bytesOf(held));
}

/** The conversation in short: what any format must keep. Blocks of one response may be split or joined, so they are flat. */
export function conversationOf(entries: readonly Entry[]): readonly string[] {
	const flat: string[] = [];
	for (const entry of entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			if (block.type === 'text') flat.push(`${entry.role}: ${block.text}`);
			else if (block.type === 'tool_call') flat.push(`call ${block.id} ${block.name} ${sorted(block.input)}`);
			else if (block.type === 'tool_result')
				flat.push(
					`result ${block.call} ${block.isError} ${block.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('|')}`,
				);
			else flat.push(`${entry.role} ${block.type}`);
		}
	}
	return flat;
}

function sorted(value: unknown): string {
	return JSON.stringify(value, (_, inner: unknown) =>
		inner && typeof inner === 'object' && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}

export type { Header };
