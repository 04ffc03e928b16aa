// What scanning and splitting share: the bytes that matter, and questions about 64 bytes at a time.

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
