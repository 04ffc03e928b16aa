// Makes JSON short as AssemblyScript: compiled to SIMD WebAssembly by scripts/build-scan.ts.
//
// Checks that a line is one JSON object, to the letter, and copies of it what stands at wanted keys, without spaces and
// with a mark in place of every long string that is a value. Functions return the address behind what they read, or 0 where the line is not JSON or
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
let markSize: usize = 0;
let longest: usize = 0;
/** The wanted keys by length: for each length up to 31 where its keys begin, then where the last ones end. */
let lengths: usize = 0;
const KEY_SIZE: usize = 32; // of a key: 31 bytes and the padding
/** Where the copy may not go on. */
let limit: usize = 0;
let copied: usize = 0;
/** Inside what is not wanted: nothing is copied. */
let muted: bool = false;
/** The depth of the object at one of whose keys that began. */
let mutedAt: u32 = 0;

/** The mark has its quotes. `longestText` is at least as long, so that the copy is never longer than the line. */
export function setup(stackAt: usize, stackSize: u32, markAt: usize, markLength: usize, longestText: usize): void {
	stack = stackAt;
	deepest = stackSize;
	mark = markAt;
	markSize = markLength;
	longest = longestText;
}

/** A list of addresses, one per length and one more; keys of one length follow each other, 32 bytes each. */
export function setKeys(lengthsAt: usize): void {
	lengths = lengthsAt;
}

/** A key with an escape may be any key: it counts as wanted. */
function isWanted(at: usize, length: u32): bool {
	if (length <= 31) {
		const end = load<usize>(lengths + (length + 1) * 4);
		for (let known = load<usize>(lengths + length * 4); known < end; known += KEY_SIZE) {
			let i: u32 = 0;
			while (i < length && load<u8>(known + i) == load<u8>(at + i)) i++;
			if (i == length) return true;
		}
	}
	for (let i: u32 = 0; i < length; i++) if (<u32>load<u8>(at + i) == BACKSLASH) return true;
	return false;
}

/** Copies the line [from, to) to [out, end), and returns the length of the copy. A newline stands at `to`. */
export function shorten(from: usize, to: usize, out: usize, end: usize): usize {
	copied = out;
	limit = end;
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
	let p = at;
	while (true) {
		// A value begins at p.
		let byte: u32 = load<u8>(p);
		if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
			if (depth == deepest || copied >= limit) return 0;
			depth++;
			store<u8>(stack + depth, <u8>(byte + 2)); // the closing bracket of either kind
			put(byte);
			p = spaces(p + 1);
			if (<u32>load<u8>(p) != byte + 2) {
				if (byte == OPEN_BRACE) p = key(p, depth);
				if (p == 0) return 0;
				continue;
			}
		} else {
			p = byte == QUOTE ? text(p) : scalar(p);
			if (p == 0) return 0;
			p = spaces(p);
		}
		// What follows a value, or an opening bracket whose closing one comes at once.
		while (true) {
			if (muted && mutedAt == depth) muted = false;
			byte = load<u8>(p);
			const close: u32 = load<u8>(stack + depth);
			if (byte == close) {
				put(byte);
				p++;
				depth--;
				if (depth == 0) return p;
				p = spaces(p);
				continue;
			}
			if (byte != COMMA) return 0;
			p = spaces(p + 1);
			if (close == CLOSE_BRACE) p = key(p, depth);
			else put(COMMA);
			if (p == 0) return 0;
			break;
		}
	}
	return 0;
}

/** A key and its colon; returns where the value begins. */
function key(at: usize, depth: u32): usize {
	if (<u32>load<u8>(at) != QUOTE) return 0;
	const end = stringEnd(at + 1);
	if (end == 0) return 0;
	const length = end - at;
	if (!muted) {
		if (isWanted(at + 1, <u32>(length - 2))) {
			if (copied + length + 2 > limit) return 0;
			// Only a brace that was just opened stands before a first key.
			if (<u32>load<u8>(copied - 1) != OPEN_BRACE) put(COMMA);
			memory.copy(copied, at, length);
			copied += length;
			put(COLON);
		} else {
			muted = true;
			mutedAt = depth;
		}
	}
	const p = spaces(end);
	return <u32>load<u8>(p) == COLON ? spaces(p + 1) : 0;
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

/** The string whose opening quote is at `at`, as a value. */
function text(at: usize): usize {
	const end = stringEnd(at + 1);
	if (end == 0 || muted) return end;
	const length = end - at;
	const cut = length - 2 > longest;
	const size = cut ? markSize : length;
	if (copied + size > limit) return 0;
	memory.copy(copied, cut ? mark : at, size);
	copied += size;
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
