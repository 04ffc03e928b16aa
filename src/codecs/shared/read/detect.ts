/** Detects a file's format. The first record that a codec claims decides; claims never overlap. */
import type { Json } from '../../../model/index.ts';
import type { Codec } from '../../codec.ts';
import { arraySpans } from './json-spans.ts';
import { parseJson, parseRecord, textOf } from './parse.ts';

export interface Detected {
	readonly codec: Codec;
	readonly dialect: string;
}

export interface Probe {
	/** The first bytes of the file. */
	readonly head: Uint8Array;
	/** True when `head` is the whole file. */
	readonly complete: boolean;
}

/** `more`: the head ends before its first record does; a longer one is needed to tell. */
export function detect(codecs: readonly Codec[], probe: Probe): Detected | 'more' | undefined {
	let document: Detected | undefined;
	let asked = false;
	let some = false;
	for (const bytes of candidateLines(probe)) {
		some = true;
		const { value, other, blank } = parseRecord(bytes, bytes.byteOffset === probe.head.byteOffset);
		if (blank) continue;
		if (!asked && value === undefined && other === undefined) {
			// A document over several lines is tried first: one of its lines may look like another format's record.
			document = detectDocument(codecs, probe.head);
			asked = true;
			if (document) return document;
		}
		const found = claim(codecs, value ?? other);
		if (found) return found;
	}
	if (!asked) document = detectDocument(codecs, probe.head);
	if (document) return document;
	return !probe.complete && !some ? 'more' : undefined;
}

function claim(codecs: readonly Codec[], value: Json | undefined): Detected | undefined {
	if (value === undefined) return undefined;
	for (const codec of codecs) {
		const dialect = codec.read.claims(value);
		if (dialect !== undefined) return { codec, dialect };
	}
	return undefined;
}

function* candidateLines(probe: Probe): Generator<Uint8Array> {
	let start = 0;
	for (let end = probe.head.indexOf(10); end !== -1; end = probe.head.indexOf(10, start)) {
		yield probe.head.subarray(start, end + 1);
		start = end + 1;
	}
	if (probe.complete && start < probe.head.length) yield probe.head.subarray(start);
}

/**
 * Detects a document by its head alone: the known part (the fields around its messages, the first messages) becomes a
 * smaller document of the same shape.
 */
function detectDocument(codecs: readonly Codec[], head: Uint8Array): Detected | undefined {
	const spans = arraySpans(head, 'messages');
	if (!spans) return undefined;
	const some = spans.elements
		.slice(0, 4)
		.map((span) => textOf(head.subarray(span.at, span.end)) ?? '')
		.join(',');
	const before = (textOf(head.subarray(0, spans.open)) ?? '').replace(/^\uFEFF/, '');
	const end = spans.bare ? ']' : ']}';
	const whole = spans.closed ? parseJson(before + some + (textOf(head.subarray(spans.close)) ?? '')) : undefined;
	return claim(codecs, whole ?? parseJson(before + some + end) ?? parseJson(before + end));
}
