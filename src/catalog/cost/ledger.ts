/** Every response of many files once, whoever copied it, with the session that wrote it first. */
import type { FormatId, Usage } from '../../model/index.ts';
import { type CostSink, type Rejected, type Sighting, someTokens } from './sighting.ts';

/** A file whose responses are counted. */
export interface CostFile {
	readonly path: string;
	/** The session it belongs to: its own, or for a sub-agent's file the one that started it. */
	readonly session: string;
	readonly agent: string;
	readonly format: FormatId;
	cwd?: string;
}

export interface Place {
	readonly file: CostFile;
	readonly at: number;
	readonly line: number;
	readonly time?: number;
}

export interface CountedOnce {
	readonly key: string;
	/** The record that told of it first: by time, then by path. */
	readonly first: Place;
	readonly model?: string;
	readonly provider?: string;
	readonly usage: Usage;
	/** As recorded by the client. */
	readonly costUsd?: number;
	readonly responses: 0 | 1;
	/** All records that tell of it; only kept when asked for. */
	readonly places?: readonly Place[];
}

export interface RejectedRecord extends Place {
	readonly why: Rejected['why'];
}

/** Mutable while files are read. */
type Entry = { -readonly [K in keyof CountedOnce]: CountedOnce[K] } & { request?: string; places?: Place[] };

export interface LedgerOptions {
	/** Keep what is needed to explain each record. */
	readonly explain?: boolean;
}

export class Ledger {
	readonly rejected: RejectedRecord[] = [];
	readonly #entries = new Map<string, Entry>();
	readonly #names = new Map<string, string>();
	readonly #explain: boolean;

	constructor(options: LedgerOptions = {}) {
		this.#explain = options.explain ?? false;
	}

	/** What a file's reader reports to. */
	sink(file: CostFile): CostSink {
		return {
			seen: (sighting) => this.#add(file, sighting),
			rejected: ({ at, line, time, why }) => {
				if (this.#explain) this.rejected.push({ ...placeOf(file, { at, line, time }), why });
			},
			cwd(path) {
				file.cwd ??= path;
			},
		};
	}

	counted(): Iterable<CountedOnce> {
		return this.#entries.values();
	}

	#add(file: CostFile, sighting: Sighting): void {
		const { key, entry } = this.#find(sighting);
		const place = placeOf(file, sighting);
		if (entry === undefined) {
			this.#entries.set(key, this.#make(key, place, sighting));
			return;
		}
		if (entry.request === undefined && sighting.request !== undefined) entry.request = sighting.request;
		if (this.#explain) entry.places?.push(place);
		if (isFinal(sighting, entry)) this.#tell(entry, sighting);
		if (precedes(place, entry.first)) entry.first = place;
	}

	/** A record without a request may be any of those that share its key; two different requests are two responses. */
	#find({ key, request }: Sighting): { readonly key: string; readonly entry: Entry | undefined } {
		const entry = this.#entries.get(key);
		if (entry?.request === undefined || request === undefined || entry.request === request) return { key, entry };
		const own = `${key}\n${request}`;
		return { key: own, entry: this.#entries.get(own) };
	}

	#make(key: string, first: Place, sighting: Sighting): Entry {
		const entry: Entry = { key, first, usage: sighting.usage, responses: sighting.responses };
		if (sighting.request !== undefined) entry.request = sighting.request;
		if (this.#explain) entry.places = [first];
		this.#tell(entry, sighting);
		return entry;
	}

	#tell(entry: Entry, { usage, model, provider, costUsd }: Sighting): void {
		entry.usage = usage;
		if (model !== undefined) entry.model = this.#shared(model);
		if (provider !== undefined) entry.provider = this.#shared(provider);
		if (costUsd !== undefined) entry.costUsd = costUsd;
	}

	/** There are few names and many responses: each name is kept once. */
	#shared(name: string): string {
		const known = this.#names.get(name);
		if (known !== undefined) return known;
		this.#names.set(name, name);
		return name;
	}
}

function placeOf(file: CostFile, { at, line, time }: { at: number; line: number; time?: number | undefined }): Place {
	return time === undefined ? { file, at, line } : { file, at, line, time };
}

type Told = { readonly usage: Usage; readonly costUsd?: number | undefined };

/**
 * Some lines of a response have the count so far: the largest output is the final one. Equal ones are told apart by the
 * rest, so that the order in which files are read changes nothing.
 */
export function isFinal(sighting: Told, entry: Told): boolean {
	const more = sighting.usage.output - entry.usage.output || someTokens(sighting.usage) - someTokens(entry.usage);
	if (more !== 0) return more > 0;
	return (sighting.costUsd ?? -1) > (entry.costUsd ?? -1);
}

/** A record without a time comes after all that have one. */
function precedes(a: Place, b: Place): boolean {
	const earlier = (a.time ?? Number.POSITIVE_INFINITY) - (b.time ?? Number.POSITIVE_INFINITY);
	if (earlier < 0 || earlier > 0) return earlier < 0;
	if (a.file.path !== b.file.path) return a.file.path < b.file.path;
	return a.at < b.at;
}
