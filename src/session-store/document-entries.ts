/** What a store holds beside lines of JSON: the states of a document and damaged lines, which go back to bytes, and notes of its own. */
import { isUtf8 } from 'node:buffer';
import { isObject, parsedJson } from '../model/index.ts';
import type { SessionStoreEntry } from './contract.ts';
import { lineFrom } from './exact-store.ts';

/** Entries with these types are ours; clients pass over types that they do not know. */
const documentType = 'reprise-document';
const damagedType = 'reprise-line';
/** A title and a tag that were given in the store, for a format whose lines say that otherwise. */
const noteTypes: ReadonlySet<unknown> = new Set(['reprise-custom-title', 'reprise-tag']);
/** Lines that would not come back as they were, did a file have them. */
const taken = /^\{"type":"(?:reprise-|agent_metadata")/;

/** The entry as a note of the store's own: clients and `transcriptBytes` pass over it. */
export function noteOf(entry: SessionStoreEntry): SessionStoreEntry {
	return { ...entry, type: `reprise-${entry.type}` };
}

/** A line of a transcript as an entry's text: the line itself, or for one that is no JSON object, one that holds its bytes. */
export function lineText(bytes: Uint8Array): string {
	if (isUtf8(bytes)) {
		const text = Buffer.from(bytes).toString('utf8');
		if (lineFrom(text) !== undefined && !text.includes('\0') && !taken.test(text)) return text;
	}
	return JSON.stringify({ type: damagedType, ...bytesField(bytes) });
}

/**
 * The next state of a document as an entry's text: how many bytes at its beginning and end are as they were, and what stands
 * between. Undefined where nothing has changed.
 */
export function documentText(before: Uint8Array, after: Uint8Array): string | undefined {
	const most = Math.min(before.length, after.length);
	let start = 0;
	while (start < most && before[start] === after[start]) start += 1;
	if (start === before.length && start === after.length) return undefined;
	let end = 0;
	while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
	return JSON.stringify({
		type: documentType,
		kept: [start, end],
		...bytesField(after.subarray(start, after.length - end)),
	});
}

/** The bytes of a transcript whose entries these are: the last state of a document, or the lines. Notes of the store are no part of them. */
export function transcriptBytes(lines: readonly string[]): Uint8Array {
	let document: Buffer | undefined;
	const pieces: Buffer[] = [];
	for (const line of lines) {
		// What is noted beside a sub-agent's file is no part of it.
		if (line.startsWith('{"type":"agent_metadata"')) continue;
		const value = line.startsWith('{"type":"reprise-') ? parsedJson(line) : undefined;
		if (!isObject(value)) pieces.push(Buffer.from(`${line}\n`));
		else if (noteTypes.has(value.type)) continue;
		else if (value.type === damagedType) pieces.push(bytesOf(value), Buffer.from('\n'));
		else if (value.type === documentType && Array.isArray(value.kept)) {
			const [start, end] = value.kept.map(Number);
			const old: Buffer = document ?? Buffer.alloc(0);
			document = Buffer.concat([old.subarray(0, start), bytesOf(value), old.subarray(old.length - (end ?? 0))]);
		} else pieces.push(Buffer.from(`${line}\n`));
	}
	return document ?? Buffer.concat(pieces);
}

function bytesField(bytes: Uint8Array): { readonly text: string } | { readonly base64: string } {
	const buffer = Buffer.from(bytes);
	return isUtf8(bytes) ? { text: buffer.toString('utf8') } : { base64: buffer.toString('base64') };
}

function bytesOf({ text, base64 }: { readonly [field: string]: unknown }): Buffer {
	if (typeof text === 'string') return Buffer.from(text);
	return Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64');
}
