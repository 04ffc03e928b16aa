/** The handle state of a session of lines: how many of its last entries are kept for the next write, and how far back the call of a result is looked for. */
import { type Codec, type Link, type ReadState, readSession, type SessionReading } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import {
	type Entry,
	type EntryId,
	type Header,
	isPrompt,
	lastInGraph,
	memorySource,
	path,
	piecesOf,
	type Session,
	type Source,
} from '../../model/index.ts';
import { readOn } from '../follow/follow.ts';
import { identify } from '../reader/identify.ts';
import { emptySession } from '../reader/recent.ts';
import { type FoundTail, findTail } from '../reader/tail.ts';
import { findTitle } from '../reader/title.ts';
import type { HandleState } from './handle-state.ts';
import { LivePath } from './live-path.ts';

/** The codec is told that the file ends with a newline, because the log starts every append on a line of its own. */
const endedFile = memorySource(Buffer.from('\n'));
/** How many entries are kept for encoding at least: open calls and the reply that made them are among them. */
const fewest = 8;
const most = 24;
/** How many lines back the call of a result is looked for; an older call is not found. */
const farthest = 2048;

interface Start {
	readonly codec: Codec;
	readonly path: string;
	readonly id: string;
	readonly header: Header;
	readonly live: LivePath;
	readonly length: number;
	readonly reading: SessionReading;
	readonly entries: readonly Entry[];
	/** The entries of a last line without a newline: the line is read again once it is whole. */
	readonly unended: readonly Entry[];
	/** Where reading has to begin before anything can be written; undefined when everything was read. */
	readonly tail?: FoundTail;
}

/** Opens a session by the linking fields of its lines where the format has them, else by reading everything. */
export function linesState(
	codec: Codec,
	file: string,
	source: Source,
	dialect: string,
	fallbackId: string,
): HandleState {
	const tail = codec.context.resumePath?.links(dialect)
		? findTail(codec, codec.context.resumePath, source, fewest)
		: undefined;
	if (!tail) return new LinesState(whole(codec, file, source, fallbackId));
	return new LinesState({
		codec,
		path: file,
		id: tail.header.id ?? fallbackId,
		header: { dialect, ...tail.header },
		live: new LivePath(tail.ids),
		length: source.size,
		reading: readSession(codec),
		entries: [],
		unended: [],
		tail,
	});
}

function whole(codec: Codec, file: string, source: Source, fallbackId: string): Start {
	const { reading, entries, header: first } = readOn(codec, source);
	const { entries: unended, header: last } = reading.end();
	const header = { ...first, ...last };
	const all = [...entries, ...unended];
	// The lines have no links, or the client would go on from none of them: the last entry of the graph counts.
	const live = new LivePath(path({ entries: all }, lastInGraph(all)).map((entry) => entry.id));
	const id = header.id ?? fallbackId;
	return { codec, path: file, id, header, live, length: source.size, reading, entries, unended };
}

class LinesState implements HandleState {
	readonly codec: Codec;
	readonly isNew = false;
	readonly id: string;
	readonly #path: string;
	readonly #empty: Session;
	header: Header;
	readonly #live: LivePath;
	length: number;
	#reading: SessionReading;
	#entries: Entry[];
	#unended: readonly Entry[];
	#tail: FoundTail | undefined;
	/** Ids that are not on the path, for formats whose new ids are compared with all existing ones. */
	#others: Set<EntryId> | undefined;
	lastTime = Number.NEGATIVE_INFINITY;
	/** Entries that were read though encoding does not need them; undefined where the file can be read again. */
	readonly #older: Entry[] | undefined;
	/** Finds the title; undefined when all has been read and the header has it. */
	readonly title: (() => string | undefined) | undefined;
	#title: { readonly found: string | undefined } | undefined;
	#forgetAt = most;

