/** Reads the path to the leaf backwards from a file's end, for a handle to go on from: how much is scanned at first, when the whole file is, and how long a head may be. */
import {
	BrokenLine,
	type Codec,
	type LineIndex,
	type ReadState,
	type ResumePath,
	type ResumePathRules,
	readSession,
} from '../../codecs/index.ts';
import { type EntryId, type Header, type Json, piecesOf, readInto, type Source } from '../../model/index.ts';
import { scanIndex } from './scan-index.ts';

export interface FoundTail {
	/** The ids from root to leaf; those before a compaction are missing where only the end of the file was read. */
	readonly ids: readonly EntryId[];
	/** The header from the first lines, without the title, which may change anywhere. */
	readonly header: Header;
	/** Where reading has to begin so that the last `keep` lines of the path are known. */
	complete(source: Source, keep: number): Completed;
}

export interface Completed {
	readonly state: ReadState;
	/** The ids that are not on the path, for formats whose new ids are compared with all existing ones. */
	readonly others?: readonly EntryId[];
}

const firstWindow = 1 << 18;
/** Reading backwards is given up after a sixteenth of the file: reading all of it then costs little more. */
const worthwhile = 16;

/** Undefined when the conversation could go on from no line. `usual`: how many lines are most likely kept. */
export function findTail(codec: Codec, rules: ResumePathRules, source: Source, usual: number): FoundTail | undefined {
	const head = readHead(codec, source);
	const looked = lookBack(source, (from) => {
		const found = look(rules, source, from);
		return found.trail.reached && (found.trail.lines.length > 0 || found.trail.nothing) ? found : undefined;
	});
	const found = looked ?? look(rules, source, 0);
	const { index, trail } = found;
	if (trail.lines.length === 0 && !trail.nothing) return undefined;
	const ids = trail.lines.map((line) => rules.id(index, line) ?? '');
	const tail = { ids, header: head.header };
	if (index.partial) {
		return { ...tail, complete: (source, keep) => completeLater(rules, source, found, head.state, keep) };
	}
	// The scanned index is dropped here: asking for more lines than usual scans again.
	const done = completed(rules, found, head.state, usual);
	const again = (source: Source, keep: number) => completed(rules, look(rules, source, 0), head.state, keep);
	return { ...tail, complete: (source, keep) => (keep === usual ? done : again(source, keep)) };
}

interface Looked {
	readonly index: LineIndex;
	readonly trail: ResumePath;
}

function look(rules: ResumePathRules, source: Source, from: number): Looked {
	return withoutBroken((broken) => {
		const index = scanIndex(source, rules.envelope, { from, broken });
		return { index, trail: rules.trail(index) };
	});
}

/** Repeats `ask` without the lines that only looked like JSON; `known` holds the offsets of those found before. */
export function withoutBroken<T>(ask: (broken: ReadonlySet<number>) => T, known = new Set<number>()): T {
	for (;;) {
		try {
			return ask(known);
		} catch (error) {
			if (!(error instanceof BrokenLine) || known.has(error.position.at)) throw error;
			known.add(error.position.at);
		}
	}
}

/** Asks `ask` about growing windows at the end of a file, until one of them has the answer. */
export function lookBack<T>(source: Source, ask: (from: number) => T | undefined): T | undefined {
	for (let window = firstWindow; window <= source.size / worthwhile; window *= 8) {
		const from = lineStart(source, source.size - window);
		const found = from === undefined ? undefined : ask(from);
		if (found !== undefined) return found;
	}
	return undefined;
}

const newline = 0x0a;

/** The offset of the first line that begins after an offset; undefined when it is far away. */
export function lineStart(source: Source, after: number): number | undefined {
	const piece = source.read(after, Math.min(firstWindow, source.size - after));
	const at = piece.indexOf(newline);
	return at === -1 ? undefined : after + at + 1;
}

/** Reads the beginning of a file until the session's id and folder are known, or until `isEnough` is satisfied. */
export function readHead(
	codec: Codec,
	source: Source,
	isEnough = isNamed,
): { readonly header: Header; readonly state: Json } {
	const reading = readSession(codec);
	let header: Header = {};
	let read = 0;
	for (const piece of piecesOf(source)) {
		for (let at = 0; at < piece.length && !isEnough(header); at += headPiece) {
			header = { ...header, ...reading.push(piece.subarray(at, at + headPiece)).header };
		}
		read += piece.length;
		if (isEnough(header) || read >= longestHead) break;
	}
	const { title: _, ...rest } = header;
	return { header: rest, state: reading.state().decoder };
}

const headPiece = 1 << 14;
const longestHead = 1 << 22;

function isNamed(header: Header): boolean {
	return header.id !== undefined && header.cwd !== undefined && header.created !== undefined;
}

/** What is known when reading starts `keep` lines of the path before the leaf. */
function completed(rules: ResumePathRules, { index, trail }: Looked, head: Json, keep: number, lines = 0): Completed {
	// Messages that a compaction kept are further up in the file than on the path.
	const last = trail.lines.slice(-keep);
	const first = last.length === 0 ? 0 : Math.min(...last);
	const { at, line } = index.position(first);
	const position = { at, line: line + lines, index: line + lines - 1 };
	const state = { position, decoder: rules.stateAt(index, first, head) };
	if (!rules.shortIds) return { state };
	return { state, others: idsBeside(rules, index, trail) };
}

/** Scans the rest before the first write: how many lines there are before the part that was read, and which ids. */
function completeLater(rules: ResumePathRules, source: Source, found: Looked, head: Json, keep: number): Completed {
	if (rules.shortIds) {
		const all = look(rules, source, 0);
		// The known path begins at a compaction: ids before it are not on the path.
		const { state, others = [] } = completed(rules, all, head, keep);
		return { state, others: [...others, ...all.trail.lines.flatMap((line) => rules.id(all.index, line) ?? [])] };
	}
	const first = found.index.length === 0 ? 0 : found.index.position(0).at;
	return completed(rules, found, head, keep, linesBefore(source, first) - (found.index.position(0).line - 1));
}

export function linesBefore(source: Source, end: number): number {
	let lines = 0;
	// The same memory each time: of a gigabyte in new pieces a good part would stay allocated for a while.
	const memory = Buffer.allocUnsafeSlow(Math.min(firstWindow, Math.max(1, end)));
	for (let at = 0; at < end; ) {
		const read = readInto(source, at, memory.subarray(0, Math.min(memory.length, end - at)));
		if (read === 0) break; // the source has shrunk meanwhile
		const piece = memory.subarray(0, read);
		for (let found = piece.indexOf(newline); found !== -1; found = piece.indexOf(newline, found + 1)) lines += 1;
		at += read;
	}
	return lines;
}

function idsBeside(rules: ResumePathRules, index: LineIndex, trail: ResumePath): readonly EntryId[] {
	const onPath = new Uint8Array(index.length);
	for (const line of trail.lines) onPath[line] = 1;
	const ids: EntryId[] = [];
	for (let line = 0; line < index.length; line += 1) {
		const id = onPath[line] === 1 ? undefined : rules.id(index, line);
		if (id !== undefined) ids.push(id);
	}
	return ids;
}
