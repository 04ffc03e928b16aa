/** The lines of a source, also as JSON without most of their fields and without long texts: enough to see what they are. */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { JsonObject, Source } from '../model/index.ts';
import { shortenModule } from './shorten-module.ts';
import { readInto } from './source.ts';
import { instantiate, type Memory, makeRoom } from './wasm.ts';

export interface ShortenOptions {
	/** Plain ASCII; what stands at other keys is left out, wherever it is. */
	readonly keys: readonly string[];
	/**
	 * What the marks of cut texts begin with. Everything is copied then, and long texts are cut as `model/cut-text.ts` says, unless
	 * they stand at one of the keys. Texts that JSON.stringify would write in another way stay whole.
	 */
	readonly places?: string;
	/** Values that are strings of more bytes than this are cut. Default 256, at least 64. */
	readonly longest?: number;
	/** Bytes to read at a time. Default 256 KB. */
	readonly window?: number;
	/** Where a line is longer, all is given up. Default 256 MB. */
	readonly maxLine?: number;
}

/** Holds while it is visited: the memory is used again for the next. */
export interface ShortLine {
	readonly at: number;
	readonly length: number;
	/** Newline included; the last line of a source may lack it. */
	readonly bytes: Uint8Array;
	/** True for a last line without a newline. */
	readonly unended: boolean;
	/**
	 * What the line has at wanted keys, with a mark in place of each long text. Undefined where JSON.parse would not take the
	 * whole line or give no object, where its bytes are not UTF-8, and where there is too much of it.
	 */
	readonly value: JsonObject | undefined;
}

type VisitLine = (line: ShortLine) => void;

export interface Shortener {
	/** What stands for a long text, or begins what does: random, so that no file can hold it by chance or on purpose. */
	readonly mark: string;
	/** Visits every line in order. False when a line was too long to be held. */
	read(source: Source, visit: VisitLine): boolean;
	/** The same a window at a time, for those who stop in between. */
	parts(source: Source, visit: VisitLine): Generator<void, boolean>;
}

interface ShortenExports extends Memory {
	setup(stack: number, stackSize: number, mark: number, markSize: number, longest: number): void;
	setKeys(lengths: number): void;
	setPlaces(): void;
	setOrigin(at: number): void;
	shorten(from: number, to: number, out: number, end: number, ends: number, most: number): number;
}

const newline = 0x0a;
const deepest = 512;
/** Below this lies what the compiler puts there. */
const stackAt = 1 << 10;
const markAt = stackAt + deepest + 1;
const keysAt = 1 << 11;
const endsAt = 1 << 12;
const mostLines = 1 << 10;
const outAt = endsAt + 4 * mostLines;
const outEnd = outAt + (1 << 18);
const windowAt = outEnd + 64;
/** Bytes behind the window that may be looked at. */
const slack = 64;
const defaultWindow = 1 << 18;
const shortestText = 64;
const longestKey = 31;
const keySize = 32;

/** Undefined where WebAssembly with SIMD does not run. */
export function createShortener(options: ShortenOptions): Shortener | undefined {
	const exports = instantiate<ShortenExports>(shortenModule, windowAt + (options.window ?? defaultWindow) + slack);
	return exports && new WindowShortener(exports, options);
}

/** Most lines are looked at by their value alone: a view of the bytes is made when somebody asks for it. */
class WindowLine implements ShortLine {
	readonly at: number;
	readonly length: number;
	readonly unended: boolean;
	value: JsonObject | undefined;
	readonly #window: Buffer;
	readonly #start: number;

	constructor(window: Buffer, start: number, end: number, base: number, unended: boolean) {
		this.at = base + start;
		this.length = end - start;
		this.unended = unended;
		this.value = undefined;
		this.#window = window;
		this.#start = start;
	}

	get bytes(): Uint8Array {
		return this.#window.subarray(this.#start, this.#start + this.length);
	}
}

class WindowShortener implements Shortener {
	readonly mark: string;
	readonly #exports: ShortenExports;
	readonly #size: number;
	readonly #maxLine: number;
	#ends = new Uint32Array(0);
	#out = Buffer.alloc(0);
	#window = Buffer.alloc(0);

