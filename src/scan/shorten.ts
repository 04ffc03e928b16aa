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
	/** Those of the keys whose values are cut however short they are, below the first level of a line and unless they are empty. */
	readonly veiled?: readonly string[];
	/** The two of the keys whose values at the first level are all that lines differ in which are alike. */
	readonly links?: LinkKeys;
	/**
	 * What the marks of cut texts begin with. Everything is copied then, and long texts are cut as `model/cut-text.ts` says, unless
	 * they stand at one of the keys. Texts that JSON.stringify would write in another way stay whole.
	 */
	readonly places?: string;
	/** Values that are strings of more bytes than this are cut. Default 256, at least 64. */
	readonly longest?: number;
	/** Bytes to read at a time. Default 512 KB. */
	readonly window?: number;
	/** Where a line is longer, all is given up. Default 256 MB. */
	readonly maxLine?: number;
}

export interface LinkKeys {
	readonly id: string;
	readonly parent: string;
}

export interface Pattern {
	readonly value: JsonObject;
	/** Counts up from 0. */
	readonly number: number;
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
	/**
	 * Where the keys of links were given and an earlier line differs from this one in nothing but them: that one's value, always
	 * the same for the same looks, and the links of this one.
	 */
	readonly pattern: Pattern | undefined;
	readonly id: string | null;
	readonly parent: string | null;
}

type VisitLine = (line: ShortLine) => void;

/**
 * Asked first about a line that has a pattern, which comes then only if the answer is no: nearly all lines of a large file are
 * of this kind, and need no object.
 */
export type TakeLike = (
	pattern: Pattern,
	id: string | null,
	parent: string | null,
	at: number,
	length: number,
) => boolean;

export interface Shortener {
	/** What stands for a long text, or begins what does: random, so that no file can hold it by chance or on purpose. */
	readonly mark: string;
	/** Visits every line in order. False when a line was too long to be held. */
	read(source: Source, visit: VisitLine, take?: TakeLike): boolean;
	/** The same a window at a time, for those who stop in between. */
	parts(source: Source, visit: VisitLine, take?: TakeLike): Generator<void, boolean>;
}

interface ShortenExports extends Memory {
	setup(stack: number, stackSize: number, mark: number, markSize: number, longest: number): void;
	setKeys(lengths: number): void;
	setPlaces(): void;
	setPatterns(table: number): void;
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
/** With their texts fewer: what is parsed together is held together, and large texts are garbage that is found late. */
const mostWithTexts = 1 << 4;
const outAt = endsAt + 4 * mostLines;
const outEnd = outAt + (1 << 18);
const patternsAt = outEnd + 64;
const patternPlaces = 1 << 8;
const patternsSize = patternPlaces << 10;
const windowAt = patternsAt + patternsSize;
/** Bytes behind the window that may be looked at. */
const slack = 64;
const defaultWindow = 1 << 19;
const shortestText = 64;
const longestKey = 31;
const keySize = 32;

/** Undefined where WebAssembly with SIMD does not run. */
export function createShortener(options: ShortenOptions): Shortener | undefined {
	const exports = instantiate<ShortenExports>(shortenModule, windowAt + (options.window ?? defaultWindow) + slack);
	return exports && new WindowShortener(exports, options);
}

/** Most lines are looked at by their value or their looks alone: a view of the bytes is made when somebody asks for it. */
class WindowLine implements ShortLine {
	readonly at: number;
	readonly length: number;
	readonly unended: boolean;
	pattern: Pattern | undefined = undefined;
	id: string | null = null;
	parent: string | null = null;
	readonly #shortener: WindowShortener;
	readonly #start: number;
	#value: JsonObject | undefined = undefined;

	constructor(shortener: WindowShortener, start: number, end: number, base: number, unended: boolean) {
		this.at = base + start;
		this.length = end - start;
		this.unended = unended;
		this.#shortener = shortener;
		this.#start = start;
	}

	get bytes(): Uint8Array {
		return this.#shortener.bytes(this.#start, this.#start + this.length);
	}

	get value(): JsonObject | undefined {
		if (this.pattern) this.#value ??= this.#shortener.linked(this.pattern.value, this.id, this.parent);
		return this.#value;
	}

	set value(value: JsonObject | undefined) {
		this.#value = value;
	}
}

/** What the module writes, see assembly/shorten.ts. */
type Told = readonly (JsonObject | number | string | null)[];

class WindowShortener implements Shortener {
	readonly mark: string;
	readonly #exports: ShortenExports;
	readonly #size: number;
	readonly #maxLine: number;
	/** Lines that are parsed together. */
	readonly #most: number;
	readonly #links: LinkKeys | undefined;
	/** By the place that the module has for each, and how many there have ever been. */
	readonly #patterns: Pattern[] = [];
	#patternCount = 0;
	/** The id of the line before. */
	#before: string | null = null;
	#ends = new Uint32Array(0);
	#out = Buffer.alloc(0);
	#window = Buffer.alloc(0);

	constructor(exports: ShortenExports, options: ShortenOptions) {
		this.#exports = exports;
		this.#size = options.window ?? defaultWindow;
		this.#maxLine = options.maxLine ?? 1 << 28;
		this.#most = options.places ? mostWithTexts : mostLines;
		const { buffer } = exports.memory;
		this.mark = options.places ?? `cut-${randomBytes(9).toString('base64url')}`;
		const quoted = JSON.stringify(this.mark);
		const mark = Buffer.from(options.places ? quoted.slice(1, -1) : quoted);
		if (options.places) exports.setPlaces();
		this.#links = options.links;
		if (options.links) exports.setPatterns(patternsAt);
		Buffer.from(buffer, markAt).set(mark);
		Buffer.from(buffer, keysAt, endsAt - keysAt).set(keyTable(options, keysAt));
		exports.setKeys(keysAt);
		exports.setup(stackAt, deepest, markAt, mark.length, Math.max(shortestText, options.longest ?? 256));
		this.#view();
	}

