/** An outline of a session of lines: where each entry stands in the file, and what it says only when somebody asks. */
import { isDeepStrictEqual } from 'node:util';
import {
	type Codec,
	type LineLinks,
	leafOfLinks,
	linksIndex,
	makeLine,
	readAll,
	type Taker,
} from '../../codecs/index.ts';
import {
	BranchFinder,
	type Entry,
	type EntryId,
	type Header,
	Ids,
	type Issue,
	inGraph,
	type Json,
	readInto,
	type SessionRecord,
	type Source,
	type ToolResultBlock,
} from '../../model/index.ts';
import { leafByTail, leafOf } from './leaf.ts';
import { scanIndex } from './scan-index.ts';
import { linesBefore, readHead } from './tail.ts';

/** Only numbers and ids, so that a session of gigabytes fits into memory. Positions are those of a BranchFinder. */
export interface Outline {
	readonly header: Header;
	/** The flaws of the lines, found before their meaning is looked at. */
	readonly issues: readonly Issue[];
	/** The entry that the conversation goes on from. */
	readonly leaf: EntryId | null;
	/** The ids of all entries, in the order of the file. */
	ids(): Iterable<EntryId>;
	/** The positions from root to leaf, through compactions, with all that belongs to the replies on the way. */
	told(leaf: EntryId): readonly number[];
	/** The leaves of other branches, by the entry of the path at which each turns off. */
	forks(path: readonly number[]): ReadonlyMap<EntryId, readonly EntryId[]>;
	/** The positions of entries beside the conversation for which `isWanted` was true, in the order of the file. */
	readonly beside: readonly number[];
	/** Numbers of the lines whose message nobody sees, because a later line has its id and says something else. */
	readonly replaced?: readonly number[];
	/** An entry, read from the file again; undefined when the file has been truncated meanwhile. */
	entry(position: number): Entry | undefined;
	/** The line that an entry was read from. */
	record(position: number): Omit<SessionRecord, 'type'>;
	/** The last result for a call, wherever in the file it is, with the entry that it is a part of. */
	answer(call: string): { readonly block: ToolResultBlock; readonly entry: Entry } | undefined;
}

/**
 * Reads all lines once, or those behind the offset `from`, at which a line has to begin: such an outline knows nothing of what was before.
 * `source` has to stay open as long as something is asked of the outline.
 */
export function outlineOf(
	codec: Codec,
	source: Source,
	isWanted: (entry: Entry) => boolean = () => false,
	from = 0,
): Outline {
	const taker = new OutlineTaker(isWanted);
	const head = readHead(codec, source);
	const dialect = head.header.dialect ?? 'unknown';
	if (from === 0) {
		const tail = leafByTail(codec, dialect, source);
		// Where the end of the file does not decide, the links of all lines are kept: scanning for them takes half as long as parsing.
		const links: LineLinks[] = [];
		if (!tail) taker.links = (line) => void links.push(line);
		const issues = readAll(codec, source, taker);
		const { resumePath } = codec.context;
		const envelope = resumePath?.envelope ?? [];
		const index = () => (tail ? scanIndex(source, envelope) : linksIndex(links, envelope, source));
		const byTail = tail?.leaf === undefined ? taker.last : tail.leaf;
		const leaf = tail ? byTail : leafOfLinks(codec, dialect, index, taker.last);
		if (resumePath?.bridges && leaf !== null && taker.shape.isCutOff(leaf)) {
			for (const [id, parent] of resumePath.bridges(index())) taker.shape.bridge(id, parent);
		}
		return new LineOutline(codec, source, taker, { issues, leaf, state: head.state });
	}
	taker.header(head.header);
	const before = linesBefore(source, from);
	const state = { position: { at: from, line: before + 1, index: before }, decoder: head.state };
	const issues = readAll(codec, source, taker, state);
	const leaf = leafOf(codec, dialect, source, taker.last);
	return new LineOutline(codec, source, taker, { issues, leaf, state: head.state });
}

class OutlineTaker implements Taker {
	readonly shape = new BranchFinder();
	facts: Header = {};
	/** The records that have entries, one row each. */
	readonly rows: Omit<SessionRecord, 'type'>[] = [];
	/** For each position: the row of its record, and its place among the entries of that record. */
	readonly row: number[] = [];
	readonly ordinal: number[] = [];
	/** The ids of calls that have a result, and the row of the last result of each. */
	readonly calls = new Ids();
	readonly answers: number[] = [];
	readonly beside: number[] = [];
	/** Messages whose id was there before: the rows of both. */
	readonly again: { readonly first: number; readonly second: number; readonly ordinal: number }[] = [];
	links?: (line: LineLinks) => void;
	readonly #isWanted: (entry: Entry) => boolean;
	/** The last entry of the main conversation, and of a sub-agent's. */
	#last: EntryId | null = null;
	#ofAgent: EntryId | null = null;
	#waiting: Entry[] = [];

	constructor(isWanted: (entry: Entry) => boolean) {
		this.#isWanted = isWanted;
	}

	entry(entry: Entry): void {
		this.#waiting.push(entry);
	}

	header(patch: Header): void {
		this.facts = { ...this.facts, ...patch };
	}

