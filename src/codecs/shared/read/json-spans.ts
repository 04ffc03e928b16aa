/** Finds the elements of an array in a JSON document by byte position, in whole and in torn documents. */

export interface Span {
	readonly at: number;
	readonly end: number;
}

/** A field of an object or an element of an array, with its value. */
export interface Member extends Span {
	/** The name of a field, or the index of an element. */
	readonly key: string | number;
	/** Where the name or the element begins. */
	readonly from: number;
}

/** An element, with the number of newlines in it, also of those inside strings, where JSON allows none. */
export interface ElementSpan extends Span {
	readonly breaks: number;
}

export interface ArraySpans {
	/** The offset behind the `[`. */
	readonly open: number;
	/** The offset of the `]`, or the end of the bytes when it is missing. */
	readonly close: number;
	readonly closed: boolean;
	/** True when the array is the document itself. */
	readonly bare: boolean;
	/** True when the search stopped at a byte with which no value starts. */
	readonly stopped: boolean;
	readonly elements: readonly ElementSpan[];
}

const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/** The array under `key` of the top-level object, or the top-level array. Of equal keys the last one counts. */
export function arraySpans(bytes: Uint8Array, key: string): ArraySpans | undefined {
	const start = skipSpace(bytes, startOf(bytes));
	if (bytes[start] === openBracket) return elementsOf(bytes, start, true);
	let found: ArraySpans | undefined;
	eachField(bytes, (name, at) => {
		if (name !== key) return undefined;
		found = bytes[at] === openBracket ? elementsOf(bytes, at, false) : undefined;
		if (!found) return undefined;
		return found.closed ? found.close + 1 : bytes.length;
	});
	return found;
}

/** The span of the value under `key` of the top-level object; undefined when it is absent or torn. */
export function fieldSpan(bytes: Uint8Array, key: string): Span | undefined {
	let found: Span | undefined;
	eachField(bytes, (name, at) => {
		const end = valueEnd(bytes, at);
		if (name === key) found = end === undefined ? undefined : { at, end };
		return end;
	});
	return found;
}

/** True when the document ends before its outermost object or array does. */
export function isTorn(bytes: Uint8Array): boolean {
	const at = skipSpace(bytes, startOf(bytes));
	const first = bytes[at];
	return (first === openBrace || first === openBracket) && valueEnd(bytes, at) === undefined;
}

/** Visits the fields of the top-level object as far as they can be read. `visit` may return where the value ends. */
function eachField(bytes: Uint8Array, visit: (name: string | undefined, at: number) => number | undefined): void {
	let at = skipSpace(bytes, startOf(bytes));
	if (bytes[at] !== openBrace) return;
	at += 1;
	while (at < bytes.length) {
		at = skipSpace(bytes, at);
		if (bytes[at] === comma) {
			at += 1;
			continue;
		}
		if (bytes[at] !== quote) return;
		const nameEnd = stringEnd(bytes, at);
		if (nameEnd === undefined) return;
		const name = decodeString(bytes.subarray(at, nameEnd));
		at = skipSpace(bytes, nameEnd);
		if (bytes[at] !== colon) return;
		at = skipSpace(bytes, at + 1);
		const end = visit(name, at) ?? valueEnd(bytes, at);
		if (end !== undefined) at = end;
		else if (bytes[at] !== comma) return; // a missing value hides nothing behind it
	}
}

/** The fields or elements of the container at `open`, repeated fields included. Only for valid JSON. */
export function membersOf(bytes: Uint8Array, open: number): readonly Member[] {
	const isObject = bytes[open] === openBrace;
	if (!isObject && bytes[open] !== openBracket) return [];
	const members: Member[] = [];
	let at = skipSpace(bytes, open + 1);
	while (at < bytes.length && bytes[at] !== closeBrace && bytes[at] !== closeBracket) {
		const from = at;
		let key: string | number = members.length;
		if (isObject) {
			const nameEnd = stringEnd(bytes, at) ?? bytes.length;
			key = decodeString(bytes.subarray(at, nameEnd)) ?? '';
			at = skipSpace(bytes, skipSpace(bytes, nameEnd) + 1);
		}
		const end = valueEnd(bytes, at);
		if (end === undefined) return members;
		members.push({ key, from, at, end });
		at = skipSpace(bytes, end);
		if (bytes[at] === comma) at = skipSpace(bytes, at + 1);
	}
	return members;
}

