/** Opening a session by its shape: long texts stay in its files, and marks stand for them. */
import { existsSync } from 'node:fs';
import { type Codec, type CutRules, makeLine, noFlaws, readLines } from '../codecs/index.ts';
import type { Entry, FormatId, Header, Session, Source } from '../model/index.ts';
import { createShortener, type Shortener, type ShortenOptions } from '../scan/index.ts';
import { Cuts } from './cuts.ts';
import { InputError } from './errors.ts';
import { diskFolders } from './folders.ts';
import { identify } from './identify.ts';
import { fallbackId, type OpenOptions, openSession, reopened, sideHeaders, withFiles } from './open.ts';
import type { NamedSource } from './open-source.ts';

export interface OpenCutOptions extends OpenOptions, Pick<ShortenOptions, 'longest' | 'window'> {
	/** What to keep of an entry, if anything. Default: all of it. */
	keep?(entry: Entry, of: Kept): Entry | undefined;
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
 * say. Undefined where that is not possible: for documents and databases, without WebAssembly, with a line too long to be held.
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
		return {
			session: withFiles(codec, source, path, options, decode),
			cuts,
			[Symbol.dispose]: () => cuts[Symbol.dispose](),
		};
	} catch (error) {
		cuts[Symbol.dispose]();
		if (error instanceof NotPossible) return undefined;
		throw error;
	}
}

/** Who a session is, without its entries where they need not be held to know that. */
export async function openHeader(path: string): Promise<Session> {
	using cut = openCut(path, { subagents: false, keep: () => undefined });
	return cut?.session ?? (await openSession(path, { subagents: false }));
}

/** What was begun in this way cannot be ended in it; the message says why. */
export class NotPossible extends Error {}

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
			const session = (): Session => {
				const made = reading.session(source);
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
	return { ...reading.session(reopened(source)), entries };
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
	const { keep = (entry) => entry, longest, window } = options;
	// Sub-agents are read before the file that their calls are in.
	const kept: Kept = { format: codec.id, alone: cuts.count === 0 };
	const places = cuts.add(source.path);
	const shortener =
		places === undefined
			? undefined
			: createShortener({
					keys: rules.whole,
					places,
					...(longest === undefined ? {} : { longest }),
					...(window === undefined ? {} : { window }),
				});
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
	function* parts(from: Shortener): Generator<void, void> {
		const held = yield* from.parts(source, ({ at, bytes, unended, value }) => {
			// What was made short had no flaw.
			if (value && rules.suffices(value)) {
				reading.visit({ index, at, line: index + 1, length: bytes.length, bytes, part: 'item', value, flaws: noFlaws });
			} else reading.visit(makeLine(bytes, at, index + 1, index, unended));
			index += 1;
		});
		if (!held) throw new NotPossible('a line is too long to be held');
	}
	return {
		parts: parts(shortener),
		session: (from) => ({
			id: header.id ?? fallbackId(codec, source),
			format: codec.id,
			dialect: header.dialect ?? 'unknown',
			header,
			source: from,
			records: [],
			entries: [],
			issues: reading.issues(),
			subagents: [],
		}),
	};
}
