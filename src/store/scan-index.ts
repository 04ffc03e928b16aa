/** The lines of a file by scanning it: their envelopes in one compact piece of memory, their content on demand. */
import { BrokenLine, type LineIndex, type Position, parseRecord, valueAt } from '../codecs/index.ts';
import { isObject, type Json, type JsonObject, type Source } from '../model/index.ts';
import {
	createScanner,
	doubtFlags,
	lineBytes,
	planPaths,
	readInto,
	type ScannedLines,
	type ScanRange,
	scanFlag,
	scanSource,
} from '../scan/index.ts';

export interface ScanIndexOptions extends ScanRange {
	/** Offsets of lines that turned out not to be JSON. */
	readonly broken?: ReadonlySet<number>;
}

/**
 * Envelope values are copied as raw JSON into one buffer: a million lines cost no objects. Lines about which the scanner is in
 * doubt are parsed at once, so that the index says what JSON.parse would.
 */
export function scanIndex(source: Source, paths: readonly string[], options: ScanIndexOptions = {}): LineIndex {
	const from = options.from ?? 0;
	const table = new EnvelopeTable(paths, from, Math.min(options.to ?? source.size, source.size));
	const scanner = createScanner(planPaths(paths));
	let line = 1;
	const visit = (lines: ScannedLines): void => {
		for (let row = 0; row < lines.count; row += 1) {
			const number = line;
			line += 1;
			if (options.broken?.has(lines.at[row] as number)) continue;
			const flags = lines.flags[row] as number;
			if ((flags & doubtFlags) === 0) table.addScanned(lines, row, number);
			else if ((flags & scanFlag.blank) === 0) addDoubtful(table, lines, row, number);
		}
	};
	scanSource(source, scanner, visit, options);
	return table.index(source, from > 0);
}

function addDoubtful(table: EnvelopeTable, lines: ScannedLines, row: number, number: number): void {
	const bytes = lineBytes(lines, row);
	if (bytes === undefined) return; // too long for any client to parse
	const { value } = parseRecord(bytes, lines.at[row] === 0);
	if (value) table.addParsed(value, lines.at[row] as number, lines.end[row] as number, number);
}

interface KnownText {
	readonly start: number;
	readonly length: number;
	readonly text: Json | undefined;
}

/** A power of two. */
const knownTexts = 16;
/** Longer than the names that formats give to things, shorter than a UUID. */
const longestKnown = 24;

class EnvelopeTable {
	readonly #columns: ReadonlyMap<string, number>;
	readonly #fields: number;
	#count = 0;
	/** Offset, end and line number of each line. */
	#places = new Float64Array(3 * 1024);
	/** Start and length in `#arena` of each field of each line; length 0 = absent. */
	#spans: Uint32Array;
	#arena = Buffer.allocUnsafe(1 << 16);
	#used = 0;
	/** Short texts that were read before: some per field, each at the place that its bytes lead to. */
	readonly #known: (KnownText | undefined)[];

	/** The part of the source that is scanned, and where the last line ended. */
	readonly #from: number;
	readonly #to: number;
	#seen: number;

	constructor(paths: readonly string[], from: number, to: number) {
		this.#from = from;
		this.#to = to;
		this.#seen = from;
		this.#columns = new Map(paths.map((path, column) => [path, column]));
		this.#fields = paths.length;
		this.#spans = new Uint32Array(2 * this.#fields * 1024);
		this.#known = new Array(knownTexts * this.#fields);
	}

	addScanned(lines: ScannedLines, row: number, number: number): void {
		const start = (lines.at[row] as number) - lines.base;
		this.#place(lines.at[row] as number, lines.end[row] as number, number);
		for (let field = 0; field < this.#fields; field += 1) {
			const to = lines.to[field]?.[row] ?? 0;
			if (to === 0) continue;
			this.#put(field, lines.window, start + (lines.from[field]?.[row] as number), start + to);
		}
		this.#count += 1;
	}

