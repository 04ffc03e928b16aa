// What scanning, splitting and shortening share: the bytes that matter, and questions about 64 bytes at a time.

export const TAB: u32 = 0x09;
export const NEWLINE: u32 = 0x0a;
export const RETURN: u32 = 0x0d;
export const SPACE: u32 = 0x20;
export const QUOTE: u32 = 0x22;
export const COMMA: u32 = 0x2c;
export const COLON: u32 = 0x3a;
export const OPEN_BRACKET: u32 = 0x5b;
export const BACKSLASH: u32 = 0x5c;
export const OPEN_BRACE: u32 = 0x7b;
export const CLOSE_BRACKET: u32 = 0x5d;
export const CLOSE_BRACE: u32 = 0x7d;
export const PLUS: u32 = 0x2b;
export const MINUS: u32 = 0x2d;
export const DOT: u32 = 0x2e;
export const SLASH: u32 = 0x2f;
export const ZERO: u32 = 0x30;
export const LOWER_E: u32 = 0x65;
export const LOWER_U: u32 = 0x75;

export const ODD_BITS: u64 = 0xaaaaaaaaaaaaaaaa;

/** One bit per byte of 64 that equals `byte`. */
// @ts-ignore: decorator
@inline
export function equal(a: v128, b: v128, c: v128, d: v128, byte: u32): u64 {
	const v = i8x16.splat(<i8>byte);
	return bits(i8x16.eq(a, v), i8x16.eq(b, v), i8x16.eq(c, v), i8x16.eq(d, v));
}

// @ts-ignore: decorator
@inline
export function bits(a: v128, b: v128, c: v128, d: v128): u64 {
	const low: u64 = <u64>(<u32>(i8x16.bitmask(a) | (i8x16.bitmask(b) << 16)));
	const high: u64 = <u64>(<u32>(i8x16.bitmask(c) | (i8x16.bitmask(d) << 16)));
	return low | (high << 32);
}

/** Bit i of the result: an odd number of bits is set in `bits` up to and with i. */
// @ts-ignore: decorator
@inline
export function parity(bits: u64): u64 {
	let x = bits;
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	x ^= x << 32;
	return x;
}

/** Behind the spaces at `at`; a newline ends them. */
// @ts-ignore: decorator
@inline
export function spaces(at: usize): usize {
	let p = at;
	while (true) {
		const byte: u32 = load<u8>(p);
		if (byte > SPACE || (byte != SPACE && byte != TAB && byte != RETURN)) return p;
		p++;
	}
}

/** The first newline from `at` on. */
export function newlineFrom(at: usize): usize {
	let p = at;
	while (true) {
		const found = i8x16.bitmask(i8x16.eq(v128.load(p), i8x16.splat(<i8>NEWLINE)));
		if (found != 0) return p + <usize>ctz(found);
		p += 16;
	}
}

// @ts-ignore: decorator
@inline
export function noEscape(v: v128): v128 {
	const half = i8x16.splat(0x0f);
	const lower = i8x16.swizzle(i8x16(0, 0, 13, 0, 8, 8, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1), v128.and(v, half));
	const upper = i8x16.swizzle(
		i8x16(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0),
		v128.and(i16x8.shr_u(v, 4), half),
	);
	return i8x16.eq(v128.and(lower, upper), i8x16.splat(0));
}

// @ts-ignore: decorator
@inline
export function isHex(byte: u32): bool {
	return byte - ZERO < 10 || (byte | 0x20) - 0x61 < 6;
}

/** Whether two runs of bytes are the same. */
export function isSame(a: usize, b: usize, length: usize): bool {
	let i: usize = 0;
	for (; i + 8 <= length; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
	for (; i < length; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
	return true;
}
