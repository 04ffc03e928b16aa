/** The ledger: every response of many files once, however often it was copied, with the session that wrote it first. */
import type { Rejected, Sighting, UsageSink } from '../../codecs/index.ts';
import { type FormatId, Ids, type Usage } from '../../model/index.ts';
import { hashNumber, KeyTable } from './key-table.ts';
import { someTokens } from './read.ts';
import { type CopiedPart, partAt, type Standing } from './standing.ts';

/** A file whose responses are counted. */
export interface CostFile {
	readonly path: string;
	/** The session that the file belongs to; for a sub-agent's file the one that started it. */
	readonly session: string;
	readonly agent: string;
	readonly format: FormatId;
	cwd?: string;
	/** What hand-offs say about the session. */
	readonly standing?: Standing;
}

export interface RecordPlace {
	readonly file: CostFile;
	readonly at: number;
	readonly line: number;
	readonly time: number | undefined;
}

export interface CountedOnce {
	/** The earliest record of the response: by time, then by path. */
	readonly first: RecordPlace;
	readonly model: string | undefined;
	readonly provider: string | undefined;
	readonly usage: Usage;
	/** The cost that the client recorded. */
	readonly costUsd: number | undefined;
	readonly responses: 0 | 1;
	/** No record was written after the reply had ended: the real output is larger than what is counted. */
	readonly unfinished: boolean;
	/** The session that wrote the response and counts it under another key, when a hand-off brought it here. */
	readonly copyOf: string | undefined;
	/** The response's key and all records of it; kept only when asked for. */
	readonly proof: { readonly key: string; readonly places: readonly RecordPlace[] } | undefined;
}

export interface RejectedRecord extends RecordPlace {
	readonly why: Rejected['why'];
}

export interface LedgerOptions {
	/** Keep what `--explain` needs to justify each record. */
	readonly explain?: boolean;
}

/** Columns of a response in the table of numbers. An unknown number is NaN. */
const file = 0;
const at = 1;
const line = 2;
const time = 3;
const model = 4;
const provider = 5;
const input = 6;
const output = 7;
const cacheRead = 8;
const write5m = 9;
const write1h = 10;
const cost = 11;
const responses = 12;
const unfinished = 13;
const request = 14;
/** When the fork was made that the first record is in; 0 where that is in no fork. */
const forked = 15;
const width = 16;

/** What is known of a response that was handed off. */
interface Handed {
	/** The session that it counts for, according to its copies. */
	of: string | undefined;
	/** True while only copies of it were found, and not the record that the reply was first written as. */
	onlyCopies: boolean;
	/** True when one of its records is in a session that others copied. */
	held: boolean;
}

/** A machine has millions of responses. As objects they would take the garbage collector longer than reading them. */
export class Ledger {
	readonly rejected: RejectedRecord[] = [];
	readonly #explain: boolean;
	readonly #slots = new KeyTable();
	readonly #keys: string[] = [];
	readonly #files: CostFile[] = [];
	/** Numbers for names: there are few names and many responses. */
	readonly #names = new Ids();
	readonly #places: RecordPlace[][] = [];
	/** By slot; most machines have no such response. */
	readonly #handed = new Map<number, Handed>();
	#table = new Float64Array(1024 * width);

	constructor(options: LedgerOptions = {}) {
		this.#explain = options.explain ?? false;
	}

