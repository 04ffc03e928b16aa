// The scanner as AssemblyScript: compiled to SIMD WebAssembly by scripts/build-scan.ts. Must say what js-engine.ts says.
//
// Functions return the address behind what they read, or 0 after they have set a flag. Loads may reach up to 64 bytes
// behind the last newline; what stands there is never looked at, because every loop stops at that newline.

import {
	BACKSLASH,
	CLOSE_BRACE,
	COLON,
	COMMA,
	NEWLINE,
	ODD_BITS,
	OPEN_BRACE,
	OPEN_BRACKET,
	QUOTE,
	RETURN,
	SPACE,
	TAB,
	bits,
	equal,
	newlineFrom,
	parity,
	spaces,
} from './blocks';

import { packFrom } from './pack';

export { pack, packedTo, setNames } from './pack';
export { document, split } from './split';

// The bits of flags.ts.
const BLANK: u32 = 1 << 0;
const BOM: u32 = 1 << 1;
const NOT_OBJECT: u32 = 1 << 2;
const TORN: u32 = 1 << 3;
const UNBALANCED: u32 = 1 << 4;
const TRAILING: u32 = 1 << 5;
const SYNTAX: u32 = 1 << 6;
const CONTROL: u32 = 1 << 7;
const DUPLICATE: u32 = 1 << 8;
const ESCAPED_KEY: u32 = 1 << 9;
const DEEP: u32 = 1 << 10;
const SKIPPED: u32 = 1 << 13;

// A node of the plan, as wasm-engine.ts writes it: 32 bytes.
const NODE_SIZE: usize = 32;
const FIELD: usize = 0; // i32: column, or -1
const LAST: usize = 4; // address of the last node of its subtree
const LENGTHS: usize = 8; // u32: lengths of the children's keys
const KEY_LENGTH: usize = 12;
const KEY: usize = 16; // address of the key's bytes
const SEEN: usize = 20; // u32: the line in which the key was last met
const PREFIX: usize = 24; // u64: the first eight bytes of the key

let nodes: usize = 0;
let stack: usize = 0;
let deepest: u32 = 0;
let fields: u32 = 0;
let capacity: u32 = 0;
let columnAt: usize = 0;
let columnEnd: usize = 0;
let columnFrom: usize = 0;
let columnTo: usize = 0;
let columnFlags: usize = 0;
/** The node of the gate, or 0; its values, each a length of 4 bytes and the text. */
let gateNode: usize = 0;
let gateValues: usize = 0;
let gateEnd: usize = 0;
/** What lets a line pass all the same. */
let needle: usize = 0;
let needleEnd: usize = 0;
/** The newline of a line that was turned away. */
let skippedTo: usize = 0;

let lineStart: usize = 0;
let row: u32 = 0;
let serial: u32 = 0;
let flags: u32 = 0;
/** Set by `string`: there was a backslash in it. */
let escaped: bool = false;

/** Where the plan, the stack of brackets and the columns lie. Columns are `capacity` rows each, in the order below. */
export function setup(
	nodesAt: usize,
	stackAt: usize,
	stackSize: u32,
	columns: usize,
	fieldCount: u32,
	rows: u32,
): void {
	nodes = nodesAt;
	stack = stackAt;
	deepest = stackSize;
	fields = fieldCount;
	capacity = rows;
	columnAt = columns;
	columnEnd = columnAt + rows * 8;
	columnFrom = columnEnd + rows * 8;
	columnTo = columnFrom + rows * fieldCount * 4;
	columnFlags = columnTo + rows * fieldCount * 4;
	packFrom(columnAt, columnFrom, columnTo, columnFlags, rows, fieldCount);
}

/** Lines whose value at the node is none of these are not read to their end. */
export function gate(node: usize, values: usize, end: usize, unlessEnd: usize): void {
	gateNode = node;
	gateValues = values;
	gateEnd = end;
	needle = end;
	needleEnd = unlessEnd;
}

/** Describes the lines of [from, to), which ends with a newline. Adding `base` to an address gives its offset. */
export function scan(from: usize, to: usize, base: f64): u32 {
	lineStart = from;
	row = 0;
	while (lineStart < to && row < capacity) {
		for (let field: u32 = 0; field < fields; field++) store<u32>(cell(columnTo, field), 0);
		flags = 0;
		serial++;
		const next = line(base + <f64>lineStart == 0) + 1;
		store<f64>(columnAt + row * 8, base + <f64>lineStart);
		store<f64>(columnEnd + row * 8, base + <f64>next);
		store<u16>(columnFlags + row * 2, <u16>flags);
		lineStart = next;
		row++;
	}
	return row;
}

/** Where the line after the last scanned one begins. */
export function next(): usize {
	return lineStart;
}

// @ts-ignore: decorator
@inline
function cell(column: usize, field: u32): usize {
	return column + (field * capacity + row) * 4;
}

function fail(flag: u32): usize {
	flags |= flag;
	return 0;
}

