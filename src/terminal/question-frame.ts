/** Foreign text within a question: every line of the screen begins with a mark, so that none of it can pass for the question itself. */
// A terminal breaks a line that is too long without a mark. Whoever pads a command with blanks up to the edge of the screen could then
// write the next line as it likes. So lines are broken here, and long runs of blanks are counted instead of shown.
import { narrowSigns } from './wrap.ts';

/** Before every line. */
export const mark = '  │ ';
/** Before the first line of something that has a name of its own; no line of a text can begin with it. */
const nameMark = '  ├ ';

/** Signs that take room and show nothing, in all widths. */
const blank = '[\\p{Zs}\\u2800\\u115f\\u1160\\u3164\\uffa0]';
/** An indentation is part of what is shown, unless it is wider than anybody indents. */
const blanks = new RegExp(`(?<!${blank}|^[-+]?)${blank}{9,}|(?<=^[-+]?)${blank}{33,}`, 'gu');

/** Columns of the terminal on which questions are asked. */
export function questionWidth(): number {
	return process.stderr.columns || 80;
}

/** All of a foreign text, framed. `style` paints each line; `name` stands before the text and is marked as a name. */
export function framed(
	text: string,
	style: (line: string) => string = (line) => line,
	name?: string,
	columns = questionWidth(),
): string[] {
	// The last column stays empty: some terminals break a line that fills it.
	const width = Math.max(2, columns - mark.length - 1);
	const whole = name === undefined ? visible(text) : `${visibleLine(name)}: ${visible(text)}`;
	const lines = whole.split('\n').flatMap((line) => pieces(countedBlanks(line), width));
	return lines.map((line, index) => (name !== undefined && index === 0 ? nameMark : mark) + style(line));
}

/** A foreign text on one line of our own, or undefined where it does not fit into so many columns. */
export function fitting(text: string, width: number): string | undefined {
	const line = countedBlanks(visibleLine(text));
	return pieces(line, Math.max(2, width - 1)).length === 1 ? line : undefined;
}

function countedBlanks(line: string): string {
	return line.replace(blanks, (run) => `·{${run.length} blanks}·`);
}

function visibleLine(text: string): string {
	return visible(text).replaceAll('\n', '\\n');
}

const narrow = new RegExp(`^[${narrowSigns}]$`);

/**
 * Nothing is lost at a break. A sign that is not surely narrow counts as wide: terminals do not agree about all of them, and a line that
 * is too short does no harm.
 */
function pieces(line: string, width: number): string[] {
	if (line.length * 2 <= width || (line.length <= width && /^[ -~]*$/.test(line))) return [line];
	const found: string[] = [];
	let piece = '';
	let used = 0;
	for (const sign of line) {
		const columns = columnsOf(sign);
		if (used + columns > width) {
			const end = brokenAfter(piece);
			found.push(piece.slice(0, end));
			piece = piece.slice(end);
			used = 0;
			for (const kept of piece) used += columnsOf(kept);
		}
		piece += sign;
		used += columns;
	}
	return [...found, piece];
}

/** Between words where that leaves most of the line filled; behind a blank, so that the next line begins with a word. */
function brokenAfter(piece: string): number {
	const space = piece.lastIndexOf(' ');
	return space > piece.length / 2 ? space + 1 : piece.length;
}

function columnsOf(sign: string): number {
	if (narrow.test(sign)) return 1;
	return /[\p{Mn}\p{Me}]/u.test(sign) ? 0 : 2;
}

/**
 * Signs that a terminal obeys or shows as nothing, spelled out: a command must not look like another one. Newlines stay, because every
 * line has a mark before it.
 */
export function visible(text: string): string {
	return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => {
		if (sign === '\n' || sign === '\t') return sign === '\t' ? '\\t' : sign;
		if (sign === '\r') return '\\r';
		const code = sign.codePointAt(0) ?? 0;
		return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
	});
}
