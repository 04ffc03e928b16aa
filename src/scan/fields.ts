/** Finds the values of a few fields in a line of JSON, and parses nothing else of it. */
import type { Json } from '../model/index.ts';
import type { ScannedLine } from './lines.ts';

/** A field that tells whether the rest of a line matters. It must be one of the wanted ones. */
export interface ScanGate {
	readonly path: string;
	/** Lines with another value there are not read any further. */
	readonly values: readonly string[];
	/** A line in which this text follows the value is read all the same. */
	readonly unless?: string;
}

/**
 * `sure`: JSON.parse of the line throws, or finds exactly the wanted values that were found here. `skipped`: the gate
 * refused the line, and only what is before it is known. `unsure`: ask JSON.parse.
 */
export type Looked = 'sure' | 'skipped' | 'unsure';

interface Key {
	readonly name: Uint8Array;
	/** The number of the path that ends here, or -1. */
	field: number;
	readonly below: Key[];
	/** Bit `length & 31` is set for the length of each name below: most keys are refused by this alone. */
	lengths: number;
	/** The number of the line in which it was last met. */
	seen: number;
}

const tab = 0x09;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const zero = 0x30;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Returned by reading methods in place of the position behind what they read. */
const failed = -1;
/** Up to this length checking each byte is faster than a search; keys and names are shorter. */
const shortText = 16;
/** How many digits a double holds exactly. */
const mostDigits = 15;

/**
 * Texts are nearly all of a session's bytes, and the runtime's search finds the closing quote many times faster than
 * JSON.parse reads the text. What is between the quotes is not checked.
 */
export class FieldFinder {
	readonly #root: Key = { name: Buffer.alloc(0), field: -1, below: [], lengths: 0, seen: 0 };
	readonly #gate: ScanGate | undefined;
	readonly #gateField: number;
	readonly #from: Int32Array;
	readonly #to: Int32Array;
	/** For each field the last plain text, which is reused: types, models and folders rarely change between lines. */
	readonly #last: string[];
	#bytes: Buffer = Buffer.alloc(0);
	#end = 0;
	#serial = 0;
	#skipped = false;

	/** Takes dotted paths: `type`, `message.usage`. */
	constructor(paths: readonly string[], gate?: ScanGate) {
		for (const [field, path] of paths.entries()) this.#add(path, field);
		this.#gate = gate;
		this.#gateField = gate ? paths.indexOf(gate.path) : -2;
		this.#from = new Int32Array(paths.length);
		this.#to = new Int32Array(paths.length);
		this.#last = paths.map(() => '');
	}

