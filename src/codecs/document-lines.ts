/** A flawless JSON document as lines, one for each of its messages, for what reads lines only. */
import { aroundMessages, isSeparator, isSpace } from './document-reader.ts';
import { arraySpans, type Span } from './json-spans.ts';
import type { Line } from './line.ts';

const newline = 0x0a;
const space = 0x20;

/**
 * Makes lines of the bytes where they are: every message keeps its place and its bytes, but for newlines between its parts,
 * which become spaces as all that stands around the messages does. Visits the header, and returns where the last line ends.
 * Undefined where the document has any flaw, or no messages: then nothing holds that was visited.
 */
export function documentLines(bytes: Uint8Array, key: string, visit: (header: Line) => void): number | undefined {
	const spans = arraySpans(bytes, key);
	const first = spans?.elements[0];
	const last = spans?.elements.at(-1);
	if (!spans?.closed || !first || !last) return undefined;
	const { header, tail } = aroundMessages(bytes, spans);
	const isSound = tail === undefined && header.flaws.length === 0;
	if (!isSound || !isSpace(bytes, spans.open, first.at) || !isSpace(bytes, last.end, spans.close)) return undefined;
	const length = first.at;
	visit({ index: 0, at: 0, line: 1, length, bytes: bytes.subarray(0, length), part: 'header', ...header });
	let at = 0;
	for (const span of spans.elements) {
		if (span.torn > 0 || (span !== first && !isSeparator(bytes, at, span.at))) return undefined;
		bytes.fill(space, at, span.at);
		if (span !== first) bytes[at] = newline;
		if (span.breaks > 0) withoutBreaks(bytes, span);
		at = span.end;
	}
	bytes[at] = newline;
	return at + 1;
}

function withoutBreaks(bytes: Uint8Array, { at, end }: Span): void {
	for (let i = bytes.indexOf(newline, at); i !== -1 && i < end; i = bytes.indexOf(newline, i + 1)) bytes[i] = space;
}
