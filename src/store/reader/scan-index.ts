/** The lines of a file by scanning it: their envelopes in one compact piece of memory, their content on demand. */
import { BrokenLine, type LineIndex, type Position, parseRecord, valueAt } from '../../codecs/index.ts';
import { isObject, type Json, type JsonObject, type Source } from '../../model/index.ts';
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
	valueBytes,
} from '../../scan/index.ts';

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
		for (let row = 0; row < lines.count; ) {
			const taken = options.broken?.size ? 0 : table.addPacked(lines, row, line);
			row += taken;
			line += taken;
			if (row === lines.count) return;
			if (!options.broken?.has(lines.at[row] as number)) addOne(table, lines, row, line);
			row += 1;
			line += 1;
		}
	};
	scanSource(source, scanner, visit, options);
	return table.index(source, from > 0);
}

function addOne(table: EnvelopeTable, lines: ScannedLines, row: number, number: number): void {
	const flags = lines.flags[row] as number;
	if ((flags & doubtFlags) === 0) table.addScanned(lines, row, number);
	else if ((flags & scanFlag.blank) === 0) addDoubtful(table, lines, row, number);
}

function addDoubtful(table: EnvelopeTable, lines: ScannedLines, row: number, number: number): void {
	const bytes = lineBytes(lines, row);
	if (bytes === undefined) return; // too long for any client to parse
	const { value } = parseRecord(bytes, lines.at[row] === 0);
	if (value) table.addParsed(value, lines.at[row] as number, lines.end[row] as number, number);
}

/** Longer than the names that formats give to things, shorter than a UUID. */
const longestName = 24;
/** More of them are no names. */
const mostNames = 1 << 12;

class EnvelopeTable {
	readonly #columns: ReadonlyMap<string, number>;
	readonly #fields: number;
	#count = 0;
	/** Of each line its offset, its end and its number. */
	#at = new Float64Array(1024);
	#end = new Float64Array(1024);
	#number = new Float64Array(1024);
	/** Start and length in `#arena` of each field of each line; length 0 = absent. */
	#spans: Uint32Array;
	#arena = Buffer.allocUnsafe(1 << 16);
	#used = 0;
	/** Short texts by their start. Types and roles are few, and asked for on every line: making a text each time would cost too much. */
	readonly #names = new Map<number, Json | undefined>();

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
	}

	/** Adds lines from a row on, as many as can be added together. */
	addPacked(lines: ScannedLines, row: number, number: number): number {
		const packed = lines.pack?.(row, lines.count, this.#used);
		if (!packed || packed.lines === 0) return 0;
		const end = row + packed.lines;
		this.#reserve(packed.lines, packed.bytes.length, lines.end[end - 1] as number);
		this.#at.set(lines.at.subarray(row, end), this.#count);
		this.#end.set(lines.end.subarray(row, end), this.#count);
		for (let n = 0; n < packed.lines; n += 1) this.#number[this.#count + n] = number + n;
		this.#spans.set(packed.spans, 2 * this.#fields * this.#count);
		this.#arena.set(packed.bytes, this.#used);
		this.#used += packed.bytes.length;
		this.#count += packed.lines;
		return packed.lines;
	}

	addScanned(lines: ScannedLines, row: number, number: number): void {
		this.#place(lines.at[row] as number, lines.end[row] as number, number);
		for (let field = 0; field < this.#fields; field += 1) this.#put(field, valueBytes(lines, row, field));
		this.#count += 1;
	}

	addParsed(value: JsonObject, at: number, end: number, number: number): void {
		this.#place(at, end, number);
		for (const [path, field] of this.#columns) {
			const found = valueAt(value, path);
			const text = isObject(found) || Array.isArray(found) ? '{}' : JSON.stringify(found);
			this.#put(field, text === undefined ? undefined : Buffer.from(text));
		}
		this.#count += 1;
	}

	#place(at: number, end: number, number: number): void {
		this.#reserve(1, 0, end);
		this.#at[this.#count] = at;
		this.#end[this.#count] = end;
		this.#number[this.#count] = number;
	}

	#put(field: number, bytes: Uint8Array | undefined): void {
		if (!bytes) return;
		this.#reserve(1, bytes.length, this.#seen);
		const slot = 2 * (this.#fields * this.#count + field);
		this.#spans[slot] = this.#used;
		this.#spans[slot + 1] = bytes.length;
		this.#arena.set(bytes, this.#used);
		this.#used += bytes.length;
	}

	/** Room for more lines and bytes; the lines end at `seen`. */
	#reserve(lines: number, bytes: number, seen: number): void {
		this.#seen = seen;
		const count = this.#count + lines;
		if (count > this.#at.length) {
			const room = this.#roomFor(this.#at.length, count);
			this.#at = grown(this.#at, new Float64Array(room));
			this.#end = grown(this.#end, new Float64Array(room));
			this.#number = grown(this.#number, new Float64Array(room));
			this.#spans = grown(this.#spans, new Uint32Array(2 * this.#fields * room));
		}
		if (this.#used + bytes > this.#arena.length) {
			const room = this.#roomFor(this.#arena.length, this.#used + bytes);
			this.#arena = grown(this.#arena, Buffer.allocUnsafeSlow(room));
		}
	}

	/**
	 * As much as the whole source will need if it goes on like this, at least `needed`: each larger piece of memory leaves one
	 * behind that is given back late, and what of the new one is never used costs nothing.
	 */
	#roomFor(length: number, needed: number): number {
		const share = (this.#seen - this.#from) / Math.max(1, this.#to - this.#from);
		const expected = share > 0 ? Math.min((1.1 * length) / share, 1e9) : 0;
		return Math.ceil(Math.max(1.5 * length, expected, needed));
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
		return length > longestName ? parseSmall(this.#arena, start, start + length) : this.#name(start, length);
	}

	#name(start: number, length: number): Json | undefined {
		const known = this.#names.get(start);
		if (known !== undefined) return known;
		const value = parseSmall(this.#arena, start, start + length);
		if (this.#names.size < mostNames) this.#names.set(start, value);
		return value;
	}

	/** Escapes can spell one text in two ways: then this says no, and the values have to be read. */
	#equal(slot: number, other: number): boolean {
		const length = this.#spans[slot + 1] as number;
		if (length === 0 || length !== this.#spans[other + 1]) return false;
		const a = this.#spans[slot] as number;
		const b = this.#spans[other] as number;
		if (a === b) return true;
		for (let i = 0; i < length; i += 1) if (this.#arena[a + i] !== this.#arena[b + i]) return false;
		return true;
	}

	#value(read: ReadLine, line: number): JsonObject {
		const row = this.#row(line);
		const at = this.#at[row] as number;
		const { value } = parseRecord(read(at, this.#end[row] as number), at === 0);
		if (!value) throw new BrokenLine(this.#position(line));
		return value;
	}

	#position(line: number): Position {
		const row = this.#row(line);
		const number = this.#number[row] as number;
		return { index: number - 1, at: this.#at[row] as number, line: number };
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