	bytes(start: number, end: number): Uint8Array {
		return this.#window.subarray(start, end);
	}

	linked(pattern: JsonObject, id: string | null, parent: string | null): JsonObject {
		return this.#links ? { ...pattern, [this.#links.id]: id, [this.#links.parent]: parent } : pattern;
	}

	#view(): void {
		const { buffer } = this.#exports.memory;
		this.#ends = new Uint32Array(buffer, endsAt, mostLines);
		this.#out = Buffer.from(buffer, outAt, outEnd - outAt);
		this.#window = Buffer.from(buffer, windowAt);
	}

	read(source: Source, visit: VisitLine, take?: TakeLike): boolean {
		const parts = this.parts(source, visit, take);
		for (;;) {
			const { done, value } = parts.next();
			if (done) return value;
		}
	}

	*parts(source: Source, visit: VisitLine, take?: TakeLike): Generator<void, boolean> {
		let at = 0;
		let held = 0;
		while (at < source.size) {
			const read = readInto(source, at, this.#room(held));
			if (read === 0) break; // the source has shrunk meanwhile
			const end = held + read;
			const last = this.#window.subarray(held, end).lastIndexOf(newline);
			const whole = last === -1 ? 0 : held + last + 1;
			if (whole > 0) this.#lines(whole, at - held, false, visit, take);
			this.#window.copyWithin(0, whole, end);
			held = end - whole;
			at += read;
			if (held > this.#maxLine) return false;
			yield;
		}
		if (held > 0) {
			this.#window[held] = newline;
			this.#lines(held + 1, at - held, true, visit, undefined);
		}
		return true;
	}

	/** Visits the lines of the window's first bytes, which end with a newline. `base` is where they are in the source. */
	#lines(end: number, base: number, unended: boolean, visit: VisitLine, take: TakeLike | undefined): void {
		// Asked once for all: the question costs more than the answer.
		const clean = isUtf8(this.#window.subarray(0, end));
		this.#exports.setOrigin(base - windowAt);
		for (let start = 0; start < end; ) {
			const told = this.#shorten(start, end);
			start = this.#tell(told, start, base, unended, clean, visit, clean ? take : undefined);
		}
	}

	/** Returns where the lines end that are told. */
	#tell(
		told: Told,
		from: number,
		base: number,
		unended: boolean,
		clean: boolean,
		visit: VisitLine,
		take: TakeLike | undefined,
	): number {
		let start = from;
		this.#before = null;
		for (let place = 0, row = 0; place < told.length; row += 1) {
			const next = (this.#ends[row] as number) - windowAt;
			const first = told[place] as JsonObject | number;
			if (take && typeof first === 'number' && first > 0) {
				const follows = first > patternPlaces;
				const id = told[place + 1] as string | null;
				const parent = follows ? this.#before : (told[place + 2] as string | null);
				const pattern = this.#patterns[follows ? first - patternPlaces : first] as Pattern;
				if (take(pattern, id, parent, base + start, next - start)) {
					this.#before = id;
					place += follows ? 2 : 3;
					start = next;
					continue;
				}
			}
			const line = new WindowLine(this, start, unended ? next - 1 : next, base, unended);
			place = this.#fill(line, told, place, clean || isUtf8(line.bytes));
			visit(line);
			start = next;
		}
		return start;
	}

	/** Returns the place behind what is told of the line. */
	#fill(line: WindowLine, told: Told, place: number, isText: boolean): number {
		const first = told[place] as JsonObject | number;
		if (typeof first === 'number' && first > 0) {
			const follows = first > patternPlaces;
			if (isText) line.pattern = this.#patterns[follows ? first - patternPlaces : first];
			line.id = told[place + 1] as string | null;
			line.parent = follows ? this.#before : (told[place + 2] as string | null);
			this.#before = line.id;
			return place + (follows ? 2 : 3);
		}
		const value = typeof first === 'number' && first < 0 ? this.#noted(-first, told[place + 1]) : first;
		if (typeof value === 'object') {
			if (isText) line.value = value;
			if (this.#links) this.#before = value[this.#links.id] as string | null;
		}
		return place + (value === first ? 1 : 2);
	}

	/** From now on it is the pattern of that place. */
	#noted(place: number, value: Told[number] | undefined): JsonObject {
		this.#patterns[place] = { value: value as JsonObject, number: this.#patternCount };
		this.#patternCount += 1;
		return value as JsonObject;
	}

	/** Parsed together: a call for each line would cost more than the line. */
	#shorten(from: number, end: number): Told {
		const length = this.#exports.shorten(windowAt + from, windowAt + end, outAt, outEnd, endsAt, this.#most);
		return JSON.parse(this.#out.toString('utf8', 0, length)) as Told;
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

const wanted = 1;
const veiled = 2;
const ofId = 4;
const ofParent = 8;

/** The keys as the module reads them: where those of each length begin, then the keys themselves, each with what it is. */
function keyTable(options: ShortenOptions, address: number): Buffer {
	const { keys, links } = options;
	const cut = new Set(options.veiled);
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
		const at = 4 * lengths + keySize * place;
		table.write(key, at, 'latin1');
		const link = key === links?.id ? ofId : key === links?.parent ? ofParent : 0;
		table[at + longestKey] = wanted | (cut.has(key) ? veiled : 0) | link;
	}
	return table;
}
