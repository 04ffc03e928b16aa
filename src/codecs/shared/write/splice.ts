/** Replaces the values of some fields of a JSON object and keeps every other byte. */
import type { Json, Source } from '../../../model/index.ts';
import { fieldSpan } from '../read/json-spans.ts';

/** The object with these values; a field that is absent is not added. */
export function spliceFields(bytes: Uint8Array, fields: { readonly [name: string]: Json }): Uint8Array {
	const found = Object.entries(fields).flatMap(([name, value]) => {
		const span = fieldSpan(bytes, name);
		return span ? [{ ...span, text: Buffer.from(JSON.stringify(value)) }] : [];
	});
	if (found.length === 0) return bytes;
	const out: Uint8Array[] = [];
	let at = 0;
	for (const { at: start, end, text } of found.sort((a, b) => a.at - b.at)) {
		out.push(bytes.subarray(at, start), text);
		at = end;
	}
	return Buffer.concat([...out, bytes.subarray(at)]);
}

const newline = 0x0a;

/** The line with a newline at its end, which a line before another needs. */
export function endedLine(bytes: Uint8Array): Uint8Array {
	return bytes.at(-1) === newline ? bytes : Buffer.concat([bytes, Buffer.from('\n')]);
}

/** The newline to write first behind a torn last line; empty where the file ends with one. */
export function missingNewline(source: Source): string {
	return source.size > 0 && source.read(source.size - 1, 1)[0] !== newline ? '\n' : '';
}
