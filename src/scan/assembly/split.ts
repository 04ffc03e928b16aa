// A document as lines, as AssemblyScript: must do what ../split.ts does.

import {
	BACKSLASH,
	CLOSE_BRACE,
	CLOSE_BRACKET,
	COLON,
	NEWLINE,
	ODD_BITS,
	OPEN_BRACE,
	OPEN_BRACKET,
	QUOTE,
	SPACE,
	bits,
	equal,
	parity,
} from './blocks';

const HEAD: u32 = 0;
const BETWEEN: u32 = 1;
const ELEMENT: u32 = 2;
const STRING: u32 = 3;
const TAIL: u32 = 4;

let state: u32 = HEAD;
let depth: u32 = 0;
let arrayDepth: u32 = 0;
let ended: bool = false;
/** Set while the bytes before ended inside a string: all bits. */
let within: u64 = 0;
/** 1 when the byte before was a backslash that takes away the meaning of the next. */
let escape: u64 = 0;
let documentKey: usize = 0;
let documentKeyEnd: usize = 0;
let windowStart: usize = 0;

/** A new document begins. Its key is JSON, and empty where only an array that is the document itself counts. */
export function document(key: usize, keyEnd: usize, window: usize): void {
	documentKey = key;
	documentKeyEnd = keyEnd;
	windowStart = window;
	state = HEAD;
	depth = 0;
	ended = false;
	within = 0;
	escape = 0;
}

/** [from, to) are the next bytes of the document. */
export function split(from: usize, to: usize): void {
	let p = from;
	while (p < to) p = state == BETWEEN || state == STRING ? between(p, to) : blocks(p, to);
}

function between(from: usize, to: usize): usize {
	let p = from;
	while (p < to) {
		const byte: u32 = load<u8>(p);
		if (state == STRING) {
			if (escape != 0) escape = 0;
			else if (byte == BACKSLASH) escape = 1;
			else if (byte == QUOTE) state = BETWEEN;
			store<u8>(p, <u8>SPACE);
			p++;
			continue;
		}
		const first = ended;
		ended = false;
		if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
			depth++;
			state = ELEMENT;
			return p + 1;
		}
		if (byte == CLOSE_BRACKET) {
			state = TAIL;
			store<u8>(p, <u8>NEWLINE);
			return p + 1;
		}
		if (byte == QUOTE) state = STRING;
		store<u8>(p, <u8>(first ? NEWLINE : SPACE));
		p++;
	}
	return p;
}

/** Outside of strings only brackets matter. Takes 64 bytes at a time, as `container` does. */
function blocks(from: usize, to: usize): usize {
	let p = from;
	while (p < to) {
		const count: u64 = <u64>min<usize>(64, to - p);
		const valid: u64 = count == 64 ? ~(<u64>0) : (<u64>1 << count) - 1;
		const a = v128.load(p, 0);
		const b = v128.load(p, 16);
		const c = v128.load(p, 32);
		const d = v128.load(p, 48);
		let newlines = equal(a, b, c, d, NEWLINE) & valid;
		while (newlines != 0) {
			store<u8>(p + <usize>ctz(newlines), <u8>SPACE);
			newlines &= newlines - 1;
		}
		if (state == TAIL) {
			p += <usize>count;
			continue;
		}
		const slashes = equal(a, b, c, d, BACKSLASH) & valid;
		let skipped: u64 = escape;
		if (slashes != 0) {
			const starts = slashes & ~escape;
			const series = (((starts << 1) | ODD_BITS) - starts) ^ ODD_BITS;
			skipped = series ^ (slashes | escape);
			escape = count == 64 ? (series & slashes) >> 63 : (skipped >> count) & 1;
		} else escape = 0;
		const quotes = equal(a, b, c, d, QUOTE) & valid & ~skipped;
		if (within != 0 && quotes == 0) {
			p += <usize>count;
			continue;
		}
		const strings = parity(quotes) ^ within;
		const bracket = i8x16.splat(0x20);
		const e = v128.or(a, bracket);
		const f = v128.or(b, bracket);
		const g = v128.or(c, bracket);
		const h = v128.or(d, bracket);
		let events = (equal(e, f, g, h, OPEN_BRACE) | equal(e, f, g, h, CLOSE_BRACE)) & valid & ~strings;
		while (events != 0) {
			const at = p + <usize>ctz(events);
			if (isTurn(at)) {
				within = 0;
				escape = 0;
				return at + 1;
			}
			events &= events - 1;
		}
		within = <u64>(-(<i64>((strings >> (count - 1)) & 1)));
		p += <usize>count;
	}
	return p;
}

/** Counts the bracket. True when what follows is between elements. */
function isTurn(at: usize): bool {
	const byte: u32 = load<u8>(at);
	if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
		depth++;
		if (state != HEAD || byte != OPEN_BRACKET || !isArray(at)) return false;
		store<u8>(at, <u8>NEWLINE);
		arrayDepth = depth;
		state = BETWEEN;
		return true;
	}
	if (depth > 0) depth--;
	if (state != ELEMENT || depth > arrayDepth) return false;
	state = BETWEEN;
	ended = true;
	return true;
}

/** The bracket has been counted already. */
function isArray(at: usize): bool {
	if (depth != 2) return depth == 1;
	const length = documentKeyEnd - documentKey;
	if (length == 0) return false;
	let end = before(at);
	if (end <= windowStart || <u32>load<u8>(end - 1) != COLON) return false;
	end = before(end - 1);
	if (end < windowStart + length + 1) return false;
	const start = end - length;
	if (<u32>load<u8>(start - 1) == BACKSLASH) return false;
	for (let i: usize = 0; i < length; i++) {
		if (load<u8>(start + i) != load<u8>(documentKey + i)) return false;
	}
	return true;
}

function before(at: usize): usize {
	let end = at;
	while (end > windowStart && <u32>load<u8>(end - 1) <= SPACE) end--;
	return end;
}
