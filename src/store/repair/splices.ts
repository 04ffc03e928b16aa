/** Applies edits to bytes and remembers where each byte came from. */
import type { Splice } from '../../codecs/repair.ts';

/** `splices` come by position and do not overlap. */
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

/** The offset before the splices of the byte at `offset` after them; of inserted bytes, the place of insertion. */
export function offsetBefore(splices: readonly Splice[], offset: number): number {
	let shift = 0;
	for (const splice of splices) {
		const start = splice.at + shift;
		if (offset < start) break;
		if (offset < start + splice.insert.length) return Math.min(splice.at + (offset - start), splice.at + splice.remove);
		shift += splice.insert.length - splice.remove;
	}
	return offset - shift;
}

/** What is the same at both ends is no part of a change. */
export function trimmed(bytes: Uint8Array, splice: Splice): Splice {
	const { insert } = splice;
	const removed = bytes.subarray(splice.at, splice.at + splice.remove);
	const shorter = Math.min(removed.length, insert.length);
	let head = 0;
	while (head < shorter && removed[head] === insert[head]) head += 1;
	let tail = 0;
	while (tail < shorter - head && removed[removed.length - 1 - tail] === insert[insert.length - 1 - tail]) tail += 1;
	return {
		at: splice.at + head,
		remove: removed.length - head - tail,
		insert: insert.subarray(head, insert.length - tail),
	};
}
