// Makes JSON short as AssemblyScript: compiled to SIMD WebAssembly by scripts/build-scan.ts.
//
// Checks that a line is one JSON object, to the letter, and copies of it what stands at wanted keys, without spaces and
// with a mark in place of every long string that is a value. With places, everything is copied, long strings keep their
// beginning, and the mark is followed by where the string is: see model/cut-text.ts. Functions return the address behind what they read, or 0 where the line is not JSON or
// more than there is room for. A newline ends the line: no string and no run of spaces goes past it. Loads reach up to 64
// bytes behind the last newline, and stores up to 16 bytes behind the copy.

import {
	BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, DOT, LOWER_E, LOWER_U, MINUS, NEWLINE, ODD_BITS,
	OPEN_BRACE, OPEN_BRACKET, PLUS, QUOTE, SLASH, SPACE, ZERO, bits, equal, isHex, newlineFrom, noEscape, spaces,
} from './blocks';

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

/** Marks say where their texts are. Then nothing is muted, and wanted are the keys whose values are never cut. */
let placed: bool = false;
/** Where address 0 would be in the source. */
let origin: f64 = 0;
/** The value that follows is never cut. */
let kept: bool = false;
/** The last string was written in another way than JSON.stringify would write it. */
let odd: bool = false;
/** Characters that a cut text begins with, and what a character takes at most. */
const HEAD: u32 = 24;
const WIDEST: usize = 6;
const AT_DIGITS: u32 = 10;
const LENGTH_DIGITS: u32 = 8;

/** The mark has its quotes. `longestText` is at least as long, so that the copy is never longer than the line. */
export function setup(stackAt: usize, stackSize: u32, markAt: usize, markLength: usize, longestText: usize): void {
	stack = stackAt;
	deepest = stackSize;
	mark = markAt;
	markSize = markLength;
	longest = longestText;
}

/** From now on marks are followed by places. The mark then has no quotes. */
export function setPlaces(): void {
	placed = true;
}

