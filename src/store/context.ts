/** The messages a model would receive: the answer to `reprise context`. */
import {
	BrokenLine,
	type Codec,
	type Context,
	type ContextFiles,
	type ContextOptions,
	type LineIndex,
	parsedIndex,
} from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import type { Source } from '../model/index.ts';
import { InputError } from './errors.ts';
import { diskFolders } from './folders.ts';
import { identify } from './identify.ts';
import { scanIndex } from './scan-index.ts';

/** What the client of the session's format would send on resume. Reads the envelopes of all lines and the content of few. */
export function contextOf(path: string, options: ContextOptions = {}): Context {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	using source = found.source;
	return buildContext(found.codec, source, withSideFiles(found.codec, path, options));
}

/** The same by the rules of the document that describes Claude Code's format. */
export function seedContextOf(path: string): Context {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	using source = found.source;
	if (!found.codec.seedContext) {
		throw new InputError(
			'no-seed-rules',
			`no document tells how ${found.codec.name} makes messages of a session; leave out --rules seed`,
		);
	}
	const messages = found.codec.seedContext(source.read(0, source.size));
	return { client: 'seed', messages, from: messages.map(() => []) };
}

export function buildContext(codec: Codec, source: Source, options: ContextOptions): Context {
	if (!codec.context) throw new InputError('no-context', `the resume rules of ${codec.name} are not known`);
	const broken = new Set<number>();
	for (;;) {
		try {
			return codec.context(indexOf(codec, source, broken), options);
		} catch (error) {
			if (!(error instanceof BrokenLine) || broken.has(error.position.at)) throw error;
			broken.add(error.position.at);
		}
	}
}

function indexOf(codec: Codec, source: Source, broken: ReadonlySet<number>): LineIndex {
	if (codec.capabilities.container === 'lines' && codec.envelope) return scanIndex(source, codec.envelope, { broken });
	return parsedIndex(codec, source.read(0, source.size));
}

/** A file beside the session can change what the client sends: it is read when there is one. */
function withSideFiles(codec: Codec, path: string, options: ContextOptions): ContextOptions {
	const wanted: readonly string[] = codec.contextFiles ?? [];
	if (wanted.length === 0) return options;
	let side: ContextFiles = {};
	for (const file of codec.locate.sideFiles(path, diskFolders)) {
		if (!wanted.includes(file.role)) continue;
		using source = openFile(file.path);
		const bytes = source.read(0, source.size);
		if (file.role === 'compaction') side = { ...side, compaction: bytes };
		else if (file.role === 'index' && file.id !== undefined) side = { ...side, index: { bytes, id: file.id } };
	}
	return { ...options, side };
}