/** For a byte that may not stand where it does. */
function unexpected(byte: u32): usize {
	if (byte == NEWLINE) return fail(TORN);
	return fail(byte < SPACE ? CONTROL : SYNTAX);
}

/** `at` is behind the opening quote. */
function string(at: usize): usize {
	let p = at;
	escaped = false;
	while (true) {
		const v = v128.load(p);
		const stops = i8x16.bitmask(
			v128.or(
				v128.or(i8x16.eq(v, i8x16.splat(<i8>QUOTE)), i8x16.eq(v, i8x16.splat(<i8>BACKSLASH))),
				i8x16.le_u(v, i8x16.splat(<i8>(SPACE - 1))),
			),
		);
		if (stops == 0) {
			p += 16;
			continue;
		}
		p += ctz(stops);
		const byte: u32 = load<u8>(p);
		if (byte == QUOTE) return p + 1;
		if (byte != BACKSLASH) return fail(byte == NEWLINE ? TORN : CONTROL);
		escaped = true;
		// A control character behind a backslash is as forbidden as anywhere in a string, and may be the line's end.
		p += load<u8>(p, 1) < <u8>SPACE ? 1 : 2;
	}
}

/**
 * Skips an array or object; `at` is at its bracket. Takes 64 bytes at a time: which quotes are escaped, which bytes are
 * inside strings, and what is left to look at one by one. The first flaw ends the line, so it does not matter that
 * the bits behind a flaw (a backslash outside strings, a newline inside one) mean nothing.
 */
function container(at: usize): usize {
	let depth: u32 = 0;
	/** All bits set while the block before ended inside a string. */
	let inside: u64 = 0;
	/** 1 when the block before ended with a backslash that escapes the next byte. */
	let carry: u64 = 0;
	let p = at - 64;
	while (true) {
		p += 64;
		const a = v128.load(p, 0);
		const b = v128.load(p, 16);
		const c = v128.load(p, 32);
		const d = v128.load(p, 48);
		const slashes = equal(a, b, c, d, BACKSLASH);
		let skipped: u64 = carry;
		if (slashes != 0) {
			const starts = slashes & ~carry;
			const series = (((starts << 1) | ODD_BITS) - starts) ^ ODD_BITS;
			skipped = series ^ (slashes | carry);
			carry = (series & slashes) >> 63;
		} else carry = 0;
		const quotes = equal(a, b, c, d, QUOTE) & ~skipped;
		const limit = i8x16.splat(<i8>(SPACE - 1));
		const controls = bits(i8x16.le_u(a, limit), i8x16.le_u(b, limit), i8x16.le_u(c, limit), i8x16.le_u(d, limit));
		// Most blocks are the midst of a long string.
		if (inside != 0 && (quotes | controls) == 0) continue;
		const strings = parity(quotes) ^ inside;
		const bracket = i8x16.splat(0x20);
		const e = v128.or(a, bracket);
		const f = v128.or(b, bracket);
		const g = v128.or(c, bracket);
		const h = v128.or(d, bracket);
		const brackets = equal(e, f, g, h, OPEN_BRACE) | equal(e, f, g, h, CLOSE_BRACE);
		let events = ((brackets | slashes) & ~strings) | controls;
		while (events != 0) {
			const bit = ctz(events);
			const byte: u32 = load<u8>(p + <usize>bit);
			if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
				if (depth == deepest) return fail(DEEP);
				depth++;
				store<u8>(stack + depth, <u8>(byte + 2)); // the closing bracket of either kind
			} else if (byte > BACKSLASH) {
				if (<u32>load<u8>(stack + depth) != byte) return fail(UNBALANCED);
				depth--;
				if (depth == 0) return p + <usize>bit + 1;
			} else if (((strings >> bit) & 1) != 0) return fail(byte == NEWLINE ? TORN : CONTROL);
			else if (byte != TAB && byte != RETURN) return unexpected(byte);
			events &= events - 1;
		}
		inside = <u64>((<i64>strings) >> 63);
	}
}

