/** A session's folder, title and beginning from its first and last bytes: cheap enough to list ten thousand sessions. */
import { type Entry, entryText, type Header, isPrompt, type Source } from '../../../model/index.ts';
import type { Codec, DecodeSink, LineDecoder } from '../../codec.ts';
import type { Line } from './line.ts';
import { makeLine } from './line-reader.ts';
import { promptTitle } from './prompt-words.ts';

const firstWindow = 1 << 13;
/** Some clients begin with a long record of what they sent. */
const largestWindow = 1 << 19;
/** Not more, however long the last line is: what a title costs must not depend on it. */
const tailWindow = 1 << 14;
/** Lines that give a session its title are short; replies and results seldom are. */
const shortLine = 1 << 12;
const newline = 0x0a;
const quote = 0x22;

export interface Looked {
	readonly header: Header;
	/** The first prompt as a title, for sessions that have no other. */
	readonly prompt: string | undefined;
}

/** Looks at sessions. Never fails on content: what cannot be told is absent. */
export class FirstLook {
	/** One piece of memory for all files: ten thousand times two pieces, and views of them, would keep the garbage collector busy. */
	#scratch = Buffer.allocUnsafe(tailWindow);
	readonly #views = new Map<number, Buffer>();
	readonly #marks = new Map<Codec, Marks>();

	look(codec: Codec, source: Source): Looked {
		const look = new Look(codec, this);
		if (codec.capabilities.container === 'document') look.document(source);
		else look.lines(source);
		return { header: look.known, prompt: look.title };
	}

	get bytes(): Buffer {
		return this.#scratch;
	}

	/** Fills the memory from its beginning; returns how many bytes came. */
	read(source: Source, at: number, length: number): number {
		if (this.#scratch.length < length) {
			this.#scratch = Buffer.allocUnsafe(length);
			this.#views.clear();
		}
		if (source.readInto) return source.readInto(at, this.#viewOf(length));
		const bytes = source.read(at, length);
		this.#scratch.set(bytes);
		return bytes.length;
	}

	/** The sizes are nearly always the same two. */
	#viewOf(length: number): Buffer {
		if (length !== firstWindow && length !== tailWindow) return this.#scratch.subarray(0, length);
		let view = this.#views.get(length);
		if (view === undefined) {
			view = this.#scratch.subarray(0, length);
			this.#views.set(length, view);
		}
		return view;
	}

	/** As bytes, once: a search for a text would make them anew each time. */
	marksOf(codec: Codec): Marks {
		let made = this.#marks.get(codec);
		if (made === undefined) {
			const { titles = [], branch } = codec.places.listing ?? {};
			made = {
				titles: titles.map((text) => Buffer.from(text)),
				branch: branch === undefined ? undefined : Buffer.from(branch),
			};
			this.#marks.set(codec, made);
		}
		return made;
	}
}

/** Where the line that begins at `start` ends: behind its newline, or at `end`. */
function lineEnd(bytes: Buffer, start: number, end: number): number {
	const found = bytes.indexOf(newline, start);
	return found === -1 || found >= end ? end : found + 1;
}

const nothing: Header = {};

/** Takes what the decoder gives by itself: functions of its own for each file would be made ten thousand times. */
class Look implements DecodeSink {
	known = nothing;
	/** From the first prompt. */
	title: string | undefined;
	readonly #codec: Codec;
	readonly #decoder: LineDecoder;
	readonly #memory: FirstLook;
	readonly #marks: Marks;
	#lineNumber = 0;

	constructor(codec: Codec, memory: FirstLook) {
		this.#codec = codec;
		this.#memory = memory;
		this.#decoder = codec.read.decoder();
		this.#marks = memory.marksOf(codec);
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
		// A list tells what it can of a session; what is wrong with it is another question.
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

	lines(source: Source): void {
		let at = 0;
		// What fits into the memory at hand is read at once.
		for (let window = source.size <= tailWindow ? tailWindow : firstWindow; ; window *= 4) {
			at += this.#head(this.#memory.read(source, at, window - at), window >= source.size);
			if (this.isComplete() || window >= source.size || window >= largestWindow) break;
		}
		const tail = Math.max(at, source.size - tailWindow);
		if (tail >= source.size) return;
		const end = this.#memory.read(source, tail, source.size - tail);
		// The window begins in the midst of a line, unless nothing lies between it and what was read already.
		this.#marked(tail === at ? 0 : lineEnd(this.#memory.bytes, 0, end), end, true);
	}

	/** Reads whole lines until the essentials are known, and of the rest those that may matter. Returns how far it got. */
	#head(length: number, last: boolean): number {
		const { bytes } = this.#memory;
		const end = last ? length : bytes.lastIndexOf(newline, length - 1) + 1;
		let start = 0;
		while (start < end && !this.isComplete()) {
			const next = lineEnd(bytes, start, end);
			this.#line(start, next);
			start = next;
		}
		if (start < end) this.#marked(start, end, last);
		return end;
	}

	/** Reads those of whole lines that say a title, and finds the last branch that the last ones name. */
	#marked(from: number, end: number, last: boolean): void {
		const { titles, branch } = this.#marks;
		const { bytes } = this.#memory;
		for (let start = from; start < end; ) {
			const next = lineEnd(bytes, start, end);
			if (next - start <= shortLine && beginsWith(bytes, start, titles)) this.#line(start, next);
			start = next;
		}
		const gitBranch = last && branch !== undefined ? lastValue(bytes, from, end, branch) : undefined;
		if (gitBranch) this.known = { ...this.known, gitBranch };
	}

	#line(start: number, end: number): void {
		this.#lineNumber += 1;
		const bytes = this.#memory.bytes.subarray(start, end);
		const line = makeLine(bytes, this.#lineNumber - 1, this.#lineNumber, this.#lineNumber - 1);
		if (line.part !== 'gap') this.#decoder.visit(line, this);
	}
}

interface Marks {
	readonly titles: readonly Buffer[];
	readonly branch: Buffer | undefined;
}

function beginsWith(bytes: Buffer, start: number, marks: readonly Buffer[]): boolean {
	for (const mark of marks) {
		let same = 0;
		while (same < mark.length && bytes[start + same] === mark[same]) same += 1;
		if (same === mark.length) return true;
	}
	return false;
}

/** The plain text between the last place of `mark` in these lines and the next quote; undefined where it has escapes. */
function lastValue(bytes: Buffer, from: number, to: number, mark: Buffer): string | undefined {
	const found = lastPlace(bytes, from, to, mark);
	if (found === -1) return undefined;
	const start = found + mark.length;
	const end = bytes.indexOf(quote, start);
	if (end === -1 || end >= to) return undefined;
	const value = bytes.toString('utf8', start, end);
	return value.includes('\\') ? undefined : value;
}

/** In the last line the first: it stands before the line's own text, which may be long, and may hold something like it. */
function lastPlace(bytes: Buffer, from: number, to: number, mark: Buffer): number {
	if (to - from < mark.length) return -1;
	const line = Math.max(from, bytes.lastIndexOf(newline, to - 2) + 1);
	const first = bytes.indexOf(mark, line);
	if (first !== -1 && first + mark.length <= to) return first;
	const last = line - mark.length < from ? -1 : bytes.lastIndexOf(mark, line - mark.length);
	return last < from ? -1 : last;
}
