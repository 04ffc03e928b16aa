// Copies the values of scanned lines together, so that the bytes of the lines are not needed any more. A value that stood in
// the line before, or a name that stood in the same field not long ago, is not copied again.

import { QUOTE, isSame } from './blocks';

/** So many names are remembered for each field: where they are in the copy, how long, and their bytes. */
const NAMES: u32 = 16;
const NAME_SIZE: usize = 32;
/** Longer than the names that formats give to things, shorter than a UUID. */
const LONGEST_NAME: u32 = 24;

let names: usize = 0;
/** Behind the last byte that `pack` has copied. */
let packed: usize = 0;

/** The table takes 512 bytes for each field. */
export function setNames(at: usize): void {
	names = at;
}

export function packedTo(): usize {
	return packed;
}

/** Columns of `scan`: row `row` of field `field` lies at `(field * capacity + row) * 4`. */
let from: usize = 0;
let to: usize = 0;
let flags: usize = 0;
let at: usize = 0;
let capacity: u32 = 0;
let fields: u32 = 0;

export function packFrom(ats: usize, froms: usize, tos: usize, flagsAt: usize, rows: u32, count: u32): void {
	at = ats;
	from = froms;
	to = tos;
	flags = flagsAt;
	capacity = rows;
	fields = count;
}

// @ts-ignore: decorator
@inline
function cell(column: usize, field: u32, row: u32): u32 {
	return load<u32>(column + (<usize>field * capacity + row) * 4);
}

/** 0 for a value that is absent: where it would begin is not said then. */
// @ts-ignore: decorator
@inline
function lengthOf(field: u32, row: u32): u32 {
	const end = cell(to, field, row);
	return end == 0 ? 0 : end - cell(from, field, row);
}

/**
 * Copies the values of rows [row, end) to [out, limit), and writes to `spans` for each field of each row where its value begins and
 * how long it is. `used` is where the first copied byte will be: at 0 the copy is a new one, and knows no names. `base` is as in
 * `scan`. Stops before a row with one of the flags of `doubt`, and before one for which there is no room. Returns how many rows it took.
 */
export function pack(row: u32, end: u32, base: f64, doubt: u32, spans: usize, out: usize, limit: usize, used: u32): u32 {
	packed = out;
	if (used == 0) memory.fill(names, 0, <usize>fields * NAMES * NAME_SIZE);
	const shift = <usize>used - out;
	let slot = spans;
	let before: usize = 0;
	for (let r = row; r < end; r++) {
		if ((<u32>load<u16>(flags + <usize>r * 2) & doubt) != 0) return r - row;
		let size: usize = 0;
		for (let field: u32 = 0; field < fields; field++) size += lengthOf(field, r);
		if (packed + size + 16 > limit) return r - row;
		const line = <usize>(load<f64>(at + <usize>r * 8) - base);
		for (let field: u32 = 0; field < fields; field++) {
			const length = lengthOf(field, r);
			store<u32>(slot, 0);
			store<u32>(slot, length, 4);
			if (length > 0) {
				const value = line + cell(from, field, r);
				const again: usize = r == row ? 0 : sameBefore(value, length, field, r - 1, before, slot - <usize>(fields + field) * 8);
				if (again != 0) store<u32>(slot, load<u32>(again));
				else if (length <= LONGEST_NAME && <u32>load<u8>(value) == QUOTE) store<u32>(slot, name(value, length, field, shift));
				else store<u32>(slot, copied(value, length, shift));
			}
			slot += 8;
		}
		before = line;
	}
	return end - row;
}

/** The span of a value of the line before that is the same; 0 where there is none. Ids stand there in other fields, too. */
function sameBefore(value: usize, length: u32, field: u32, row: u32, line: usize, spans: usize): usize {
	if (isAt(value, length, field, row, line)) return spans + <usize>field * 8;
	if (length > LONGEST_NAME) {
		for (let other: u32 = 0; other < fields; other++) {
			if (other != field && isAt(value, length, other, row, line)) return spans + <usize>other * 8;
		}
	}
	return 0;
}

function isAt(value: usize, length: u32, field: u32, row: u32, line: usize): bool {
	return lengthOf(field, row) == length && isSame(line + cell(from, field, row), value, length);
}

function name(value: usize, length: u32, field: u32, shift: usize): u32 {
	const ends = <u32>load<u8>(value, 1) + 7 * <u32>load<u8>(value + length - 2);
	const known = names + <usize>(field * NAMES + ((ends + length) & (NAMES - 1))) * NAME_SIZE;
	if (load<u32>(known, 4) == length && isSame(known + 8, value, length)) return load<u32>(known);
	const start = copied(value, length, shift);
	store<u32>(known, start);
	store<u32>(known, length, 4);
	memory.copy(known + 8, value, length);
	return start;
}

function copied(value: usize, length: u32, shift: usize): u32 {
	const start = packed;
	for (let i: usize = 0; i < length; i += 16) v128.store(packed + i, v128.load(value + i));
	packed += length;
	return <u32>(start + shift);
}
