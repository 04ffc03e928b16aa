/** Counts what a session is made of while it is read, and keeps no more of it than its shape. */
import type { Chunk, Codec } from '../codecs/index.ts';
import {
	type Block,
	BranchFinder,
	type BranchFlags,
	branchFlags,
	type Entry,
	type EntryId,
	type Header,
	type Issue,
	type Record,
} from '../model/index.ts';

/** What reading brought, counted. */
export interface Tallied {
	readonly header: Header;
	readonly records: { readonly [type: string]: number };
	readonly blocks: { readonly [type: string]: number };
	readonly entries: number;
	readonly branches: number;
	readonly issues: readonly Issue[];
}

type Counts = Map<string, { n: number }>;

export class Tally {
	readonly #blankType: string;
	readonly #blockName: Codec['blockName'];
	readonly #records: Counts = new Map();
	readonly #blocks: Counts = new Map();
	readonly #branches = new BranchFinder();
	/** Messages that were told by one that they are like: its type and flags, and how many they are. */
	readonly #alike = new Map<Entry, { readonly type: string; readonly flags: BranchFlags; n: number }>();
	#entries = 0;
	#header: Header = {};

	constructor(codec: Codec | undefined) {
		// What lies between the messages of a document is no line that somebody left blank.
		this.#blankType = codec?.capabilities.container === 'lines' ? '(blank)' : '';
		this.#blockName = codec?.blockName;
	}

	add(chunk: Chunk): void {
		for (const record of chunk.records) this.record(record);
		for (const entry of chunk.entries) this.entry(entry);
		this.header(chunk.header);
	}

	record({ type }: Pick<Record, 'type'>): void {
		count(this.#records, type || this.#blankType, 1);
	}

	entry(entry: Entry): void {
		this.#blocksOf(entry, 1);
		this.#branches.add(entry);
		this.#entries += 1;
	}

	again(like: Entry, id: EntryId, parent: EntryId | null, type: string): void {
		let alike = this.#alike.get(like);
		if (!alike) {
			alike = { type, flags: branchFlags(like), n: 0 };
			this.#alike.set(like, alike);
		}
		alike.n += 1;
		this.#branches.place(id, parent, undefined, alike.flags);
	}

	header(patch: Header): void {
		this.#header = { ...this.#header, ...patch };
	}

	#blocksOf(entry: Entry, times: number): void {
		if (entry.kind === 'message') for (const block of entry.content) this.#block(block, times);
	}

	#block(block: Block, times: number): void {
		count(this.#blocks, this.#blockName?.(block) ?? (block.type === 'opaque' ? block.of : block.type), times);
		if (block.type !== 'tool_result') return;
		for (const inner of block.content) if (inner.type === 'image') this.#block(inner, times);
	}

	/** Where the name of a block was cut, nobody knows what it is. */
	misses(mark: string): boolean {
		return this.#blocks.has(mark);
	}

	end(issues: readonly Issue[]): Tallied {
		for (const [entry, { type, n }] of this.#alike) {
			this.#blocksOf(entry, n);
			count(this.#records, type, n);
			this.#entries += n;
		}
		this.#alike.clear();
		this.#records.delete('');
		return {
			header: this.#header,
			records: numbers(this.#records),
			blocks: numbers(this.#blocks),
			entries: this.#entries,
			branches: this.#branches.branches().length,
			issues,
		};
	}
}

function count(counts: Counts, type: string, times: number): void {
	const counted = counts.get(type);
	if (counted) counted.n += times;
	else counts.set(type, { n: times });
}

function numbers(counts: Counts): { readonly [type: string]: number } {
	return Object.fromEntries([...counts].map(([type, { n }]) => [type, n]));
}
