/** The difference between two texts, in hunks as transcripts show it. */
import type { Json } from '../model/index.ts';

const context = 3;
/** From this length on, only the lines around what differs are compared: to split all of them would cost more than the edit. */
const large = 256 * 1024;
/** Texts are compared in pieces, which is much quicker than by characters. */
const piece = 1 << 16;

export async function patchOf(before: string, after: string): Promise<Json[]> {
	const { structuredPatch } = await import('diff');
	const { start, end } = before.length < large ? { start: 0, end: 0 } : sharedEnds(before, after);
	const inside = (text: string): string => text.slice(start, text.length - end);
	const skipped = linesIn(before, start);
	return structuredPatch('', '', inside(before), inside(after), undefined, undefined, { context }).hunks.map(
		({ oldStart, oldLines, newStart, newLines, lines }) => ({
			...{ oldStart: oldStart + skipped, oldLines, newStart: newStart + skipped, newLines, lines },
		}),
	);
}

/** How much both begin and end with, in whole lines and without those that are shown around a difference. */
function sharedEnds(before: string, after: string): { readonly start: number; readonly end: number } {
	const most = Math.min(before.length, after.length);
	const same = sharedLength(most, (from, to) => before.slice(from, to) === after.slice(from, to));
	const [one, other] = [before.length, after.length];
	const sameEnd = sharedLength(
		most - same,
		(from, to) => before.slice(one - to, one - from) === after.slice(other - to, other - from),
	);
	let start = same;
	for (let n = 0; n <= context && start > 0; n += 1) start = before.lastIndexOf('\n', start - 2) + 1;
	let end = one - sameEnd;
	for (let n = 0; n <= context && end < one; n += 1) end = before.indexOf('\n', end) + 1 || one;
	return { start, end: one - end };
}

function sharedLength(most: number, isSame: (from: number, to: number) => boolean): number {
	let length = 0;
	for (let step = piece; step >= 1; step = Math.floor(step / 2)) {
		while (length + step <= most && isSame(length, length + step)) length += step;
	}
	return length;
}

function linesIn(text: string, end: number): number {
	let lines = 0;
	for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
	return lines;
}