	record(record: SessionRecord): void {
		if (this.#waiting.length === 0) return;
		const row = this.rows.push(record) - 1;
		for (const [ordinal, entry] of this.#waiting.entries()) this.#place(entry, row, ordinal);
		this.#waiting = [];
	}

	#place(entry: Entry, row: number, ordinal: number): void {
		const position = this.shape.add(entry);
		const first = this.row[position];
		if (first !== undefined && first !== row && entry.kind === 'message')
			this.again.push({ first, second: row, ordinal });
		this.row[position] = row;
		this.ordinal[position] = ordinal;
		if (this.#isWanted(entry)) this.beside.push(position);
		if (inGraph(entry) && entry.kind !== 'leaf') {
			if (entry.agent === undefined) this.#last = entry.id;
			else this.#ofAgent = entry.id;
		}
		if (entry.kind !== 'message') return;
		for (const block of entry.content) {
			if (block.type === 'tool_result') this.answers[this.calls.add(block.call)] = row;
		}
	}

	get last(): EntryId | null {
		return this.#last ?? this.#ofAgent;
	}
}

/** How many decoded lines are kept: a result is asked for with its call, and soon again in its own place. */
const keptRows = 4;
const keptRoom = 1 << 22;

interface Found extends Pick<Outline, 'issues' | 'leaf'> {
	readonly state: Json;
}

class LineOutline implements Outline {
	readonly header: Header;
	readonly issues: readonly Issue[];
	readonly leaf: EntryId | null;
	readonly beside: readonly number[];
	readonly #codec: Codec;
	readonly #source: Source;
	readonly #lines: OutlineTaker;
	/** What the decoder knew after the first lines, which it needs for any later line. */
	readonly #state: Json;
	readonly #rows = new Map<number, readonly Entry[]>();
	#room = Buffer.alloc(0);

	constructor(codec: Codec, source: Source, lines: OutlineTaker, { issues, leaf, state }: Found) {
		this.issues = issues;
		this.leaf = leaf;
		this.#codec = codec;
		this.#source = source;
		this.#lines = lines;
		this.beside = lines.beside;
		this.#state = state;
		this.header = lines.facts;
	}

	*ids(): Iterable<EntryId> {
		for (let position = 0; position < this.#lines.row.length; position += 1) yield this.#lines.shape.idOf(position);
	}

	get replaced(): readonly number[] {
		const saidIn = (row: number, ordinal: number) => {
			const entry = this.#visit(row)[ordinal];
			return entry?.kind === 'message' ? entry.content : undefined;
		};
		return this.#lines.again.flatMap(({ first, second, ordinal }) => {
			const before = saidIn(first, ordinal);
			const isSame = before === undefined || isDeepStrictEqual(before, saidIn(second, ordinal));
			return isSame ? [] : [this.#lines.rows[first]?.line ?? 0];
		});
	}

	told(leaf: EntryId): readonly number[] {
		return this.#lines.shape.told(leaf);
	}

	forks(path: readonly number[]): ReadonlyMap<EntryId, readonly EntryId[]> {
		return this.#lines.shape.forks(path);
	}

	entry(position: number): Entry | undefined {
		return this.#entries(this.#lines.row[position] ?? 0)[this.#lines.ordinal[position] ?? 0];
	}

	record(position: number): Omit<SessionRecord, 'type'> {
		return this.#lines.rows[this.#lines.row[position] ?? 0] as SessionRecord;
	}

	answer(call: string): { readonly block: ToolResultBlock; readonly entry: Entry } | undefined {
		const known = this.#lines.calls.find(call);
		if (known === undefined) return undefined;
		for (const entry of this.#entries(this.#lines.answers[known] ?? 0).toReversed()) {
			if (entry.kind !== 'message') continue;
			const block = entry.content.findLast((one) => one.type === 'tool_result' && one.call === call);
			if (block?.type === 'tool_result') return { block, entry };
		}
		return undefined;
	}

	#entries(row: number): readonly Entry[] {
		const known = this.#rows.get(row);
		if (known) return known;
		const entries = this.#visit(row);
		const oldest = this.#rows.keys().next();
		if (this.#rows.size >= keptRows && !oldest.done) this.#rows.delete(oldest.value);
		this.#rows.set(row, entries);
		return entries;
	}

	/** Reads a line, always into the same memory: new memory for each is freed late, and there are gigabytes. */
	#read(at: number, length: number): Uint8Array {
		if (length > keptRoom) return this.#source.read(at, length);
		if (length > this.#room.length) this.#room = Buffer.allocUnsafeSlow(Math.min(keptRoom, 2 * length));
		return this.#room.subarray(0, readInto(this.#source, at, this.#room.subarray(0, length)));
	}

	#visit(row: number): readonly Entry[] {
		const { at, length, line, index } = this.#lines.rows[row] as SessionRecord;
		const entries: Entry[] = [];
		this.#codec.read.decoder(this.#state).visit(makeLine(this.#read(at, length), at, line, index), {
			entry: (entry) => void entries.push(entry),
			header: () => undefined,
			issue: () => undefined,
		});
		return entries;
	}
}
