/** The unified diff that repairs and rewinds show: how much context it has, how long lines are shortened, and above which size there is none. */
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { sameEnds } from './splices.ts';

/** Larger files are not compared: the list of changes says the same in words. */
const largest = 1 << 28;
const context = 1;
/** The most changed lines that are compared: the time grows with the square of their number. */
const mostChanged = 2000;

/** The diff; empty when nothing differs, or when the difference is too large to be compared line by line. */
export function unifiedDiff(
	name: string,
	before: Uint8Array,
	after: Uint8Array,
	[was, becomes]: readonly [string, string] = ['original', 'repaired'],
): string {
	const { from, lines, oldEnd, newEnd } = differing(before, after);
	if ((oldEnd === from && newEnd === from) || oldEnd - from > largest || newEnd - from > largest) return '';
	const text = (bytes: Uint8Array, end: number): string => Buffer.from(bytes.subarray(from, end)).toString('utf8');
	const patch = structuredPatch(name, name, text(before, oldEnd), text(after, newEnd), was, becomes, {
		context,
		maxEditLength: mostChanged,
	});
	if (!patch) return '';
	const hunks = patch.hunks.map((hunk) => ({
		...hunk,
		oldStart: hunk.oldStart + lines,
		newStart: hunk.newStart + lines,
	}));
	return formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY);
}

const newline = 10;

/** The lines between the first and the last difference: large files are equal almost everywhere. */
function differing(before: Uint8Array, after: Uint8Array) {
	const { head, tail } = sameEnds(before, after);
	if (head === before.length && head === after.length) return { from: 0, lines: 0, oldEnd: 0, newEnd: 0 };
	const from = lineStart(before, lineStart(before, head) - 1);
	let lines = 0;
	for (let at = before.indexOf(newline); at !== -1 && at < from; at = before.indexOf(newline, at + 1)) lines += 1;
	return {
		from,
		lines,
		oldEnd: lineEnd(before, lineEnd(before, before.length - tail)),
		newEnd: lineEnd(after, lineEnd(after, after.length - tail)),
	};
}

function lineStart(bytes: Uint8Array, at: number): number {
	return at <= 0 ? 0 : bytes.lastIndexOf(newline, at - 1) + 1;
}

function lineEnd(bytes: Uint8Array, at: number): number {
	const end = bytes.indexOf(newline, at);
	return end === -1 ? bytes.length : end + 1;
}

/** A diff for people: of each pair of long lines only what is around the first difference. */
export function shortened(diff: string, width: number): string {
	const lines = diff.split('\n');
	return lines.map((line, at) => shorten(line, partner(lines, at), width)).join('\n');
}

function partner(lines: readonly string[], at: number): string {
	const line = lines[at] ?? '';
	const other = line.startsWith('-') ? lines[at + 1] : line.startsWith('+') ? lines[at - 1] : undefined;
	return other !== undefined && /^[-+]/.test(other) && other[0] !== line[0] ? other : '';
}

function shorten(line: string, other: string, width: number): string {
	if (line.length <= width) return line;
	let at = 1;
	while (at < line.length && line[at] === other[at]) at += 1;
	const from = other === '' ? 1 : Math.max(1, Math.min(at - Math.floor(width / 3), line.length - width));
	const end = from + width;
	return `${line[0]}${from > 1 ? '…' : ''}${line.slice(from, end)}${end < line.length ? '…' : ''}`;
}
