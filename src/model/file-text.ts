/** Text files, told from binary ones by their first bytes: keeps encoding, byte-order mark and line ends, so that an edit changes nothing else. */
import { isAscii } from 'node:buffer';

export interface FileText {
	/** Lines end with `\n` here, whatever they end with in the file. */
	readonly text: string;
	readonly encoding: 'utf8' | 'utf16le';
	readonly bom: boolean;
	readonly crlf: boolean;
	/** Why writing the text back would damage the file; absent where it would not. */
	readonly foreign?: 'nul' | 'not-utf8';
}

/** How many characters are read to find the line ends of a file, and how many bytes to find that it is no text. */
const told = { endings: 4096, nul: 8192 } as const;

export function fileText(bytes: Uint8Array): FileText {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (buffer[0] === 0xff && buffer[1] === 0xfe) return lines(buffer.subarray(2).toString('utf16le'), 'utf16le', true);
	const bom = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
	// ASCII is read at half the cost where it is known to be nothing else, and finding that out costs little.
	const made = lines(isAscii(buffer) ? buffer.toString('latin1') : buffer.toString('utf8', bom ? 3 : 0), 'utf8', bom);
	if (buffer.subarray(0, told.nul).includes(0)) return { ...made, foreign: 'nul' };
	return made.text.includes('\uFFFD') && !isUtf8(buffer) ? { ...made, foreign: 'not-utf8' } : made;
}

/**
 * True for what is no text in any encoding, by its first bytes: more than every twentieth is a control character that texts do not
 * have, at even and odd places alike. Older encodings have none, and in UTF-16 they fall on one of the two. What would be UTF-8 without
 * them may have more, as lists with a NUL behind each name.
 */
export function isBinary(bytes: Uint8Array, { foreign, text }: Pick<FileText, 'foreign' | 'text'>): boolean {
	if (foreign === undefined) return false;
	const start = bytes.subarray(0, told.nul);
	const found: [number, number] = [0, 0];
	for (const [index, byte] of start.entries())
		if (byte < 0x20 && !inTexts.has(byte)) found[index % 2 === 0 ? 0 : 1] += 1;
	const [fewer, more] = found.sort((one, other) => one - other);
	const allowed = start.length / (text.slice(0, told.nul).includes('\uFFFD') ? 20 : 3);
	return fewer + more > allowed && fewer * 4 > more;
}

/** The control characters that texts do have: backspace to carriage return, and escape, as in recorded terminal output. */
const inTexts: ReadonlySet<number> = new Set([8, 9, 10, 11, 12, 13, 27]);

function lines(raw: string, encoding: FileText['encoding'], bom: boolean): FileText {
	const start = raw.slice(0, told.endings);
	const crlfs = start.split('\r\n').length - 1;
	const lfs = start.split('\n').length - 1 - crlfs;
	return { text: raw.replaceAll('\r\n', '\n'), encoding, bom, crlf: crlfs > lfs };
}

function isUtf8(bytes: Uint8Array): boolean {
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return true;
	} catch (error) {
		if (error instanceof TypeError) return false;
		throw error;
	}
}

/** The bytes of a text in the encoding and with the line ends of another file. */
export function fileBytes(text: string, like: Pick<FileText, 'encoding' | 'bom' | 'crlf'>): Uint8Array {
	const ended = like.crlf ? text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : text;
	return Buffer.from(like.bom ? `\uFEFF${ended}` : ended, like.encoding);
}

/** A part of a text, and what stands in its place. */
export interface TextChange {
	readonly at: number;
	readonly length: number;
	readonly text: string;
}

export function changedText(text: string, { at, length, text: after }: TextChange): string {
	return `${text.slice(0, at)}${after}${text.slice(at + length)}`;
}

/**
 * `fileBytes` of the changed text, in parts: to encode or copy what stays of a large file costs more than to write it. Undefined where
 * letters of the text are not bytes of the file, as in all but plain ASCII.
 */
export function changedBytes(
	{ bytes, text, encoding, foreign }: FileText & { readonly bytes: Uint8Array },
	{ at, length, text: after }: TextChange,
): readonly Uint8Array[] | undefined {
	// Each letter, byte-order mark and line end that is not one byte makes the text shorter than the bytes, and nothing makes it longer.
	if (encoding !== 'utf8' || foreign !== undefined || bytes.length !== text.length) return undefined;
	return [bytes.subarray(0, at), Buffer.from(after), bytes.subarray(at + length)];
}

/** The text without blanks at line ends, which models leave; in Markdown two of them break a line and stay. */
export function withoutTrailingBlanks(text: string, path: string): string {
	return /\.mdx?$/i.test(path) ? text : text.replace(/(?<![^\S\r\n])[^\S\r\n]+(?=\r?\n|\r|$)/g, '');
}
