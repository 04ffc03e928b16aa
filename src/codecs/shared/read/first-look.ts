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

export interface Looked {
	readonly header: Header;
	/** The first prompt as a title, for sessions that have no other. */
	readonly prompt: string | undefined;
}

/** Looks at sessions. Never fails on content: what cannot be told is absent. */
export class FirstLook {
	/** One piece for all files: a piece for each of ten thousand would keep the garbage collector busy. */
	#memory = Buffer.alloc(0);

	look(codec: Codec, source: Source): Looked {
		const look = new Look(codec);
		if (codec.capabilities.container === 'document') look.document(source);
		else look.lines(source, (at, length) => this.#read(source, at, length));
		return { header: look.known, prompt: look.title };
	}

	#read(source: Source, at: number, length: number): Buffer {
		if (!source.readInto) return Buffer.from(source.read(at, length));
		if (this.#memory.length < length) this.#memory = Buffer.allocUnsafeSlow(length);
		return this.#memory.subarray(0, source.readInto(at, this.#memory.subarray(0, length)));
	}
}

/** Where the line that begins at `start` ends: behind its newline, or where the bytes end. */
function lineEnd(bytes: Buffer, start: number): number {
	const found = bytes.indexOf(newline, start);
	return found === -1 ? bytes.length : found + 1;
}

const nothing: Header = {};

/** Takes what the decoder gives by itself: functions of its own for each file would be made ten thousand times. */
class Look implements DecodeSink {
	known = nothing;
	/** From the first prompt. */
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

	lines({ size }: Source, read: (at: number, length: number) => Buffer): void {
		let at = 0;
		for (let window = size <= tailWindow ? tailWindow : firstWindow; ; window *= 4) {
			at += this.#head(read(at, Math.min(window, size) - at), window >= size);
			if (this.isComplete() || window >= size || window >= largestWindow) break;
		}
		const tail = Math.max(at, size - tailWindow);
		if (tail >= size) return;
		const bytes = read(tail, size - tail);
		// The window begins in the midst of a line, unless nothing lies between it and what was read already.
		this.#marked(bytes.subarray(tail === at ? 0 : lineEnd(bytes, 0)), true);
	}

	/** Reads whole lines until the essentials are known, and of the rest those that may matter. Returns how far it got. */
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

	/** Reads those of whole lines that say a title, and finds the last branch that the last ones name. */
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
 * Behind the last mark; -1 where there is none. In the last line the first counts: it stands before the line's own text, which may
 * be long, and may hold something like it.
 */
function lastPlace(text: string, mark: string): number {
	const line = text.lastIndexOf('\n', text.length - 2) + 1;
	const first = text.indexOf(mark, line);
	const found = first === -1 ? text.lastIndexOf(mark) : first;
	return found === -1 ? -1 : found + mark.length;
}
