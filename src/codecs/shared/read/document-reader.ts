/** Reads one JSON document as records: what is around its messages, and each message by itself. */
import { type ArraySpans, arraySpans, isTorn, skipSpace } from './json-spans.ts';
import type { Flaw, Line } from './line.ts';
import { noFlaws } from './line.ts';
import { type RecordReader, startPosition } from './line-reader.ts';
import { type Parsed, parseRecord } from './parse.ts';

/**
 * Clients replace a document as a whole, so reading always starts at its first byte. The records are, in order: the
 * head up to the first message, each message, the separators between them, and the tail. A torn document still yields
 * every message before the tear.
 */
export function documentReader(key: string): RecordReader {
	let held: Buffer<ArrayBuffer> = nothing;
	let length = 0;
	return {
		push(chunk) {
			// A copy: the caller may reuse the memory of the bytes for the next read.
			const end = length + chunk.length;
			if (end > held.length) held = enlarged(held, length, end);
			held.set(chunk, length);
			length = end;
		},
		end(visit) {
			if (length > 0) visitDocument(held.subarray(0, length), key, visit);
		},
		position: () => startPosition,
	};
}

const nothing = Buffer.alloc(0);

function enlarged(held: Buffer<ArrayBuffer>, length: number, needed: number): Buffer<ArrayBuffer> {
	const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * length));
	larger.set(held.subarray(0, length));
	return larger;
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
	// Where nothing is left of the torn record, the head carries the flaw.
	if (!spans.closed && last === bytes.length) header.push('torn');
	const headerFlaws = header.length === 0 ? noFlaws : header;
	visit({ ...place(0, first), part: 'header', ...around.header, flaws: headerFlaws });

	let at = first;
	for (const span of spans.elements) {
		const separated = at === first || isSeparator(bytes, at, span.at);
		if (span.at > at) visit(betweenOf(place(at, span.at), separated));
		const placed = place(span.at, span.end, span.breaks);
		const parsed = parseRecord(placed.bytes, false);
		const flaws: readonly Flaw[] = separated || span.at > at ? parsed.flaws : [...parsed.flaws, 'not-json'];
		visit(itemOf(placed, parsed, flaws));
		at = span.end;
	}
	if (at >= bytes.length) return;
	const tail = tailFlaw(bytes, spans, at) ?? around.tail;
	if (tail === undefined) visit({ ...place(at, bytes.length), part: 'gap', flaws: noFlaws });
	else visit({ ...place(at, bytes.length), part: 'item', flaws: [tail] });
}

const notJson: readonly Flaw[] = ['not-json'];

/** The record between two messages. Its fields are written out for speed, since every message passes here. */
function betweenOf({ index, at, line, length, bytes }: Placed, separated: boolean): Line {
	if (separated) return { index, at, line, length, bytes, part: 'gap', flaws: noFlaws };
	return { index, at, line, length, bytes, part: 'item', flaws: notJson };
}

function itemOf({ index, at, line, length, bytes }: Placed, { value, other }: Parsed, flaws: readonly Flaw[]): Line {
	const part = 'item';
	if (value) return { index, at, line, length, bytes, part, value, flaws };
	if (other === undefined) return { index, at, line, length, bytes, part, flaws };
	return { index, at, line, length, bytes, part, other, flaws };
}

/**
 * The header's fields are before and after the messages; together they must be one JSON value. When they are not, the
 * faulty part is found, so that the fields of the other can still be read.
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

/** True where the bytes are one comma with space around it. */
function isSeparator(bytes: Uint8Array, at: number, end: number): boolean {
	const comma = skipSpace(bytes, at);
	return comma < end && bytes[comma] === 0x2c && isSpace(bytes, at, comma) && isSpace(bytes, comma + 1, end);
}

type Placed = Omit<Line, 'part' | 'flaws'>;
type Placer = (at: number, end: number, breaks?: number) => Placed;

/** Numbers records and counts lines; spans must follow each other without a gap. `breaks`: newlines, if known. */
function placer(bytes: Uint8Array): Placer {
	let index = 0;
	let line = 1;
	return (at, end, breaks) => {
		const part = bytes.subarray(at, end);
		const place = { index, at, line, length: end - at, bytes: part };
		index += 1;
		line += breaks ?? breaksIn(part);
		return place;
	};
}

function breaksIn(bytes: Uint8Array): number {
	let count = 0;
	for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
	return count;
}
