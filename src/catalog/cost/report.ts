/** Makes the cost report: groupings, order of rows, rounding of dollars, when a cost counts as unknown, and why a record was counted or left out. */
import { dayOf, monthOf, weekOf } from './calendar.ts';
import type { Collected, Unread } from './collect.ts';
import type { CountedOnce, RecordPlace } from './ledger.ts';
import type { Prices } from './prices.ts';
import { someTokens } from './read.ts';

export const groupings = ['day', 'week', 'month', 'session', 'project', 'model', 'agent'] as const;
export type Grouping = (typeof groupings)[number];

export interface Totals {
	readonly responses: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cacheReadTokens: number;
	readonly cacheWriteTokens: number;
	/** The part of the cache writes that was kept for an hour. */
	readonly cacheWrite1hTokens: number;
	/** Null when there are responses and the cost of none is known. */
	readonly costUsd: number | null;
	/** Tokens of models without a known price, which the dollars leave out. */
	readonly unpricedTokens: number;
}

export interface CostRow extends Totals {
	/** The day, week, month, session (`agent:id` where agents share the id), folder, model or agent. */
	readonly key: string;
	/** The session's id, in a row about a session. */
	readonly session?: string;
	readonly title?: string;
	readonly agent?: string;
	readonly cwd?: string;
	readonly path?: string;
}

export interface CountedRecord extends Omit<Totals, 'unpricedTokens'>, Where {
	readonly response: string;
	readonly model: string | null;
	/** The source of the dollars; `none`: no price is known, or nothing has to be paid. */
	readonly price: 'recorded' | 'table' | 'none';
	/**
	 * `started`: the client wrote only the count that the reply began with, as Claude Code up to 2.1.29 does for most
	 * replies. What the reply really took is more, and nothing in the file says how much.
	 */
	readonly output: 'final' | 'started';
}

export type Reason = 'split' | 'subagent-copy' | 'copy' | 'synthetic' | 'error';

export interface ExcludedRecord extends Where {
	readonly reason: Reason;
	readonly response?: string;
	/** For a copy: the session that wrote it first. */
	readonly of?: string;
}

export interface Where {
	readonly session: string;
	readonly agent: string;
	readonly path: string;
	readonly line: number;
	readonly offset: number;
	readonly time: string | null;
}

export interface CostReport {
	readonly totals: Totals;
	readonly rows: readonly CostRow[];
	readonly counted?: readonly CountedRecord[];
	readonly excluded?: readonly ExcludedRecord[];
	readonly unread: readonly Unread[];
}

export interface ReportOptions {
	readonly by: Grouping;
	/** Keeps only sessions of these folders. */
	project?(cwd: string | undefined): boolean;
	/** Milliseconds; `until` itself is excluded. */
	readonly since?: number;
	readonly until?: number;
	readonly agent?: string;
	readonly explain?: boolean;
}

export function costReport({ ledger, unread }: Collected, prices: Prices, options: ReportOptions): CostReport {
	const totals = new Sum();
	const rows = new Map<string, { readonly sum: Sum; readonly facts: Partial<CostRow> }>();
	const counted: CountedRecord[] = [];
	const excluded: ExcludedRecord[] = [];
	const dates = new Map<number, string>();
	ledger.each((entry) => {
		if (entry.copyOf !== undefined) {
			for (const place of entry.proof?.places ?? [])
				if (isWanted(place, options)) excluded.push(copyRecord(entry, place));
			return;
		}
		if (!isWanted(entry.first, options)) return;
		const { dollars, price } = priceOf(entry, prices);
		totals.add(entry, dollars);
		const key = keyOf(entry, options.by, dates);
		let row = rows.get(key);
		if (row === undefined) {
			row = { sum: new Sum(), facts: rowFacts(entry, options.by) };
			rows.set(key, row);
		}
		row.sum.add(entry, dollars);
		if (!options.explain) return;
		counted.push(countedRecord(entry, dollars, price));
		for (const place of entry.proof?.places ?? []) if (!isFirst(entry, place)) excluded.push(copyRecord(entry, place));
	});
	const made = [...rows].map(([key, { sum, facts }]) => ({ key, ...facts, ...sum.totals() }));
	const base = { totals: totals.totals(), rows: options.by === 'session' ? withShortKeys(made) : made, unread };
	base.rows.sort(isTime(options.by) ? byKey : byCost);
	if (!options.explain) return base;
	for (const record of ledger.rejected) {
		if (isWanted(record, options)) excluded.push({ ...whereOf(record), reason: record.why });
	}
	return { ...base, counted: counted.sort(byPlace), excluded: excluded.sort(byPlace) };
}

export class Sum {
	#responses = 0;
	#input = 0;
	#output = 0;
	#cacheRead = 0;
	#cacheWrite = 0;
	#cacheWrite1h = 0;
	#dollars = 0;
	#priced = false;
	#unpriced = 0;

	add({ usage, responses }: CountedOnce, dollars: number | undefined): void {
		this.#responses += responses;
		this.#input += usage.input;
		this.#output += usage.output;
		this.#cacheRead += usage.cacheRead;
		this.#cacheWrite += usage.cacheWrite5m + usage.cacheWrite1h;
		this.#cacheWrite1h += usage.cacheWrite1h;
		const all = someTokens(usage);
		if (dollars === undefined) this.#unpriced += all;
		else {
			this.#dollars += dollars;
			this.#priced ||= all > 0 || dollars > 0;
		}
	}

