/** The only way to stdout and stderr: cleans what is printed of control characters and of signs that turn the direction of writing. */
// Whatever is printed was written by somebody else in part (a session, a file's name, a model, a
// server, an argument), and a terminal obeys what it is sent: so nothing that could move its cursor, change its clipboard or turn the
// direction of writing leaves here raw, into a pipe neither.
//
// To print foreign text, print it: `print(title)`, `complain(message)`, `print(paint('bold', title))`. There is nothing to call first.
// `oneLine` and `harmless` are for the looks, not for safety. Of what a program has printed `harmless` takes colour codes away; in
// everything else (names, titles, commands, what was said) they are spelled out, because they are a part of it.
// Colours come from `paint` alone. It marks its codes with a number that nobody outside this process knows; the writer shows every other
// code as text. A code that is written into a string by hand is shown as text, too.

import { Writable } from 'node:stream';

/** How `paint` says that a code is ours; part of the code's own parameters, so that what measures and wraps text sees a code. */
const mark = [0, 0, 0].map(() => 1000 + Math.floor(Math.random() * 9000)).join(';');

/** Control characters but tab and newline, and what embeds, overrides, isolates or marks a direction of writing. */
const controls = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const unsafe = new RegExp(`\\u001b\\[(\\d+(?:;\\d+)*?);${mark}m|[${controls}]`, 'g');
const unsafeOnce = new RegExp(unsafe.source);
/** Also what ends a line for many readers, the Agent SDK's among them: they would read two halves of a document. */
const unsafeInJson = new RegExp(`[${controls}\\u2028\\u2029]`, 'g');

/** The text as it may be sent to a terminal: our own colours as codes, everything else that a terminal would obey spelled out. */
export function rendered(text: string): string {
	return replaced(text, (code) => `\u001b[${code}m`);
}

/** The same text with nothing but our own marked codes in it, for what works on text before it is printed. */
export function cleaned(text: string): string {
	return replaced(text, marked);
}

function replaced(text: string, own: (code: string) => string): string {
	if (!unsafeOnce.test(text)) return text;
	return text
		.replaceAll('\r\n', '\n')
		.replace(unsafe, (found: string, code: string | undefined) => (code === undefined ? spelled(found) : own(code)));
}

/** `\x1b`, `\u202e`: as programmers write them. */
function spelled(found: string): string {
	const code = found.charCodeAt(0);
	return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

function marked(code: string): string {
	return `\u001b[${code};${mark}m`;
}

/** Without the codes that only colour: nothing is hidden by taking them away. */
export function withoutColours(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these codes are what is looked for.
	return text.replace(/(?:\u001b\[|\u009b)[\d;:]*m/g, '');
}

/** Codes that a library has put into cleaned text, by wrapping what `paint` made, become ours: a style ends as `paint` ends it. */
export function adopted(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these codes are what is looked for.
	return text.replace(/\u001b\[(\d+)m/g, (_, code: string) => marked(/^(2[2-9]|39)$/.test(code) ? '0' : code));
}

/** JSON in which everything that a terminal would obey is escaped; it means the same. */
export function jsonLine(document: unknown, indent?: number): string {
	return escaped(JSON.stringify(document, null, indent));
}

function escaped(text: string): string {
	return text.replace(unsafeInJson, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Text for people on stdout, without a newline at its end. */
export function printPart(text: string): void {
	process.stdout.write(rendered(text));
}

export function print(text: string): void {
	printPart(`${text}\n`);
}

/** One document, for scripts. */
export function printJson(document: unknown): void {
	process.stdout.write(`${jsonLine(document, 2)}\n`);
}

/** One of many documents: a line. */
export function printJsonLine(document: unknown): void {
	process.stdout.write(`${jsonLine(document)}\n`);
}

/** A stream for a protocol whose messages are lines of JSON, each written as a whole: they are escaped as every document is. */
export function jsonLines(): Writable {
	return new Writable({
		decodeStrings: false,
		write(message: unknown, _, done) {
			process.stdout.write(escaped(String(message)), () => done());
		},
	});
}

/** What a stdout that is no terminal gets as it is, and a terminal only as text: the bytes of a file. */
export function exactly(bytes: Uint8Array): Uint8Array {
	return process.stdout.isTTY ? Buffer.from(rendered(Buffer.from(bytes).toString())) : bytes;
}

/** Bytes that were made by `rendered` or `exactly`. */
export function printRendered(bytes: Uint8Array): void {
	process.stdout.write(bytes);
}

/** Text for people on stderr, as it is. */
export function tellPart(text: string): void {
	process.stderr.write(rendered(text));
}

/** Replaces the last line on stderr while a person waits; an empty text clears it. */
export function showStatus(text: string): void {
	process.stderr.write(`\r${rendered(text)}\u001b[K`);
}

const codes = { bold: 1, dim: 2, italic: 3, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;
export type Style = keyof typeof codes;

/** Colour when a person is looking and did not ask for none. */
export function coloursWanted(): boolean {
	const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
	if (NO_COLOR) return false;
	if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
	return process.stdout.isTTY && TERM !== 'dumb';
}

export function paint(style: Style, text: string): string {
	return coloursWanted() ? `${marked(String(codes[style]))}${text}${marked('0')}` : text;
}

/** The text with a code of a theme, such as `38;5;110`, whoever looks: a painted part of it does not end the code for the rest. */
export function styled(code: string, text: string): string {
	if (text === '') return '';
	const [begin, end] = [marked(code), marked('0')];
	return begin + text.replaceAll(end, end + begin) + end;
}
