/** Finds a session's folder, title and start for lists: how many of its first and last bytes are read for that. */
import { type Entry, entryText, type Header, isPrompt, type Source } from '../../../model/index.ts';
import type { Codec, DecodeSink, LineDecoder } from '../../codec.ts';
import type { Line } from './line.ts';
import { makeLine } from './line-reader.ts';
import { promptTitle } from './prompt-words.ts';

const firstWindow = 1 << 13;
/** The longest head that is read: some clients begin with a long record of what they sent. */
const largestWindow = 1 << 19;
/** How far the head is read where it has only a few lines: a first prompt may be longer than `largestWindow`, and the folder stands behind it. */
const longestLines = 1 << 26;
const fewLines = 8;
/** The most bytes that are read at the end: the cost of a title must not depend on the last line's length. */
const tailWindow = 1 << 14;
/** Longer lines at the end are skipped: lines that give a title are short, replies and results seldom are. */
const shortLine = 1 << 12;
const newline = 0x0a;

export interface Looked {
	readonly header: Header;
	/** The first prompt as a title, for a session without one. */
	readonly prompt: string | undefined;
}

/** Looks at sessions. It never fails on content: what cannot be found is absent. */
export class FirstLook {
	/** One buffer for all files: one for each of ten thousand would keep the garbage collector busy. */
	#memory = Buffer.alloc(0);

	look(codec: Codec, source: Source): Looked {
		const look = new Look(codec);
		if (codec.capabilities.container === 'document') look.document(source);
		else look.lines(source, (at, length) => this.#read(source, at, length));
		return { header: look.known, prompt: look.title };
	}

	#read(source: Source, at: number, length: number): Buffer {
		if (!source.readInto || length > largestWindow) return Buffer.from(source.read(at, length));
		if (this.#memory.length < length) this.#memory = Buffer.allocUnsafeSlow(length);
		return this.#memory.subarray(0, source.readInto(at, this.#memory.subarray(0, length)));
	}
}

/** The end of the line that begins at `start`: behind its newline, or where the bytes end. */
function lineEnd(bytes: Buffer, start: number): number {
	const found = bytes.indexOf(newline, start);
	return found === -1 ? bytes.length : found + 1;
}

const nothing: Header = {};

/** A sink as an object with methods: closures per file would be made ten thousand times. */
class Look implements DecodeSink {
	known = nothing;
	/** The title made from the first prompt. */
	title: string | undefined;
	readonly #codec: Codec;
	readonly #decoder: LineDecoder;
	#lineNumber = 0;

	constructor(codec: Codec) {
		this.#codec = codec;
		this.#decoder = codec.read.decoder();
	}

	entry(entry: Entry): void {
		if (this.title === undefined && isPrompt(entry)) this.title = promptTitle(entryText(entry));
	}

	prompt(text: string): void {
		this.title ??= promptTitle(text);
	}

	header(patch: Header): void {
		this.known = this.known === nothing ? patch : { ...this.known, ...patch };
	}

	issue(): void {
		// A list shows what it can; problems are for `check` to report.
	}

	isComplete(): boolean {
		return this.known.cwd !== undefined && this.title !== undefined;
	}

	document(source: Source): void {
		const reader = this.#codec.read.reader();
		const visit = (line: Line): void => {
			if (line.part !== 'gap') this.#decoder.visit(line, this);
		};
		reader.push(source.read(0, Math.min(source.size, this.#codec.read.sideHeader ? tailWindow : largestWindow)), visit);
		reader.end(visit);
	}

	lines({ size }: Source, read: (at: number, length: number) => Buffer): void {
		let at = 0;
		for (let window = size <= tailWindow ? tailWindow : firstWindow; ; window *= 4) {
			at += this.#head(read(at, Math.min(window, size) - at), window >= size);
			if (this.isComplete() || window >= size) break;
			if (window >= largestWindow && (window >= longestLines || this.#lineNumber >= fewLines)) break;
		}
		const tail = Math.max(at, size - tailWindow);
		if (tail >= size) return;
		const bytes = read(tail, size - tail);
		// The window begins in the middle of a line, unless it follows directly on what was read already.
		this.#marked(bytes.subarray(tail === at ? 0 : lineEnd(bytes, 0)), true);
	}

	/** Reads whole lines until the essentials are known, then only those that may matter. Returns where it stopped. */
	#head(bytes: Buffer, last: boolean): number {
		const end = last ? bytes.length : bytes.lastIndexOf(newline) + 1;
		let start = 0;
		while (start < end && !this.isComplete()) {
			const next = lineEnd(bytes, start);
			this.#line(bytes.subarray(start, next));
			start = next;
		}
		if (start < end) this.#marked(bytes.subarray(start, end), last);
		return end;
	}

	/** Reads those lines that give a title, and finds the branch that the last line with one names. */
	#marked(bytes: Buffer, last: boolean): void {
		const { titles = [], branch } = this.#codec.places.listing ?? {};
		const text = bytes.toString('latin1');
		for (let start = 0; start < text.length; ) {
			const next = lineEnd(bytes, start);
			if (next - start <= shortLine && titles.some((title) => text.startsWith(title, start))) {
				this.#line(bytes.subarray(start, next));
			}
			start = next;
		}
		const found = last && branch !== undefined ? lastPlace(text, branch) : -1;
		const end = found === -1 ? -1 : text.indexOf('"', found);
		if (end <= found) return;
		const gitBranch = bytes.toString('utf8', found, end);
		if (!gitBranch.includes('\\')) this.known = { ...this.known, gitBranch };
	}

	#line(bytes: Uint8Array): void {
		const line = makeLine(bytes, this.#lineNumber, this.#lineNumber + 1, this.#lineNumber);
		this.#lineNumber += 1;
		if (line.part !== 'gap') this.#decoder.visit(line, this);
	}
}

/**
 * The position behind the last mark; -1 where there is none. In the last line the first mark counts: it is before the
 * line's own text, which may be long and may contain the mark.
 */
function lastPlace(text: string, mark: string): number {
	const line = text.lastIndexOf('\n', text.length - 2) + 1;
	const first = text.indexOf(mark, line);
	const found = first === -1 ? text.lastIndexOf(mark) : first;
	return found === -1 ? -1 : found + mark.length;
}