	totals(): Totals {
		return {
			responses: this.#responses,
			inputTokens: this.#input,
			outputTokens: this.#output,
			cacheReadTokens: this.#cacheRead,
			cacheWriteTokens: this.#cacheWrite,
			cacheWrite1hTokens: this.#cacheWrite1h,
			costUsd: !this.#priced && (this.#unpriced > 0 || this.#responses > 0) ? null : exactDollars(this.#dollars),
			unpricedTokens: this.#unpriced,
		};
	}
}

/** Rounds dollars: sums of doubles differ in their last digits with the order of adding, and no price has so many. */
export function exactDollars(dollars: number): number {
	return Number(dollars.toFixed(9)) + 0; // avoids a minus before zero
}

export function priceOf(
	{ usage, costUsd, model, provider, first }: CountedOnce,
	prices: Prices,
): { readonly dollars: number | undefined; readonly price: CountedRecord['price'] } {
	if (costUsd !== undefined) return { dollars: costUsd, price: 'recorded' };
	if (someTokens(usage) === 0) return { dollars: 0, price: 'none' };
	const dollars = model === undefined ? undefined : prices.cost(usage, model, provider, first.time);
	return { dollars, price: dollars === undefined ? 'none' : 'table' };
}

function isWanted({ file, time }: RecordPlace, { project, since, until, agent }: ReportOptions): boolean {
	if (agent !== undefined && file.agent !== agent) return false;
	if (project?.(file.cwd) === false) return false;
	if (since !== undefined && !(time !== undefined && time >= since)) return false;
	return until === undefined || (time !== undefined && time < until);
}

export const unknown = '(unknown)';

function keyOf({ first, model }: CountedOnce, by: Grouping, dates: Map<number, string>): string {
	switch (by) {
		case 'session':
			return `${first.file.agent}:${first.file.session}`;
		case 'project':
			return first.file.cwd ?? unknown;
		case 'model':
			return model ?? unknown;
		case 'agent':
			return first.file.agent;
		default:
			return first.time === undefined ? unknown : dateOf(first.time, by, dates);
	}
}

const quarterMs = 15 * 60_000;

/** The date of a time, cached per quarter of an hour: no time zone begins its days at another minute. */
function dateOf(time: number, by: keyof typeof dateKey, known: Map<number, string>): string {
	const quarter = Math.floor(time / quarterMs);
	let key = known.get(quarter);
	if (key === undefined) {
		key = dateKey[by](time);
		known.set(quarter, key);
	}
	return key;
}

const dateKey = { day: dayOf, week: weekOf, month: monthOf };

function isTime(by: Grouping): boolean {
	return by in dateKey;
}

function rowFacts({ first: { file } }: CountedOnce, by: Grouping): Partial<CostRow> {
	if (by !== 'session') return {};
	return {
		session: file.session,
		agent: file.agent,
		path: file.path,
		...(file.cwd === undefined ? {} : { cwd: file.cwd }),
	};
}

/** Names a session by its id alone, unless several agents have a session with that id. */
function withShortKeys(rows: readonly CostRow[]): CostRow[] {
	const times = new Map<string | undefined, number>();
	for (const { session } of rows) times.set(session, (times.get(session) ?? 0) + 1);
	return rows.map((row) => (times.get(row.session) === 1 ? { ...row, key: row.session ?? row.key } : row));
}

function byKey(a: CostRow, b: CostRow): number {
	return a.key < b.key ? -1 : 1;
}

function byCost(a: CostRow, b: CostRow): number {
	return (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.outputTokens - a.outputTokens || byKey(a, b);
}

function byPlace(a: Where, b: Where): number {
	return a.path === b.path ? a.offset - b.offset : a.path < b.path ? -1 : 1;
}

function whereOf({ file, line, at, time }: RecordPlace): Where {
	const { session, agent, path } = file;
	return { session, agent, path, line, offset: at, time: time === undefined ? null : isoOf(time) };
}

/** A time in ISO form; null for one that no calendar reaches, as foreign files may have. */
function isoOf(time: number): string | null {
	return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : null;
}

function countedRecord(entry: CountedOnce, dollars: number | undefined, price: CountedRecord['price']): CountedRecord {
	const sum = new Sum();
	sum.add(entry, dollars);
	const { unpricedTokens: _, ...counts } = sum.totals();
	return {
		...whereOf(entry.first),
		response: entry.proof?.key ?? '',
		model: entry.model ?? null,
		...counts,
		costUsd: dollars === undefined ? null : exactDollars(dollars),
		price,
		output: entry.unfinished ? 'started' : 'final',
	};
}

function isFirst({ first }: CountedOnce, { file, at }: RecordPlace): boolean {
	return file === first.file && at === first.at;
}

function copyRecord({ proof, first, copyOf }: CountedOnce, place: RecordPlace): ExcludedRecord {
	const base = { ...whereOf(place), response: proof?.key ?? '' };
	if (copyOf !== undefined) return { ...base, reason: 'copy', of: copyOf };
	if (place.file === first.file) return { ...base, reason: 'split' };
	if (place.file.session === first.file.session && place.file.agent === first.file.agent)
		return { ...base, reason: 'subagent-copy' };
	return { ...base, reason: 'copy', of: first.file.session };
}
