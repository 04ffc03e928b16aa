/** Changes one field of a JSON object in its bytes: every other byte stays as it was. */
import type { Json } from '../model/index.ts';
import { fieldSpan } from './json-spans.ts';

/** The object with `key` set at the top level; undefined when the bytes are not an object. */
export function withField(bytes: Uint8Array, key: string, value: Json): Uint8Array | undefined {
	return withRawField(bytes, key, Buffer.from(JSON.stringify(value)));
}

/** The same one level deeper; the object in between is made when it is not there. */
export function withInnerField(bytes: Uint8Array, outer: string, key: string, value: Json): Uint8Array | undefined {
	const span = fieldSpan(bytes, outer);
	const inner = span && withField(bytes.subarray(span.at, span.end), key, value);
	return withRawField(bytes, outer, inner ?? Buffer.from(JSON.stringify({ [key]: value })));
}

function withRawField(bytes: Uint8Array, key: string, raw: Uint8Array): Uint8Array | undefined {
	const span = fieldSpan(bytes, key);
	if (span) return Buffer.concat([bytes.subarray(0, span.at), raw, bytes.subarray(span.end)]);
	const open = bytes.indexOf(openBrace);
	if (open === -1 || !blank(bytes, withoutMark(bytes), open)) return undefined;
	const rest = bytes.subarray(open + 1);
	const gap = rest.findIndex((byte) => byte > space);
	if (gap === -1) return undefined;
	// The new field is written as its neighbour is: on a line of its own, as deep, or on the same line.
	const before = Buffer.concat([rest.subarray(0, gap), Buffer.from(`${JSON.stringify(key)}: `)]);
	const after = rest[gap] === closeBrace ? rest : Buffer.concat([Buffer.from(','), rest]);
	return Buffer.concat([bytes.subarray(0, open + 1), before, raw, after]);
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
const space = 0x20;

function withoutMark(bytes: Uint8Array): number {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function blank(bytes: Uint8Array, from: number, to: number): boolean {
	return bytes.subarray(from, to).every((byte) => byte <= space);
}
