/** The fewest codes that turn the rows on the screen into others: rows move as rows, and of a row that grew its end is written. */
// All moves are relative to the cursor: nobody knows where on the screen the first row stands. What scrolls is the whole screen, so that
// what leaves it is in the scrollback of every terminal; regions that scroll by themselves lose rows in some.
import { visibleWidth } from '@earendil-works/pi-tui';

export interface FrameChange {
	readonly codes: string;
	/** The row that the cursor is left in. */
	readonly row: number;
}

/** Shorter rows are written again where they moved: moving them costs as much. */
const worthMoving = 12;
/** The library ends every row so. */
const rowEnd = '\u001b[0m\u001b]8;;\u0007';
/**
 * From the cursor's row down. Not from its first column: where that is the corner of the screen, tmux takes it for a clear of the whole
 * screen, and moves what stood there into the scrollback, where it would stay.
 */
export const clearBelow = '\r\u001b[2K\u001b[C\u001b[J\r';

/** What a program that was killed has left below stays out of the first frame, which takes everything behind the cursor for empty. */
export const eraseBehind = '\u001b[K\u001b[C\u001b[J\u001b[D';

/** `before` is all that stands on the screen, the cursor in its row `at`. Of `after`, as much as is above the screen scrolls away. */
export function frameChange(
	before: readonly string[],
	after: readonly string[],
	at: number,
	height: number,
): FrameChange {
	const pen = new Pen(at);
	const plan = planOf(before, after);
	const firstShown = Math.max(0, after.length - height);
	if (plan.inserted.some(({ to }) => to < firstShown)) return rewritten(before, after, pen);
	for (const { from, count } of plan.deleted.toReversed()) pen.down(from, `\r\u001b[${count}M`);
	let gone = 0;
	let next = 0;
	for (const { from, to } of plan.kept) {
		for (; next < plan.deleted.length && (plan.deleted[next]?.from ?? 0) <= from; next += 1)
			gone += plan.deleted[next]?.count ?? 0;
		pen.change(from - gone, before[from] ?? '', after[to] ?? '');
	}
	if (after.length > before.length) pen.append(before.length - 1, after.length - before.length);
	for (const { to, count } of plan.inserted) {
		if (to + count < after.length) pen.down(to, `\r\u001b[${count}L`);
		for (let row = to; row < to + count; row += 1) pen.change(row, '', after[row] ?? '');
	}
	return { codes: shortened(pen.codes), row: pen.row };
}

/** Everything from the first row that differs; what does not fit scrolls away as it is written. */
function rewritten(before: readonly string[], after: readonly string[], pen: Pen): FrameChange {
	const same = before.findIndex((row, index) => row !== after[index]);
	const first = same === -1 ? before.length : same;
	if (first === before.length) pen.append(first - 1, 1);
	else pen.down(first, '');
	pen.write(`${clearBelow}${after.slice(first).map(bare).join('\r\n')}`, after.length - 1);
	return { codes: shortened(pen.codes), row: pen.row };
}

