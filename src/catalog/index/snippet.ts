/** Makes the snippets of search hits: which occurrence is shown, with how much text around it, and when a long record is not parsed for that. */
import { parsedJson } from '../../model/index.ts';
import { withoutMarks, wordPart } from './words.ts';

const around = 70;

/** What stands around each prompt in the summary of a compaction: nobody said it. */
const markup = /<\/?user_message>/g;
const longestMarkup = '</user_message>'.length;

/** A piece of the text around the first occurrence of one of the terms. */
export function snippetOf(text: string, terms: readonly string[]): string {
	const lower = withoutMarks(text).toLowerCase();
	let at = -1;
	for (const term of terms) {
		const found = findTerm(lower, withoutMarks(term));
		if (found !== -1 && (at === -1 || found < at)) at = found;
	}
	const start = at <= around ? 0 : wordStart(text, at - around);
	const end = Math.min(text.length, Math.max(at, 0) + around * 2);
	const from = Math.max(0, start - longestMarkup);
	const near = text.slice(from, end + longestMarkup).replace(markup, (found) => ' '.repeat(found.length));
	const piece = near
		.slice(start - from, end - from)
		.replace(/\s+/g, ' ')
		.trim();
	return `${start > 0 ? '…' : ''}${piece}${end < text.length ? '…' : ''}`;
}

/** The next beginning of a word, if it is near: half a word or half an escape code tells nothing. */
function wordStart(text: string, from: number): number {
	const space = text.slice(from, from + 20).search(/\s/);
	return space === -1 ? from : from + space + 1;
}

/** How many occurrences are tried: a term may occur only inside longer words. */
const mostTried = 100;

/** Where the term occurs: as a word, else at the start of one, else anywhere. Other signs may separate its words. */
function findTerm(lower: string, term: string): number {
	const plain = lower.indexOf(term);
	let begun = -1;
	for (let at = plain, left = mostTried; at !== -1 && left > 0; at = lower.indexOf(term, at + 1), left -= 1) {
		if (wordPart.test(lower[at - 1] ?? '')) continue;
		if (!wordPart.test(lower[at + term.length] ?? '')) return at;
		if (begun === -1) begun = at;
	}
	if (begun !== -1) return begun;
	const words = term.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
	if (words.length < 2) return plain;
	const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^\\p{L}\\p{N}\\p{Co}]+');
	const found = lower.search(new RegExp(`(?<![\\p{L}\\p{N}\\p{Co}])${pattern}`, 'u'));
	return found === -1 ? plain : found;
}

/** Shorter records are parsed as fast as they are searched. */
const longRecord = 1 << 14;
/** How many bytes on either side of an occurrence are looked at. */
const reach = 400;
const mostPlaces = 20;

/**
 * A snippet from a long record without parsing it: tool results have hundreds of kilobytes, twice. It is taken from
 * inside a JSON string that reads like a text and not like a name or a code. Undefined where there is none, and for
 * short records.
 */
export function quickSnippet(bytes: Uint8Array, terms: readonly string[]): string | undefined {
	if (bytes.length < longRecord) return undefined;
	// One character per byte, so that positions in the text are offsets of bytes.
	const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
	const lower = raw.toLowerCase();
	for (const term of terms) {
		const wanted = Buffer.from(term).toString('latin1');
		let at = lower.indexOf(wanted);
		for (let left = mostPlaces; at !== -1 && left > 0; left -= 1) {
			const piece = pieceAt(raw, at, at + wanted.length);
			const shown = piece && snippetOf(piece.text, terms);
			if (shown !== undefined)
				return `${piece?.cutBefore ? '…' : ''}${shown.replace(/^…/, '')}${shown.endsWith('…') ? '' : '…'}`;
			at = lower.indexOf(wanted, at + 1);
		}
	}
	return undefined;
}

/** The words around an offset within a JSON string. The piece ends at spaces, which are part of no escape. */
function pieceAt(
	raw: string,
	at: number,
	end: number,
): { readonly text: string; readonly cutBefore: boolean } | undefined {
	const opening = quoteBefore(raw, at);
	const closing = quoteBehind(raw, end);
	const from = opening ?? raw.indexOf(' ', at - reach) + 1;
	const to = closing ?? raw.lastIndexOf(' ', end + reach);
	if (from > at || to < end) return undefined;
	const piece = Buffer.from(raw.slice(from, to), 'latin1').toString();
	if (piece.split(' ').length < 4) return undefined;
	const text = parsedJson(`"${piece}"`);
	return typeof text === 'string' ? { text, cutBefore: opening === undefined } : undefined;
}

/** Where the string begins, if that is within reach. */
function quoteBefore(raw: string, at: number): number | undefined {
	for (
		let quote = raw.lastIndexOf('"', at - 1);
		quote !== -1 && quote > at - reach;
		quote = raw.lastIndexOf('"', quote - 1)
	) {
		if (!isEscaped(raw, quote)) return quote + 1;
	}
	return undefined;
}

/** Where the string ends, if that is within reach. */
function quoteBehind(raw: string, end: number): number | undefined {
	for (let quote = raw.indexOf('"', end); quote !== -1 && quote < end + reach; quote = raw.indexOf('"', quote + 1)) {
		if (!isEscaped(raw, quote)) return quote;
	}
	return undefined;
}

function isEscaped(raw: string, at: number): boolean {
	let slashes = 0;
	while (raw[at - 1 - slashes] === '\\') slashes += 1;
	return slashes % 2 === 1;
}
