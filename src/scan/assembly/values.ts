// Where values that are no objects and no lists end, checked to the letter. 0 where one is not as JSON has it.
//
// A newline ends the line: no string goes past it. Loads reach up to 64 bytes behind.

import {
	BACKSLASH, DOT, LOWER_E, LOWER_U, MINUS, ODD_BITS, PLUS, QUOTE, SLASH, SPACE, ZERO, bits, equal, isHex, noEscape,
} from './blocks';

const TRUE: u32 = 0x65757274;
const ALSE: u32 = 0x65736c61;
export const NULL: u32 = 0x6c6c756e;

/** The last string was written in another way than JSON.stringify would write it. */
export let odd: bool = false;

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
export function stringEnd(at: usize): usize {
	odd = false;
	const stops = stopsIn(at);
	if (stops != 0) {
		const stop = at + <usize>ctz(stops);
		return <u32>load<u8>(stop) == QUOTE ? stop + 1 : longEnd(stop);
	}
	return longEnd(at + 16);
}

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
			if ((asked & equal(a, b, c, d, SLASH)) != 0) odd = true;
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
export function scalarEnd(at: usize): usize {
	const word = load<u32>(at);
	if (word == TRUE || word == NULL) return at + 4;
	if (<u32>load<u8>(at) == 0x66 && load<u32>(at, 1) == ALSE) return at + 5;
	return number(at);
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
