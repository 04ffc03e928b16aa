/** The scanner in JavaScript: what the WebAssembly one does, byte by byte. */
import { batchLines, type Columns, deepest, type Engine, type Scanned, slack } from './engine.ts';
import { scanFlag } from './flags.ts';
import type { ScanPlan } from './plan.ts';
import { Splitter } from './split.ts';

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Bytes that end a run inside a string: quote, backslash, control characters. */
const stopsString = classOf('"\\');
/** Bytes that matter between brackets and outside strings. */
const stopsContainer = classOf('"\\{}[]');
/** Bytes of numbers and words. */
const scalarByte = scalarBytes();

function classOf(stops: string): Uint8Array {
	const table = new Uint8Array(256).fill(1, 0, space);
	for (const stop of stops) table[stop.charCodeAt(0)] = 1;
	return table;
}

function scalarBytes(): Uint8Array {
	const table = new Uint8Array(256);
	for (let byte = 0; byte < 128; byte += 1) if (/[-+.0-9A-Za-z]/.test(String.fromCharCode(byte))) table[byte] = 1;
	return table;
}

export function makeJsEngine(plan: ScanPlan, size: number): Engine {
	return new JsEngine(plan, size);
}

function makeColumns(fields: number): Columns {
	const column = () => new Uint32Array(batchLines);
	return {
		at: new Float64Array(batchLines),
		end: new Float64Array(batchLines),
		flags: new Uint16Array(batchLines),
		from: Array.from({ length: fields }, column),
		to: Array.from({ length: fields }, column),
	};
}

/** The first byte from `at` on that stops. Four at a time; what stands behind the window's last newline is slack. */
function runEnd(stops: Uint8Array, bytes: Uint8Array, at: number): number {
	let p = at;
	while (
		((stops[bytes[p] as number] as number) |
			(stops[bytes[p + 1] as number] as number) |
			(stops[bytes[p + 2] as number] as number) |
			(stops[bytes[p + 3] as number] as number)) ===
		0
	)
		p += 4;
	while (stops[bytes[p] as number] === 0) p += 1;
	return p;
}

/**
 * Methods that read return the position behind what they read, or -1 after they have set a flag. No index runs past the
 * window: each loop stops at control characters, and what is scanned ends with a newline.
 */
class JsEngine implements Engine {
	readonly name = 'js';
	readonly #keys: readonly Uint8Array[];
	readonly #last: Int32Array;
	readonly #lengths: Int32Array;
	readonly #fields: Int32Array;
	/** The node of the gate, or -1, and its values. */
	readonly #gate: number;
	readonly #gateValues: readonly Uint8Array[];
	readonly #needle: Buffer;
	/** Per node: the number of the line in which its key was last met. */
	readonly #seen: Float64Array;
	readonly #stack = new Uint8Array(deepest + 1);
	readonly #columns: Columns;
	readonly #splitter = new Splitter();
	#bytes: Buffer;
	#lineStart = 0;
	#row = 0;
	#serial = 0;
	#flags = 0;
	/** Open brackets in `container`. */
	#depth = 0;
	/** Set by `string`: there was a backslash in it. */
	#escaped = false;

	constructor(plan: ScanPlan, size: number) {
		this.#keys = plan.nodes.map((node) => Buffer.from(node.key, 'latin1'));
		this.#last = Int32Array.from(plan.nodes, (node) => node.last);
		this.#lengths = Int32Array.from(plan.nodes, (node) => node.lengths);
		this.#fields = Int32Array.from(plan.nodes, (node) => node.field);
		this.#gate = plan.gate?.node ?? -1;
		this.#gateValues = plan.gate?.values.map((value) => Buffer.from(value, 'latin1')) ?? [];
		this.#needle = Buffer.from(plan.gate?.unless ?? '', 'latin1');
		this.#seen = new Float64Array(plan.nodes.length);
		this.#columns = makeColumns(plan.paths.length);
		this.#bytes = Buffer.alloc(size + slack);
	}

	window(): Buffer {
		return this.#bytes;
	}

