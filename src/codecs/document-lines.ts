/** A flawless JSON document as lines, one for each of its messages, for what reads lines only. */
import type { Source } from '../model/index.ts';
import { aroundMessages, isSeparator, isSpace } from './document-reader.ts';
import { arraySpans, type Span } from './json-spans.ts';
import type { Line } from './line.ts';

const newline = 0x0a;
const space = 0x20;

/**
 * Every message is in its place and has its own bytes, but for newlines between its parts, which are spaces, as is all that stands
 * around the messages. The header is visited. Undefined where the document has any flaw or no messages.
 */
export function documentLines(bytes: Uint8Array, key: string, visit: (header: Line) => void): Source | undefined {
	const spans = arraySpans(bytes, key);
	const first = spans?.elements[0];
	const last = spans?.elements.at(-1);
	if (!spans?.closed || !first || !last) return undefined;
	const { header, tail } = aroundMessages(bytes, spans);
	const isSound = tail === undefined && header.flaws.length === 0;
	if (!isSound || !isSpace(bytes, spans.open, first.at) || !isSpace(bytes, last.end, spans.close)) return undefined;
	let before: Span | undefined;
	for (const span of spans.elements) {
		if (span.torn > 0 || (before && !isSeparator(bytes, before.end, span.at))) return undefined;
		before = span;
	}
	const length = first.at;
	visit({ index: 0, at: 0, line: 1, length, bytes: bytes.subarray(0, length), part: 'header', ...header });
	return new Lines(bytes.subarray(0, last.end + 1), spans.elements);
}

class Lines implements Source {
	readonly size: number;
	readonly #bytes: Uint8Array;
	readonly #items: readonly Span[];
	/** The first item that does not begin before where the last reading ended. */
	#next = 0;
	#at = 0;

	constructor(bytes: Uint8Array, items: readonly Span[]) {
		this.size = bytes.length;
		this.#bytes = bytes;
		this.#items = items;
	}

	read(at: number, length: number): Uint8Array {
		const target = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - at)));
		this.readInto(at, target);
		return target;
	}

	readInto(at: number, target: Uint8Array): number {
		const from = this.#bytes.subarray(at, at + target.length);
		target.set(from);
		for (let i = target.indexOf(newline); i !== -1 && i < from.length; i = target.indexOf(newline, i + 1)) {
			target[i] = space;
		}
		this.#betweenItems(target, at, at + from.length);
		return from.length;
	}

	/** Blanks what stands between items, and ends each of them with a newline. */
	#betweenItems(target: Uint8Array, at: number, end: number): void {
		if (at < this.#at) this.#next = 0;
		this.#at = end;
		for (; this.#next <= this.#items.length; this.#next += 1) {
			const before = this.#items[this.#next - 1]?.end ?? 0;
			const after = this.#items[this.#next]?.at ?? this.size;
			if (before >= end) return;
			if (after > at) target.fill(space, Math.max(before, at) - at, Math.min(after, end) - at);
			if (before >= at && this.#next > 0) target[before - at] = newline;
			if (after >= end) return;
		}
	}
}