	/** The sink to which the reader of a file reports its responses. */
	sink(from: CostFile): UsageSink {
		const index = this.#files.push(from) - 1;
		const { standing } = from;
		const known = new Map<string, CopiedPart | undefined>();
		/** The part of another session that a response is in. A client that compacts repeats replies: the first one decides. */
		const partOf = (sighting: Sighting): CopiedPart | undefined => {
			if (standing === undefined || standing.parts.length === 0) return undefined;
			const key = `${sighting.key}\n${sighting.request ?? ''}`;
			if (!known.has(key)) known.set(key, partAt(standing.parts, sighting));
			return known.get(key);
		};
		return {
			seen: (sighting) => this.#add(index, sighting, partOf(sighting)),
			rejected: (record) => {
				if (this.#explain) this.rejected.push({ ...placeOf(from, record), why: record.why });
			},
			cwd(path) {
				from.cwd ??= path;
			},
		};
	}

	/** True when a response has tokens but no recorded cost. */
	needsPrices(): boolean {
		for (let row = 0; row < this.#slots.size * width; row += width) {
			if (Number.isNaN(this.#table[row + cost]) && someTokens(this.#usage(row)) > 0) return true;
		}
		return false;
	}

	/** Every response, in no order. */
	each(visit: (response: CountedOnce) => void): void {
		for (let slot = 0; slot < this.#slots.size; slot += 1) {
			const row = slot * width;
			const handed = this.#handed.get(slot);
			visit({
				first: {
					file: this.#files[this.#number(row + file)] as CostFile,
					at: this.#number(row + at),
					line: this.#number(row + line),
					time: this.#known(row + time),
				},
				usage: this.#usage(row),
				model: this.#name(row + model),
				provider: this.#name(row + provider),
				costUsd: this.#known(row + cost),
				responses: this.#number(row + responses) === 1 ? 1 : 0,
				unfinished: this.#number(row + unfinished) === 1,
				copyOf: handed?.held ? undefined : handed?.of,
				proof: this.#explain ? { key: this.#keys[slot] ?? '', places: this.#places[slot] ?? [] } : undefined,
			});
		}
	}

	#name(index: number): string | undefined {
		const name = this.#known(index);
		return name === undefined ? undefined : this.#names.at(name);
	}

	#known(index: number): number | undefined {
		const number = this.#number(index);
		return Number.isNaN(number) ? undefined : number;
	}

	#number(index: number): number {
		return this.#table[index] as number;
	}

