/** Counts what a session is made of while it is read, and keeps no more of it than its shape. */
import type { Chunk, Codec } from '../codecs/index.ts';
import { type Block, branches, type Entry, type Header, type Issue } from '../model/index.ts';

/** What reading brought, counted. */
export interface Tallied {
	readonly header: Header;
	readonly records: { readonly [type: string]: number };
	readonly blocks: { readonly [type: string]: number };
	readonly entries: number;
	readonly branches: number;
	readonly issues: readonly Issue[];
}

type Counts = { [type: string]: number };

const emptyCounts = (): Counts => Object.create(null) as Counts;

export class Tally {
	readonly #blankType: string;
	readonly #blockName: Codec['blockName'];
	readonly #records = emptyCounts();
	readonly #blocks = emptyCounts();
	readonly #shapes: Entry[] = [];
	#header: Header = {};

	constructor(codec: Codec | undefined) {
		// What lies between the messages of a document is no line that somebody left blank.
		this.#blankType = codec?.capabilities.container === 'lines' ? '(blank)' : '';
		this.#blockName = codec?.blockName;
	}

	add(chunk: Chunk): void {
		for (const record of chunk.records) this.record(record.type);
		for (const entry of chunk.entries) this.entry(entry);
		this.header(chunk.header);
	}

	record(type: string): void {
		count(this.#records, type || this.#blankType);
	}

	entry(entry: Entry): void {
		if (entry.kind === 'message') for (const block of entry.content) this.#block(block);
		this.#shapes.push(shapeOf(entry));
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
		const { '': _, ...records } = this.#records;
		return {
			header: this.#header,
			records,
			blocks: { ...this.#blocks },
			entries: this.#shapes.length,
			branches: branches({ entries: this.#shapes }).length,
			issues,
		};
	}
}

function count(counts: Counts, type: string): void {
	counts[type] = (counts[type] ?? 0) + 1;
}

const noRecords: readonly number[] = [];
const speech: readonly Block[] = [{ type: 'text', text: '' }];
const noSpeech: readonly Block[] = [];

/** As much of an entry as its place in the graph needs: a session of gigabytes has a million of them. */
function shapeOf(entry: Entry): Entry {
	const { id, parent, logicalParent, agent } = entry;
	const base = {
		id,
		...(parent === undefined ? {} : { parent }),
		...(logicalParent === undefined ? {} : { logicalParent }),
		...(agent === undefined ? {} : { agent }),
		records: noRecords,
	};
	if (entry.kind !== 'message') return { ...base, kind: 'opaque', type: '' };
	const speaks = entry.content.some((block) => block.type !== 'tool_result');
	return { ...base, kind: 'message', role: entry.role, content: speaks ? speech : noSpeech };
}
