/** Counts records, blocks, entries and branches for `reprise inspect` while a session is read, and keeps only its graph. */
import type { Codec, Portion } from '../../codecs/index.ts';
import {
	type Block,
	BranchFinder,
	type Entry,
	type Header,
	type Issue,
	type SessionRecord,
} from '../../model/index.ts';

/** The counts of what was read. */
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
	readonly #blockName: Codec['read']['blockName'];
	readonly #records: Counts = new Map();
	readonly #blocks: Counts = new Map();
	readonly #branches = new BranchFinder();
	#entries = 0;
	#header: Header = {};

	constructor(codec: Codec | undefined) {
		// The text between the messages of a document is not a blank line.
		this.#blankType = codec?.capabilities.container === 'lines' ? '(blank)' : '';
		this.#blockName = codec?.read.blockName;
	}

	add(portion: Portion): void {
		for (const record of portion.records) this.record(record);
		for (const entry of portion.entries) this.entry(entry);
		this.header(portion.header);
	}

	record({ type }: Pick<SessionRecord, 'type'>): void {
		count(this.#records, type || this.#blankType);
	}

	entry(entry: Entry): void {
		if (entry.kind === 'message') for (const block of entry.content) this.#block(block);
		this.#branches.add(entry);
		this.#entries += 1;
	}

	header(patch: Header): void {
		this.#header = { ...this.#header, ...patch };
	}

	#block(block: Block): void {
		count(this.#blocks, this.#blockName?.(block) ?? (block.type === 'opaque' ? block.of : block.type));
		if (block.type !== 'tool_result') return;
		for (const inner of block.content) if (inner.type === 'image') this.#block(inner);
	}

	end(issues: readonly Issue[]): Tallied {
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

function count(counts: Counts, type: string): void {
	const counted = counts.get(type);
	if (counted) counted.n += 1;
	else counts.set(type, { n: 1 });
}

function numbers(counts: Counts): { readonly [type: string]: number } {
	return Object.fromEntries([...counts].map(([type, { n }]) => [type, n]));
}
