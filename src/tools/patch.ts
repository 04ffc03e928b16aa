/** The difference between two texts, in hunks as transcripts show it: how many lines around it, and how large texts are compared. */
import { changedText, type Json, type TextChange } from '../model/index.ts';

const context = 3;
/** From this length on, only the lines around what differs are compared: to split all of them would cost more than the edit. */
const large = 256 * 1024;
/** Texts are compared in pieces, which is much quicker than by characters. */
const piece = 1 << 16;

/** `change`: all that differs, where somebody knows it. */
export async function patchOf(before: string, after: string, change?: TextChange): Promise<Json[]> {
	const { structuredPatch } = await import('diff');
	const [one, other, skipped] =
		before.length < large ? [before, after, 0] : around(before, change ?? differing(before, after));
	return structuredPatch('', '', one, other, undefined, undefined, { context }).hunks.map(
		({ oldStart, oldLines, newStart, newLines, lines }) => ({
			...{ oldStart: oldStart + skipped, oldLines, newStart: newStart + skipped, newLines, lines },
		}),
	);
}

/** What is left of two texts without what both begin and end with. */
function differing(before: string, after: string): TextChange {
	const most = Math.min(before.length, after.length);
	const same = sharedLength(most, (from, to) => before.slice(from, to) === after.slice(from, to));
	const [one, other] = [before.length, after.length];
	const sameEnd = sharedLength(
		most - same,
		(from, to) => before.slice(one - to, one - from) === after.slice(other - to, other - from),
	);
	return { at: same, length: one - sameEnd - same, text: after.slice(same, other - sameEnd) };
}

/** The lines that differ and those that are shown around them, in both texts, and how many lines come before. */
function around(before: string, { at, length, text }: TextChange): readonly [string, string, number] {
	let start = at;
	for (let n = 0; n <= context && start > 0; n += 1) start = before.lastIndexOf('\n', start - 2) + 1;
	let end = at + length;
	for (let n = 0; n <= context && end < before.length; n += 1) end = before.indexOf('\n', end) + 1 || before.length;
	const part = before.slice(start, end);
	return [part, changedText(part, { at: at - start, length, text }), linesIn(before, start)];
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
