/** Lines of a source as rows of a few fields: scanned where the scanner is sure, parsed where it is not. */

import { type FieldRow, timeOf } from '../codecs/shared/places/usage.ts';
import { valueAt } from '../codecs/shared/read/line-index.ts';
import { parseRecord } from '../codecs/shared/read/parse.ts';
import { isObject, type Json, type JsonObject, type Source } from '../model/index.ts';
import {
	bytesAre,
	createScanner,
	doubtFlags,
	lineBytes,
	planPaths,
	type ScanGate,
	type ScannedLines,
	type Scanner,
	type ScanRange,
	scanFlag,
	scanSource,
	stringValue,
} from '../scan/index.ts';

export interface RowReader {
	/** Visits the lines that hold a JSON object; returns the offset behind the last line that ended with a newline. */
	read(source: Source, visit: (row: FieldRow) => void, range?: ScanRange): number;
}

export interface RowOptions {
	readonly gate?: ScanGate | undefined;
	/** The sources are documents: rows are the elements of the array under this key. */
	readonly elements?: string | undefined;
}

/** Reads rows of these dotted paths. One reader serves any number of sources, one after the other. */
export function rowReader(paths: readonly string[], { gate, elements }: RowOptions = {}): RowReader {
	const plan = planPaths(paths, gate);
	let scanner: Scanner | undefined;
	return {
		read(source, visit, range) {
			scanner ??= createScanner(plan, { window: rowWindow, ...(elements === undefined ? {} : { elements }) });
			const scanned = new BytesRow(paths);
			// What stands before the elements of a document is a line too.
			let line = elements === undefined ? 0 : -1;
			return scanSource(
				source,
				scanner,
				(lines) => {
					for (let row = 0; row < lines.count; row += 1) {
						line += 1;
						const flags = lines.flags[row] as number;
						if ((flags & doubtFlags) === 0) {
							scanned.move(lines, row, line);
							visit(scanned);
						} else if ((flags & noObjectFlags) === 0 || (flags & scanFlag.bom) !== 0) {
							const parsed = parsedRow(paths, lines, row, line);
							if (parsed) visit(parsed);
						}
					}
				},
				range,
			);
		},
	};
}

/** Most files fit: they are read at once. */
export const rowWindow = 1 << 20;

/** Nothing that JSON.parse could make an object of, unless what stands before it is a byte order mark. */
const noObjectFlags = scanFlag.blank | scanFlag.notObject;

const quoted = new Map<string, Uint8Array>();

function quote(text: string): Uint8Array {
	let bytes = quoted.get(text);
	if (bytes === undefined) {
		bytes = Buffer.from(JSON.stringify(text));
		quoted.set(text, bytes);
	}
	return bytes;
}

const noBytes = new Uint8Array(0);
const trueBytes = Buffer.from('true');
const quoteByte = 0x22;
const backslash = 0x5c;
const longestPlain = 256;
/** As many digits as a double can hold. */
const mostDigits = 15;
const powersOfTen = Array.from({ length: mostDigits }, (_, power) => 10 ** power);

/** A row whose raw values stand somewhere in a window of bytes. */
class BytesRow implements FieldRow {
	at = 0;
	line = 0;
	ended = true;
	#lines: ScannedLines | undefined;
	#window: Uint8Array = noBytes;
	#row = 0;
	/** Where the line begins in the window. */
	#start = 0;
	/** Where the value stands that was found last. */
	#from = 0;
	#to = 0;
	/** Per field the last text that was asked for. */
	readonly #last: string[] = [];
	readonly #dates = new IsoDates();
	readonly #paths: readonly string[];

	constructor(paths: readonly string[]) {
		this.#paths = paths;
	}

	move(lines: ScannedLines, row: number, line: number): void {
		this.#lines = lines;
		this.#window = lines.window;
		this.#row = row;
		this.line = line;
		this.at = lines.at[row] as number;
		this.#start = this.at - lines.base;
		this.ended = isEnded(lines, row);
	}

