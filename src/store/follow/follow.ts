/** Follows one session: reports its entries as anybody writes them, while the file grows, shrinks or is replaced. */
import { createHash } from 'node:crypto';
import { type Codec, decodeBytes, type ReadState, readSession } from '../../codecs/index.ts';
import { codeOf } from '../../log/errors.ts';
import { openFile } from '../../log/file-source.ts';
import type { Log, LogStat } from '../../log/index.ts';
import {
	type Entry,
	type Header,
	piecesOf,
	recordBytes,
	recordsOf,
	type Session,
	type Source,
} from '../../model/index.ts';

export type SessionChange =
	| { readonly kind: 'added'; readonly entries: readonly Entry[]; readonly header: Header }
	/** The file was truncated or replaced: all its entries now. `same` counts the first unchanged ones, where known. */
	| { readonly kind: 'reset'; readonly entries: readonly Entry[]; readonly header: Header; readonly same?: number }
	| { readonly kind: 'removed' };

/** What a follower has read of the file already. */
export interface Known {
	readonly length: number;
	readonly stat: LogStat | undefined;
	/** Where reading lines goes on; undefined for a document. */
	readonly state: ReadState | undefined;
	/** The session as far as it has been read; for a document that is all of it. */
	readonly session: Session;
}

export interface FollowOptions {
	/** Where reading lines begins after the file was truncated or replaced. Default: at its start. */
	restart?(source: Source): ReadState | undefined;
	/** Opens the bytes at a path. Default: the file. */
	open?(path: string): Source & Disposable;
}

/** Changes of the session at `path` since `known`. Ends, without an error, with the signal. */
export async function* follow(
	log: Pick<Log, 'stat' | 'watch'>,
	path: string,
	codec: Codec,
	known: Known,
	signal: AbortSignal,
	options: FollowOptions = {},
): AsyncGenerator<SessionChange, void, undefined> {
	const lines = codec.capabilities.container === 'lines';
	const reader = lines ? followLines(codec, path, known.state, options) : followDocument(codec, path, known.session);
	const now = await log.stat(path);
	// What was written between the last reading and the start of the watch would otherwise never be reported.
	const missed = now && missedChange(known, now);
	const first = unlessGone(() =>
		missed === 'grown' ? reader.grown(now?.length ?? 0) : missed === 'replaced' ? reader.again() : undefined,
	);
	if (first) yield first;
	for await (const change of log.watch(path, now ?? known.length, signal)) {
		if (change.kind === 'removed') {
			reader.forget();
			yield { kind: 'removed' };
			continue;
		}
		const found = unlessGone(() => (change.kind === 'grown' ? reader.grown(change.length) : reader.again()));
		if (found) yield found;
	}
}

/** Runs `read`; undefined when the file vanished after it was looked at. The next look reports that. */
function unlessGone<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw error;
	}
}

/** What happened to the file since it was read. The log's version cannot tell: our own writes change it too. */
function missedChange({ length, stat }: Known, now: LogStat): 'grown' | 'replaced' | undefined {
	if (now.length < length || (stat !== undefined && stat.id !== now.id)) return 'replaced';
	return now.length > length ? 'grown' : undefined;
}

interface Follower {
	/** Drops everything that was read: the next reading begins anew. */
	forget(): void;
	grown(length: number): SessionChange | undefined;
	again(): SessionChange | undefined;
}

/** What the lines of a source tell, from where an earlier reading stopped. */
export function readOn(codec: Codec, source: Source, from?: ReadState) {
	const reading = readSession(codec, from);
	const entries: Entry[] = [];
	let header: Header = {};
	for (const piece of piecesOf(source, from?.position.at ?? 0)) {
		const portion = reading.push(piece);
		for (const entry of portion.entries) entries.push(entry);
		header = { ...header, ...portion.header };
	}
	return { reading, entries, header };
}

/** Follows a file of lines. A line is reported once its newline is there. */
function followLines(
	codec: Codec,
	path: string,
	from: ReadState | undefined,
	{ restart, open = openFile }: FollowOptions,
): Follower {
	let state = from;
	let gone = false;
	const read = (length: number | undefined): { entries: readonly Entry[]; header: Header } => {
		using file = open(path);
		const size = Math.min(file.size, length ?? file.size);
		if (length === undefined) state = restart?.(file);
		const { reading, entries, header } = readOn(codec, { ...file, size }, state);
		state = reading.state();
		gone = false;
		return { entries, header };
	};
	const again = (): SessionChange => ({ kind: 'reset', ...read(undefined) });
	return {
		forget() {
			gone = true;
		},
		grown(length) {
			if (gone) return again();
			const { entries, header } = read(length);
			return entries.length === 0 ? undefined : { kind: 'added', entries, header };
		},
		again,
	};
}

/** Follows a document, which is always rewritten whole. Entries behind an unchanged beginning count as added. */
function followDocument(codec: Codec, path: string, known: Session): Follower {
	const read = (): Session => {
		using file = openFile(path);
		return decodeBytes(codec, file.read(0, file.size));
	};
	let before = compared(known, []).known;
	const again = (): SessionChange | undefined => {
		const { known: all, same, entries, header } = compared(read(), before);
		const cut = same < before.length || (same === 0 && all.length > 0);
		before = all;
		if (cut) return { kind: 'reset', entries, header, same };
		return same === all.length ? undefined : { kind: 'added', entries: entries.slice(same), header };
	};
	return {
		forget() {
			before = [];
		},
		grown: again,
		again,
	};
}

/** Counts how many of the entries known before are unchanged, from the first on. Only a hash of each is kept. */
function compared(session: Session, before: readonly string[]) {
	const { entries, header } = session;
	const known = entries.map((entry) => {
		const hash = createHash('sha256').update(entry.id);
		for (const record of recordsOf(session, entry)) hash.update(recordBytes(session.source, record));
		return hash.digest('base64');
	});
	const differs = before.findIndex((one, place) => one !== known[place]);
	return { known, header, entries, same: differs === -1 ? before.length : differs };
}