/** The offset behind a byte order mark, if there is one. */
export function startOf(bytes: Uint8Array): number {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function elementsOf(bytes: Uint8Array, bracket: number, bare: boolean): ArraySpans {
	const elements: ElementSpan[] = [];
	const breaks = new Breaks(bytes);
	const open = bracket + 1;
	let at = open;
	let stopped = false;
	while (at < bytes.length) {
		at = skipSpace(bytes, at);
		if (at === bytes.length) break;
		const byte = bytes[at];
		if (byte === closeBracket) return { open, close: at, closed: true, bare, stopped, elements };
		if (byte === comma) {
			at += 1;
			continue;
		}
		breaks.count = 0;
		const end = valueEnd(bytes, at, breaks);
		if (end === undefined) {
			stopped = byte === closeBrace;
			break;
		}
		elements.push({ at, end, breaks: breaks.count });
		at = end;
	}
	return { open, close: bytes.length, closed: false, bare, stopped, elements };
}

/** Counts newlines while values are skipped: a separate search would cost as much as everything else. */
class Breaks {
	count = 0;
	readonly #bytes: Uint8Array;
	/** The next newline from the position of the last search on. */
	#next = -1;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	/** Counts the newlines in a part of a string that was skipped. */
	skipped(at: number, end: number): void {
		if (this.#next < at) this.#next = this.#from(at);
		for (; this.#next < end; this.#next = this.#from(this.#next + 1)) this.count += 1;
	}

	#from(at: number): number {
		const found = this.#bytes.indexOf(newline, at);
		return found === -1 ? Number.POSITIVE_INFINITY : found;
	}
}

/** The end of the value that starts at `at`; undefined when the bytes end first or no value starts there. */
export function valueEnd(bytes: Uint8Array, at: number, breaks?: Breaks): number | undefined {
	if (at >= bytes.length) return undefined;
	const first = bytes[at];
	if (first === quote) return stringEnd(bytes, at, breaks);
	if (first === openBrace || first === openBracket) return containerEnd(bytes, at, breaks);
	let end = at;
	while (end < bytes.length && !endsScalar(bytes[end] as number)) end += 1;
	return end > at && end < bytes.length ? end : undefined;
}

function containerEnd(bytes: Uint8Array, at: number, breaks: Breaks | undefined): number | undefined {
	let depth = 0;
	let i = at;
	while (i < bytes.length) {
		const byte = bytes[i];
		if (byte === quote) {
			const end = stringEnd(bytes, i, breaks);
			if (end === undefined) return undefined;
			i = end;
			continue;
		}
		if (byte === openBrace || byte === openBracket) depth += 1;
		else if (byte === closeBrace || byte === closeBracket) {
			depth -= 1;
			if (depth === 0) return i + 1;
		} else if (byte === newline && breaks) breaks.count += 1;
		i += 1;
	}
	return undefined;
}

/** Up to this length checking each byte is faster than a search; most strings are keys and names. */
const shortString = 32;

/** The offset behind the closing quote; undefined when it is missing. */
export function stringEnd(bytes: Uint8Array, at: number, breaks?: Breaks): number | undefined {
	let start = at + 1;
	for (const stop = Math.min(bytes.length, at + shortString); start < stop; start += 1) {
		if (bytes[start] === quote) return start + 1;
		if (bytes[start] === backslash) start += 1;
		if (bytes[start] === newline && breaks) breaks.count += 1;
	}
	for (let i = bytes.indexOf(quote, start); i !== -1; i = bytes.indexOf(quote, i + 1)) {
		let slashes = 0;
		for (let j = i - 1; j >= start && bytes[j] === backslash; j -= 1) slashes += 1;
		if (slashes % 2 === 1) continue;
		breaks?.skipped(start, i);
		return i + 1;
	}
	return undefined;
}

function endsScalar(byte: number): boolean {
	return byte === comma || byte === closeBrace || byte === closeBracket || byte <= 0x20;
}

export function skipSpace(bytes: Uint8Array, at: number): number {
	let i = at;
	while (i < bytes.length && (bytes[i] as number) <= 0x20) i += 1;
	return i;
}

function decodeString(bytes: Uint8Array): string | undefined {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
	if (!text.includes('\\')) return text.slice(1, -1);
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'string' ? value : undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}