	/** False where it is absent. */
	#find(field: number): boolean {
		const to = this.#lines?.to[field]?.[this.#row] ?? 0;
		if (to === 0) return false;
		this.#from = this.#start + (this.#lines?.from[field]?.[this.#row] ?? 0);
		this.#to = this.#start + to;
		return true;
	}

	bytes(): Uint8Array {
		return (this.#lines && lineBytes(this.#lines, this.#row)) ?? noBytes;
	}

	has(field: number): boolean {
		return this.#find(field);
	}

	/** Most values are short and plain: they are taken from the window as they stand, without a view of their own. */
	text(field: number): string | undefined {
		if (!this.#find(field)) return undefined;
		const window = this.#window;
		const from = this.#from;
		if (window[from] !== quoteByte) return undefined;
		const end = this.#to - 1;
		if (end - from > longestPlain || !(window instanceof Buffer)) return stringValue(window.subarray(from, this.#to));
		// Models and providers are nearly always those of the line before.
		const last = this.#last[field];
		if (last !== undefined && last.length === end - from - 1 && isText(window, from + 1, last)) return last;
		for (let at = from + 1; at < end; at += 1) {
			const byte = window[at] as number;
			if (byte === backslash || byte >= 0x80) return stringValue(window.subarray(from, this.#to));
		}
		const text = window.toString('latin1', from + 1, end);
		this.#last[field] = text;
		return text;
	}

	/** Clients write dates in one way; everything else is left to the runtime. */
	time(field: number): number | undefined {
		if (!this.#find(field)) return undefined;
		const time = this.#to - this.#from === isoLength ? this.#dates.time(this.#window, this.#from + 1) : undefined;
		return time ?? timeOf(this.text(field));
	}

	/** Counts and dollars are short runs of digits, some with a point; everything else is left to the runtime. */
	number(field: number): number | undefined {
		if (!this.#find(field)) return undefined;
		const window = this.#window;
		const from = this.#from;
		const to = this.#to;
		if (to - from > mostDigits) return slowNumber(window.subarray(from, to));
		let value = 0;
		let decimals = 0;
		for (let at = from; at < to; at += 1) {
			const digit = (window[at] as number) - zero;
			if (digit >= 0 && digit <= 9) value = value * 10 + digit;
			else if (digit === point - zero && decimals === 0 && at > from && at < to - 1) decimals = to - at - 1;
			else return slowNumber(window.subarray(from, to));
		}
		// Both are exact, so that their quotient is the double that is nearest: what the runtime would make of the text.
		return decimals === 0 ? value : value / (powersOfTen[decimals] as number);
	}

	json(field: number): Json | undefined {
		if (!this.#find(field)) return undefined;
		const { value, other } = parseRecord(this.#window.subarray(this.#from, this.#to), false);
		return value ?? other;
	}

	inside(field: number): FieldRow | undefined {
		const value = this.json(field);
		const { at, line, ended } = this;
		return isObject(value) ? valueRow(this.#paths, value, { at, line, ended, bytes: () => this.bytes() }) : undefined;
	}

	isTrue(field: number): boolean {
		return this.#isJson(field, trueBytes);
	}

	is(field: number, text: string): boolean {
		return this.#isJson(field, quote(text));
	}

	#isJson(field: number, json: Uint8Array): boolean {
		return this.#find(field) && this.#to - this.#from === json.length && bytesAre(this.#window, this.#from, json);
	}
}

/** Also false for an empty text. */
function isText(bytes: Uint8Array, at: number, text: string): boolean {
	if (text === '') return false;
	for (let index = 0; index < text.length; index += 1) if (bytes[at + index] !== text.charCodeAt(index)) return false;
	return true;
}

/** `"2026-01-02T03:04:05.678Z"`, the quotes included. */
const isoLength = 26;
const hourLength = 13;
const zero = 0x30;
const dash = 0x2d;
const point = 0x2e;
const colon = 0x3a;
const letterT = 0x54;
const letterZ = 0x5a;

/** Dates as clients write them. Lines that follow each other are nearly always of the same hour, which is asked for once. */
class IsoDates {
	#hour = '';
	#start: number | undefined;

	/** Undefined for every other way to write a date. */
	time(bytes: Uint8Array, at: number): number | undefined {
		const minute = digits(bytes, at + 14, 2);
		const second = digits(bytes, at + 17, 2);
		const fraction = digits(bytes, at + 20, 3);
		if (bytes[at + 13] !== colon || bytes[at + 16] !== colon || bytes[at + 19] !== point) return undefined;
		if (!(minute < 60 && second < 60) || Number.isNaN(fraction) || bytes[at + 23] !== letterZ) return undefined;
		if (!isText(bytes, at, this.#hour)) this.#begin(bytes, at);
		return this.#start === undefined ? undefined : this.#start + minute * 60_000 + second * 1000 + fraction;
	}

	#begin(bytes: Uint8Array, at: number): void {
		this.#hour = Buffer.from(bytes.buffer, bytes.byteOffset + at, hourLength).toString('latin1');
		const iso = bytes[at + 4] === dash && bytes[at + 7] === dash && bytes[at + 10] === letterT;
		// Midnight may be written as the hour behind the last one, but has no minutes then.
		this.#start = iso && digits(bytes, at + 11, 2) < 24 ? timeOf(`${this.#hour}:00:00.000Z`) : undefined;
	}
}

/** NaN where something else than digits stands. */
function digits(bytes: Uint8Array, at: number, count: number): number {
	let value = 0;
	for (let index = at; index < at + count; index += 1) {
		const digit = (bytes[index] as number) - zero;
		if (digit < 0 || digit > 9) return Number.NaN;
		value = value * 10 + digit;
	}
	return value;
}

function isEnded(lines: ScannedLines, row: number): boolean {
	return ((lines.flags[row] as number) & scanFlag.unended) === 0;
}

const isNumeric = new Uint8Array(256);
for (const char of '0123456789+-.eE') isNumeric[char.charCodeAt(0)] = 1;

/** Undefined for words such as `true`. What is no number after all is left to whoever parses the line. */
function slowNumber(bytes: Uint8Array): number | undefined {
	for (let at = 0; at < bytes.length; at += 1) if (isNumeric[bytes[at] as number] === 0) return undefined;
	const value = Number(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
	return Number.isNaN(value) ? undefined : value;
}

function parsedRow(paths: readonly string[], lines: ScannedLines, row: number, line: number): FieldRow | undefined {
	const bytes = lineBytes(lines, row);
	if (bytes === undefined) return undefined; // too long for any client to parse
	const { value } = parseRecord(bytes, lines.at[row] === 0);
	if (value === undefined) return undefined;
	return valueRow(paths, value, {
		at: lines.at[row] as number,
		line,
		ended: isEnded(lines, row),
		bytes: () => bytes,
	});
}

/** A row over a parsed object, for lines about which the scanner is in doubt. */
function valueRow(
	paths: readonly string[],
	value: JsonObject,
	place: Pick<FieldRow, 'at' | 'line' | 'ended' | 'bytes'>,
): FieldRow {
	const at = (field: number) => valueAt(value, paths[field] as string);
	return {
		...place,
		has: (field) => at(field) !== undefined,
		text(field) {
			const found = at(field);
			return typeof found === 'string' ? found : undefined;
		},
		number(field) {
			const found = at(field);
			return typeof found === 'number' ? found : undefined;
		},
		time(field) {
			const found = at(field);
			return typeof found === 'string' ? timeOf(found) : undefined;
		},
		json: at,
		inside(field) {
			const found = at(field);
			return isObject(found) ? valueRow(paths, found, place) : undefined;
		},
		isTrue: (field) => at(field) === true,
		is: (field, text) => at(field) === text,
	};
}
