// Makes JSON short as AssemblyScript: compiled to SIMD WebAssembly by scripts/build-scan.ts.
//
// Checks that a line is one JSON object, to the letter, and copies it without spaces, with a mark in place of every long
// string that is a value, and with nothing inside the objects and arrays at certain keys. Functions return the address behind what they read, or 0 where the line is not JSON or
// more than is worth copying. A newline stands behind the line: no string and no run of spaces goes past it.

const TAB: u32 = 0x09;
const RETURN: u32 = 0x0d;
const SPACE: u32 = 0x20;
const QUOTE: u32 = 0x22;
const PLUS: u32 = 0x2b;
const COMMA: u32 = 0x2c;
const MINUS: u32 = 0x2d;
const DOT: u32 = 0x2e;
const ZERO: u32 = 0x30;
const COLON: u32 = 0x3a;
const OPEN_BRACKET: u32 = 0x5b;
const BACKSLASH: u32 = 0x5c;
const CLOSE_BRACKET: u32 = 0x5d;
const LOWER_E: u32 = 0x65;
const LOWER_U: u32 = 0x75;
const OPEN_BRACE: u32 = 0x7b;
const CLOSE_BRACE: u32 = 0x7d;

const TRUE: u32 = 0x65757274;
const ALSE: u32 = 0x65736c61;
const NULL: u32 = 0x6c6c756e;

let stack: usize = 0;
let deepest: u32 = 0;
let mark: usize = 0;
let markLength: usize = 0;
let longest: usize = 0;
/** The keys that are emptied: each a byte of length and the key, one after the other. */
let keys: usize = 0;
let keysEnd: usize = 0;
/** Bit `length & 31` is set for the length of each of them: most keys are refused by this alone. */
let keyLengths: u32 = 0;
/** Where the copy may not go on. */
let limit: usize = 0;
let copied: usize = 0;
/** The key that was read last is emptied. */
let emptied: bool = false;
/** Inside something emptied: nothing is copied. */
let muted: bool = false;

/** `longestText` is at least `markSize`, so that the copy is never longer than the line. */
export function setup(stackAt: usize, stackSize: u32, markAt: usize, markSize: usize, longestText: usize): void {
	stack = stackAt;
	deepest = stackSize;
	mark = markAt;
	markLength = markSize;
	longest = longestText;
}

export function setKeys(from: usize, to: usize): void {
	keys = from;
	keysEnd = to;
	keyLengths = 0;
	for (let at = from; at < to; at += <usize>load<u8>(at) + 1) keyLengths |= 1 << (<u32>load<u8>(at) & 31);
}

function isEmptied(at: usize, length: u32): bool {
	if ((keyLengths & (1 << (length & 31))) == 0) return false;
	for (let known = keys; known < keysEnd; known += <usize>load<u8>(known) + 1) {
		if (<u32>load<u8>(known) != length) continue;
		let i: u32 = 0;
		while (i < length && load<u8>(known + 1 + i) == load<u8>(at + i)) i++;
		if (i == length) return true;
	}
	return false;
}

/** Copies the line [from, to) to [out, end), and returns the length of the copy. A newline stands at `to`. */
export function shorten(from: usize, to: usize, out: usize, end: usize): usize {
	copied = out;
	limit = end;
	emptied = false;
	muted = false;
	let p = spaces(from);
	if (<u32>load<u8>(p) != OPEN_BRACE) return 0;
	p = whole(p);
	if (p == 0 || spaces(p) != to || copied > limit) return 0;
	return copied - out;
}

/** The object at `at`, with everything in it. */
function whole(at: usize): usize {
	let depth: u32 = 0;
	/** Where what is muted ends. */
	let mutedFrom: u32 = 0;
	let p = at;
	while (true) {
		// A value begins at p.
		let byte: u32 = load<u8>(p);
		if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
			if (depth == deepest || copied >= limit) return 0;
			depth++;
			store<u8>(stack + depth, <u8>(byte + 2)); // the closing bracket of either kind
			put(byte);
			if (emptied && !muted) {
				muted = true;
				mutedFrom = depth;
			}
			emptied = false;
			p = spaces(p + 1);
			if (<u32>load<u8>(p) != byte + 2) {
				if (byte == OPEN_BRACE) p = key(p);
				if (p == 0) return 0;
				continue;
			}
		} else {
			emptied = false;
			p = byte == QUOTE ? text(p, true) : scalar(p);
			if (p == 0) return 0;
			p = spaces(p);
		}
		// What follows a value, or an opening bracket whose closing one comes at once.
		while (true) {
			byte = load<u8>(p);
			const close: u32 = load<u8>(stack + depth);
			if (byte == close) {
				if (mutedFrom == depth) {
					muted = false;
					mutedFrom = 0;
				}
				put(byte);
				p++;
				depth--;
				if (depth == 0) return p;
				p = spaces(p);
				continue;
			}
			if (byte != COMMA) return 0;
			put(byte);
			p = spaces(p + 1);
			if (close == CLOSE_BRACE) p = key(p);
			if (p == 0) return 0;
			break;
		}
	}
}

/** A key and its colon; returns where the value begins. */
function key(at: usize): usize {
	if (<u32>load<u8>(at) != QUOTE) return 0;
	let p = text(at, false);
	if (p == 0) return 0;
	emptied = isEmptied(at + 1, <u32>(p - at - 2));
	p = spaces(p);
	if (<u32>load<u8>(p) != COLON) return 0;
	put(COLON);
	return spaces(p + 1);
}

