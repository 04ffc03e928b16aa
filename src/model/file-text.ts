/** Text files: keeps encoding, byte-order mark and line ends, so that an edit changes nothing else. */

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
	const made = lines(buffer.toString('utf8', bom ? 3 : 0), 'utf8', bom);
	if (buffer.subarray(0, told.nul).includes(0)) return { ...made, foreign: 'nul' };
	return made.text.includes('\uFFFD') && !isUtf8(buffer) ? { ...made, foreign: 'not-utf8' } : made;
}

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

/** The text without blanks at line ends, which models leave; in Markdown two of them break a line and stay. */
export function withoutTrailingBlanks(text: string, path: string): string {
	return /\.mdx?$/i.test(path) ? text : text.replace(/[^\S\r\n]+(?=\r?\n|\r|$)/g, '');
}
