/** The lines of a source, the long ones also as JSON without their long texts: enough to see what they are made of. */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { Source } from '../model/index.ts';
import { shortenModule } from './shorten-module.ts';
import { readInto } from './source.ts';
import { instantiate, type Memory, makeRoom } from './wasm.ts';

export interface ShortenOptions {
	/** Lines of fewer bytes are left as they are. Default 2048: parsing them costs as little as looking at them. */
	readonly above?: number;
	/** Values that are strings of more bytes than this are cut. Default 256, at least 64. */
	readonly longest?: number;
	/** Keys whose objects and arrays come out empty, wherever they are. */
	readonly emptied?: readonly string[];
	/** Bytes to read at a time. Default 256 KB. */
	readonly window?: number;
	/** Where a line is longer, all is given up. Default 256 MB. */
	readonly maxLine?: number;
}

/** Holds while it is visited: the memory is used again for the next. */
export interface ShortLine {
	readonly at: number;
	/** Newline included; the last line of a source may lack it. */
	readonly bytes: Uint8Array;
	/** True for a last line without a newline. */
	readonly unended: boolean;
	/**
	 * The line with a mark in place of each long text: JSON of the same shape, with the same keys but for what is emptied.
	 * Present only where JSON.parse takes the whole line too and gives an object, and where its bytes are UTF-8.
	 */
	readonly short?: string;
}

export interface Shortener {
	/** What stands for a long text: random, so that no file can hold it by chance or on purpose. */
	readonly mark: string;
	/** Visits every line in order. False when a line was too long to be held. */
	read(source: Source, visit: (line: ShortLine) => void): boolean;
}

interface ShortenExports extends Memory {
	setup(stack: number, stackSize: number, mark: number, markSize: number, longest: number): void;
	setKeys(from: number, to: number): void;
	shorten(from: number, to: number, out: number, end: number): number;
}

const newline = 0x0a;
const deepest = 512;
/** Below this lies what the compiler puts there. */
const stackAt = 1 << 10;
const markAt = stackAt + deepest + 1;
const keysAt = 1 << 11;
const outAt = 1 << 12;
const outEnd = outAt + (1 << 18);
const windowAt = outEnd + 64;
/** Bytes behind the window that may be looked at. */
const slack = 64;
const shortestText = 64;

/** Undefined where WebAssembly with SIMD does not run. */
export function createShortener(options: ShortenOptions = {}): Shortener | undefined {
	const exports = instantiate<ShortenExports>(shortenModule, windowAt + (options.window ?? defaultWindow) + slack);
	return exports && new WindowShortener(exports, options);
}

const defaultWindow = 1 << 18;

class WindowShortener implements Shortener {
	readonly mark = `cut-${randomBytes(24).toString('hex')}`;
	readonly #exports: ShortenExports;
	readonly #size: number;
	readonly #above: number;
	readonly #maxLine: number;
	#window: Buffer;

	constructor(exports: ShortenExports, options: ShortenOptions) {
		this.#exports = exports;
		this.#size = options.window ?? defaultWindow;
		this.#above = options.above ?? 2048;
		this.#maxLine = options.maxLine ?? 1 << 28;
		const { buffer } = exports.memory;
		Buffer.from(buffer, markAt).write(this.mark, 'latin1');
		const keys = keyTable(options.emptied ?? []);
		Buffer.from(buffer, keysAt, outAt - keysAt).set(keys);
		exports.setKeys(keysAt, keysAt + keys.length);
		exports.setup(stackAt, deepest, markAt, this.mark.length, Math.max(shortestText, options.longest ?? 256));
		this.#window = Buffer.from(buffer, windowAt);
	}

	read(source: Source, visit: (line: ShortLine) => void): boolean {
		let at = 0;
		let held = 0;
		while (at < source.size) {
			const read = readInto(source, at, this.#room(held));
			if (read === 0) break; // the source has shrunk meanwhile
			const base = at - held;
			const end = held + read;
			const filled = this.#window.subarray(0, end);
			let start = 0;
			for (let found = filled.indexOf(newline, held); found !== -1; found = filled.indexOf(newline, start)) {
				visit(this.#line(filled, start, found + 1, base, false));
				start = found + 1;
			}
			this.#window.copyWithin(0, start, end);
			held = end - start;
			at += read;
			if (held > this.#maxLine) return false;
		}
		if (held > 0) {
			this.#window[held] = newline;
			visit(this.#line(this.#window, 0, held, at - held, true));
		}
		return true;
	}

	/** Where the next bytes go, behind those that are held. */
	#room(held: number): Buffer {
		const capacity = this.#window.length - slack;
		if (held > capacity / 2) {
			makeRoom(this.#exports, windowAt + capacity * 2 + slack);
			this.#window = Buffer.from(this.#exports.memory.buffer, windowAt);
		}
		return this.#window.subarray(held, Math.min(this.#window.length - slack, held + this.#size));
	}

	#line(window: Buffer, start: number, end: number, base: number, unended: boolean): ShortLine {
		const bytes = window.subarray(start, end);
		const at = base + start;
		const short = bytes.length < this.#above ? undefined : this.#shorten(bytes, start, unended ? end : end - 1);
		return short === undefined ? { at, bytes, unended } : { at, bytes, unended, short };
	}

	#shorten(bytes: Buffer, from: number, to: number): string | undefined {
		if (!isUtf8(bytes)) return undefined;
		const length = this.#exports.shorten(windowAt + from, windowAt + to, outAt, outEnd);
		if (length === 0) return undefined;
		return Buffer.from(this.#exports.memory.buffer, outAt, length).toString('utf8');
	}
}

/** Each key as the module reads it: its length, then its bytes. */
function keyTable(keys: readonly string[]): Buffer {
	return Buffer.concat(keys.flatMap((key) => [Buffer.of(key.length), Buffer.from(key, 'latin1')]));
}