// @ts-ignore: decorator
@inline
function put(byte: u32): void {
	if (muted) return;
	store<u8>(copied, <u8>byte);
	copied++;
}

// @ts-ignore: decorator
@inline
function spaces(at: usize): usize {
	let p = at;
	while (true) {
		const byte: u32 = load<u8>(p);
		if (byte > SPACE || (byte != SPACE && byte != TAB && byte != RETURN)) return p;
		p++;
	}
}

/** The string whose opening quote is at `at`. */
function text(at: usize, cut: bool): usize {
	const end = stringEnd(at + 1);
	if (end == 0 || muted) return end;
	const length = end - at;
	if (cut && length - 2 > longest) {
		if (copied + markLength + 2 > limit) return 0;
		put(QUOTE);
		memory.copy(copied, mark, markLength);
		copied += markLength;
		put(QUOTE);
		return end;
	}
	if (copied + length > limit) return 0;
	memory.copy(copied, at, length);
	copied += length;
	return end;
}

/** Bytes that end a run inside a string: quote, backslash, control characters. */
// @ts-ignore: decorator
@inline
function stopsIn(at: usize): i32 {
	const v = v128.load(at);
	return i8x16.bitmask(
		v128.or(
			v128.or(i8x16.eq(v, i8x16.splat(<i8>QUOTE)), i8x16.eq(v, i8x16.splat(<i8>BACKSLASH))),
			i8x16.le_u(v, i8x16.splat(<i8>(SPACE - 1))),
		),
	);
}

/** Behind the closing quote. Most strings are short keys and values: the first sixteen bytes are looked at by themselves. */
function stringEnd(at: usize): usize {
	const stops = stopsIn(at);
	if (stops != 0) {
		const stop = at + <usize>ctz(stops);
		return <u32>load<u8>(stop) == QUOTE ? stop + 1 : longEnd(stop);
	}
	return longEnd(at + 16);
}

function longEnd(at: usize): usize {
	let p = at;
	while (true) {
		const block = p;
		const low: u64 = <u64>(<u32>(stopsIn(p) | (stopsIn(p + 16) << 16)));
		const high: u64 = <u64>(<u32>(stopsIn(p + 32) | (stopsIn(p + 48) << 16)));
		let stops = low | (high << 32);
		p += 64;
		while (stops != 0) {
			const stop = block + <usize>ctz(stops);
			const byte: u32 = load<u8>(stop);
			if (byte == QUOTE) return stop + 1;
			if (byte != BACKSLASH) return 0;
			const end = escapeEnd(stop);
			if (end == 0) return 0;
			if (end >= block + 64) {
				p = end;
				stops = 0;
			} else stops &= ~(<u64>0) << <u64>(end - block); // what the escape covers is looked at no more
		}
	}
	return 0;
}

/** Behind the escape whose backslash is at `at`. */
// @ts-ignore: decorator
@inline
function escapeEnd(at: usize): usize {
	const byte: u32 = load<u8>(at, 1);
	if (byte == LOWER_U) {
		for (let i: usize = 2; i < 6; i++) if (!isHex(load<u8>(at + i))) return 0;
		return at + 6;
	}
	return isEscape(byte) ? at + 2 : 0;
}

// @ts-ignore: decorator
@inline
function isHex(byte: u32): bool {
	return byte - ZERO < 10 || (byte | 0x20) - 0x61 < 6;
}

/** One of " \ / b f n r t. */
// @ts-ignore: decorator
@inline
function isEscape(byte: u32): bool {
	if (byte < 0x40) return byte == QUOTE || byte == 0x2f;
	const letters: u64 = (1 << 0x1c) | ((<u64>1) << 0x22) | ((<u64>1) << 0x26) | ((<u64>1) << 0x2e) | ((<u64>1) << 0x32) | ((<u64>1) << 0x34);
	return byte < 0x80 && ((letters >> <u64>(byte - 0x40)) & 1) != 0;
}

/** A number or word. */
function scalar(at: usize): usize {
	const word = load<u32>(at);
	let end: usize = 0;
	if (word == TRUE || word == NULL) end = at + 4;
	else if (<u32>load<u8>(at) == 0x66 && load<u32>(at, 1) == ALSE) end = at + 5;
	else end = number(at);
	if (end == 0 || muted) return end;
	if (copied + (end - at) > limit) return 0;
	for (let p = at; p < end; p++) put(load<u8>(p));
	return end;
}

function number(at: usize): usize {
	let p = at;
	if (<u32>load<u8>(p) == MINUS) p++;
	if (<u32>load<u8>(p) == ZERO) p++;
	else p = digits(p);
	if (p == 0) return 0;
	if (<u32>load<u8>(p) == DOT) {
		p = digits(p + 1);
		if (p == 0) return 0;
	}
	if ((<u32>load<u8>(p) | 0x20) == LOWER_E) {
		p++;
		const sign: u32 = load<u8>(p);
		if (sign == PLUS || sign == MINUS) p++;
		p = digits(p);
	}
	return p;
}

/** At least one digit. */
function digits(at: usize): usize {
	let p = at;
	while (<u32>load<u8>(p) - ZERO < 10) p++;
	return p > at ? p : 0;
}
