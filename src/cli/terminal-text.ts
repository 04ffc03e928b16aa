/** Text that fits a terminal: wrapped, folded, and without what would move its cursor. */
import { stripVTControlCharacters } from 'node:util';
import { countText } from '../export/count-text.ts';
import { plural } from '../model/index.ts';
import { wrapAnsi } from './text-libraries.ts';
import { adopted, cleaned, paint, type Style } from './writer.ts';

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

const narrowest = 20;

/** Measuring each sign is slow and costs memory outside the heap, so common texts are wrapped without it. */
export function wrap(text: string, width: number): string {
	const wide = Math.max(narrowest, width);
	return text
		.replaceAll('\t', '    ')
		.split('\n')
		.map((line) => wrapLine(line, wide).replace(/ +$/gm, ''))
		.join('\n');
}

function wrapLine(line: string, width: number): string {
	if (line.length * 2 <= width) return line;
	if (simple.test(line)) return wrapSimple(line, width);
	return adopted(wrapAnsi(cleaned(line), width, { trim: false, hard: true })).replace(brokenAt, '\n$1');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours may stand before the space at which a line was broken.
const brokenAt = /\n((?:\u001b\[[\d;]*m)*) +/g;

/**
 * Latin, Greek, Cyrillic and common signs, which are one column wide; kana, Chinese characters and Hangul syllables, which
 * are two. Each is a sign by itself. A test holds these ranges against the library that knows all.
 */
export const narrowSigns =
	' -~\\u00a0-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0377\\u0391-\\u03a1\\u03a3-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2190-\\u2193\\u2500-\\u257f';
export const wideSigns = '\\u3001-\\u3020\\u3041-\\u3096\\u30a1-\\u30fe\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3';
const simple = new RegExp(`^[${narrowSigns}${wideSigns}]*$`);

/** Breaks at spaces and between wide signs, and in a word only where it is longer than a line. */
function wrapSimple(line: string, width: number): string {
	const lines: string[] = [];
	let from = 0;
	let used = 0;
	/** Where the line may end, and how wide what comes behind is. */
	let split = -1;
	for (let at = 0; at < line.length; at += 1) {
		const code = line.charCodeAt(at);
		const columns = code < firstWide ? 1 : 2;
		if (used + columns > width && code !== space) {
			const end = split > from ? split : at;
			lines.push(line.slice(from, end));
			from = end;
			while (from < at && line.charCodeAt(from) === space) from += 1;
			used = 0;
			for (let i = from; i < at; i += 1) used += line.charCodeAt(i) < firstWide ? 1 : 2;
			split = -1;
		}
		used += columns;
		if (code === space || columns === 2) split = at + 1;
	}
	return [...lines, line.slice(from)].join('\n');
}

const space = 0x20;
const firstWide = 0x3001;

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
