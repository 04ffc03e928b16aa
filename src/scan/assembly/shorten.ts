// Makes JSON short as AssemblyScript: compiled to SIMD WebAssembly by scripts/build-scan.ts.
//
// Checks that a line is one JSON object, to the letter, and copies of it what stands at wanted keys, without spaces and
// with a mark in place of every long string that is a value. With places, everything is copied, long strings keep their
// beginning, and the mark is followed by where the string is: see model/cut-text.ts. With patterns, a line that is like one
// before it but for its links is no more than that one's number and the links. Functions return the address behind what
// they read, or 0 where the line is not JSON or more than there is room for. A newline ends the line: no string and no run of spaces goes past it. Loads reach up to 64
// bytes behind the last newline, and stores up to 16 bytes behind the copy.

import {
	BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, LOWER_U, MINUS, NEWLINE, OPEN_BRACE, OPEN_BRACKET, QUOTE, ZERO,
	isSame, newlineFrom, spaces,
} from './blocks';
import { PLACES, fits, isKnown, patternAt, setTable } from './patterns';
import { NULL, odd, scalarEnd, stringEnd } from './values';

let stack: usize = 0;
let deepest: u32 = 0;
let mark: usize = 0;
let markSize: usize = 0;
let longest: usize = 0;
/** The wanted keys by length: for each length up to 31 where its keys begin, then where the last ones end. */
let lengths: usize = 0;
const KEY_SIZE: usize = 32; // of a key: 31 bytes and what it is
const WANTED: u32 = 1;
/** Below the first level its strings are always cut. */
const VEILED: u32 = 2;
/** At the first level its value is a link. */
const ID: u32 = 4;
const PARENT: u32 = 8;
/** May be any key, and so a second one for a link. */
const BROKEN: u32 = 16;
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
/** The string that follows is cut, unless it is empty. */
let veiled: bool = false;

/** Which link follows, if one does. */
let linking: u32 = 0;
/** Those that were found, and whether one is not to be trusted: found twice, cut, or maybe written in another way. */
let links: u32 = 0;
/** Where the values are in the line, and where in the copy. */
let idFrom: usize = 0;
let idTo: usize = 0;
let parentFrom: usize = 0;
let parentTo: usize = 0;
let idCopied: usize = 0;
let parentCopied: usize = 0;
/** The id of the line before, where it has one and that was not cut. */
let beforeFrom: usize = 0;
let beforeTo: usize = 0;
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

/** From now on lines that look like others are told by number. */
export function setPatterns(tableAt: usize): void {
	setTable(tableAt);
	patterned = true;
}
let patterned: bool = false;

/** What a key is. One with an escape may be any: it counts as wanted. */
function roleOf(at: usize, length: u32): u32 {
	if (length <= 31) {
		const end = load<usize>(lengths + (length + 1) * 4);
		for (let known = load<usize>(lengths + length * 4); known < end; known += KEY_SIZE) {
			let i: u32 = 0;
			while (i < length && load<u8>(known + i) == load<u8>(at + i)) i++;
			if (i == length) return <u32>load<u8>(known, 31);
		}
	}
	for (let i: u32 = 0; i < length; i++) if (<u32>load<u8>(at + i) == BACKSLASH) return WANTED | BROKEN;
	return 0;
}

/** There was no room for more: said of what fails without being wrong. */
let full: bool = false;

/**
 * Copies the lines of [from, to), which ends with a newline, to [out, end) as one JSON array: an object for each line, 0 for
 * one that is no JSON object. With patterns, -n stands before an object that is now the n-th pattern, and n before the id and the
 * parent of a line that is like it otherwise; 256 more, and no parent, where that is the id of the line before. Stops when there is no room for more, in the copy or for `most` ends of lines at `endsAt`.
 * Returns the length of the copy. A single line that does not fit is a 0.
 */
