/** Text of sessions that fits a terminal: folded, and without what would move its cursor. */
import { stripVTControlCharacters } from 'node:util';
import { countText } from '../export/count-text.ts';
import { plural } from '../model/index.ts';
import { narrowest, wrap } from './wrap.ts';
import { cleaned, paint, type Style } from './writer.ts';

/**
 * A program's output as it may be printed: programs leave escape codes, and begin a line again to show how far they are. Not for what
 * people and models say, in which everything counts: see `spoken`.
 */
export function harmless(text: string): string {
	if (!risky.test(text)) return text;
	return stripVTControlCharacters(text)
		.split('\n')
		.map((line) => lastWriting(line).replace(control, ''))
		.join('\n');
}

/** What somebody said, as it may be printed: nothing of it is hidden. */
export function spoken(text: string): string {
	return cleaned(text.replace(/\r$/, ''));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go; joiners and marks of scripts stay.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const risky = new RegExp(control.source);

/** A progress bar begins its line again and again: the last time is what one would see. */
function lastWriting(line: string): string {
	const text = line.endsWith('\r') ? line.slice(0, -1) : line;
	return text.slice(text.lastIndexOf('\r') + 1);
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