	addParsed(value: JsonObject, at: number, end: number, number: number): void {
		this.#place(at, end, number);
		for (const [path, field] of this.#columns) {
			const found = valueAt(value, path);
			if (found === undefined) continue;
			const bytes = Buffer.from(isObject(found) || Array.isArray(found) ? '{}' : JSON.stringify(found));
			this.#put(field, bytes, 0, bytes.length);
		}
		this.#count += 1;
	}

	#place(at: number, end: number, number: number): void {
		if (3 * this.#count >= this.#places.length)
			this.#places = grown(this.#places, new Float64Array(this.#roomFor(this.#places.length, 3)));
		if (2 * this.#fields * this.#count >= this.#spans.length)
			this.#spans = grown(this.#spans, new Uint32Array(this.#roomFor(this.#spans.length, 2 * this.#fields)));
		this.#seen = end;
		this.#places[3 * this.#count] = at;
		this.#places[3 * this.#count + 1] = end;
		this.#places[3 * this.#count + 2] = number;
	}

	/**
	 * As much as the whole source will need if it goes on like this: each larger piece of memory leaves one behind that is
	 * given back late, and what of the new one is never used costs nothing. A whole number of units, so that lines fit.
	 */
	#roomFor(length: number, unit: number): number {
		const share = (this.#seen - this.#from) / Math.max(1, this.#to - this.#from);
		const expected = share > 0 ? Math.min((1.1 * length) / share, 1e9) : 0;
		return Math.ceil(Math.max(1.5 * length, expected) / unit) * unit;
	}

	/** Where the line before has the same value: most say what it said, and name it as the one they follow. */
	#before(field: number, bytes: Uint8Array, from: number, length: number): number | undefined {
		if (this.#count === 0) return undefined;
		const row = 2 * this.#fields * (this.#count - 1);
		if (this.#isAt(row + 2 * field, bytes, from, length)) return this.#spans[row + 2 * field];
		if (length < longestKnown) return undefined;
		for (let slot = row; slot < row + 2 * this.#fields; slot += 2) {
			if (this.#isAt(slot, bytes, from, length)) return this.#spans[slot];
		}
		return undefined;
	}

	#isAt(slot: number, bytes: Uint8Array, from: number, length: number): boolean {
		if (this.#spans[slot + 1] !== length) return false;
		const start = this.#spans[slot] as number;
		for (let i = 0; i < length; i += 1) if (this.#arena[start + i] !== bytes[from + i]) return false;
		return true;
	}

	#put(field: number, bytes: Uint8Array, from: number, to: number): void {
		const length = to - from;
		const again = this.#before(field, bytes, from, length);
		if (again !== undefined) {
			const slot = 2 * (this.#fields * this.#count + field);
			this.#spans[slot] = again;
			this.#spans[slot + 1] = length;
			return;
		}
		if (this.#used + length > this.#arena.length) {
			this.#arena = grown(
				this.#arena,
				Buffer.allocUnsafeSlow(Math.max(this.#roomFor(this.#arena.length, 1), this.#used + length)),
			);
		}
		copy(bytes, from, to, this.#arena, this.#used);
		const slot = 2 * (this.#fields * this.#count + field);
		this.#spans[slot] = this.#used;
		this.#spans[slot + 1] = length;
		this.#used += length;
	}

	index(source: Source, partial: boolean): LineIndex {
		const read = lineReads(source);
		return {
			length: this.#count,
			partial,
			field: (line, path) => this.#field(line, path),
			equal: (line, path, other, otherPath) => this.#equal(this.#slot(line, path), this.#slot(other, otherPath)),
			value: (line) => this.#value(read, line),
			position: (line) => this.#position(line),
		};
	}

	#slot(line: number, path: string): number {
		const column = this.#columns.get(path);
		if (column === undefined) throw new Error(`the envelope has no path "${path}"`);
		return 2 * (this.#fields * this.#row(line) + column);
	}

	#field(line: number, path: string): Json | undefined {
		const slot = this.#slot(line, path);
		const length = this.#spans[slot + 1] as number;
		if (length === 0) return undefined;
		const start = this.#spans[slot] as number;
		if (length > longestKnown || this.#arena[start] !== quote) return parseSmall(this.#arena, start, start + length);
		return this.#knownText((slot >> 1) % this.#fields, start, length);
	}

	/** Types, roles and versions are few, and asked for on every line: making a text anew costs more than finding it. */
	#knownText(column: number, start: number, length: number): Json | undefined {
		const ends = (this.#arena[start + 1] as number) + 7 * (this.#arena[start + length - 2] as number);
		const place = column * knownTexts + ((ends + length) & (knownTexts - 1));
		const known = this.#known[place];
		if (known && known.length === length && this.#same(known.start, start, length)) return known.text;
		const text = parseSmall(this.#arena, start, start + length);
		this.#known[place] = { start, length, text };
		return text;
	}

	#same(a: number, b: number, length: number): boolean {
		for (let i = 0; i < length; i += 1) if (this.#arena[a + i] !== this.#arena[b + i]) return false;
		return true;
	}

	/** Escapes can spell one text in two ways: then this says no, and the values have to be read. */
	#equal(slot: number, other: number): boolean {
		const length = this.#spans[slot + 1] as number;
		if (length === 0 || length !== this.#spans[other + 1]) return false;
		return this.#same(this.#spans[slot] as number, this.#spans[other] as number, length);
	}

	#value(read: ReadLine, line: number): JsonObject {
		const place = 3 * this.#row(line);
		const at = this.#places[place] as number;
		const { value } = parseRecord(read(at, this.#places[place + 1] as number), at === 0);
		if (!value) throw new BrokenLine(this.#position(line));
		return value;
	}

	#position(line: number): Position {
		const place = 3 * this.#row(line);
		return {
			index: (this.#places[place + 2] as number) - 1,
			at: this.#places[place] as number,
			line: this.#places[place + 2] as number,
		};
	}

	#row(line: number): number {
		if (line < 0 || line >= this.#count) throw new RangeError(`the index has ${this.#count} lines, not ${line}`);
		return line;
	}
}

/** The bytes from one offset to another. They hold until the next call. */
type ReadLine = (from: number, to: number) => Uint8Array;

const readAhead = 1 << 18;

/** Whoever asks for lines in the order of the file gets them out of large pieces: a call for each would cost as much as parsing it. */
function lineReads(source: Source): ReadLine {
	let buffer = Buffer.alloc(0);
	let start = 0;
	let end = 0;
	return (from, to) => {
		if (from < start || to > end) {
			const ahead = from >= end && from - end < readAhead ? readAhead : 0;
			const size = Math.max(to - from, ahead);
			if (buffer.length < size) buffer = Buffer.allocUnsafe(size);
			start = from;
			end = from + readInto(source, from, buffer.subarray(0, size));
		}
		return buffer.subarray(from - start, Math.min(to, end) - start); // less where the source has shrunk
	};
}

function grown<T extends Uint8Array | Uint32Array | Float64Array>(old: T, larger: T): T {
	larger.set(old);
	return larger;
}

const quote = 0x22;
const backslash = 0x5c;

/** A scalar, or an empty object for anything larger: an envelope has no use for more. */
function parseSmall(arena: Buffer, from: number, to: number): Json | undefined {
	const first = arena[from];
	if (first === quote) {
		if (!hasBackslash(arena, from, to)) return arena.toString('utf8', from + 1, to - 1);
	} else if (first === 0x7b || first === 0x5b) {
		return {};
	}
	try {
		return JSON.parse(arena.toString('utf8', from, to)) as Json;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined; // a number or escape that is none: the line is not JSON
		throw error;
	}
}

/** Only as far as the value goes: a search through the whole arena for each of its values would never end. */
function hasBackslash(arena: Buffer, from: number, to: number): boolean {
	if (to - from > 128) return arena.subarray(from, to).includes(backslash);
	for (let at = from; at < to; at += 1) if (arena[at] === backslash) return true;
	return false;
}

/** Most values are short: copying them by hand is cheaper than making a view of each. */
function copy(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
	if (end - start > 64) to.set(from.subarray(start, end), at);
	else for (let i = start, j = at; i < end; i += 1, j += 1) to[j] = from[i] as number;
}
