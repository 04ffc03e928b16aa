/** Opening a session by its shape: long texts stay in its files, and marks stand for them. */
import { existsSync } from 'node:fs';
import { type Codec, type CutRules, makeLine, noFlaws, readLines } from '../codecs/index.ts';
import type { Entry, FormatId, Header, Session } from '../model/index.ts';
import { createShortener, type ShortenOptions } from '../scan/index.ts';
import { Cuts } from './cuts.ts';
import { InputError } from './errors.ts';
import { identify, type NamedSource } from './identify.ts';
import { fallbackId, type OpenOptions, openSession, reopened, withFiles } from './open.ts';

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

class NotPossible extends Error {}

function decodeCut(codec: Codec, rules: CutRules, source: NamedSource, cuts: Cuts, options: OpenCutOptions): Session {
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
	if (!shortener) throw new NotPossible();
	const entries: Entry[] = [];
	let header: Header = {};
	const reading = readLines(codec, {
		record: () => undefined,
		entry(entry) {
			const made = keep(entry, kept);
			if (made) entries.push(made);
		},
		header(patch) {
			header = { ...header, ...patch };
		},
	});
	let index = 0;
	const held = shortener.read(source, ({ at, bytes, unended, value }) => {
		// What was made short had no flaw.
		if (value && rules.suffices(value)) {
			reading.visit({ index, at, line: index + 1, length: bytes.length, bytes, part: 'item', value, flaws: noFlaws });
		} else reading.visit(makeLine(bytes, at, index + 1, index, unended));
		index += 1;
	});
	if (!held) throw new NotPossible();
	return {
		id: header.id ?? fallbackId(codec, source),
		format: codec.id,
		dialect: header.dialect ?? 'unknown',
		header,
		source: reopened(source),
		records: [],
		entries,
		issues: reading.issues(),
		subagents: [],
	};
}
