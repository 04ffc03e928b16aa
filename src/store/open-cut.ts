/** Opening a session by its shape: long texts stay in its files, and marks stand for them. */
import { existsSync } from 'node:fs';
import {
	type Codec,
	type CutRules,
	documentLines,
	documents,
	makeLine,
	noFlaws,
	readLines,
	type SideFile,
} from '../codecs/index.ts';
import { NotPossible } from '../codecs/pieces.ts';
import {
	compact,
	type Entry,
	type FormatId,
	type Header,
	lastInGraph,
	type Session,
	type Source,
} from '../model/index.ts';
import { createShortener, type Shortener, type ShortenOptions } from '../scan/index.ts';
import { Cuts, type HeldFile } from './cuts.ts';
import { InputError } from './errors.ts';
import { diskFolders } from './folders.ts';
import { identify } from './identify.ts';
import { leafOf } from './leaf.ts';
import { fallbackId, type OpenOptions, openSession, reopened, sideHeaders, withFiles } from './open.ts';
import type { NamedSource } from './open-source.ts';

export interface OpenCutOptions extends OpenOptions, Pick<ShortenOptions, 'longest' | 'window'> {
	/** What to keep of an entry, if anything. Default: all of it. */
	keep?(entry: Entry, of: Kept): Entry | undefined;
	/** Shown what is read of the file, from first to last. It holds until the next. */
	readonly seen?: (bytes: Uint8Array, at: number) => void;
}

/** The session that an entry is kept of. */
export interface Kept {
	readonly format: FormatId;
	/** No sub-agents' files are read beside the main one. */
	readonly alone: boolean;
}

export interface CutSession extends Disposable {
	/** Without records: it is not to be written as it is. */
	readonly session: Session;
	readonly cuts: Cuts;
}

/**
 * What `openSession` gives, with cut texts (`model/cut-text.ts`): its size depends on the number of entries, not on what they
 * say. Undefined where that is not possible: for databases, for documents with a flaw or with files that depend on what is said,
 * without WebAssembly, with a line too long to be held.
 * Throws an InputError where there is no session.
 */
export function openCut(path: string, options: OpenCutOptions = {}): CutSession | undefined {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	using source = found.source;
	const { codec } = found;
	const rules = codec.cuts;
	if (!rules || !existsSync(source.path)) return undefined;
	const cuts = new Cuts();
	try {
		const decode = (_: Codec, from: NamedSource): Session => decodeCut(codec, rules, from, cuts, options);
		const side = codec.locate.sideFiles(path, diskFolders);
		refuseBeside(codec, side);
		return {
			session: withFiles(codec, source, side, options, decode),
			cuts,
			[Symbol.dispose]: () => cuts[Symbol.dispose](),
		};
	} catch (error) {
		cuts[Symbol.dispose]();
		if (error instanceof NotPossible) return undefined;
		throw error;
	}
}

/** A task of a sub-agent and a compaction are known by the texts of the messages, where no field tells. */
function refuseBeside(codec: Codec, side: readonly SideFile[]): void {
	if (codec.cuts?.items === undefined) return;
	if (side.some(({ role }) => role === 'subagent' || role === 'compaction'))
		throw new NotPossible('what lies beside the document depends on its texts');
}

/** Who a session is, without its entries where they need not be held to know that. */
export async function openHeader(path: string): Promise<Session> {
	using cut = openCut(path, { subagents: false, keep: () => undefined });
	return cut?.session ?? (await openSession(path, { subagents: false }));
}

/** A session that goes by, part by part. */
export interface CutStream extends Disposable {
	readonly cuts: Cuts;
	/** Who it is, as far as it has been read; without entries. Its source is open until this is disposed of. */
	session(): Session;
	/** What was kept of its entries, in order. Throws NotPossible where a line is too long to be held. */
	readonly parts: Iterable<readonly Entry[]>;
}

/** What `openCut` gives, for sessions of one file whose entries nobody has to hold all at once. Undefined for others. */
export function streamCut(path: string, options: OpenCutOptions = {}): CutStream | undefined {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	const { codec, source } = found;
	const side = codec.locate.sideFiles(path, diskFolders);
	const cuts = new Cuts();
	const close = (): void => {
		cuts[Symbol.dispose]();
		source[Symbol.dispose]();
	};
	try {
		const alone = codec.cuts && existsSync(source.path) && !side.some((file) => file.role === 'subagent');
		if (codec.cuts && alone) {
			refuseBeside(codec, side);
			let entries: Entry[] = [];
			const take = (entry: Entry): void => void entries.push(entry);
			const reading = cutReading(codec, codec.cuts, source, cuts, options, take);
			function* parts(): Generator<readonly Entry[]> {
				for (const _ of reading.parts) {
					yield entries;
					entries = [];
				}
				yield entries;
			}
			const beside = sideHeaders(codec, side, {});
			const later = reopened(source);
			const session = (): Session => {
				const made = reading.session(later);
				return { ...made, header: { ...beside, ...made.header } };
			};
			return { cuts, session, parts: parts(), [Symbol.dispose]: close };
		}
	} catch (error) {
		close();
		if (error instanceof NotPossible) return undefined;
		throw error;
	}
	close();
	return undefined;
}

