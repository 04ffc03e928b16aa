/** What JSON.parse hides of a line: keys given twice and how numbers are written. Only for bytes that parsed as an object. */

export interface RawField {
	readonly key: string;
	/** The value's bytes. */
	readonly at: number;
	readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The fields of the object in file order, repeated ones included. */
export function rawFields(bytes: Uint8Array): readonly RawField[] {
	const found: RawField[] = [];
	let at = bytes.indexOf(quote, bytes.indexOf(openBrace) + 1);
	while (at !== -1) {
		const nameEnd = stringEnd(bytes, at);
		const key = keyText(bytes.subarray(at, nameEnd));
		// A name is followed by its colon, a value by a comma or the end of the object.
		const start = skipSpace(bytes, skipSpace(bytes, nameEnd) + 1);
		const end = valueEnd(bytes, start);
		found.push({ key, at: start, end });
		const next = skipSpace(bytes, end);
		if (bytes[next] !== comma) break;
		at = bytes.indexOf(quote, next);
	}
	return found;
}

/** The value of a field as it is written; of equal keys the last counts, as in JSON.parse. */
export function rawText(bytes: Uint8Array, fields: readonly RawField[], key: string): string | undefined {
	const field = fields.findLast((one) => one.key === key);
	return field && Buffer.from(bytes.subarray(field.at, field.end)).toString('utf8');
}

function keyText(quoted: Uint8Array): string {
	const text = Buffer.from(quoted.buffer, quoted.byteOffset, quoted.byteLength).toString('utf8');
	return quoted.includes(backslash) ? String(JSON.parse(text)) : text.slice(1, -1);
}

function valueEnd(bytes: Uint8Array, at: number): number {
	const first = bytes[at];
	if (first === quote) return stringEnd(bytes, at);
	if (first === openBrace || first === openBracket) return containerEnd(bytes, at);
	let end = at;
	for (let byte = bytes[end]; byte !== undefined && byte > 0x20 && byte !== comma && byte !== closeBrace; ) {
		end += 1;
		byte = bytes[end];
	}
	return end;
}

function containerEnd(bytes: Uint8Array, at: number): number {
	let depth = 0;
	for (let i = at; i < bytes.length; ) {
		const byte = bytes[i];
		if (byte === quote) {
			i = stringEnd(bytes, i);
			continue;
		}
		if (byte === openBrace || byte === openBracket) depth += 1;
		else if (byte === closeBrace || byte === closeBracket) depth -= 1;
		i += 1;
		if (depth === 0) return i;
	}
	return bytes.length;
}

/** Just after the closing quote. */
function stringEnd(bytes: Uint8Array, at: number): number {
	for (let i = bytes.indexOf(quote, at + 1); i !== -1; i = bytes.indexOf(quote, i + 1)) {
		let slashes = 0;
		for (let j = i - 1; j > at && bytes[j] === backslash; j -= 1) slashes += 1;
		if (slashes % 2 === 0) return i + 1;
	}
	return bytes.length;
}

function skipSpace(bytes: Uint8Array, at: number): number {
	let i = at;
	while (i < bytes.length && (bytes[i] as number) <= 0x20) i += 1;
	return i;
}