export function shorten(from: usize, to: usize, out: usize, end: usize, endsAt: usize, most: u32): usize {
	copied = out;
	// Closing brackets are copied without asking for room.
	limit = end - deepest - 64;
	let lines: u32 = 0;
	muted = false;
	beforeFrom = beforeTo = 0;
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
			beforeFrom = beforeTo = 0;
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
	veiled = false;
	linking = 0;
	links = 0;
	const start = copied;
	let p = spaces(at);
	if (<u32>load<u8>(p) != OPEN_BRACE) return 0;
	p = whole(p);
	if (p == 0) return 0;
	p = spaces(p);
	if (<u32>load<u8>(p) != NEWLINE) return 0;
	if (links == (ID | PARENT) && !numbered(start)) return 0;
	const named = (links & (ID | BROKEN)) == ID;
	beforeFrom = named ? idFrom : 0;
	beforeTo = named ? idTo : 0;
	return p + 1;
}

/** Tells the line whose copy begins at `start` by number, or gives it one. False when there is no room. */
function numbered(start: usize): bool {
	const idSize = idTo - idFrom;
	const parentSize = parentTo - parentFrom;
	const size = copied - start;
	if (!fits(size - idSize - parentSize)) return true;
	// Before the pattern is noted: who has never got its object cannot be told its number.
	if (copied + 5 > limit) {
		full = true;
		return false;
	}
	const idFirst = idCopied < parentCopied;
	const a = idFirst ? idCopied : parentCopied;
	const b = a + (idFirst ? idSize : parentSize);
	const c = idFirst ? parentCopied : idCopied;
	const d = c + (idFirst ? parentSize : idSize);
	const known = isKnown(start, a, b, c, d, copied);
	const number = patternAt + 1;
	if (known) {
		copied = start;
		const follows = parentSize == beforeTo - beforeFrom && isSame(parentFrom, beforeFrom, parentSize);
		decimal(follows ? number + PLACES : number);
		put(COMMA);
		copy(idFrom, idSize);
		if (follows) return true;
		put(COMMA);
		copy(parentFrom, parentSize);
		return true;
	}
	const before: usize = number > 99 ? 5 : number > 9 ? 4 : 3;
	memory.copy(start + before, start, size);
	copied = start;
	put(MINUS);
	decimal(number);
	put(COMMA);
	copied += size;
	return true;
}

/** Up to three digits. */
function decimal(value: u32): void {
	if (value > 99) put(ZERO + value / 100);
	if (value > 9) put(ZERO + (value / 10) % 10);
	put(ZERO + value % 10);
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
			veiled = false;
			linking = 0;
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
			veiled = false;
			linking = 0;
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
		const role = roleOf(at + 1, <u32>(length - 2));
		kept = role != 0;
		if (kept || placed) {
			if (depth > 1) veiled = (role & VEILED) != 0;
			else if (patterned) {
				linking = role & (ID | PARENT);
				links |= role & BROKEN;
			}
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
	const end = stringEnd(at + 1);
	if (end == 0 || muted) return end;
	const length = end - at;
	const cut = length - 2 > (veiled ? 0 : longest);
	if (linking != 0) link(at, end, cut);
	if (cut && placed && !kept && !odd) {
		const done = place(at + 1, end - 1);
		if (done != 0) return done > 0 ? end : 0;
	} else if (cut && !placed) return copy(mark, markSize) ? end : 0;
	return copy(at, length) ? end : 0;
}

/** Notes where a link is, which is copied next. One that is cut, or comes twice, makes the line one of its own. */
function link(at: usize, end: usize, cut: bool): void {
	if (cut || (links & linking) != 0) links |= BROKEN;
	links |= linking;
	if (linking == ID) {
		idFrom = at;
		idTo = end;
		idCopied = copied;
	} else {
		parentFrom = at;
		parentTo = end;
		parentCopied = copied;
	}
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

/** A number or word. */
function scalar(at: usize): usize {
	const end = scalarEnd(at);
	if (end == 0 || muted) return end;
	if (linking != 0) link(at, end, load<u32>(at) != NULL);
	return copy(at, end - at) ? end : 0;
}