/** The same with the spellings that take fewer bytes. */
function shortened(codes: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these codes are what is looked for.
	return codes.replaceAll('\u001b[1B\r', '\r\n').replace(/\u001b\[(?:0(?=m)|1(?=[ABLM]))/g, '\u001b[');
}

interface Plan {
	/** Rows that stay or are written over, with where they belong. */
	readonly kept: readonly { readonly from: number; readonly to: number }[];
	readonly deleted: readonly { readonly from: number; readonly count: number }[];
	readonly inserted: readonly { readonly to: number; readonly count: number }[];
}

/** Between two rows that moved, rows are written over as far as there are any, and the rest is deleted or inserted. */
function planOf(before: readonly string[], after: readonly string[]): Plan {
	const kept: { from: number; to: number }[] = [];
	const deleted: { from: number; count: number }[] = [];
	const inserted: { to: number; count: number }[] = [];
	let from = 0;
	let to = 0;
	for (const same of [...samePairs(before, after), { from: before.length, to: after.length }]) {
		const both = Math.min(same.from - from, same.to - to);
		for (let index = 0; index < both; index += 1) kept.push({ from: from + index, to: to + index });
		if (same.from - from > both) deleted.push({ from: from + both, count: same.from - from - both });
		if (same.to - to > both) inserted.push({ to: to + both, count: same.to - to - both });
		({ from, to } = { from: same.from + 1, to: same.to + 1 });
		if (same.from < before.length) kept.push(same);
	}
	return { kept, deleted, inserted };
}

/** The rows that are in both, in the same order, of which most signs are kept. */
function samePairs(before: readonly string[], after: readonly string[]): readonly { from: number; to: number }[] {
	let start = 0;
	while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
	let end = 0;
	const most = Math.min(before.length, after.length) - start;
	while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
	const pairs = Array.from({ length: start }, (_, index) => ({ from: index, to: index }));
	const middle = moved(before.slice(start, before.length - end), after.slice(start, after.length - end));
	pairs.push(...middle.map(({ from, to }) => ({ from: from + start, to: to + start })));
	for (let index = end; index > 0; index -= 1) pairs.push({ from: before.length - index, to: after.length - index });
	return pairs;
}

/** A longest common subsequence by the length of rows. Both are at most a screen tall; a tall block is not compared. */
function moved(before: readonly string[], after: readonly string[]): readonly { from: number; to: number }[] {
	if (before.length * after.length > 1 << 14) return [];
	const columns = after.length + 1;
	const best = new Uint32Array((before.length + 1) * columns);
	const weight = (from: number, to: number): number => {
		const row = before[from] ?? '';
		return row === after[to] && row.length - rowEnd.length >= worthMoving ? row.length : 0;
	};
	for (let from = before.length - 1; from >= 0; from -= 1) {
		for (let to = after.length - 1; to >= 0; to -= 1) {
			const here = weight(from, to);
			const both = here > 0 ? here + (best[(from + 1) * columns + to + 1] ?? 0) : 0;
			best[from * columns + to] = Math.max(
				both,
				best[(from + 1) * columns + to] ?? 0,
				best[from * columns + to + 1] ?? 0,
			);
		}
	}
	const pairs: { from: number; to: number }[] = [];
	for (let from = 0, to = 0; from < before.length && to < after.length; ) {
		const here = weight(from, to);
		const value = best[from * columns + to] ?? 0;
		if (here > 0 && value === here + (best[(from + 1) * columns + to + 1] ?? 0)) {
			pairs.push({ from, to });
			from += 1;
			to += 1;
		} else if (value === best[(from + 1) * columns + to]) from += 1;
		else to += 1;
	}
	return pairs;
}

/** Knows which row the cursor is in, and moves it only where something is written. */
class Pen {
	codes = '';
	row: number;

	constructor(row: number) {
		this.row = row;
	}

	/** To a row that is there already. */
	down(row: number, codes: string): void {
		const by = row - this.row;
		this.codes += (by > 0 ? `\u001b[${by}B` : by < 0 ? `\u001b[${-by}A` : '') + codes;
		this.row = row;
	}

	/** Makes rows below the last one; the screen scrolls where there is none. */
	append(last: number, count: number): void {
		this.down(last, '\n'.repeat(count));
		this.row = last + count;
	}

	write(codes: string, row: number): void {
		this.codes += codes;
		this.row = row;
	}

	change(row: number, from: string, to: string): void {
		if (from === to) return;
		const [old, fresh] = [bare(from), bare(to)];
		if (old === fresh) return;
		const same = cutOf(old, fresh);
		const kept = fresh.slice(0, same);
		const column = visibleWidth(kept) + 1;
		const isShorter = visibleWidth(fresh) < visibleWidth(old);
		// Colours that were begun in the part that stays go on in what is written.
		this.down(row, (column === 1 ? '\r' : `\u001b[${column}G`) + coloursIn(kept) + fresh.slice(same));
		if (isShorter) this.codes += '\u001b[K';
	}
}

/** A row without codes needs no end. */
function bare(row: string): string {
	const text = row.endsWith(rowEnd) ? row.slice(0, -rowEnd.length) : row;
	return text.includes('\u001b') && !text.endsWith('\u001b[0m') ? `${text}\u001b[0m` : text;
}

const plain = /^[ -~]?$/;

/** How much of the beginning stays: never a part of a code, nor of a sign that the next character changes. */
function cutOf(old: string, fresh: string): number {
	let at = 0;
	while (at < old.length && old[at] === fresh[at]) at += 1;
	const begun = fresh.lastIndexOf('\u001b', at - 1);
	if (begun !== -1 && !fresh.slice(begun, at).includes('m')) at = begun;
	const isBound = (index: number): boolean =>
		[fresh[index - 1] ?? '', fresh[index] ?? '', old[index] ?? ''].every(
			(sign) => plain.test(sign) || sign === '\u001b',
		);
	while (at > 0 && !isBound(at)) at -= 1;
	const inCode = fresh.lastIndexOf('\u001b', at - 1);
	return inCode !== -1 && !fresh.slice(inCode, at).includes('m') ? inCode : at;
}

function coloursIn(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these codes are what is looked for.
	const codes: readonly string[] = text.match(/\u001b\[[\d;]*m/g) ?? [];
	return codes.slice(codes.lastIndexOf('\u001b[0m') + 1).join('');
}