	columns(): Columns {
		return this.#columns;
	}

	reserve(size: number, kept: number): void {
		if (size + slack <= this.#bytes.length) return;
		const larger = Buffer.alloc(size + slack);
		larger.set(this.#bytes.subarray(0, kept));
		this.#bytes = larger;
	}

	beginDocument(key: string): void {
		this.#splitter.begin(key);
	}

	split(from: number, to: number): void {
		this.#splitter.split(this.#bytes, from, to);
	}

	scan(from: number, to: number, base: number): Scanned {
		const { at, end, flags, to: ends } = this.#columns;
		this.#lineStart = from;
		this.#row = 0;
		while (this.#lineStart < to && this.#row < batchLines) {
			for (const column of ends) column[this.#row] = 0;
			this.#flags = 0;
			this.#serial += 1;
			const next = this.#line(base + this.#lineStart === 0) + 1;
			at[this.#row] = base + this.#lineStart;
			end[this.#row] = base + next;
			flags[this.#row] = this.#flags;
			this.#lineStart = next;
			this.#row += 1;
		}
		return { lines: this.#row, next: this.#lineStart };
	}

	/** The newline that ends the line. */
	#line(fileStart: boolean): number {
		const bytes = this.#bytes;
		let p = this.#lineStart;
		if (fileStart && bytes[p] === 0xef && bytes[p + 1] === 0xbb && bytes[p + 2] === 0xbf) {
			this.#flags |= scanFlag.bom;
			p += 3;
		}
		p = this.#spaces(p);
		if (bytes[p] === newline) {
			this.#flags |= scanFlag.blank;
			return p;
		}
		p = bytes[p] === openBrace ? this.#object(0, p) : this.#fail(scanFlag.notObject);
		if (p < 0) return bytes.indexOf(newline, this.#lineStart);
		p = this.#spaces(p);
		if (bytes[p] === newline) return p;
		this.#flags |= scanFlag.trailing;
		return bytes.indexOf(newline, p);
	}

	/** Reads an object on a wanted path; `at` is at its brace. */
	#object(node: number, at: number): number {
		const bytes = this.#bytes;
		let p = this.#spaces(at + 1);
		if (bytes[p] === closeBrace) return p + 1;
		for (;;) {
			if (bytes[p] !== quote) return this.#unexpected(bytes[p] as number);
			const key = p + 1;
			p = this.#string(key);
			if (p < 0) return p;
			const child = this.#childOf(node, key, p - 1);
			if (child > 0) this.#meet(child);
			p = this.#spaces(p);
			if (bytes[p] !== colon) return this.#unexpected(bytes[p] as number);
			const start = this.#spaces(p + 1);
			p = this.#value(child, start);
			if (p < 0) return p;
			if (child > 0) this.#keep(this.#fields[child] as number, start, p);
			if (child === this.#gate && !this.#passes(start, p) && !this.#holdsNeedle(p)) return this.#fail(scanFlag.skipped);
			p = this.#spaces(p);
			if (bytes[p] === closeBrace) return p + 1;
			if (bytes[p] !== comma) return this.#unexpected(bytes[p] as number);
			p = this.#spaces(p + 1);
		}
	}

	#value(node: number, at: number): number {
		const byte = this.#bytes[at] as number;
		if (byte === quote) return this.#string(at + 1);
		if (byte === openBracket) return this.#container(at);
		if (byte !== openBrace) return this.#scalar(at);
		return node > 0 && (this.#last[node] as number) > node ? this.#object(node, at) : this.#container(at);
	}

	/** `at` is behind the opening quote. */
	#string(at: number): number {
		const bytes = this.#bytes;
		let p = at;
		this.#escaped = false;
		for (;;) {
			p = runEnd(stopsString, bytes, p);
			const byte = bytes[p] as number;
			if (byte === quote) return p + 1;
			if (byte !== backslash) return this.#fail(byte === newline ? scanFlag.torn : scanFlag.control);
			this.#escaped = true;
			// A control character behind a backslash is as forbidden as anywhere in a string, and may be the line's end.
			p += (bytes[p + 1] as number) < space ? 1 : 2;
		}
	}

	/** Skips an array or object; `at` is at its bracket. Only strings, brackets and control characters are looked at. */
	#container(at: number): number {
		const bytes = this.#bytes;
		let p = at;
		this.#depth = 0;
		for (;;) {
			p = runEnd(stopsContainer, bytes, p);
			const byte = bytes[p] as number;
			p += 1;
			if (byte === quote) {
				p = this.#string(p);
				if (p < 0) return p;
			} else if (byte !== tab && byte !== carriageReturn) {
				if (!this.#bracket(byte)) return -1;
				if (this.#depth === 0) return p;
			}
		}
	}

	#bracket(byte: number): boolean {
		if (byte === openBrace || byte === openBracket) {
			if (this.#depth === deepest) return this.#fail(scanFlag.deep) > 0;
			this.#depth += 1;
			this.#stack[this.#depth] = byte + 2; // the closing bracket of either kind
			return true;
		}
		if (byte <= backslash) return this.#unexpected(byte) > 0;
		if (this.#stack[this.#depth] !== byte) return this.#fail(scanFlag.unbalanced) > 0;
		this.#depth -= 1;
		return true;
	}

	/** A number or word. One that runs into the line's end may have been longer. */
	#scalar(at: number): number {
		const bytes = this.#bytes;
		let p = at;
		while (scalarByte[bytes[p] as number] === 1) p += 1;
		return p > at && bytes[p] !== newline ? p : this.#unexpected(bytes[p] as number);
	}

	#spaces(at: number): number {
		const bytes = this.#bytes;
		let p = at;
		for (let byte = bytes[p]; byte === space || byte === tab || byte === carriageReturn; byte = bytes[p]) p += 1;
		return p;
	}

	/** The child of `node` that the key bytes[from, to) leads to, or 0. */
	#childOf(node: number, from: number, to: number): number {
		if (this.#escaped) {
			this.#flags |= scanFlag.escapedKey;
			return 0;
		}
		const length = to - from;
		if (((this.#lengths[node] as number) & (1 << (length & 31))) === 0) return 0;
		const end = this.#last[node] as number;
		for (let child = node + 1; child <= end; child = (this.#last[child] as number) + 1) {
			const key = this.#keys[child] as Uint8Array;
			if (key.length !== length) continue;
			let i = 0;
			while (i < length && key[i] === this.#bytes[from + i]) i += 1;
			if (i === length) return child;
		}
		return 0;
	}

	/** Notes that a key on a wanted path is here; what an equal key brought before no longer counts. */
	#meet(node: number): void {
		if (this.#seen[node] === this.#serial) {
			this.#flags |= scanFlag.duplicate;
			const end = this.#last[node] as number;
			for (let below = node; below <= end; below += 1) {
				this.#seen[below] = 0;
				const column = this.#columns.to[this.#fields[below] as number];
				if (column) column[this.#row] = 0;
			}
		}
		this.#seen[node] = this.#serial;
	}

	#passes(from: number, to: number): boolean {
		return this.#gateValues.some(
			(value) => value.length === to - from && value.every((byte, i) => byte === this.#bytes[from + i]),
		);
	}

	#holdsNeedle(at: number): boolean {
		if (this.#needle.length === 0) return false;
		const found = this.#bytes.indexOf(this.#needle, at);
		return found !== -1 && found < this.#bytes.indexOf(newline, at);
	}

	#keep(field: number, from: number, to: number): void {
		if (field < 0) return;
		(this.#columns.from[field] as Uint32Array)[this.#row] = from - this.#lineStart;
		(this.#columns.to[field] as Uint32Array)[this.#row] = to - this.#lineStart;
	}

	/** For a byte that may not stand where it does. */
	#unexpected(byte: number): -1 {
		if (byte === newline) return this.#fail(scanFlag.torn);
		return this.#fail(byte < space ? scanFlag.control : scanFlag.syntax);
	}

	#fail(flag: number): -1 {
		this.#flags |= flag;
		return -1;
	}
}
