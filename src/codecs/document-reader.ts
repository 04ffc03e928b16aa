/** Reads one JSON document as records: what stands around its messages, and each message by itself. */
import { type ArraySpans, arraySpans, isTorn } from './json-spans.ts';
import type { Flaw, Line } from './line.ts';
import { noFlaws } from './line.ts';
import { type RecordReader, startPosition } from './line-reader.ts';
import { parseRecord } from './parse.ts';

/**
 * A document is replaced as a whole by its client, so reading always starts at its first byte. Records are, in order: the
 * head up to the first message, each message, the separators between them, and the tail. A document that was cut off still
 * yields every message before the cut.
 */
export function documentReader(key: string): RecordReader {
	const chunks: Uint8Array[] = [];
	return {
		push(chunk) {
			// A copy: the caller may reuse the chunk's memory for the next read.
			chunks.push(Buffer.from(chunk));
		},
		end(visit) {
			const bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
			if (bytes.length > 0) visitDocument(bytes, key, visit);
		},
		position: () => startPosition,
	};
}

type Content = Pick<Line, 'value' | 'other' | 'flaws'>;

function visitDocument(bytes: Uint8Array, key: string, visit: (line: Line) => void): void {
	const place = placer(bytes);
	const spans = arraySpans(bytes, key);
	if (!spans) {
		visit({ ...place(0, bytes.length), part: 'header', ...soleValue(bytes) });
		return;
	}
	const last = spans.elements.at(-1)?.end ?? spans.open;
	const first = spans.elements[0]?.at ?? (spans.closed ? spans.close : spans.open);
	const around = aroundMessages(bytes, spans);
	const header = [...around.header.flaws];
	if (!isSpace(bytes, spans.open, first)) header.push('not-json');
	// Where nothing is left of the cut record, the head has to say that the document never ends.
	if (!spans.closed && last === bytes.length) header.push('torn');
	const headerFlaws = header.length === 0 ? noFlaws : header;
	visit({ ...place(0, first), part: 'header', ...around.header, flaws: headerFlaws });

	let at = first;
	spans.elements.forEach((span, index) => {
		const separated = index === 0 || isSeparator(bytes, at, span.at);
		if (span.at > at) {
			if (separated) visit({ ...place(at, span.at), part: 'gap', flaws: noFlaws });
			else visit({ ...place(at, span.at), part: 'item', flaws: ['not-json'] });
		}
		const { blank: _, ...parsed } = parseRecord(bytes.subarray(span.at, span.end), false);
		const flaws: readonly Flaw[] = separated || span.at > at ? parsed.flaws : [...parsed.flaws, 'not-json'];
		visit({ ...place(span.at, span.end), part: 'item', ...parsed, flaws });
		at = span.end;
	});
	if (at >= bytes.length) return;
	const tail = tailFlaw(bytes, spans, at) ?? around.tail;
	if (tail === undefined) visit({ ...place(at, bytes.length), part: 'gap', flaws: noFlaws });
	else visit({ ...place(at, bytes.length), part: 'item', flaws: [tail] });
}

/**
 * The header's fields stand before and after the messages; without them what is left must still be one JSON value. When
 * it is not, the part that is at fault is told apart from the other, whose fields can still be read.
 */
function aroundMessages(bytes: Uint8Array, spans: ArraySpans): { readonly header: Content; readonly tail?: Flaw } {
	const before = bytes.subarray(0, spans.open);
	if (spans.closed) {
		const whole = headerValue(Buffer.concat([before, bytes.subarray(spans.close)]), spans.bare);
		if (!whole.flaws.includes('not-json')) return { header: whole };
	}
	const head = headerValue(Buffer.concat([before, Buffer.from(spans.bare ? ']' : ']}')]), spans.bare);
	if (!spans.closed || head.flaws.includes('not-json')) return { header: head };
	return { header: head, tail: isTorn(bytes) ? 'torn' : 'not-json' };
}

function headerValue(around: Uint8Array, bare: boolean): Content {
	const { blank: _, ...parsed } = parseRecord(around, true);
	return bare ? { ...parsed, flaws: parsed.flaws.filter((flaw) => flaw !== 'not-object') } : parsed;
}

function tailFlaw(bytes: Uint8Array, spans: ArraySpans, at: number): Flaw | undefined {
	if (!spans.closed) return spans.stopped ? 'not-json' : 'torn';
	return isSpace(bytes, at, spans.close) ? undefined : 'not-json';
}

function soleValue(bytes: Uint8Array): Content {
	const { blank: _, ...parsed } = parseRecord(bytes, true);
	if (parsed.value !== undefined || parsed.other !== undefined || !isTorn(bytes)) return parsed;
	return { flaws: parsed.flaws.map((flaw): Flaw => (flaw === 'not-json' ? 'torn' : flaw)) };
}

function isSpace(bytes: Uint8Array, at: number, end: number): boolean {
	for (let i = at; i < end; i += 1) {
		const byte = bytes[i];
		if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false;
	}
	return true;
}

/** One comma, with space around it. */
function isSeparator(bytes: Uint8Array, at: number, end: number): boolean {
	const comma = bytes.indexOf(0x2c, at);
	return comma !== -1 && comma < end && isSpace(bytes, at, comma) && isSpace(bytes, comma + 1, end);
}

/** Numbers the records and counts lines as it goes; spans must come in order. */
function placer(bytes: Uint8Array): (at: number, end: number) => Omit<Line, 'part' | 'flaws'> {
	let index = 0;
	let line = 1;
	// Looked for once: a document of one line would be searched to its end for each of its records.
	let next = bytes.indexOf(10);
	return (at, end) => {
		for (; next !== -1 && next < at; next = bytes.indexOf(10, next + 1)) line += 1;
		const place = { index, at, line, length: end - at, bytes: bytes.subarray(at, end) };
		index += 1;
		return place;
	};
}
