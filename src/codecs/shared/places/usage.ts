/** How a format's records state responses, tokens and dollars, for costs; and which numbers count as neither tokens nor dollars. */
import { isObject, type Json, type JsonObject, type Usage } from '../../../model/index.ts';
import { valueAt } from '../read/line-index.ts';

/** Where a record is. */
export interface RowPlace {
	/** The byte offset of the record. */
	readonly at: number;
	/** The number of the line (in a document: of the message), from 1. */
	readonly line: number;
	/** False for a last line without a newline. */
	readonly ended: boolean;
	/** The bytes of the record with its newline. */
	bytes(): Uint8Array;
}

/** A record, by a few of its fields, numbered as in `UsageRules.fields`. Valid only while it is visited. */
export class FieldRow {
	readonly at: number;
	readonly line: number;
	readonly ended: boolean;
	/** The parsed value; undefined where it is absent. */
	readonly json: (field: number) => Json | undefined;
	readonly #place: RowPlace;
	readonly #fields: readonly string[];

	constructor(place: RowPlace, fields: readonly string[], json: (field: number) => Json | undefined) {
		this.at = place.at;
		this.line = place.line;
		this.ended = place.ended;
		this.json = json;
		this.#place = place;
		this.#fields = fields;
	}

	/** A row from a record that is parsed already. */
	static of(value: JsonObject, place: RowPlace, fields: readonly string[]): FieldRow {
		return new FieldRow(place, fields, (field) => valueAt(value, fields[field] as string));
	}

	bytes(): Uint8Array {
		return this.#place.bytes();
	}

	has(field: number): boolean {
		return this.json(field) !== undefined;
	}

	/** The value if it is a string. */
	text(field: number): string | undefined {
		const value = this.json(field);
		return typeof value === 'string' ? value : undefined;
	}

	/** The value if it is a number. */
	number(field: number): number | undefined {
		const value = this.json(field);
		return typeof value === 'number' ? value : undefined;
	}

	/** The value as milliseconds since 1970, if it is a date as text. */
	time(field: number): number | undefined {
		return timeOf(this.text(field));
	}

	/** True when the value is this one. */
	is(field: number, value: string | true): boolean {
		return this.json(field) === value;
	}

	/** The value as a row with the same fields, if it is an object. */
	inside(field: number): FieldRow | undefined {
		const value = this.json(field);
		return isObject(value) ? FieldRow.of(value, this.#place, this.#fields) : undefined;
	}
}

/**
 * A response as one record states it. Many records may state one response: one per block, and again in every fork and
 * copy. They are the same when their `key` is equal and no two name different requests.
 */
export interface Sighting {
	readonly key: string;
	readonly request: string | undefined;
	/** The offset of the record. */
	readonly at: number;
	readonly line: number;
	/** Milliseconds since 1970; undefined where the file does not state it. */
	readonly time: number | undefined;
	readonly model: string | undefined;
	readonly provider: string | undefined;
	readonly usage: Usage;
	/** Dollars that the client recorded. */
	readonly costUsd: number | undefined;
	/** 1 for a reply of a model, 0 for tokens or dollars spent beside one. */
	readonly responses: 0 | 1;
	/** True where the record was written while the reply still streamed: its output is only the count so far. */
	readonly unfinished?: boolean;
}

/** A record that looks like a response but is none. */
export interface Rejected {
	readonly at: number;
	readonly line: number;
	readonly time: number | undefined;
	readonly why: 'synthetic' | 'error';
}

/** Receives what is found in a file. */
export interface UsageSink {
	seen(sighting: Sighting): void;
	rejected(record: Rejected): void;
	/** The folder that the file names for its session. The first one counts. */
	cwd(path: string): void;
}

/** How the records of a file state responses. */
export interface UsageRules {
	/** The fields to read: dotted paths. */
	readonly fields: readonly string[];
	/**
	 * Lines in which this field has another value state nothing, unless the text `unless` follows it. Other fields of
	 * such lines may be missing from their rows.
	 */
	readonly gate?: { readonly path: string; readonly values: readonly string[]; readonly unless?: string };
	/** For a document: the key of the array whose elements are the records. */
	readonly elements?: string;
	/** Begins with a file, or goes on with one that has grown: `memo` is what the earlier visitor returned. */
	visitor(sink: UsageSink, memo?: JsonObject): UsageVisitor;
	/** The side file that states responses instead of the main file, where it exists and states any. */
	beside?(path: string): { readonly path: string; readonly rules: UsageRules } | undefined;
}

export interface UsageVisitor {
	visit(row: FieldRow): void;
	/** What has to be remembered of earlier records to go on behind them. Absent: nothing. */
	memo?(): JsonObject;
}

/** The first of the fields that holds a string. */
export function firstText(row: FieldRow, fields: readonly number[]): string | undefined {
	for (const field of fields) {
		const text = row.text(field);
		if (text !== undefined) return text;
	}
	return undefined;
}

/** No reply has more tokens: what says so is no count, and a sum of such numbers would no longer be exact. */
const mostTokens = 1e12;

/** A number of tokens: whole, and none for what is no count. */
export function tokens(value: number | undefined): number {
	return value !== undefined && value > 0 && value <= mostTokens ? Math.trunc(value) : 0;
}

/** Dollars, if the number can be an amount. */
export function dollars(value: number | undefined): number | undefined {
	return value !== undefined && value >= 0 && Number.isFinite(value) ? value : undefined;
}

/** A date as milliseconds since 1970. */
export function timeOf(date: string | undefined): number | undefined {
	if (date === undefined) return undefined;
	const time = Date.parse(date);
	return Number.isNaN(time) ? undefined : time;
}