	constructor(exports: ShortenExports, options: ShortenOptions) {
		this.#exports = exports;
		this.#size = options.window ?? defaultWindow;
		this.#maxLine = options.maxLine ?? 1 << 28;
		const { buffer } = exports.memory;
		this.mark = options.places ?? `cut-${randomBytes(9).toString('base64url')}`;
		const quoted = JSON.stringify(this.mark);
		const mark = Buffer.from(options.places ? quoted.slice(1, -1) : quoted);
		if (options.places) exports.setPlaces();
		Buffer.from(buffer, markAt).set(mark);
		Buffer.from(buffer, keysAt, endsAt - keysAt).set(keyTable(options.keys, keysAt));
		exports.setKeys(keysAt);
		exports.setup(stackAt, deepest, markAt, mark.length, Math.max(shortestText, options.longest ?? 256));
		this.#view();
	}

	#view(): void {
		const { buffer } = this.#exports.memory;
		this.#ends = new Uint32Array(buffer, endsAt, mostLines);
		this.#out = Buffer.from(buffer, outAt, outEnd - outAt);
		this.#window = Buffer.from(buffer, windowAt);
	}

	read(source: Source, visit: VisitLine): boolean {
		const parts = this.parts(source, visit);
		for (;;) {
			const { done, value } = parts.next();
			if (done) return value;
		}
	}

	*parts(source: Source, visit: VisitLine): Generator<void, boolean> {
		let at = 0;
		let held = 0;
		while (at < source.size) {
			const read = readInto(source, at, this.#room(held));
			if (read === 0) break; // the source has shrunk meanwhile
			const end = held + read;
			const last = this.#window.subarray(held, end).lastIndexOf(newline);
			const whole = last === -1 ? 0 : held + last + 1;
			if (whole > 0) this.#lines(whole, at - held, false, visit);
			this.#window.copyWithin(0, whole, end);
			held = end - whole;
			at += read;
			if (held > this.#maxLine) return false;
			yield;
		}
		if (held > 0) {
			this.#window[held] = newline;
			this.#lines(held + 1, at - held, true, visit);
		}
		return true;
	}

	/** Visits the lines of the window's first bytes, which end with a newline. `base` is where they are in the source. */
	#lines(end: number, base: number, unended: boolean, visit: VisitLine): void {
		const lines = this.#window.subarray(0, end);
		// Asked once for all: the question costs more than the answer.
		const clean = isUtf8(lines);
		this.#exports.setOrigin(base - windowAt);
		for (let start = 0; start < end; ) {
			const values = this.#shorten(start, end);
			for (let place = 0; place < values.length; place += 1) {
				const value = values[place] as JsonObject | 0;
				const next = (this.#ends[place] as number) - windowAt;
				const line = new WindowLine(lines, start, unended ? next - 1 : next, base, unended);
				if (value !== 0 && (clean || isUtf8(line.bytes))) line.value = value;
				visit(line);
				start = next;
			}
		}
	}

	/** The next lines; those that are no objects as 0. Parsed together: a call for each would cost more than its line. */
	#shorten(from: number, end: number): readonly (JsonObject | 0)[] {
		const length = this.#exports.shorten(windowAt + from, windowAt + end, outAt, outEnd, endsAt, mostLines);
		return JSON.parse(this.#out.toString('utf8', 0, length)) as readonly (JsonObject | 0)[];
	}

	/** Where the next bytes go, behind those that are held. Memory that grows needs new views. */
	#room(held: number): Buffer {
		const capacity = this.#window.length - slack;
		if (held > capacity / 2) {
			makeRoom(this.#exports, windowAt + capacity * 2 + slack);
			this.#view();
		}
		return this.#window.subarray(held, Math.min(this.#window.length - slack, held + this.#size));
	}
}

/** The keys as the module reads them: where those of each length begin, then the keys themselves. */
function keyTable(keys: readonly string[], address: number): Buffer {
	const byLength = [...keys].sort((a, b) => a.length - b.length);
	const lengths = longestKey + 2;
	const table = Buffer.alloc(4 * lengths + keySize * keys.length);
	for (let length = 0; length < lengths; length += 1) {
		const before = byLength.filter((key) => key.length < length).length;
		table.writeUInt32LE(address + 4 * lengths + keySize * before, 4 * length);
	}
	for (const [place, key] of byLength.entries()) {
		if (!/^[ !#-[\]-~]+$/.test(key) || key.length > longestKey) {
			throw new RangeError(`"${key}" is not plain ASCII of 1 to ${longestKey} characters`);
		}
		table.write(key, 4 * lengths + keySize * place, 'latin1');
	}
	return table;
}
