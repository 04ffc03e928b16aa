/** Visits the lines of a source in windows of bytes that are reused (256 KB); lines too long to be held are skipped. */
import { constants } from 'node:buffer';
import { readInto, reusedPieces, type Source } from '../model/index.ts';

/** A line while it is visited. Copy whatever is needed after the visit. */
export interface ScannedLine {
	/** The bytes in memory: the line is [from, to) of them without its newline. All others mean nothing. */
	readonly window: Buffer;
	readonly from: number;
	readonly to: number;
	/** The line's offset in the source; `end` is the one behind its newline. */
	readonly at: number;
	readonly end: number;
	/** The line's number from 1, counted from where the scan began. */
	readonly line: number;
	/** False for a last line without a newline. */
	readonly ended: boolean;
	/** The bytes of the line with the newline. */
	bytes(): Uint8Array;
}

export interface ScanRange {
	/** Offset of a line's start. Default 0. */
	readonly from?: number;
	/** Offset behind a newline, or the end of the source (default). */
	readonly to?: number;
}

export interface ScanLimits {
	/** Bytes to read at a time. Default 256 KB: what is read stays in the processor's cache until it is looked at. */
	readonly window?: number;
	/** Longer lines are counted but not visited. Default: what a string can hold. */
	readonly longest?: number;
}

const newline = 0x0a;
const usualWindow = 1 << 18;

/** Visits lines. Returns the offset behind the last one with a newline: where to go on when the source has grown. */
export function scanLines(
	source: Source,
	visit: (line: ScannedLine) => void,
	{ from = 0, to = source.size }: ScanRange = {},
	{ window = usualWindow, longest = constants.MAX_STRING_LENGTH }: ScanLimits = {},
): number {
	const end = Math.min(to, source.size);
	const line = new WindowLine(takeWindow(Math.min(window, longest)), from);
	for (let at = from; at < end; ) {
		if (line.isFull && !line.grow(longest)) {
			const next = newlineBehind(source, at, end);
			if (next === undefined) return line.base;
			line.skip(next);
			at = next;
			continue;
		}
		// A window that has grown for a long line is not filled again, so that what is read stays in the processor's cache.
		const read = readInto(source, at, line.room(Math.min(window, end - at)));
		if (read === 0) break; // the source has shrunk meanwhile
		line.filled(read, visit);
		at += read;
	}
	line.finish(visit);
	if (window === usualWindow && line.window.length <= largestSpare) spare = line.window;
	return line.base;
}

/** The last scan's window, reused because new memory for thousands of small files is slow. Undefined while in use. */
let spare: Buffer | undefined;
const largestSpare = 1 << 22;

function takeWindow(size: number): Buffer {
	if (size !== usualWindow || !spare) return Buffer.allocUnsafeSlow(Math.max(1, size));
	const taken = spare;
	spare = undefined;
	return taken;
}

/** The offset behind the next newline from `from` on; undefined where none comes before `end`. */
function newlineBehind(source: Source, from: number, end: number): number | undefined {
	let at = from;
	for (const piece of reusedPieces(source, from)) {
		const found = piece.indexOf(newline);
		if (found !== -1) return at + found < end ? at + found + 1 : undefined;
		at += piece.length;
	}
	return undefined;
}

/** The window, and the visited line in it. It begins at a line's start and keeps the half line at its end. */
class WindowLine implements ScannedLine {
	window: Buffer;
	from = 0;
	to = 0;
	line = 0;
	ended = true;
	/** Offset of the window's first byte in the source. */
	base: number;
	#held = 0;

	constructor(window: Buffer, base: number) {
		this.window = window;
		this.base = base;
	}

	get at(): number {
		return this.base + this.from;
	}

	get end(): number {
		return this.base + this.to + (this.ended ? 1 : 0);
	}

	bytes(): Uint8Array {
		return this.window.subarray(this.from, this.to + (this.ended ? 1 : 0));
	}

	get isFull(): boolean {
		return this.#held === this.window.length;
	}

	/** Makes the window larger; false where it may not grow any more. */
	grow(longest: number): boolean {
		if (this.#held >= longest) return false;
		const larger = Buffer.allocUnsafeSlow(Math.min(longest, 2 * this.#held));
		larger.set(this.window);
		this.window = larger;
		return true;
	}

	/** Where the next bytes go, so many at most. A plain array: making a Buffer for each read takes as long as looking at it. */
	room(most: number): Uint8Array {
		const { buffer, byteOffset, length } = this.window;
		return new Uint8Array(buffer, byteOffset + this.#held, Math.min(most, length - this.#held));
	}

	/** Takes in bytes that were read into the window, and visits the lines that they complete. */
	filled(length: number, visit: (line: ScannedLine) => void): void {
		const searched = this.#held;
		this.#held += length;
		this.from = 0;
		for (let to = this.#newline(searched); to !== -1; to = this.#newline(this.from)) {
			this.to = to;
			this.line += 1;
			visit(this);
			this.from = to + 1;
		}
		this.window.copyWithin(0, this.from, this.#held);
		this.base += this.from;
		this.#held -= this.from;
	}

	/** The next newline in the window; bytes behind the filled part are old and do not count. */
	#newline(from: number): number {
		const found = from < this.#held ? this.window.indexOf(newline, from) : -1;
		return found < this.#held ? found : -1;
	}

	/** Skips a line that is too long to be held and that ends before `next`. */
	skip(next: number): void {
		this.line += 1;
		this.base = next;
		this.#held = 0;
	}

	/** Visits what is left, a last line without a newline. */
	finish(visit: (line: ScannedLine) => void): void {
		if (this.#held === 0) return;
		this.from = 0;
		this.to = this.#held;
		this.line += 1;
		this.ended = false;
		visit(this);
	}
}