	#add(path: string, field: number): void {
		let key = this.#root;
		for (const step of path.split('.')) {
			const name = Buffer.from(step);
			let next = key.below.find((one) => name.equals(one.name));
			if (!next) {
				next = { name, field: -1, below: [], lengths: 0, seen: 0 };
				key.below.push(next);
				key.lengths |= 1 << (name.length & 31);
			}
			key = next;
		}
		key.field = field;
	}

	look({ window, from, to }: ScannedLine): Looked {
		this.#bytes = window;
		this.#end = to;
		this.#serial += 1;
		this.#skipped = false;
		this.#to.fill(0);
		const start = this.#spaces(from);
		const behind = this.#is(start, openBrace) ? this.#object(start, this.#root) : failed;
		if (this.#skipped) return 'skipped';
		// Other bytes follow the line in memory, and a torn line may have been read into them.
		return behind !== failed && behind <= to && this.#spaces(behind) === to ? 'sure' : 'unsure';
	}

	/** The value; undefined where it is absent or broken. */
	value(field: number): Json | undefined {
		return this.#isLarge(field) ? this.#parsed(field) : this.scalar(field);
	}

	/** The value, but an empty object for any object or list. */
	scalar(field: number): Json | undefined {
		const to = this.#to[field] as number;
		if (to === 0) return undefined;
		const from = this.#from[field] as number;
		if (this.#is(from, quote)) return this.#string(field, from + 1, to - 1);
		return this.#isLarge(field) ? {} : (this.#count(from, to) ?? this.#parsed(field));
	}

	#isLarge(field: number): boolean {
		const from = this.#from[field] as number;
		return this.#to[field] !== 0 && (this.#is(from, openBrace) || this.#is(from, openBracket));
	}

	#string(field: number, from: number, to: number): Json | undefined {
		const last = this.#last[field] as string;
		if (last.length === to - from && this.#reads(last, from)) return last;
		for (let p = from; p < to; p += 1) {
			const byte = this.#bytes[p] as number;
			if (byte < space || byte === backslash || byte > 0x7e) return this.#parsed(field);
		}
		const text = this.#bytes.toString('latin1', from, to);
		this.#last[field] = text;
		return text;
	}

	#reads(text: string, from: number): boolean {
		for (let i = 0; i < text.length; i += 1) if (this.#bytes[from + i] !== text.charCodeAt(i)) return false;
		return true;
	}

	/** A number of plain digits; undefined where JSON.parse has to be asked. */
	#count(from: number, to: number): number | undefined {
		if (to - from > mostDigits || (this.#is(from, zero) && to - from > 1)) return undefined;
		let value = 0;
		for (let p = from; p < to; p += 1) {
			const digit = (this.#bytes[p] as number) - zero;
			if (digit < 0 || digit > 9) return undefined;
			value = 10 * value + digit;
		}
		return value;
	}

	#parsed(field: number): Json | undefined {
		try {
			return JSON.parse(this.#bytes.toString('utf8', this.#from[field], this.#to[field])) as Json;
		} catch (error) {
			if (error instanceof SyntaxError) return undefined; // not JSON: whoever parses the line will report it
			throw error;
		}
	}

	#is(at: number, byte: number): boolean {
		return this.#bytes[at] === byte;
	}

	/** Reads an object on a wanted path; `at` is at its brace. */
	#object(at: number, key: Key): number {
		let p = this.#spaces(at + 1);
		if (this.#is(p, closeBrace)) return p + 1;
		for (;;) {
			if (!this.#is(p, quote)) return failed;
			const name = p + 1;
			p = this.#stringEnd(name);
			if (p === failed) return failed;
			const found = this.#keyIn(key, name, p - 1);
			// A key with escapes may equal a wanted one, and of equal keys the last one counts: JSON.parse has to decide.
			if (found ? found.seen === this.#serial : this.#hasEscape(name, p - 1)) return failed;
			p = this.#spaces(p);
			if (!this.#is(p, colon)) return failed;
			p = this.#member(this.#spaces(p + 1), found);
			if (p === failed) return failed;
			p = this.#spaces(p);
			if (this.#is(p, closeBrace)) return p + 1;
			if (!this.#is(p, comma)) return failed;
			p = this.#spaces(p + 1);
		}
	}

	#keyIn({ below, lengths }: Key, from: number, to: number): Key | undefined {
		const length = to - from;
		if ((lengths & (1 << (length & 31))) === 0) return undefined;
		for (const key of below) if (key.name.length === length && this.#isName(key.name, from)) return key;
		return undefined;
	}

	#isName(name: Uint8Array, from: number): boolean {
		for (let i = 0; i < name.length; i += 1) if (name[i] !== this.#bytes[from + i]) return false;
		return true;
	}

	#hasEscape(from: number, to: number): boolean {
		for (let p = from; p < to; p += 1) if (this.#is(p, backslash)) return true;
		return false;
	}

	/** Reads the value of a key and notes its position. */
	#member(from: number, key: Key | undefined): number {
		if (!key) return this.#valueEnd(from);
		key.seen = this.#serial;
		const to = key.below.length > 0 && this.#is(from, openBrace) ? this.#object(from, key) : this.#valueEnd(from);
		if (to === failed || key.field === -1) return to;
		this.#from[key.field] = from;
		this.#to[key.field] = to;
		if (key.field !== this.#gateField || this.#passes(to)) return to;
		this.#skipped = true;
		return failed;
	}

	#passes(behind: number): boolean {
		const { values = [], unless } = this.#gate ?? {};
		const value = this.scalar(this.#gateField);
		if (typeof value === 'string' && values.includes(value)) return true;
		return unless !== undefined && this.#bytes.subarray(behind, this.#end).includes(unless);
	}

	#valueEnd(at: number): number {
		if (this.#is(at, quote)) return this.#stringEnd(at + 1);
		if (this.#is(at, openBrace) || this.#is(at, openBracket)) return this.#containerEnd(at);
		let p = at;
		while (p < this.#end && !this.#endsScalar(p)) p += 1;
		return p > at && p < this.#end ? p : failed;
	}

	#endsScalar(at: number): boolean {
		const byte = this.#bytes[at] as number;
		return byte === comma || byte === closeBrace || byte <= space;
	}

	/** The end of a string; `at` is behind its opening quote. */
	#stringEnd(at: number): number {
		const bytes = this.#bytes;
		let p = at;
		for (; p < at + shortText; p += 1) {
			const byte = bytes[p];
			if (byte === quote) return p < this.#end ? p + 1 : failed;
			if (byte === backslash) break;
		}
		for (;;) {
			const end = bytes.indexOf(quote, p);
			if (end === -1 || end >= this.#end) return failed;
			let slashes = 0;
			while (bytes[end - 1 - slashes] === backslash) slashes += 1;
			if (slashes % 2 === 0) return end + 1;
			p = end + 1;
		}
	}

	/** The end of an object or list. Brackets of different kinds are not matched: JSON.parse throws for those. */
	#containerEnd(at: number): number {
		const bytes = this.#bytes;
		const end = this.#end;
		let depth = 0;
		for (let p = at; p < end; ) {
			const byte = bytes[p];
			p += 1;
			if (byte === quote) {
				p = this.#stringEnd(p);
				if (p === failed) return failed;
			} else if (byte === openBrace || byte === openBracket) depth += 1;
			else if (byte === closeBrace || byte === closeBracket) {
				depth -= 1;
				if (depth === 0) return p;
			}
		}
		return failed;
	}

	#spaces(at: number): number {
		let p = at;
		for (let byte = this.#bytes[p]; byte === space || byte === tab || byte === carriageReturn; ) {
			p += 1;
			byte = this.#bytes[p];
		}
		return Math.min(p, this.#end);
	}
}
