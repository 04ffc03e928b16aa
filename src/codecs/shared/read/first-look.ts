/** Finds a session's folder, title and start for lists: how many of its first and last bytes are read for that, and when what is between them is searched for a title. */
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

	/**
	 * `ends` looks at the first and last bytes alone: enough for folder, prompt and times. A title may stand anywhere, because a
	 * session goes on after it was named; with `all` it is searched for where the ends cannot tell.
	 */
	look(codec: Codec, source: Source, reach: 'all' | 'ends' = 'all'): Looked {
		const look = new Look(codec);
		if (codec.capabilities.container === 'document') look.document(source);
		else look.lines(source, (at, length) => this.#read(source, at, length), reach === 'all');
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

/** Where lines with these beginnings begin. `isLine`: the bytes themselves begin with a line. */
function titleLines(bytes: Buffer, marks: readonly string[], isLine: boolean): readonly number[] {
	const [first, ...others] = marks;
	if (first === undefined) return [];
	const starts: number[] = [];
	const longest = Math.max(...marks.map((mark) => mark.length));
	const add = (start: number): void => {
		const text = bytes.toString('latin1', start, start + longest);
		if (marks.some((mark) => text.startsWith(mark))) starts.push(start);
	};
	if (isLine) add(0);
	// One search for what all of them begin with: few other lines of a client begin so.
	let shared = first.length;
	while (others.some((mark) => !mark.startsWith(first.slice(0, shared)))) shared -= 1;
	const wanted = `\n${first.slice(0, shared)}`;
	for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + wanted.length)) add(at + 1);
	return starts;
}

const nothing: Header = {};

/** A sink as an object with methods: closures per file would be made ten thousand times. */
class Look implements DecodeSink {
	known = nothing;
	/** The title made from the first prompt. */
	title: string | undefined;
	readonly #codec: Codec;
	readonly #decoder: LineDecoder;
	readonly #marks: readonly string[];
	#lineNumber = 0;

	constructor(codec: Codec) {
		this.#codec = codec;
		this.#decoder = codec.read.decoder();
		this.#marks = codec.places.listing?.titles ?? [];
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

	lines({ size }: Source, read: (at: number, length: number) => Buffer, all: boolean): void {
		let at = 0;
		for (let window = size <= tailWindow ? tailWindow : firstWindow; ; window *= 4) {
			at += this.#head(read(at, Math.min(window, size) - at), window >= size);
			if (this.isComplete() || window >= size) break;
			if (window >= largestWindow && (window >= longestLines || this.#lineNumber >= fewLines)) break;
		}
		const from = Math.max(at, size - tailWindow);
		if (from >= size) return;
		let tail = read(from, size - from);
		// The window begins in the middle of a line, unless it follows directly on what was read already.
		const start = from === at ? 0 : lineEnd(tail, 0);
		const stronger = all && from > at ? this.#unsaidIn(tail.subarray(start)) : [];
		if (stronger.length > 0) {
			tail = Buffer.from(tail); // the next read goes into the same memory
			this.#middle(at, from + start, stronger, read);
		}
		this.#marked(tail.subarray(start), true);
	}

	/** The beginnings of lines whose title would count, wherever they stand: those stronger than any at the end of the file. */
	#unsaidIn(tail: Buffer): readonly string[] {
		const marks = this.#marks;
		return marks.slice(marks.findLastIndex((mark) => titleLines(tail, [mark], true).length > 0) + 1);
	}

	/** Looks for lines that give a title between both ends. Nothing else is looked at, so it goes as fast as the file is read. */
	#middle(from: number, to: number, marks: readonly string[], read: (at: number, length: number) => Buffer): void {
		let isLine = true;
		for (let at = from; at < to; ) {
			const bytes = read(at, Math.min(largestWindow, to - at));
			if (bytes.length === 0) return; // the file has become shorter meanwhile
			const end = bytes.lastIndexOf(newline) + 1;
			this.#titles(bytes.subarray(0, end), marks, isLine);
			isLine = end > 0;
			at += end || bytes.length;
		}
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
		this.#titles(bytes, this.#marks, true);
		const { branch } = this.#codec.places.listing ?? {};
		if (!last || branch === undefined) return;
		const text = bytes.toString('latin1');
		const found = lastPlace(text, branch);
		const end = found === -1 ? -1 : text.indexOf('"', found);
		if (end <= found) return;
		const gitBranch = bytes.toString('utf8', found, end);
		if (!gitBranch.includes('\\')) this.known = { ...this.known, gitBranch };
	}

	/** Reads the lines with these beginnings, in their order. */
	#titles(bytes: Buffer, marks: readonly string[], isLine: boolean): void {
		for (const start of titleLines(bytes, marks, isLine)) this.#line(bytes.subarray(start, lineEnd(bytes, start)));
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
