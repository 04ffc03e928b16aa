/** Responses in the catalog: who wrote each one first, kept up to date file by file. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Sighting, UsageSink } from '../../codecs/index.ts';
import { type CostFile, type CountedOnce, isFinal, Ledger } from '../cost/ledger.ts';
import type { Prices } from '../cost/prices.ts';
import { someTokens } from '../cost/read.ts';

interface SightingRow {
	readonly key: string;
	readonly request: string;
	readonly file: number;
	readonly at: number;
	readonly time: number | null;
	readonly model: string | null;
	readonly provider: string | null;
	readonly input: number;
	readonly output: number;
	readonly cache_read: number;
	readonly write_5m: number;
	readonly write_1h: number;
	readonly cost: number | null;
	readonly responses: 0 | 1;
}

interface OwnedRow {
	readonly file: number;
	readonly responses: number;
	readonly input: number;
	readonly output: number;
	readonly cache_read: number;
	readonly cache_write: number;
	readonly cost: number;
	readonly unpriced: number;
}

/** All within the caller's transaction: `forget` and `sink` note what changed, `settle` works out what follows from it. */
export class CostIndex {
	readonly #prices: Prices;
	readonly #touched = new Set<string>();
	readonly #sql: { readonly [name: string]: StatementSync };

	constructor(database: DatabaseSync, prices: Prices) {
		this.#prices = prices;
		const columns =
			'key, request, file, at, time, model, provider, input, output, cache_read, write_5m, write_1h, cost, responses';
		this.#sql = {
			keysOf: database.prepare('SELECT DISTINCT key FROM sightings WHERE file = ?'),
			forget: database.prepare('DELETE FROM sightings WHERE file = ?'),
			seen: database.prepare('SELECT * FROM sightings WHERE key = ? AND request = ? AND file = ?'),
			put: database.prepare(
				`INSERT OR REPLACE INTO sightings (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			),
			ofKey: database.prepare(
				'SELECT sightings.*, files.path FROM sightings JOIN files ON files.id = file WHERE key = ? ORDER BY path, at',
			),
			ownedBy: database.prepare('SELECT * FROM owned WHERE key = ?'),
			disown: database.prepare('DELETE FROM owned WHERE key = ?'),
			own: database.prepare('INSERT INTO owned VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
			add: database.prepare(
				'UPDATE files SET responses = responses + ?, input = input + ?, output = output + ?, cache_read = cache_read + ?, ' +
					'cache_write = cache_write + ?, cost = cost + ?, unpriced = unpriced + ? WHERE id = ?',
			),
		};
	}

	/** Forgets what an interrupted transaction noted. */
	reset(): void {
		this.#touched.clear();
	}

	/** Nothing of this file counts any longer. */
	forget(file: number): void {
		for (const { key } of this.#all('keysOf', file) as { key: string }[]) this.#touched.add(key);
		this.#run('forget', file);
	}

	sink(file: number): UsageSink {
		return {
			seen: (sighting) => this.#see(file, sighting),
			rejected: () => undefined,
			cwd: () => undefined,
		};
	}

	/** The lines of one response in one file become one row. */
	#see(file: number, sighting: Sighting): void {
		const { key, usage } = sighting;
		const request = sighting.request ?? '';
		this.#touched.add(key);
		const old = this.#sql.seen?.get(key, request, file) as unknown as SightingRow | undefined;
		if (old && !isFinal(sighting, { usage: usageOf(old), costUsd: old.cost ?? undefined })) return;
		const time = old?.time ?? sighting.time ?? null;
		const values = [usage.input, usage.output, usage.cacheRead, usage.cacheWrite5m, usage.cacheWrite1h];
		const model = sighting.model ?? old?.model ?? null;
		const provider = sighting.provider ?? old?.provider ?? null;
		const cost = sighting.costUsd ?? old?.cost ?? null;
		const at = old?.at ?? sighting.at;
		this.#run('put', key, request, file, at, time, model, provider, ...values, cost, sighting.responses);
	}

	/** Finds the owners of all responses that something has changed about. */
	settle(): void {
		for (const key of this.#touched) this.#settleKey(key);
		this.#touched.clear();
	}

	#settleKey(key: string): void {
		for (const old of this.#all('ownedBy', key) as unknown as OwnedRow[]) this.#addTo(old.file, old, -1);
		this.#run('disown', key);
		const rows = this.#all('ofKey', key) as unknown as (SightingRow & { path: string })[];
		if (rows.length === 0) return;
		const ledger = new Ledger();
		const ids = new Map<CostFile, number>();
		for (const row of rows) {
			const file: CostFile = { path: row.path, session: '', agent: '', format: 'claude-code' };
			ids.set(file, row.file);
			ledger.sink(file).seen(sightingOf(row));
		}
		let number = 0;
		for (const counted of ledger.counted()) {
			const owned = this.#owned(counted, ids.get(counted.first.file) ?? 0);
			const { file, responses, input, output, cache_read, cache_write, cost, unpriced } = owned;
			this.#run('own', key, String(number), file, responses, input, output, cache_read, cache_write, cost, unpriced);
			this.#addTo(file, owned, 1);
			number += 1;
		}
	}

	#owned({ usage, model, provider, costUsd, responses, first }: CountedOnce, file: number): OwnedRow {
		const tokens = someTokens(usage);
		const priced =
			costUsd ??
			(tokens === 0 ? 0 : model === undefined ? undefined : this.#prices.cost(usage, model, provider, first.time));
		return {
			file,
			responses,
			input: usage.input,
			output: usage.output,
			cache_read: usage.cacheRead,
			cache_write: usage.cacheWrite5m + usage.cacheWrite1h,
			cost: priced ?? 0,
			unpriced: priced === undefined ? tokens : 0,
		};
	}

	#addTo(file: number, row: OwnedRow, sign: 1 | -1): void {
		const { responses, input, output, cache_read, cache_write, cost, unpriced } = row;
		const values = [responses, input, output, cache_read, cache_write, cost, unpriced].map((value) => value * sign);
		this.#run('add', ...values, file);
	}

	#all(name: string, ...values: (string | number)[]): unknown[] {
		return this.#sql[name]?.all(...values) ?? [];
	}

	#run(name: string, ...values: (string | number | null)[]): void {
		this.#sql[name]?.run(...values);
	}
}

function usageOf(row: SightingRow): Sighting['usage'] {
	return {
		input: row.input,
		output: row.output,
		cacheRead: row.cache_read,
		cacheWrite5m: row.write_5m,
		cacheWrite1h: row.write_1h,
	};
}

function sightingOf(row: SightingRow): Sighting {
	return {
		key: row.key,
		request: row.request === '' ? undefined : row.request,
		at: row.at,
		line: 0,
		time: row.time ?? undefined,
		model: row.model ?? undefined,
		provider: row.provider ?? undefined,
		usage: usageOf(row),
		costUsd: row.cost ?? undefined,
		responses: row.responses,
	};
}