// @ts-ignore: decorator
@inline
function isScalar(byte: u32): bool {
	if ((byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10) return true;
	return byte == 0x2d || byte == 0x2b || byte == 0x2e;
}

/** A number or word. One that runs into the line's end may have been longer. */
function scalar(at: usize): usize {
	let p = at;
	while (isScalar(load<u8>(p))) p++;
	const byte: u32 = load<u8>(p);
	return p > at && byte != NEWLINE ? p : unexpected(byte);
}

/** The child of `node` that the key [from, from + length) leads to, or 0. */
function childOf(node: usize, from: usize, length: u32): usize {
	if (escaped) return fail(ESCAPED_KEY);
	if ((load<u32>(node, LENGTHS) & (1 << (length & 31))) == 0) return 0;
	const mask: u64 = length < 8 ? (<u64>1 << (length * 8)) - 1 : ~(<u64>0);
	const prefix = load<u64>(from) & mask;
	const end = load<usize>(node, LAST);
	for (let child = node + NODE_SIZE; child <= end; child = load<usize>(child, LAST) + NODE_SIZE) {
		if (load<u32>(child, KEY_LENGTH) != length || load<u64>(child, PREFIX) != prefix) continue;
		const key = load<usize>(child, KEY);
		let i: u32 = 8;
		while (i < length && load<u8>(key + i) == load<u8>(from + i)) i++;
		if (i >= length) return child;
	}
	return 0;
}

/** Notes that a key on a wanted path is here; what an equal key brought before no longer counts. */
function meet(node: usize): void {
	if (load<u32>(node, SEEN) == serial) {
		flags |= DUPLICATE;
		const end = load<usize>(node, LAST);
		for (let below = node; below <= end; below += NODE_SIZE) {
			store<u32>(below, 0, SEEN);
			const field = load<i32>(below, FIELD);
			if (field >= 0) store<u32>(cell(columnTo, field), 0);
		}
	}
	store<u32>(node, serial, SEEN);
}

function value(node: usize, at: usize): usize {
	const byte: u32 = load<u8>(at);
	if (byte == QUOTE) return string(at + 1);
	if (byte == OPEN_BRACKET) return container(at);
	if (byte != OPEN_BRACE) return scalar(at);
	return node != 0 && load<usize>(node, LAST) > node ? object(node, at) : container(at);
}

/** Reads an object on a wanted path; `at` is at its brace. Paths are a few keys deep, and so is the recursion. */
function object(node: usize, at: usize): usize {
	let p = spaces(at + 1);
	if (<u32>load<u8>(p) == CLOSE_BRACE) return p + 1;
	while (true) {
		if (<u32>load<u8>(p) != QUOTE) return unexpected(load<u8>(p));
		const key = p + 1;
		p = string(key);
		if (p == 0) return 0;
		const child = childOf(node, key, <u32>(p - 1 - key));
		if (child != 0) meet(child);
		p = spaces(p);
		if (<u32>load<u8>(p) != COLON) return unexpected(load<u8>(p));
		const start = spaces(p + 1);
		p = value(child, start);
		if (p == 0) return 0;
		if (child != 0) {
			keep(load<i32>(child, FIELD), start, p);
			if (child == gateNode && !passes(start, <u32>(p - start)) && !holdsNeedle(p)) return fail(SKIPPED);
		}
		p = spaces(p);
		const byte: u32 = load<u8>(p);
		if (byte == CLOSE_BRACE) return p + 1;
		if (byte != COMMA) return unexpected(byte);
		p = spaces(p + 1);
	}
}

function passes(at: usize, length: u32): bool {
	let value = gateValues;
	while (value < gateEnd) {
		const size: u32 = load<u32>(value);
		value += 4;
		if (size == length) {
			let i: u32 = 0;
			while (i < size && load<u8>(value + i) == load<u8>(at + i)) i++;
			if (i == size) return true;
		}
		value += size;
	}
	return false;
}

/** Whether the needle stands in the rest of the line; if not, the line's end is known. */
function holdsNeedle(at: usize): bool {
	const length = needleEnd - needle;
	if (length == 0) {
		skippedTo = newlineFrom(at);
		return false;
	}
	const first = i8x16.splat(load<i8>(needle));
	const last = i8x16.splat(load<i8>(needleEnd - 1));
	let p = at;
	while (true) {
		const v = v128.load(p);
		const newlines = i8x16.bitmask(i8x16.eq(v, i8x16.splat(<i8>NEWLINE)));
		let found = i8x16.bitmask(v128.and(i8x16.eq(v, first), i8x16.eq(v128.load(p + length - 1), last)));
		if (newlines != 0) found &= (newlines & -newlines) - 1;
		while (found != 0) {
			if (isNeedle(p + <usize>ctz(found))) return true;
			found &= found - 1;
		}
		if (newlines != 0) {
			skippedTo = p + <usize>ctz(newlines);
			return false;
		}
		p += 16;
	}
}

function isNeedle(at: usize): bool {
	const length = needleEnd - needle;
	for (let i: usize = 0; i < length; i++) if (load<u8>(at + i) != load<u8>(needle + i)) return false;
	return true;
}

function keep(field: i32, from: usize, to: usize): void {
	if (field < 0) return;
	store<u32>(cell(columnFrom, field), <u32>(from - lineStart));
	store<u32>(cell(columnTo, field), <u32>(to - lineStart));
}

/** The newline that ends the line at `lineStart`. */
function line(fileStart: bool): usize {
	let p = lineStart;
	if (fileStart && (load<u32>(p) & 0xffffff) == 0xbfbbef) {
		flags |= BOM;
		p += 3;
	}
	p = spaces(p);
	if (<u32>load<u8>(p) == NEWLINE) {
		flags |= BLANK;
		return p;
	}
	p = <u32>load<u8>(p) == OPEN_BRACE ? object(nodes, p) : fail(NOT_OBJECT);
	if (p == 0) return (flags & SKIPPED) != 0 ? skippedTo : newlineFrom(lineStart);
	p = spaces(p);
	if (<u32>load<u8>(p) == NEWLINE) return p;
	flags |= TRAILING;
	return newlineFrom(p);
}