	#usage(row: number): Usage {
		return {
			input: this.#number(row + input),
			output: this.#number(row + output),
			cacheRead: this.#number(row + cacheRead),
			cacheWrite5m: this.#number(row + write5m),
			cacheWrite1h: this.#number(row + write1h),
		};
	}

	/** Adds a record. `part`: the part of the file that holds it, where another session wrote that. */
	#add(from: number, sighting: Sighting, part: CopiedPart | undefined): void {
		const made = part?.forked ?? 0;
		/** The session that it counts for, where that is not its own. */
		const of = made > 0 ? undefined : part?.of;
		const asked = sighting.request === undefined ? Number.NaN : hashNumber(sighting.request);
		let { key } = sighting;
		let slot = this.#slots.get(key);
		// A record without a request id may be any response with its key; two different ids are two responses.
		if (slot !== -1 && isOther(this.#number(slot * width + request), asked)) {
			key = `${key}\n${sighting.request}`;
			slot = this.#slots.get(key);
		}
		const isNew = slot === -1;
		if (isNew) slot = this.#make(key, asked, from, sighting, made);
		else this.#addTo(slot, asked, from, sighting, of, made);
		const held = of === undefined && this.#files[from]?.standing?.copied === true;
		if (of !== undefined || held || this.#handed.size > 0) this.#hand(slot, of, held, isNew);
	}

	#hand(slot: number, of: string | undefined, held: boolean, isNew: boolean): void {
		let handed = this.#handed.get(slot);
		if (handed === undefined) {
			if (of === undefined && !held) return;
			handed = { of: undefined, onlyCopies: isNew, held: false };
			this.#handed.set(slot, handed);
		}
		handed.held ||= held;
		if (of === undefined) handed.onlyCopies = false;
		else if (handed.of === undefined || of < handed.of) handed.of = of;
	}

	#addTo(slot: number, asked: number, from: number, sighting: Sighting, of: string | undefined, made: number): void {
		const row = slot * width;
		if (Number.isNaN(this.#number(row + request))) this.#table[row + request] = asked;
		if (this.#explain) this.#places[slot]?.push(placeOf(this.#files[from] as CostFile, sighting));
		const told = { usage: this.#usage(row), costUsd: this.#known(row + cost) };
		if (isFinal(sighting, told)) this.#tell(row, sighting);
		if (!sighting.unfinished) this.#table[row + unfinished] = 0;
		// The session that wrote a response precedes those that copied it, whatever times their records have.
		const copies = this.#handed.get(slot)?.onlyCopies === true;
		const first = copies === (of !== undefined) ? this.#precedes(row, from, sighting, made) : copies;
		if (first) this.#place(row, from, sighting, made);
	}

	/** Makes a row for the key that was last asked for. */
	#make(key: string, asked: number, from: number, sighting: Sighting, made: number): number {
		const slot = this.#slots.add();
		const row = slot * width;
		if (row === this.#table.length) {
			const larger = new Float64Array(this.#table.length * 2);
			larger.set(this.#table);
			this.#table = larger;
		}
		this.#table[row + model] = Number.NaN;
		this.#table[row + provider] = Number.NaN;
		this.#table[row + cost] = Number.NaN;
		this.#table[row + request] = asked;
		this.#table[row + responses] = sighting.responses;
		this.#table[row + unfinished] = sighting.unfinished ? 1 : 0;
		this.#place(row, from, sighting, made);
		this.#tell(row, sighting);
		if (!this.#explain) return slot;
		this.#keys.push(key);
		this.#places.push([placeOf(this.#files[from] as CostFile, sighting)]);
		return slot;
	}

	#place(row: number, from: number, sighting: Sighting, made: number): void {
		const table = this.#table;
		table[row + forked] = made;
		table[row + file] = from;
		table[row + at] = sighting.at;
		table[row + line] = sighting.line;
		table[row + time] = sighting.time ?? Number.NaN;
	}

	#tell(row: number, sighting: Sighting): void {
		const table = this.#table;
		const { usage } = sighting;
		table[row + input] = usage.input;
		table[row + output] = usage.output;
		table[row + cacheRead] = usage.cacheRead;
		table[row + write5m] = usage.cacheWrite5m;
		table[row + write1h] = usage.cacheWrite1h;
		if (sighting.model !== undefined) table[row + model] = this.#names.add(sighting.model);
		if (sighting.provider !== undefined) table[row + provider] = this.#names.add(sighting.provider);
		if (sighting.costUsd !== undefined) table[row + cost] = sighting.costUsd;
	}

	/** True for a record earlier than the first one so far. A record without a time comes last, and one in a fork behind the original's. */
	#precedes(row: number, from: number, sighting: Sighting, made: number): boolean {
		const before = this.#number(row + forked);
		if (made !== before) return made < before;
		const known = this.#number(row + time);
		const old = Number.isNaN(known) ? Number.POSITIVE_INFINITY : known;
		const own = sighting.time ?? Number.POSITIVE_INFINITY;
		if (own !== old) return own < old;
		const first = this.#number(row + file);
		if (first === from) return sighting.at < this.#number(row + at);
		const paths = [this.#files[from]?.path ?? '', this.#files[first]?.path ?? ''] as const;
		return paths[0] === paths[1] ? sighting.at < this.#number(row + at) : paths[0] < paths[1];
	}
}

/** True when both requests are known and differ. */
function isOther(a: number, b: number): boolean {
	return a !== b && !Number.isNaN(a) && !Number.isNaN(b);
}

function placeOf(from: CostFile, record: Omit<RecordPlace, 'file'>): RecordPlace {
	return { file: from, at: record.at, line: record.line, time: record.time };
}

type Told = { readonly usage: Usage; readonly costUsd?: number | undefined };

/**
 * True for the record with the final count: some lines of a response hold the count so far, so the largest output wins.
 * Ties are broken by the other counts, so that the order of reading files changes nothing.
 */
function isFinal(sighting: Told, entry: Told): boolean {
	const more = sighting.usage.output - entry.usage.output || someTokens(sighting.usage) - someTokens(entry.usage);
	if (more !== 0) return more > 0;
	return (sighting.costUsd ?? -1) > (entry.costUsd ?? -1);
}
