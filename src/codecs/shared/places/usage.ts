/** What a record of a session file says about a response of a model and its tokens, for costs, and how a format tells it. */
import { isObject, type Json, type JsonObject, type Usage } from '../../../model/index.ts';
import { valueAt } from '../read/line-index.ts';

/** Where a record is. */
export interface RowPlace {
	/** Byte offset of the record. */
	readonly at: number;
	/** Line (for a document: message) number, from 1. */
	readonly line: number;
	/** False for a last line without a newline. */
	readonly ended: boolean;
	/** The bytes of the record, its newline included. */
	bytes(): Uint8Array;
}

/** One record, by a few of its fields. Valid only while it is visited. Fields are numbered as `UsageRules.fields` names them. */
export class FieldRow {
	readonly at: number;
	readonly line: number;
	readonly ended: boolean;
	/** The value, parsed; undefined where it is absent. */
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

	/** The row of a record that is parsed already. */
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

	/** Milliseconds since 1970, if the value is a date as text. */
	time(field: number): number | undefined {
		return timeOf(this.text(field));
	}

	/** Whether the value is this one. */
	is(field: number, value: string | true): boolean {
		return this.json(field) === value;
	}

	/** The object that is the value, as a record of the same fields. */
	inside(field: number): FieldRow | undefined {
		const value = this.json(field);
		return isObject(value) ? FieldRow.of(value, this.#place, this.#fields) : undefined;
	}
}

/**
 * One response as one record tells it. A response may be told by many records: one per block, and again in every fork
 * and copy. They are the same response when their `key` is equal and no two of them name different requests.
 */
export interface Sighting {
	readonly key: string;
	readonly request: string | undefined;
	/** Where the record is. */
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
	/** True where the record was written while the reply still came in: its output is only what was counted until then. */
	readonly unfinished?: boolean;
}

/** A record that looks like a response and is none. */
export interface Rejected {
	readonly at: number;
	readonly line: number;
	readonly time: number | undefined;
	readonly why: 'synthetic' | 'error';
}

/** What reading a file reports. */
export interface UsageSink {
	seen(sighting: Sighting): void;
	rejected(record: Rejected): void;
	/** The folder that the file says its session belongs to. The first one counts. */
	cwd(path: string): void;
}

/** How the records of a file tell of responses. */
export interface UsageRules {
	/** The fields that are looked at: dotted paths. */
	readonly fields: readonly string[];
	/**
	 * Lines in which this field has none of these values tell nothing, `unless` this text stands behind it: what else stands
	 * there may be absent from their rows.
	 */
	readonly gate?: { readonly path: string; readonly values: readonly string[]; readonly unless?: string };
	/** Where the file is one document: the key of the array whose elements are its records. */
	readonly elements?: string;
	/** Begins with a file, or goes on with one that has grown: `memo` is what the visitor before remembered. */
	visitor(sink: UsageSink, memo?: JsonObject): UsageVisitor;
	/** The file that tells of responses in place of the session's main file, where it is there and tells of any. */
	beside?(path: string): { readonly path: string; readonly rules: UsageRules } | undefined;
}

export interface UsageVisitor {
	visit(row: FieldRow): void;
	/** What has to be known of the records before to go on behind them. Absent: nothing. */
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

/** A number of tokens; what is not one counts as none. */
export function tokens(value: number | undefined): number {
	return value !== undefined && value > 0 && Number.isFinite(value) ? value : 0;
}

/** Dollars, where the number can be an amount. */
export function dollars(value: number | undefined): number | undefined {
	return value !== undefined && value >= 0 && Number.isFinite(value) ? value : undefined;
}

/** Milliseconds since 1970. */
export function timeOf(date: string | undefined): number | undefined {
	if (date === undefined) return undefined;
	const time = Date.parse(date);
	return Number.isNaN(time) ? undefined : time;
}
