/** The one way to read a session: all of it, its end alone, or its lines by an index. */
import { existsSync } from 'node:fs';
import { type Codec, type LineIndex, readAll, type SideFile, type Taker } from '../../codecs/index.ts';
import type { Entry, Header, Issue, Session } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { diskFolders } from '../find/folders.ts';
import { type Identified, identify } from './identify.ts';
import type { NamedSource } from './open-source.ts';
import { type Outline, outlineOf } from './outline.ts';
import { type PassingSession, passingSession } from './passing.ts';
import { type Recent, recentOf, type Wanted } from './recent.ts';
import { type ScanIndexOptions, scanIndex } from './scan-index.ts';
import { fallbackId, type OpenOptions, wholeSession, withSideHeaders } from './whole.ts';

/** Opens the session at `path`: a file, or `DB#SESSION`. Throws an InputError where there is none. */
export function openReader(path: string): SessionReader {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	return new SessionReader(path, found);
}

export class SessionReader implements Disposable {
	readonly path: string;
	readonly codec: Codec;
	readonly dialect: string;
	/** Stays open until the reader is disposed of. */
	readonly source: NamedSource;
	#sideFiles: readonly SideFile[] | undefined;

	constructor(path: string, { codec, dialect, source }: Identified) {
		this.path = path;
		this.codec = codec;
		this.dialect = dialect;
		this.source = source;
	}

	[Symbol.dispose](): void {
		this.source[Symbol.dispose]();
	}

	/** The files that belong to the session beside its main one. */
	get sideFiles(): readonly SideFile[] {
		this.#sideFiles ??= this.codec.places.sideFiles(this.path, diskFolders);
		return this.#sideFiles;
	}

	/** The id for a session whose file does not state one. */
	get fallbackId(): string {
		return fallbackId(this.codec, this.source);
	}

	/** The header that the main file gives, completed from side files. */
	headerWith(main: Header): Header {
		return withSideHeaders(this.codec, this.sideFiles, main);
	}

	bytes(): Uint8Array {
		return this.source.read(0, this.source.size);
	}

	/** The whole session, as a value that outlives the reader. */
	whole(options: OpenOptions = {}): Session {
		return wholeSession(this.codec, this.source, this.sideFiles, options);
	}

	/**
	 * The whole session, part by part. Undefined where it has to be read at once: documents, transcripts in a database,
	 * and sessions with sub-agents, whose files are read with the calls that started them.
	 */
	passing(seen?: (bytes: Uint8Array) => void): PassingSession | undefined {
		if (this.codec.capabilities.container !== 'lines' || !existsSync(this.source.path)) return undefined;
		if (this.sideFiles.some((file) => file.role === 'subagent')) return undefined;
		return passingSession(this.codec, this.source, this.sideFiles, seen);
	}

	/** Gives the whole session to a taker, which keeps what it wants. Returns the flaws of its lines. */
	take(taker: Taker): readonly Issue[] {
		return readAll(this.codec, this.source, taker);
	}

	/** An outline of the session, or of its lines behind an offset: where each entry is, read from there on demand. Only for lines. */
	outline(isWanted?: (entry: Entry) => boolean, from = 0): Outline {
		return outlineOf(this.codec, this.source, isWanted, from);
	}

	/** The last entries; the rest is not read where the session consists of lines. */
	recent(wanted: Wanted): Recent {
		return recentOf(this.codec, this.dialect, this.source, wanted);
	}

	/** An index of the lines by some of their fields, found by scanning and not by parsing. */
	lines(fields: readonly string[], options: ScanIndexOptions = {}): LineIndex {
		return scanIndex(this.source, fields, options);
	}
}

/** The session at `path`, as a value. */
export async function openSession(path: string, options: OpenOptions = {}): Promise<Session> {
	using reader = openReader(path);
	return reader.whole(options);
}

/** The header and identity of a session; its entries are held only where the format needs them for that. */
export async function openHeader(path: string): Promise<Session> {
	using reader = openReader(path);
	const passing = reader.passing();
	if (!passing) return reader.whole({ subagents: false });
	for (const _ of passing.parts);
	return passing.session();
}

/** The codec of the session at `path`. */
export function codecAt(path: string): Codec {
	using reader = openReader(path);
	return reader.codec;
}
