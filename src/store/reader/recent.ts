/** Reads the last entries of a session without the rest: how far back they are looked for at most, and where reading goes on. */
import { type Codec, decodeBytes, makeLine, type ReadState, readSession, sessionBuilder } from '../../codecs/index.ts';
import { type Entry, type Header, memorySource, piecesOf, type Session, type Source } from '../../model/index.ts';
import { backwardLines } from '../../scan/index.ts';
import { linesBefore, readHead } from './tail.ts';

export interface Recent {
	/** In the order of the file: the last entries that count, and the others between them. */
	readonly entries: readonly Entry[];
	readonly header: Header;
	/** Where reading lines goes on; undefined for a document. */
	readonly state: ReadState | undefined;
	/** The session; of a document all of it, of lines only what was read. */
	readonly session: Session;
}

export interface Wanted {
	/** How many entries for which `counts` is true. */
	readonly last: number;
	counts(entry: Entry): boolean;
}

/** The search for entries ends after so many bytes: a single line may be a recorded screen of megabytes. */
const farthest = 1 << 25;

export function recentOf(codec: Codec, dialect: string, source: Source, wanted: Wanted): Recent {
	if (codec.capabilities.container !== 'lines') {
		const session = decodeBytes(codec, source.read(0, source.size));
		return { entries: lastOf(session.entries, wanted), header: session.header, state: undefined, session };
	}
	const from = recentState(codec, dialect, source, wanted);
	const reading = readSession(codec, from);
	const entries: Entry[] = [];
	let header: Header = readHead(codec, source).header;
	for (const piece of piecesOf(source, from.position.at)) {
		const chunk = reading.push(piece);
		for (const entry of chunk.entries) entries.push(entry);
		header = { ...header, ...chunk.header };
	}
	return { entries, header, state: reading.state(), session: emptySession(codec) };
}

function lastOf(entries: readonly Entry[], { last, counts }: Wanted): readonly Entry[] {
	let left = last;
	let from = entries.length;
	while (from > 0 && left > 0) {
		from -= 1;
		if (counts(entries[from] as Entry)) left -= 1;
	}
	return entries.slice(from);
}

/** Where reading has to begin so that the last entries are among those that are read. */
export function recentState(codec: Codec, dialect: string, source: Source, wanted: Wanted): ReadState {
	const { state } = readHead(codec, source);
	let at = endOfLines(source);
	let left = wanted.last;
	const lines = backwardLines(source, { from: at, budget: farthest });
	while (left > 0) {
		const next = lines.next();
		if (next.done) break;
		at = next.value.at;
		for (const entry of entriesOf(codec, state, next.value.bytes(), at)) if (wanted.counts(entry)) left -= 1;
	}
	return at === 0 ? startState(codec) : stateAt(codec, dialect, source, at, state);
}

/** Where reading goes on in a file of lines that was read up to `length`, which may be in the middle of a line. */
export function stateBehind(codec: Codec, dialect: string, source: Source, length: number): ReadState {
	const known: Source = { ...source, size: Math.min(length, source.size) };
	const at = endOfLines(known);
	return at === 0 ? startState(codec) : stateAt(codec, dialect, source, at, readHead(codec, source).state);
}

function startState(codec: Codec): ReadState {
	return readSession(codec).state();
}

/** The state for reading from an offset. Lines before it are counted only where entries are named by line numbers. */
function stateAt(codec: Codec, dialect: string, source: Source, at: number, decoder: ReadState['decoder']): ReadState {
	const before = codec.context.resumePath?.links(dialect) ? 0 : linesBefore(source, at);
	return { position: { at, line: before + 1, index: before }, decoder };
}

const newline = 0x0a;

/** The offset behind the last newline: what comes after it is not whole yet. */
function endOfLines(source: Source): number {
	if (source.size === 0 || source.read(source.size - 1, 1)[0] === newline) return source.size;
	const { value } = backwardLines(source).next();
	return typeof value === 'object' ? value.at : 0;
}

function entriesOf(codec: Codec, state: ReadState['decoder'], bytes: Uint8Array, at: number): readonly Entry[] {
	const entries: Entry[] = [];
	const line = makeLine(bytes, at, 1, 0);
	if (line.part === 'gap') return entries;
	codec.read.decoder(state).visit(line, {
		entry: (entry) => void entries.push(entry),
		header: () => undefined,
		issue: () => undefined,
	});
	return entries;
}

/** A session without entries, which stands for a file of lines of which nothing is kept. */
export function emptySession(codec: Codec): Session {
	return sessionBuilder(codec, memorySource(new Uint8Array()), '').build([]);
}