	constructor(start: Start) {
		this.codec = start.codec;
		this.id = start.id;
		this.#path = start.path;
		this.#empty = emptySession(start.codec);
		this.header = start.header;
		this.#live = start.live;
		this.length = start.length;
		this.#reading = start.reading;
		this.#entries = [...start.entries];
		this.#unended = start.unended;
		this.#tail = start.tail;
		this.#older = start.tail === undefined ? [] : undefined;
		this.title = start.tail && (() => this.#findTitle());
		for (const entry of [...start.entries, ...start.unended]) this.#noteTime(entry);
	}

	get dialect(): string {
		return this.header.dialect ?? 'unknown';
	}

	get leaf(): EntryId | null {
		return this.#live.leaf;
	}

	get lost(): boolean {
		return this.#live.lost;
	}

	has(id: EntryId): boolean {
		return this.#live.has(id);
	}

	isTaken(id: EntryId): boolean {
		return this.#live.has(id) || this.#others?.has(id) === true;
	}

	prepare(): void {
		const tail = this.#tail;
		if (!tail) return;
		using file = openFile(this.#path);
		// Bytes that were added since the file was opened are not read here: the log reports the new length.
		const known: Source = { ...file, size: Math.min(file.size, this.length) };
		for (let keep = fewest; ; keep *= 4) {
			const { state, others } = tail.complete(known, keep);
			this.#others = others && new Set(others);
			this.#entries = [];
			this.#read(known, state);
			const all = [...this.#entries, ...this.#unended];
			if (keep >= this.#live.ids.length || keep >= farthest || settledFrom(all, all.length - 1) !== -1) break;
		}
		this.#tail = undefined;
	}

	#read(source: Source, state: ReadState): void {
		this.#reading = readSession(this.codec, state);
		for (const piece of piecesOf(source, state.position.at)) this.#keep(this.#reading.push(piece));
		this.#end();
	}

	after(all = false): Session {
		const known = all && this.#older ? [...this.#older, ...this.#entries] : this.#entries;
		const { id, dialect, header, leaf } = this;
		const entries = [...known, ...this.#unended];
		return { ...this.#empty, id, dialect, header, source: endedFile, entries, leaf };
	}

	session(): Session {
		return this.after();
	}

	state(): ReadState {
		return this.#reading.state();
	}

	take(bytes: Uint8Array): readonly Entry[] {
		this.length += bytes.length;
		const before = new Set(this.#unended.map((entry) => entry.id));
		const chunk = this.#reading.push(bytes);
		this.#keep(chunk);
		for (const entry of chunk.entries) this.#live.add(this.#linkOf(entry));
		this.#end();
		if (this.#entries.length > this.#forgetAt) this.#forget();
		return before.size === 0 ? chunk.entries : chunk.entries.filter((entry) => !before.has(entry.id));
	}

	#findTitle(): string | undefined {
		if (!this.#title) {
			const found = identify(this.#path); // the session may be in a database
			if (!found.ok) return undefined;
			using source = found.source;
			this.#title = { found: findTitle(this.codec, { ...source, size: Math.min(source.size, this.length) }) };
		}
		return this.#title.found;
	}

	/** Drops older entries: encoding looks at all that are kept, so their number must not grow with the session. */
	#forget(): void {
		// After a rewind the leaf is not among the last entries. Without it the writer would go on from the file's end.
		const leaf = this.#entries.findIndex((entry) => entry.id === this.leaf);
		const latest = this.#entries.length - fewest;
		const from = settledFrom(this.#entries, leaf === -1 ? latest : Math.min(leaf, latest));
		if (from > 0) {
			for (const entry of this.#older ? this.#entries.slice(0, from) : []) this.#older?.push(entry);
			this.#entries = this.#entries.slice(from);
		}
		this.#forgetAt = Math.max(most, 2 * this.#entries.length);
	}

	#keep(chunk: { readonly entries: readonly Entry[]; readonly header: Header }): void {
		const { title, ...header } = chunk.header;
		this.header = { ...this.header, ...(this.title ? header : chunk.header) };
		// The part of the file that was not read may have a title that takes precedence.
		if (title !== undefined) this.#title = undefined;
		for (const entry of chunk.entries) {
			this.#entries.push(entry);
			this.#others?.add(entry.id);
			this.#noteTime(entry);
		}
	}

	#end(): void {
		this.#unended = this.#reading.end().entries;
		for (const entry of this.#unended) this.#noteTime(entry);
	}

	#noteTime(entry: Entry): void {
		const time = entry.time === undefined ? Number.NaN : Date.parse(entry.time);
		if (time > this.lastTime) this.lastTime = time;
	}

	#linkOf(entry: Entry): Link {
		if (this.title && this.codec.context.resumePath) return this.codec.context.resumePath.linkOf(entry); // opened by links
		if (entry.kind === 'leaf') return { is: 'pointer', target: entry.target };
		// In a sub-agent's own file the conversation is the sub-agent's.
		if (entry.parent === undefined || entry.agent !== this.header.agent) return { is: 'beside' };
		return { is: 'next', id: entry.id, parent: entry.parent };
	}
}

/**
 * The position, at most `latest`, from which entries can be understood without those before them: a prompt, or a reply
 * to results, behind which every answered call is made. -1 when there is none.
 */
export function settledFrom(entries: readonly Entry[], latest: number): number {
	for (let from = latest; from >= 0; from -= 1) {
		if (beginsAnew(entries, from) && isSettled(entries.slice(from))) return from;
	}
	return -1;
}

function beginsAnew(entries: readonly Entry[], at: number): boolean {
	const entry = entries[at];
	if (entry?.kind !== 'message') return false;
	if (entry.role !== 'assistant') return isPrompt(entry);
	const before = entries.slice(0, at).findLast((one) => one.kind === 'message');
	return before?.kind === 'message' && before.role === 'user';
}

/** True when every result among the entries answers a call among them. */
function isSettled(entries: readonly Entry[]): boolean {
	const calls = new Set<string>();
	for (const entry of entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			if (block.type === 'tool_call') calls.add(block.id);
			else if (block.type === 'tool_result' && !calls.has(block.call)) return false;
		}
	}
	return true;
}
