/** The messages that a model would receive (`reprise context`): how much of a large file's end is read for them first, and when the whole file is read. */

import {
	type Codec,
	type Context,
	type ContextFiles,
	type ContextOptions,
	headSize,
	type LineIndex,
	parsedIndex,
} from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import type { Source } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { scanIndex } from './scan-index.ts';
import { openReader, type SessionReader } from './session-reader.ts';
import { lineStart, linesBefore, withoutBroken } from './tail.ts';

/** What the session's client would send on resume. Reads the links of all lines, the content of only a few. */
export function contextOf(path: string, options: ContextOptions = {}): Context {
	using reader = openReader(path);
	return buildContext(reader.codec, reader.source, withSideFiles(reader, options));
}

/** The same, from the end of the file alone; undefined where that does not tell. */
export function contextFromTail(path: string): Context | undefined {
	using reader = openReader(path);
	return tailContext(reader.codec, reader.source, withSideFiles(reader, {}), firstTail);
}

/** The same as if there were no compaction in a side file. */
export function contextWithoutSidecar(path: string, options: ContextOptions): Context {
	using reader = openReader(path);
	const { compaction: _, ...side } = withSideFiles(reader, options).side ?? {};
	return buildContext(reader.codec, reader.source, { ...options, side });
}

/** The messages that a model would receive by the rules of the document that describes Claude Code's format. */
export function seedContextOf(path: string): Context {
	using reader = openReader(path);
	const { name, context } = reader.codec;
	if (!context.seed) {
		throw new InputError(
			'no-seed-rules',
			`no published document says how ${name} resumes a session; leave out --rules seed`,
		);
	}
	const messages = context.seed(reader.bytes());
	return { client: 'seed', messages, from: messages.map(() => []) };
}

export interface ReadContextOptions {
	/** How many bytes at the file's end are read first. Default 256 KB. */
	readonly tail?: number;
}

export function buildContext(
	codec: Codec,
	source: Source,
	options: ContextOptions,
	{ tail = firstTail }: ReadContextOptions = {},
): Context {
	const { build, envelope } = codec.context;
	if (codec.capabilities.container !== 'lines' || !envelope) {
		return complete(build(parsedIndex(codec, source.read(0, source.size)), options));
	}
	const known = new Set<number>();
	return tailContext(codec, source, options, tail, known) ?? complete(ask(codec, source, options, 0, known));
}

/** Asks about growing windows at the end of the file, until one answers or reading all of it costs little more. */
function tailContext(
	codec: Codec,
	source: Source,
	options: ContextOptions,
	tail: number,
	known = new Set<number>(),
): Context | undefined {
	if (!codec.context.fromTail) return undefined;
	for (let window = tail; window <= source.size / worthwhile; window *= 16) {
		const from = lineStart(source, source.size - window);
		const found = from === undefined ? 'more' : ask(codec, source, options, from, known);
		if (found !== 'more') return found;
	}
	return undefined;
}

function ask(codec: Codec, source: Source, options: ContextOptions, from: number, known: Set<number>) {
	const { build, envelope = [] } = codec.context;
	return withoutBroken((broken) => build(scannedFrom(source, envelope, from, broken), options), known);
}

const firstTail = 1 << 18;
/** Reading backwards is given up after an eighth of the file: reading all of it then costs little more. */
const worthwhile = 8;

function complete(found: Context | 'more'): Context {
	if (found === 'more') throw new Error('a context that has all lines asked for more');
	return found;
}

/** An index of the lines from an offset on, with the numbers that they have in the whole file. */
export function scannedFrom(
	source: Source,
	envelope: readonly string[],
	from: number,
	broken: ReadonlySet<number>,
): LineIndex {
	const index = scanIndex(source, envelope, { from, broken });
	if (from === 0) return index;
	let before: number | undefined;
	return {
		...index,
		head() {
			const to = source.size <= headSize ? source.size : lineStart(source, headSize - 1);
			return to === undefined ? undefined : scanIndex(source, envelope, { to, broken });
		},
		position(line) {
			before ??= linesBefore(source, from);
			const position = index.position(line);
			return { at: position.at, line: position.line + before, index: position.index + before };
		},
	};
}

/** The options with the side files that change what the client sends, where there are any. */
function withSideFiles({ codec, sideFiles }: SessionReader, options: ContextOptions): ContextOptions {
	const wanted: readonly string[] = codec.context.sideFiles ?? [];
	if (wanted.length === 0) return options;
	let side: ContextFiles = {};
	for (const file of sideFiles) {
		if (!wanted.includes(file.role)) continue;
		using source = openFile(file.path);
		const bytes = source.read(0, source.size);
		if (file.role === 'compaction') side = { ...side, compaction: bytes };
		else if (file.role === 'index' && file.id !== undefined) side = { ...side, index: { bytes, id: file.id } };
	}
	return { ...options, side };
}
