// Lines that differ in nothing but two of their values, told by number: most lines of a session look like one before them.
//
// A pattern is the short text of a line without the two values. The table has two places for each hash: a line that looks
// like neither takes over the one that was not used last.

import { isSame } from './blocks';

export const PLACES: u32 = 256;
/** Of a place: its length in three parts, whether its neighbour was used last, then the bytes. */
const PLACE_SIZE: usize = 1024;
const HEADER: usize = 16;

let table: usize = 0;

/** The table takes 256 KB. */
export function setTable(at: usize): void {
	table = at;
}

/** The place of the pattern that `isKnown` was asked for. */
export let patternAt: u32 = 0;

export function fits(length: usize): bool {
	return length <= PLACE_SIZE - HEADER - 16;
}

/** True where the table had the pattern of these parts already: [from, a), [b, c) and [d, to). */
export function isKnown(from: usize, a: usize, b: usize, c: usize, d: usize, to: usize): bool {
	const hash = mix(mix(mix(0x9e3779b97f4a7c15, from, a), b, c), d, to);
	const home = <u32>(hash >> 40) & (PLACES - 1);
	const first = a - from;
	const second = c - b;
	const third = to - d;
	for (let other: u32 = 0; other < 2; other++) {
		const place = addressOf(home ^ other);
		const bytes = place + HEADER;
		if (
			load<u32>(place) == <u32>first &&
			load<u32>(place, 4) == <u32>second &&
			load<u32>(place, 8) == <u32>third &&
			isSame(bytes, from, first) &&
			isSame(bytes + first, b, second) &&
			isSame(bytes + first + second, d, third)
		) {
			use(home ^ other);
			return true;
		}
	}
	use(load<u32>(addressOf(home), 12) == 0 ? home ^ 1 : home);
	const place = addressOf(patternAt);
	const bytes = place + HEADER;
	store<u32>(place, <u32>first);
	store<u32>(place, <u32>second, 4);
	store<u32>(place, <u32>third, 8);
	memory.copy(bytes, from, first);
	memory.copy(bytes + first, b, second);
	memory.copy(bytes + first + second, d, third);
	return false;
}

// @ts-ignore: decorator
@inline
function addressOf(place: u32): usize {
	return table + <usize>place * PLACE_SIZE;
}

// @ts-ignore: decorator
@inline
function use(place: u32): void {
	patternAt = place;
	store<u32>(addressOf(place), 0, 12);
	store<u32>(addressOf(place ^ 1), 1, 12);
}

// @ts-ignore: decorator
@inline
function mix(before: u64, from: usize, to: usize): u64 {
	let hash = before;
	let p = from;
	for (; p + 8 <= to; p += 8) hash = (rotl<u64>(hash, 23) ^ load<u64>(p)) * 0xff51afd7ed558ccd;
	for (; p < to; p++) hash = (rotl<u64>(hash, 23) ^ <u64>load<u8>(p)) * 0xff51afd7ed558ccd;
	return hash;
}
