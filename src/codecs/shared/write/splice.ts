/** Other values for some fields of a JSON object, and every other byte as it was. */
import type { Json, Source } from '../../../model/index.ts';
import { fieldSpan } from '../read/json-spans.ts';

/** Fields that are absent stay absent. */
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

/** A line that ends, as every line before another must. */
export function endedLine(bytes: Uint8Array): Uint8Array {
	return bytes.at(-1) === newline ? bytes : Buffer.concat([bytes, Buffer.from('\n')]);
}

/** What a file whose last line was cut off is given before more is written behind it. */
export function missingNewline(source: Source): string {
	return source.size > 0 && source.read(source.size - 1, 1)[0] !== newline ? '\n' : '';
}
