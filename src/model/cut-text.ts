/** Long texts that were left where they are: a session is known by its shape, and what it says is copied when it is written. */
import type { Json } from './json.ts';

/**
 * A cut text is its first characters, a mark, and then nothing: the mark says where the rest is. It begins with this sign and
 * eight random characters, so that no session can hold one; the number of the source, where the rest begins in it and how many
 * bytes it takes follow in hexadecimal digits. The control character in it shows how often the text has been put into JSON
 * since: `\u0001` in JSON, `\\u0001` in JSON inside of JSON. The tilde keeps its backslashes apart from those before.
 *
 * The rest is exactly what JSON.stringify would write for it, so that it can be copied from a line into another.
 */
export const cutSign = '~\u0001';
/** Random characters after the sign. */
export const nonceLength = 8;
const sourceDigits = 4;
const atDigits = 10;
const lengthDigits = 8;
/** What follows the random characters. */
export const placeLength = sourceDigits + atDigits + lengthDigits;

export interface CutPlace {
	/** The number of the source. */
	readonly source: number;
	readonly at: number;
	/** Bytes as they are in the source: inside of JSON. */
	readonly length: number;
}

/** What the mark of a source's cut texts begins with. */
export function cutMark(nonce: string, source: number): string {
	return cutSign + nonce + source.toString(16).padStart(sourceDigits, '0');
}

/** More sources than this cannot be told apart. */
export const mostCutSources = 1 << (4 * sourceDigits);

/** Reads the digits at `from`. */
export function cutPlace(text: string, from: number): CutPlace {
	const at = from + sourceDigits;
	const length = at + atDigits;
	return {
		source: hexAt(text, from, at),
		at: hexAt(text, at, length),
		length: hexAt(text, length, length + lengthDigits),
	};
}

/** Lower-case digits, as marks have them. To make a text of each number first would cost more than to read it. */
function hexAt(text: string, from: number, to: number): number {
	let value = 0;
	for (let at = from; at < to; at += 1) {
		const code = text.charCodeAt(at);
		value = value * 16 + (code < 0x3a ? code - 0x30 : code - 0x57);
	}
	return value;
}

/** The text that a cut one stands for; texts that are whole stay as they are. Of a longer one at least the first `most` characters. */
export type Whole = (text: string, most?: number) => string;

/** The value with every text in it whole. */
export function wholeValue(value: Json, whole: Whole): Json {
	if (typeof value === 'string') return whole(value);
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return (value as readonly Json[]).map((item) => wholeValue(item, whole));
	const made: { [key: string]: Json | undefined } = {};
	for (const [key, item] of Object.entries(value)) made[key] = item === undefined ? item : wholeValue(item, whole);
	return made;
}
