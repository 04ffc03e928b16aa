/** The one way to read a session: all of it, its end alone, or its lines by an index. Everything else that reads asks here. */
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
	/** Open until the reader is disposed of. */
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

	/** The id of a session whose file does not say it. */
	get fallbackId(): string {
		return fallbackId(this.codec, this.source);
	}

	/** What the main file says about the session, with what it leaves to files beside it. */
	headerWith(main: Header): Header {
		return withSideHeaders(this.codec, this.sideFiles, main);
	}

	bytes(): Uint8Array {
		return this.source.read(0, this.source.size);
	}

	/** All of it, as a value that outlives the reader. */
	whole(options: OpenOptions = {}): Session {
		return wholeSession(this.codec, this.source, this.sideFiles, options);
	}

	/**
	 * All of it, part by part. Undefined where it has to be read as a whole: documents, transcripts in a database, and sessions with
	 * sub-agents, whose files are read with the calls that started them.
	 */
	passing(seen?: (bytes: Uint8Array) => void): PassingSession | undefined {
		if (this.codec.capabilities.container !== 'lines' || !existsSync(this.source.path)) return undefined;
		if (this.sideFiles.some((file) => file.role === 'subagent')) return undefined;
		return passingSession(this.codec, this.source, this.sideFiles, seen);
	}

	/** All of it, given to a taker that keeps what it wants. Returns what is wrong with its lines. */
	take(taker: Taker): readonly Issue[] {
		return readAll(this.codec, this.source, taker);
	}

	/** All of it as places in the file; what stands there is read when somebody asks. Only for lines. */
	outline(isWanted?: (entry: Entry) => boolean): Outline {
		return outlineOf(this.codec, this.source, isWanted);
	}

	/** Its last entries, without the rest where it consists of lines. */
	recent(wanted: Wanted): Recent {
		return recentOf(this.codec, this.dialect, this.source, wanted);
	}

	/** Its lines by some of their fields, found by scanning and not by parsing. */
	lines(fields: readonly string[], options: ScanIndexOptions = {}): LineIndex {
		return scanIndex(this.source, fields, options);
	}
}

/** The session at `path`, as a value. */
export async function openSession(path: string, options: OpenOptions = {}): Promise<Session> {
	using reader = openReader(path);
	return reader.whole(options);
}

/** Who a session is, without its entries where they need not be held to know that. */
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
