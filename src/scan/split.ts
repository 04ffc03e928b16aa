/** A document as lines: the elements of one of its arrays, each on a line of its own, at the offsets they have. */

/**
 * Changes the bytes of a document as they come, so that a scanner of lines can read it: everything up to the array is the
 * first line, then comes one line per element, and what follows the array is the last. A newline inside of these can only be
 * space between tokens, so a space does as well. What is no object or array is blanked.
 *
 * The array is the document itself or stands under `key` of its object, where the first one counts. Elements with nothing
 * at all between them, which no JSON has, stay on one line.
 */
export class Splitter {
	#key: Uint8Array = new Uint8Array(0);
	#state: 'head' | 'between' | 'element' | 'string' | 'tail' = 'head';
	#depth = 0;
	/** Of the array that the elements are in. */
	#arrayDepth = 0;
	#inString = false;
	#escaped = false;
	/** An element has just ended: the next byte becomes the newline. */
	#ended = false;

	begin(key: string): void {
		this.#key = key === '' ? new Uint8Array(0) : Buffer.from(JSON.stringify(key));
		this.#state = 'head';
		this.#depth = 0;
		this.#inString = false;
		this.#escaped = false;
		this.#ended = false;
	}

	/** The next bytes of the document are bytes[from, to); those of the line so far stand right before them. */
	split(bytes: Uint8Array, from: number, to: number): void {
		for (let at = from; at < to; at += 1) {
			const byte = bytes[at] as number;
			if (this.#state === 'between' || this.#state === 'string') bytes[at] = this.#between(byte);
			else {
				if (byte === newline) bytes[at] = space;
				if (this.#state !== 'tail' && this.#outside(byte)) this.#bracket(bytes, at, byte);
			}
		}
	}

	/** False for a byte that is a part of a string. */
	#outside(byte: number): boolean {
		if (!this.#inString) {
			this.#inString = byte === quote;
			// A backslash out here is a flaw; it still takes the next byte's meaning away, as in the other engine.
			if (this.#escaped) this.#inString = this.#escaped = false;
			else this.#escaped = byte === backslash;
			return true;
		}
		if (this.#escaped) this.#escaped = false;
		else if (byte === backslash) this.#escaped = true;
		else this.#inString = byte !== quote;
		return false;
	}

	#bracket(bytes: Uint8Array, at: number, byte: number): void {
		if (byte === openBrace || byte === openBracket) {
			if (this.#state === 'head' && byte === openBracket && this.#isArray(bytes, at)) {
				bytes[at] = newline;
				this.#arrayDepth = this.#depth + 1;
				this.#state = 'between';
			}
			this.#depth += 1;
		} else if (byte === closeBrace || byte === closeBracket) {
			if (this.#depth > 0) this.#depth -= 1;
			if (this.#state !== 'element' || this.#depth > this.#arrayDepth) return;
			this.#state = 'between';
			this.#ended = true;
		}
	}

	#isArray(bytes: Uint8Array, at: number): boolean {
		if (this.#depth !== 1) return this.#depth === 0;
		if (this.#key.length === 0) return false;
		let end = before(bytes, at);
		if (bytes[end - 1] !== colon) return false;
		end = before(bytes, end - 1);
		const start = end - this.#key.length;
		if (start < 1 || bytes[start - 1] === backslash) return false;
		return this.#key.every((wanted, index) => bytes[start + index] === wanted);
	}

	/** What a byte between elements becomes. */
	#between(byte: number): number {
		if (this.#state === 'string') {
			if (this.#escaped) this.#escaped = false;
			else if (byte === backslash) this.#escaped = true;
			else if (byte === quote) this.#state = 'between';
			return space;
		}
		const ended = this.#ended;
		this.#ended = false;
		if (byte === openBrace || byte === openBracket) {
			this.#depth += 1;
			this.#state = 'element';
			return byte;
		}
		if (byte === closeBracket) {
			this.#state = 'tail';
			return newline;
		}
		if (byte === quote) this.#state = 'string';
		return ended ? newline : space;
	}
}

const newline = 0x0a;
const space = 0x20;
const quote = 0x22;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The place behind the last byte before `at` that is no space. */
function before(bytes: Uint8Array, at: number): number {
	let end = at;
	while (end > 0 && (bytes[end - 1] as number) <= space) end -= 1;
	return end;
}