/** `at` is where address 0 would be in the source. */
export function setOrigin(at: f64): void {
	origin = at;
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

/** There was no room for more: said of what fails without being wrong. */
let full: bool = false;

/**
 * Copies the lines of [from, to), which ends with a newline, to [out, end) as one JSON array: an object for each line, 0 for
 * one that is no JSON object. Stops when there is no room for more, in the copy or for `most` ends of lines at `endsAt`.
 * Returns the length of the copy. A single line that does not fit is a 0.
 */
export function shorten(from: usize, to: usize, out: usize, end: usize, endsAt: usize, most: u32): usize {
	copied = out;
	// Closing brackets are copied without asking for room.
	limit = end - deepest - 64;
	let lines: u32 = 0;
	muted = false;
	put(OPEN_BRACKET);
	let at = from;
	while (at < to && lines < most) {
		const start = copied;
		if (lines > 0) put(COMMA);
		let next = line(at);
		if (next == 0) {
			copied = start;
			muted = false;
			if (full && lines > 0) break;
			if (lines > 0) put(COMMA);
			put(ZERO);
			next = newlineFrom(at) + 1;
		}
		store<u32>(endsAt + lines * 4, <u32>next);
		lines++;
		at = next;
	}
	put(CLOSE_BRACKET);
	return copied - out;
}

/** Behind the newline of the line at `at`, where that is an object. */
function line(at: usize): usize {
	full = false;
	muted = false;
	let p = spaces(at);
	if (<u32>load<u8>(p) != OPEN_BRACE) return 0;
	p = whole(p);
	if (p == 0) return 0;
	p = spaces(p);
	return <u32>load<u8>(p) == NEWLINE ? p + 1 : 0;
}

/** Copies, or says that there is no room. */
function copy(from: usize, length: usize): bool {
	if (copied + length > limit) {
		full = true;
		return false;
	}
	for (let i: usize = 0; i < length; i += 16) v128.store(copied + i, v128.load(from + i));
	copied += length;
	return true;
}

/** The object at `at`, with everything in it. */
function whole(at: usize): usize {
	let depth: u32 = 0;
	let p = at;
	while (true) {
		// A value begins at p.
		let byte: u32 = load<u8>(p);
		if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
			if (depth == deepest) return 0;
			if (copied >= limit) {
				full = true;
				return 0;
			}
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
		const wanted = isWanted(at + 1, <u32>(length - 2));
		kept = wanted;
		if (wanted || placed) {
			// Only a brace that was just opened stands before a first key.
			if (<u32>load<u8>(copied - 1) != OPEN_BRACE) put(COMMA);
			if (!copy(at, length)) return 0;
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

/** The string whose opening quote is at `at`, as a value. */
function text(at: usize): usize {
	odd = false;
	const end = stringEnd(at + 1);
	if (end == 0 || muted) return end;
	const length = end - at;
	const cut = length - 2 > longest;
	if (cut && placed && !kept && !odd) {
		const done = place(at + 1, end - 1);
		if (done != 0) return done > 0 ? end : 0;
	} else if (cut && !placed) return copy(mark, markSize) ? end : 0;
	return copy(at, length) ? end : 0;
}

/** Writes the beginning of a long string and where the rest is. 1 when done, -1 without room, 0 where it must stay whole. */
function place(from: usize, to: usize): i32 {
	let p = from;
	// A text of blanks alone must not look like one with words: only what shows is sure not to be a blank.
	let shows = false;
	for (let n: u32 = 0; n < HEAD && p < to; n++) {
		const byte: u32 = load<u8>(p);
		if (byte == BACKSLASH) p += <u32>load<u8>(p + 1) == LOWER_U ? 6 : 2;
		else {
			if (byte - 0x21 < 0x5e) shows = true;
			p++;
			while ((<u32>load<u8>(p) & 0xc0) == 0x80) p++;
		}
	}
	if (!shows || p >= to) return 0;
	if (copied + HEAD * WIDEST + markSize + AT_DIGITS + LENGTH_DIGITS + 2 > limit) {
		full = true;
		return -1;
	}
	put(QUOTE);
	copy(from, p - from);
	copy(mark, markSize);
	hex(<u64>(origin + <f64>p), AT_DIGITS);
	hex(<u64>(to - p), LENGTH_DIGITS);
	put(QUOTE);
	return 1;
}

function hex(value: u64, digits: u32): void {
	for (let n: u32 = digits; n > 0; n--) {
		const digit = <u32>(value >> ((n - 1) * 4)) & 0xf;
		put(digit < 10 ? ZERO + digit : 0x61 + digit - 10);
	}
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

/**
 * All bits of a byte are set where it is none of " / \\ b f n r t u. The tables have a bit for each upper half of a byte
 * that occurs among them; a byte is one of them where both its halves have the same bit.
 */
/**
 * Behind the closing quote. Takes 64 bytes at a time: which bytes are escaped, whether they may be, and where the string
 * ends. Source code has an escape in nearly every block, so that looking at them one by one would cost most of the time.
 */
function longEnd(at: usize): usize {
	/** 1 when the block before ended with a backslash that escapes the next byte. */
	let carry: u64 = 0;
	let p = at;
	while (true) {
		const a = v128.load(p, 0);
		const b = v128.load(p, 16);
		const c = v128.load(p, 32);
		const d = v128.load(p, 48);
		const last = i8x16.splat(<i8>(SPACE - 1));
		const controls = bits(i8x16.le_u(a, last), i8x16.le_u(b, last), i8x16.le_u(c, last), i8x16.le_u(d, last));
		const slashes = equal(a, b, c, d, BACKSLASH);
		let ends = equal(a, b, c, d, QUOTE) | controls;
		if ((slashes | carry) != 0) {
			const starts = slashes & ~carry;
			const series = (((starts << 1) | ODD_BITS) - starts) ^ ODD_BITS;
			const escaped = series ^ (slashes | carry);
			carry = (series & slashes) >> 63;
			ends &= ~escaped | controls;
			const inside = ends == 0 ? ~(<u64>0) : (ends & (~ends + 1)) - 1;
			const asked = escaped & inside;
			if ((asked & bits(noEscape(a), noEscape(b), noEscape(c), noEscape(d))) != 0) return 0;
			if (placed && (asked & equal(a, b, c, d, SLASH)) != 0) odd = true;
			let unicode = asked & equal(a, b, c, d, LOWER_U);
			while (unicode != 0) {
				const digits = p + <usize>ctz(unicode) + 1;
				for (let i: usize = 0; i < 4; i++) if (!isHex(load<u8>(digits + i))) return 0;
				if (!isControl(digits)) odd = true;
				unicode &= unicode - 1;
			}
		}
		if (ends != 0) {
			const end = p + <usize>ctz(ends);
			return <u32>load<u8>(end) == QUOTE ? end + 1 : 0;
		}
		p += 64;
	}
}

/** Four digits as JSON.stringify writes them: those of a control character that has no shorter escape. */
function isControl(digits: usize): bool {
	if (<u32>load<u16>(digits) != 0x3030) return false;
	const third: u32 = load<u8>(digits, 2);
	const fourth: u32 = load<u8>(digits, 3);
	if (third > ZERO + 1 || fourth - 0x41 < 6) return false;
	return third != ZERO || !(fourth == 0x38 || fourth == 0x39 || fourth == 0x61 || fourth == 0x63 || fourth == 0x64);
}

/** A number or word. */
function scalar(at: usize): usize {
	const word = load<u32>(at);
	let end: usize = 0;
	if (word == TRUE || word == NULL) end = at + 4;
	else if (<u32>load<u8>(at) == 0x66 && load<u32>(at, 1) == ALSE) end = at + 5;
	else end = number(at);
	if (end == 0 || muted) return end;
	return copy(at, end - at) ? end : 0;
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
