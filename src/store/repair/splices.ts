/** Applies edits to bytes and remembers where each byte came from. */
import type { Splice } from '../../codecs/shared/check/repair.ts';

/** Applies splices, which are sorted by position and do not overlap. */
export function applySplices(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
	const pieces: Uint8Array[] = [];
	let at = 0;
	for (const splice of splices) {
		pieces.push(bytes.subarray(at, splice.at), splice.insert);
		at = splice.at + splice.remove;
	}
	pieces.push(bytes.subarray(at));
	return Buffer.concat(pieces);
}

/** Maps an offset back to before the splices; called for a million notes, so it must be fast. */
export function offsetsBefore(splices: readonly Splice[]): (offset: number) => number {
	/** Where each splice begins in the result. */
	const starts: number[] = [];
	let shift = 0;
	for (const splice of splices) {
		starts.push(splice.at + shift);
		shift += splice.insert.length - splice.remove;
	}
	return (offset) => {
		const last = lastUpTo(starts, offset);
		const splice = splices[last];
		const start = starts[last];
		if (splice === undefined || start === undefined || start > offset) return offset;
		const inside = offset - start;
		if (inside < splice.insert.length) return Math.min(splice.at + inside, splice.at + splice.remove);
		return splice.at + splice.remove + (inside - splice.insert.length);
	};
}

/** The index of the last number not above `limit` in a rising list; 0 where all are above. */
export function lastUpTo(numbers: readonly number[], limit: number): number {
	let low = 0;
	let high = numbers.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((numbers[middle] ?? 0) <= limit) low = middle;
		else high = middle - 1;
	}
	return low;
}

/** The splice without what is the same at both of its ends. */
export function trimmed(bytes: Uint8Array, { at, remove, insert }: Splice): Splice {
	const { head, tail } = sameEnds(bytes.subarray(at, at + remove), insert);
	return { at: at + head, remove: remove - head - tail, insert: insert.subarray(head, insert.length - tail) };
}

/** How many bytes are equal at the beginning, and how many of the rest at the end. */
export function sameEnds(a: Uint8Array, b: Uint8Array): { readonly head: number; readonly tail: number } {
	const shorter = Math.min(a.length, b.length);
	let head = 0;
	while (head < shorter && a[head] === b[head]) head += 1;
	let tail = 0;
	while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
	return { head, tail };
}
