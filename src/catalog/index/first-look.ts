/** A session's folder, title and beginning from its first and last bytes: cheap enough to list ten thousand sessions. */
import { type Codec, codecOf, type DecodeSink, type Line } from '../../codecs/index.ts';
import { type Entry, entryText, type Header, isPrompt, type Source } from '../../model/index.ts';
import type { Access, SessionFile } from '../cost/collect.ts';
import type { Seen } from './seen.ts';

const firstWindow = 1 << 13;
/** Some clients begin with a long record of what they sent. */
const largestWindow = 1 << 19;
const tailWindow = 1 << 14;
/** Lines that give a session its title are short; replies and results seldom are. */
const shortLine = 1 << 10;
const longestTitle = 120;
const newline = 0x0a;

/** Never fails on content: what cannot be told is absent. */
export function firstLook(session: SessionFile, source: Source, access: Access): Seen {
	const codec = codecOf(session.format);
	if (!codec) return {};
	const look = new Look(codec);
	if (codec.capabilities.container === 'document') look.document(source);
	else look.lines(source);
	const header =
		look.isComplete() && look.header.title ? look.header : withSideFiles(codec, session, look.header, access);
	return seenFrom(header, look.prompt);
}

/** What is remembered of a header; the first prompt stands in for a title. */
export function seenFrom({ cwd, title, gitBranch, created }: Header, prompt: string | undefined): Seen {
	const shown = title?.trim() || prompt;
	return {
		...(cwd ? { cwd } : {}),
		...(shown ? { title: shown } : {}),
		...(gitBranch ? { gitBranch } : {}),
		...(created ? { created } : {}),
	};
}

export function promptTitle(entry: Entry): string | undefined {
	if (!isPrompt(entry)) return undefined;
	const text = entryText(entry)
		.slice(0, 4 * longestTitle)
		.replace(/\s+/g, ' ')
		.trim();
	if (text === '') return undefined;
	return text.length <= longestTitle ? text : `${text.slice(0, longestTitle - 1)}…`;
}

/** One piece of memory for all files: ten thousand times two pieces would keep the garbage collector busy. */
let scratch = Buffer.allocUnsafe(tailWindow);

/** Valid until the next reading. */
function readScratch(source: Source, at: number, length: number): Uint8Array {
	if (source.readInto === undefined) return source.read(at, length);
	if (scratch.length < length) scratch = Buffer.allocUnsafe(length);
	return scratch.subarray(0, source.readInto(at, scratch.subarray(0, length)));
}

class Look {
	header: Header = {};
	prompt: string | undefined;
	readonly #codec: Codec;
	readonly #sink: DecodeSink;
	readonly #visit: (line: Line) => void;
	readonly #reader: ReturnType<Codec['reader']>;

	constructor(codec: Codec) {
		this.#codec = codec;
		this.#sink = {
			entry: (entry) => {
				this.prompt ??= promptTitle(entry);
			},
			header: (patch) => {
				this.header = { ...this.header, ...patch };
			},
			issue: () => undefined,
		};
		const decoder = codec.decoder();
		this.#reader = codec.reader();
		this.#visit = (line) => {
			if (line.part !== 'gap') decoder.visit(line, this.#sink);
		};
	}

	isComplete(): boolean {
		return this.header.cwd !== undefined && this.prompt !== undefined;
	}

	document(source: Source): void {
		this.#reader.push(
			source.read(0, Math.min(source.size, this.#codec.sideHeader ? tailWindow : largestWindow)),
			this.#visit,
		);
		this.#reader.end(this.#visit);
	}

	lines(source: Source): void {
		let at = 0;
		for (let window = firstWindow; ; window *= 4) {
			at += this.#lines(readScratch(source, at, window - at), window >= source.size);
			if (this.isComplete() || window >= source.size || window >= largestWindow) break;
		}
		const tail = Math.max(at, source.size - tailWindow);
		if (tail >= source.size) return;
		const bytes = readScratch(source, tail, source.size - tail);
		const start = tail === at ? 0 : bytes.indexOf(newline) + 1;
		if (start > 0 || tail === at) this.#lines(bytes.subarray(start), true);
	}

	/** Reads the whole lines; once the essentials are known, only the short ones. Returns how many bytes they are. */
	#lines(bytes: Uint8Array, last: boolean): number {
		let start = 0;
		while (start < bytes.length) {
			const found = bytes.indexOf(newline, start);
			if (found === -1 && !last) break;
			const end = found === -1 ? bytes.length : found + 1;
			if (end - start <= shortLine || !this.isComplete()) {
				this.#reader.push(bytes.subarray(start, end), this.#visit);
				if (found === -1) this.#reader.end(this.#visit);
			}
			start = end;
		}
		return start;
	}
}

const largestSideFile = 1 << 22;

/** What the transcript does not say, a file beside it may. */
function withSideFiles(codec: Codec, session: SessionFile, own: Header, { open, folders }: Access): Header {
	if (codec.sideHeader === undefined) return own;
	let header: Header = {};
	for (const side of codec.locate.sideFiles(session.path, folders)) {
		if (side.role !== 'manifest' && side.role !== 'index' && side.role !== 'display') continue;
		using source = open(side.path);
		header = { ...codec.sideHeader(side.role, source.read(0, largestSideFile), side.id), ...header };
	}
	return { ...header, ...own };
}
