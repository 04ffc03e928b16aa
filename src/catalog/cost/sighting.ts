/** What a record of a session file says about one response of a model. */
import type { JsonObject, Source, Usage } from '../../model/index.ts';

/**
 * One response as one record tells it. A response may be told by many records: one per block, and again in every fork
 * and copy. They are the same response when their `key` is equal and no two of them name different requests.
 */
export interface Sighting {
	readonly key: string;
	readonly request: string | undefined;
	/** Where the record is: byte offset, and line (for a document: message) number from 1. */
	readonly at: number;
	readonly line: number;
	/** Milliseconds since 1970; undefined where the file does not say. */
	readonly time: number | undefined;
	readonly model: string | undefined;
	readonly provider: string | undefined;
	readonly usage: Usage;
	/** Dollars as the client recorded them. */
	readonly costUsd: number | undefined;
	/** 1 for a reply of a model, 0 for tokens or dollars that were spent beside one. */
	readonly responses: 0 | 1;
}

/** A record that looks like a response and is none. */
export interface Rejected {
	readonly at: number;
	readonly line: number;
	readonly time: number | undefined;
	readonly why: 'synthetic' | 'error';
}

/** What reading a file reports. */
export interface CostSink {
	seen(sighting: Sighting): void;
	rejected(record: Rejected): void;
	/** The folder that the file says its session belongs to. The first one counts. */
	cwd(path: string): void;
}

/** Where a reading stopped, to go on when the file has grown. Serialisable. */
export interface CostPosition {
	/** Behind the last whole line. */
	readonly at: number;
	/** What the format needs to remember of the lines before. */
	readonly memo?: JsonObject;
}

/** A document is always read from its beginning; its position says nothing. */
export type ReadCosts = (source: Source, sink: CostSink, from?: CostPosition) => CostPosition;

/** A number of tokens; what is not one counts as none. */
export function tokens(value: number | undefined): number {
	return value !== undefined && value > 0 && Number.isFinite(value) ? value : 0;
}

/** Dollars, where the number can be an amount. */
export function dollars(value: number | undefined): number | undefined {
	return value !== undefined && value >= 0 && Number.isFinite(value) ? value : undefined;
}

export function timeOf(iso: string | undefined): number | undefined {
	if (iso === undefined) return undefined;
	const time = Date.parse(iso);
	return Number.isNaN(time) ? undefined : time;
}

export function someTokens(usage: Usage): number {
	return usage.input + usage.output + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}
