/** Entries as they are written, by whomever: the file grows, shrinks, is replaced. */
import { type Codec, decodeBytes, type ReadState, readSession } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import type { Log, LogStat } from '../log/index.ts';
import { type Entry, type Header, piecesOf, recordBytes, type Session } from '../model/index.ts';

export type SessionChange =
	| { readonly kind: 'added'; readonly entries: readonly Entry[]; readonly header: Header }
	/** The file was cut or replaced: these are all its entries now. */
	| { readonly kind: 'reset'; readonly entries: readonly Entry[]; readonly header: Header }
	| { readonly kind: 'removed' };

/** What of the file has been read already. */
export interface Known {
	readonly length: number;
	readonly stat: LogStat | undefined;
	/** Where reading lines goes on; undefined for a document. */
	readonly state: ReadState | undefined;
	/** The session as far as it is known: of a document all of it. */
	readonly session: Session;
}

/** Changes of the session at `path` since `known`. Ends, without an error, with the signal. */
export async function* follow(
	log: Log,
	path: string,
	codec: Codec,
	known: Known,
	signal: AbortSignal,
): AsyncGenerator<SessionChange, void, undefined> {
	const lines = codec.capabilities.container === 'lines';
	const reader = lines ? followLines(codec, path, known.state) : followDocument(codec, path, known.session);
	const now = await log.stat(path);
	// What came between the last reading and now, before anything is watched.
	const missed = now && missedChange(known, now);
	const first =
		missed === 'grown' ? reader.grown(now?.length ?? 0) : missed === 'replaced' ? reader.again() : undefined;
	if (first) yield first;
	for await (const change of log.watch(path, now ?? known.length, signal)) {
		if (change.kind === 'removed') {
			reader.forget();
			yield { kind: 'removed' };
			continue;
		}
		const found = change.kind === 'grown' ? reader.grown(change.length) : reader.again();
		if (found) yield found;
	}
}

/** The version is of no use here: our own writes have changed it too. */
function missedChange({ length, stat }: Known, now: LogStat): 'grown' | 'replaced' | undefined {
	if (now.length < length || (stat !== undefined && stat.id !== now.id)) return 'replaced';
	return now.length > length ? 'grown' : undefined;
}

interface Follower {
	/** Nothing is known any more. */
	forget(): void;
	grown(length: number): SessionChange | undefined;
	again(): SessionChange | undefined;
}

/** A line is told when it is whole. */
function followLines(codec: Codec, path: string, from: ReadState | undefined): Follower {
	let state = from;
	const read = (length: number | undefined): { entries: Entry[]; header: Header } => {
		using file = openFile(path);
		const size = Math.min(file.size, length ?? file.size);
		const reading = readSession(codec, state);
		const entries: Entry[] = [];
		let header: Header = {};
		for (const piece of piecesOf({ ...file, size }, state?.position.at ?? 0)) {
			const chunk = reading.push(piece);
			for (const entry of chunk.entries) entries.push(entry);
			header = { ...header, ...chunk.header };
		}
		state = reading.state();
		return { entries, header };
	};
	return {
		forget() {
			state = undefined;
		},
		grown(length) {
			const { entries, header } = read(length);
			return entries.length === 0 ? undefined : { kind: 'added', entries, header };
		},
		again() {
			state = undefined;
			return { kind: 'reset', ...read(undefined) };
		},
	};
}

/** A document is written anew each time; where what was known is its beginning, only the rest is told. */
function followDocument(codec: Codec, path: string, known: Session): Follower {
	const read = (): Session => {
		using file = openFile(path);
		return decodeBytes(codec, file.read(0, file.size));
	};
	let before = compared(known, []).known;
	const again = (): SessionChange | undefined => {
		const { known: all, entries, header } = compared(read(), before);
		before = all;
		const added = entries.length;
		if (added === all.length && added > 0) return { kind: 'reset', entries, header };
		return added === 0 ? undefined : { kind: 'added', entries, header };
	};
	return {
		forget() {
			before = [];
		},
		grown: again,
		again,
	};
}

/** The entries behind those known before; all of them when one of those has changed or is gone. */
function compared(session: Session, before: readonly string[]) {
	const { entries, header } = session;
	const known = entries.map((entry) => {
		const bytes = entry.records.flatMap((index) => session.records[index] ?? []);
		return `${entry.id} ${bytes.map((record) => Buffer.from(recordBytes(session.source, record))).join('\n')}`;
	});
	const same = before.length <= known.length && before.every((one, place) => one === known[place]);
	return { known, header, entries: same ? entries.slice(before.length) : entries };
}
