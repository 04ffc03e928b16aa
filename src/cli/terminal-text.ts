/** Text that fits a terminal: wrapped, folded, and without what would move its cursor. */
import { stripVTControlCharacters } from 'node:util';
import wrapAnsi from 'wrap-ansi';
import { paint, type Style } from './print.ts';

/** A session's text as it may be printed: tools leave escape codes, and a text could hide others behind them. */
export function harmless(text: string): string {
	if (!risky.test(text)) return text;
	return stripVTControlCharacters(text)
		.split('\n')
		.map((line) => lastWriting(line).replace(control, ''))
		.join('\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go; joiners and marks of scripts stay.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const risky = new RegExp(control.source);

/** A progress bar begins its line again and again: the last time is what one would see. */
function lastWriting(line: string): string {
	const text = line.endsWith('\r') ? line.slice(0, -1) : line;
	return text.slice(text.lastIndexOf('\r') + 1);
}

const narrowest = 20;

/** A line that fits whatever its characters are is not measured: measuring is most of the work. */
export function wrap(text: string, width: number): string {
	const wide = Math.max(narrowest, width);
	return text
		.replaceAll('\t', '    ')
		.split('\n')
		.map((line) => (fits(line, wide) ? line : wrapAnsi(line, wide, { trim: false, hard: true })))
		.join('\n')
		.replace(/ +$/gm, '');
}

const plain = /^[ -~]*$/;

function fits(line: string, width: number): boolean {
	return line.length * 2 <= width || (line.length <= width && plain.test(line));
}

export function indent(text: string, first: string, rest: string): string {
	return text
		.split('\n')
		.map((line, index) => ((index === 0 ? first : rest) + line).trimEnd())
		.join('\n');
}

export function paintLines(style: Style, text: string): string {
	return text
		.split('\n')
		.map((line) => (line === '' ? '' : paint(style, line)))
		.join('\n');
}

/** The first `fold` lines of a session's text, wrapped. What is not shown is not looked at either: it may be megabytes. */
export function folded(text: string, width: number, fold: number): string {
	const lines: string[] = [];
	let at = 0;
	while (at <= text.length && lines.length <= fold + 1) {
		const end = endOfLine(text, at);
		// More than fits in any case, so that a line of megabytes is not wrapped whole.
		const most = at + Math.max(narrowest, width) * (fold + 3);
		lines.push(...wrap(harmless(text.slice(at, Math.min(end, most))), width).split('\n'));
		if (most < end) break;
		at = end + 1;
	}
	const left = at > text.length ? 0 : linesIn(text, at);
	if (lines.length + left <= fold + 1) return lines.join('\n');
	const more = Math.max(1, lines.length - fold) + left;
	return [...lines.slice(0, fold), `… ${more.toLocaleString('en')} more lines (--full shows them)`].join('\n');
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