function decodeCut(codec: Codec, rules: CutRules, source: NamedSource, cuts: Cuts, options: OpenCutOptions): Session {
	const entries: Entry[] = [];
	const reading = cutReading(codec, rules, source, cuts, options, (entry) => entries.push(entry));
	for (const _ of reading.parts);
	const session = reading.session(reopened(source));
	// Who only wants to know who a session is holds none of its entries.
	const leaf = entries.length === 0 ? null : leafOf(codec, session.dialect, source, lastInGraph(entries));
	return { ...session, entries, leaf };
}

/** A shortener that waits for the next file like the one before: its memory costs more than what most files need of it. */
interface Idle {
	readonly key: string;
	readonly shortener: Shortener;
}

let idle: Idle | undefined;
/** The memory grows with the lines. */
const longestKept = 1 << 18;

function takeShortener(rules: CutRules, places: string, options: OpenCutOptions): Idle | undefined {
	const { longest, window } = options;
	const asked = compact({ keys: rules.whole, places, longest, window });
	const key = JSON.stringify(asked);
	const found = idle;
	idle = undefined;
	if (found?.key === key) return found;
	const shortener = createShortener(asked);
	return shortener && { key, shortener };
}

interface CutReading {
	/** Reads on, a part of the file at a time. */
	readonly parts: Generator<void, void>;
	/** Who the session is, as far as it has been read; without entries. */
	session(source: Source): Session;
}

function cutReading(
	codec: Codec,
	rules: CutRules,
	source: NamedSource,
	cuts: Cuts,
	options: OpenCutOptions,
	take: (entry: Entry) => void,
): CutReading {
	const { keep = (entry) => entry } = options;
	// Sub-agents are read before the file that their calls are in.
	const kept: Kept = { format: codec.id, alone: cuts.count === 0 };
	const document = rules.items === undefined ? undefined : new HeldDocument(source);
	const places = cuts.add(source.path, document);
	const shortener = places === undefined ? undefined : takeShortener(rules, places, options);
	if (!shortener) throw new NotPossible('texts cannot be cut here');
	let header: Header = {};
	const reading = readLines(codec, {
		record: () => undefined,
		entry(entry) {
			const made = keep(entry, kept);
			if (made) take(made);
		},
		header(patch) {
			header = { ...header, ...patch };
		},
	});
	let index = 0;
	let longestLine = 0;
	function* parts(taken: Idle): Generator<void, void> {
		const lines = document && documentLines(document.bytes, rules.items ?? '', reading.visit);
		if (document && !lines) throw new NotPossible('the document has a flaw');
		const held = yield* taken.shortener.parts(
			lines ?? shown(source, options.seen),
			({ at, bytes, length, unended, value }) => {
				// What was made short had no flaw.
				if (value && rules.suffices(value)) {
					reading.visit({ index, at, line: index + 1, length, bytes, part: 'item', value, flaws: noFlaws });
				} else {
					const line = makeLine(bytes, at, index + 1, index, unended);
					if (lines && line.flaws.length > 0) throw new NotPossible('a message of the document has a flaw');
					reading.visit(line);
				}
				index += 1;
				longestLine = Math.max(longestLine, length);
			},
		);
		if (!held) throw new NotPossible('a line is too long to be held');
		if (longestLine <= longestKept) idle = taken;
	}
	return {
		parts: parts(shortener),
		session: (from) => ({
			id: header.id ?? fallbackId(codec, source),
			format: codec.id,
			dialect: header.dialect ?? 'unknown',
			header,
			source: document ?? from,
			records: [],
			entries: [],
			leaf: null,
			issues: reading.issues(),
			subagents: [],
		}),
	};
}

/** The same source; what is read of it is shown. */
function shown(source: NamedSource, seen: OpenCutOptions['seen']): Source {
	const { readInto } = source;
	if (!seen || !readInto) return source;
	return {
		size: source.size,
		read: (at, length) => source.read(at, length),
		readInto(at, target) {
			const read = readInto(at, target);
			seen(target.subarray(0, read), at);
			return read;
		},
	};
}

/** A document in memory as long as its texts may be asked for; later it is read from its file. */
class HeldDocument implements Source, HeldFile {
	readonly size: number;
	readonly #file: Source;
	#room: Buffer<ArrayBuffer> | undefined;

	constructor(source: NamedSource) {
		this.size = source.size;
		this.#file = reopened(source);
		this.#room = documents.take(source.size);
		if ((source.readInto?.(0, this.bytes) ?? 0) < source.size) throw new NotPossible('the document became shorter');
	}

	get bytes(): Buffer {
		return this.#room?.subarray(0, this.size) ?? noBytes;
	}

	read(at: number, length: number): Uint8Array {
		return this.#room ? Buffer.from(this.bytes.subarray(at, at + length)) : this.#file.read(at, length);
	}

	readInto(at: number, target: Uint8Array): number {
		if (this.#room) return this.bytes.copy(target, 0, at);
		return this.#file.readInto?.(at, target) ?? 0;
	}

	[Symbol.dispose](): void {
		if (this.#room) documents.leave(this.#room);
		this.#room = undefined;
	}
}

const noBytes = Buffer.alloc(0);
