/** Parses bytes as JSON and returns what is wrong instead of throwing. */
import { isUtf8 } from 'node:buffer';
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { type Flaw, noFlaws } from './line.ts';

export interface Parsed {
	readonly value?: JsonObject;
	readonly other?: Json;
	readonly flaws: readonly Flaw[];
	readonly blank: boolean;
}

const blank: Parsed = { flaws: noFlaws, blank: true };

/** The text of bytes; undefined when it is too long for a string. Bytes that are not UTF-8 become U+FFFD. */
export function textOf(bytes: Uint8Array): string | undefined {
	const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		return buffer.toString('utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG') return undefined;
		throw error;
	}
}

/** Parses one record. `start` is true at the start of a file, where a byte order mark may be. */
export function parseRecord(bytes: Uint8Array, start: boolean): Parsed {
	const bom = start && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
	const text = textOf(bom ? bytes.subarray(3) : bytes);
	if (text === undefined) return { flaws: ['too-long'], blank: false };
	const value = parseJson(text);
	const broken = text.includes('�') && !isUtf8(bytes);
	if (!bom && !broken && isObject(value)) return { value, flaws: noFlaws, blank: false };
	const flaws: Flaw[] = bom ? ['bom'] : [];
	if (broken) flaws.push('not-utf8');
	if (value === undefined) {
		if (flaws.length === 0 && text.trim() === '') return blank;
		return { flaws: [...flaws, 'not-json'], blank: false };
	}
	if (isObject(value)) return { value, flaws, blank: false };
	return { other: value, flaws: [...flaws, 'not-object'], blank: false };
}

/** JSON.parse, but undefined for text that is not JSON. */
export function parseJson(text: string): Json | undefined {
	try {
		return JSON.parse(text) as Json;
	} catch (error) {
		if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
		throw error;
	}
}
