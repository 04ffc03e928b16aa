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
const colon = 0x3a;
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

/**
 * At least as many as there are keys in all objects of a line, and as a rule exactly as many: quotes inside texts are escaped,
 * so a bare quote before a colon ends a key, or starts a text that begins with a colon. Much faster than finding the fields.
 */
export function countKeys(bytes: Uint8Array): number {
	let count = 0;
	for (let at = bytes.indexOf(colon); at !== -1; at = bytes.indexOf(colon, at + 1)) {
		let before = at - 1;
		while ((bytes[before] as number) <= 0x20) before -= 1;
		if (bytes[before] === quote && !isEscaped(bytes, before)) count += 1;
	}
	return count;
}

/** The number under `key` as it is written, if that can be told at a glance: in a line without objects inside. */
export function numberText(bytes: Uint8Array, key: string): string | undefined {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const at = buffer.lastIndexOf(`"${key}":`);
	if (at === -1 || isEscaped(bytes, at)) return undefined;
	const start = skipSpace(bytes, at + key.length + 3);
	return buffer.toString('latin1', start, valueEnd(bytes, start));
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
		if (!isEscaped(bytes, i)) return i + 1;
	}
	return bytes.length;
}

function isEscaped(bytes: Uint8Array, quoteAt: number): boolean {
	let slashes = 0;
	for (let i = quoteAt - 1; i >= 0 && bytes[i] === backslash; i -= 1) slashes += 1;
	return slashes % 2 === 1;
}

function skipSpace(bytes: Uint8Array, at: number): number {
	let i = at;
	while (i < bytes.length && (bytes[i] as number) <= 0x20) i += 1;
	return i;
}
