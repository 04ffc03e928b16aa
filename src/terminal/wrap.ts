/** Where lines of a text break: between words, and in a word only where it is longer than a line; and the least width of a line. */
import { wrapAnsi } from './text-libraries.ts';
import { adopted, cleaned } from './writer.ts';

export const narrowest = 10;

/**
 * `hard`: a word that is longer than a line is broken, too. Measuring each sign is slow and costs memory outside the heap, so common
 * texts are wrapped without it.
 */
export function wrap(text: string, width: number, hard = true, least = narrowest): string {
	const wide = Math.max(least, width);
	return text
		.replaceAll('\t', '    ')
		.split('\n')
		.map((line) => wrapLine(line, wide, hard).replace(/ +$/gm, ''))
		.join('\n');
}

function wrapLine(line: string, width: number, hard: boolean): string {
	if (line.length * 2 <= width) return line;
	if (simple.test(line)) return wrapSimple(line, width, hard);
	return adopted(wrapAnsi(cleaned(line), width, { trim: false, hard })).replace(brokenAt, '\n$1');
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
function wrapSimple(line: string, width: number, hard: boolean): string {
	const lines: string[] = [];
	let from = 0;
	let used = 0;
	/** Where the line may end, and how wide what comes behind is. */
	let split = -1;
	for (let at = 0; at < line.length; at += 1) {
		const code = line.charCodeAt(at);
		const columns = code < firstWide ? 1 : 2;
		if (used + columns > width && code !== space && (hard || split > from)) {
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
