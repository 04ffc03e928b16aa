/** How a session's text is folded for a terminal (`… 12 more lines`), and what becomes of colours, progress bars and control characters in it. */
import { countText } from '../export/count-text.ts';
import { plural } from '../model/index.ts';
import { narrowest, wrap } from './wrap.ts';
import { cleaned, paint, type Style, withoutColours } from './writer.ts';

/**
 * A program's output as it may be printed: without its colours, and of a line that it began again and again only the last writing, as one
 * would have seen it, behind a mark that says so. Everything else that would move a cursor or name a window is spelled out: text is not
 * dropped without a sign. Not for what people and models say, in which everything counts: see `spoken`.
 */
export function harmless(text: string): string {
	const plain = withoutColours(text);
	return plain.includes('\r') ? cleaned(plain.split('\n').map(lastWriting).join('\n')) : cleaned(plain);
}

/** What somebody said, as it may be printed: nothing of it is hidden. */
export function spoken(text: string): string {
	return cleaned(text.replace(/\r$/, ''));
}

/** A progress bar begins its line again and again: the last time is what one would see. */
function lastWriting(line: string): string {
	const text = line.replace(/\r+$/, '');
	const begun = text.lastIndexOf('\r');
	return begun === -1 ? text : `…${text.slice(begun)}`;
}

export function paintLines(style: Style, text: string): string {
	return text
		.split('\n')
		.map((line) => (line === '' ? '' : paint(style, line)))
		.join('\n');
}

/** The first `fold` lines of a session's text, wrapped; `clean` makes it fit to print. What is not shown is not looked at either: it may be megabytes. */
export function folded(text: string, width: number, fold: number, clean = spoken): string {
	const lines: string[] = [];
	let at = 0;
	while (at <= text.length && lines.length <= fold + 1) {
		const end = endOfLine(text, at);
		// More than fits in any case, so that a line of megabytes is not wrapped whole.
		const most = at + Math.max(narrowest, width) * (fold + 3);
		lines.push(...wrap(clean(text.slice(at, Math.min(end, most))), width).split('\n'));
		if (most < end) break;
		at = end + 1;
	}
	const left = at > text.length ? 0 : linesIn(text, at);
	if (lines.length + left <= fold + 1) return lines.join('\n');
	const more = Math.max(1, lines.length - fold) + left;
	return [...lines.slice(0, fold), `… ${countText(more)} more ${plural(more, 'line')} (--full shows them)`].join('\n');
}

function endOfLine(text: string, at: number): number {
	const end = text.indexOf('\n', at);
	return end === -1 ? text.length : end;
}

function linesIn(text: string, from: number): number {
	let lines = 1;
	for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
	return lines;
}
