/** Responses in the catalog: who wrote each one first, kept up to date file by file. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Sighting, UsageSink } from '../../codecs/index.ts';
import { type CostFile, isFinal, Ledger } from '../cost/ledger.ts';
import type { Prices } from '../cost/prices.ts';
import { someTokens } from '../cost/read.ts';
import type { Standing } from '../cost/standing.ts';

interface SightingRow {
	readonly key: string;
	readonly request: string;
	readonly file: number;
	readonly at: number;
	readonly line: number;
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

const nothing = { responses: 0, input: 0, output: 0, cache_read: 0, cache_write: 0, cost: 0, unpriced: 0 };

/** What a response took, as far as its price depends on it. */
type Told = Pick<Sighting, 'usage' | 'model' | 'provider' | 'costUsd' | 'responses' | 'time'>;

/** The columns that sum up, in this order. */
type Sums = [
	responses: number,
	input: number,
	output: number,
	cacheRead: number,
	cacheWrite: number,
	cost: number,
	unpriced: number,
];

/** More are not kept in memory: a session of a gigabyte has a hundred thousand. */
const mostPending = 1 << 13;

/** All within the caller's transaction: `forget` and `sink` note what changed, `settle` works out what follows from it. */
export class CostIndex {
	readonly #prices: Prices;
	readonly #touched = new Set<string>();
	/** What was seen and is not written yet, by key. */
	readonly #pending = new Map<string, SightingRow[]>();
	readonly #sums = new Map<number, Sums>();
	#standings: ReadonlyMap<number, Standing> = new Map();
	readonly #sql: { readonly [name: string]: StatementSync };

	constructor(database: DatabaseSync, prices: Prices) {
		this.#prices = prices;
		const columns =
			'key, request, file, at, line, time, model, provider, input, output, cache_read, write_5m, write_1h, cost, responses';
		this.#sql = {
			keysOf: database.prepare('SELECT DISTINCT key FROM sightings WHERE file = ?'),
			forget: database.prepare('DELETE FROM sightings WHERE file = ?'),
			seen: database.prepare('SELECT * FROM sightings WHERE key = ? AND request = ? AND file = ?'),
			put: database.prepare(
				`INSERT OR REPLACE INTO sightings (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			),
			ofKey: database.prepare(
				'SELECT sightings.*, files.path FROM sightings JOIN files ON files.id = file WHERE key = ? ORDER BY path, at',
			),
			ownedBy: database.prepare('SELECT * FROM owned WHERE key = ?'),
			disown: database.prepare('DELETE FROM owned WHERE key = ?'),
			standings: database.prepare('SELECT id, standing FROM files WHERE standing IS NOT NULL'),
			stand: database.prepare('UPDATE files SET standing = ? WHERE id = ?'),
			own: database.prepare('INSERT INTO owned VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
			add: database.prepare(
				'UPDATE files SET responses = responses + ?, input = input + ?, output = output + ?, cache_read = cache_read + ?, ' +
					'cache_write = cache_write + ?, cost = cost + ?, unpriced = unpriced + ? WHERE id = ?',
			),
		};
	}

	/** The responses that something has changed about, while several files are read together. */
	#held: Set<string> | undefined;

	/** Forgets what an interrupted transaction noted. */
	reset(): void {
		this.#touched.clear();
		this.#pending.clear();
		this.#sums.clear();
	}

	/** Nothing of this file counts any longer. */
	forget(file: number): void {
		this.#touch(file);
		this.#run('forget', file);
	}

	/** Something else is known now of where the responses of this file belong. */
	stand(file: number, standing: string | null): void {
		this.#touch(file);
		this.#run('stand', standing, file);
	}

	#touch(file: number): void {
		for (const { key } of this.#all('keysOf', file) as { key: string }[]) this.#touched.add(key);
	}

	/** `known`: the catalog has some of the file's responses already. One file at a time, until it is settled. */
	sink(file: number, known: boolean): UsageSink {
		let has = known;
		return {
			seen: (sighting) => {
				if (this.#pending.size >= mostPending && !this.#pending.has(sighting.key)) {
					this.settle();
					has = true;
				}
				this.#see(file, has, sighting);
			},
			rejected: () => undefined,
			cwd: () => undefined,
		};
	}

	/** The lines of one response in one file become one row. */
	#see(file: number, known: boolean, sighting: Sighting): void {
		const { key } = sighting;
		const request = sighting.request ?? '';
		let rows = this.#pending.get(key);
		if (rows === undefined) {
			rows = [];
			this.#pending.set(key, rows);
		}
		const place = rows.findIndex((row) => row.request === request);
		const written = place === -1 && known ? this.#sql.seen?.get(key, request, file) : undefined;
		const old = rows[place] ?? (written as unknown as SightingRow | undefined);
		if (old && !isFinal(sighting, { usage: usageOf(old), costUsd: old.cost ?? undefined })) {
			if (place === -1) rows.push(old);
			return;
		}
		const row = rowOf(file, request, sighting, old);
		if (place === -1) rows.push(row);
		else rows[place] = row;
	}

	/** Writes what was seen, and finds the owners of all responses that something has changed about. */
	settle(): void {
		for (const rows of this.#pending.values()) for (const row of rows) this.#put(row);
		if (this.#held) {
			for (const key of [...this.#pending.keys(), ...this.#touched]) this.#held.add(key);
			this.reset();
			return;
		}
		this.#readStandings();
		for (const [key, rows] of this.#pending) {
			if (this.#touched.has(key)) continue;
			// Nobody owns it: no other file tells of it, and what was seen just now is all there is.
			const owned = this.#all('ownedBy', key) as unknown as OwnedRow[];
			if (owned.length > 0) this.#settleKey(key, owned);
			else
				this.#own(
					key,
					rows.map((row) => ({ ...row, path: '' })),
				);
		}
		this.#settleKeys(this.#touched);
	}

	/** Many files at once: copies of one session tell of the same responses, and finding their owners takes as long as there are copies. */
	together(work: () => void): void {
		const held = new Set<string>();
		this.#held = held;
		try {
			work();
		} finally {
			this.#held = undefined;
		}
		this.#readStandings();
		this.#settleKeys(held);
	}

	/** Each time anew: another process may have learnt something since. */
	#readStandings(): void {
		const rows = this.#all('standings') as { id: number; standing: string }[];
		this.#standings = new Map(rows.map(({ id, standing }) => [id, JSON.parse(standing) as Standing]));
	}

	#settleKeys(keys: Iterable<string>): void {
		for (const key of keys) this.#settleKey(key, this.#all('ownedBy', key) as unknown as OwnedRow[]);
		for (const [file, sums] of this.#sums) this.#run('add', ...sums, file);
		this.reset();
	}

	#put(row: SightingRow): void {
		const { key, request, file, at, line, time, model, provider, input, output, cache_read, write_5m, write_1h } = row;
		const counts = [input, output, cache_read, write_5m, write_1h];
		this.#run('put', key, request, file, at, line, time, model, provider, ...counts, row.cost, row.responses);
	}

	#settleKey(key: string, owned: readonly OwnedRow[]): void {
		for (const old of owned) this.#addTo(old.file, old, -1);
		this.#run('disown', key);
		this.#own(key, this.#all('ofKey', key) as unknown as (SightingRow & { path: string })[]);
	}

	#own(key: string, rows: readonly (SightingRow & { readonly path: string })[]): void {
		const [only] = rows;
		if (only === undefined) return;
		if (rows.length === 1 && !this.#standings.has(only.file)) {
			this.#addOwner(key, 0, this.#owned(sightingOf(only), only.file));
			return;
		}
		const ledger = new Ledger();
		const ids = new Map<CostFile, number>();
		for (const row of rows) {
			const standing = this.#standings.get(row.file);
			const known = standing === undefined ? {} : { standing };
			const file: CostFile = { path: row.path, session: '', agent: '', format: 'claude-code', ...known };
			ids.set(file, row.file);
			ledger.sink(file).seen(sightingOf(row));
		}
		let number = 0;
		ledger.each(({ first, copyOf, ...told }) => {
			const file = ids.get(first.file) ?? 0;
			// What counts elsewhere is owned by its copy all the same, with nothing in it: so it is known that others tell of it.
			this.#addOwner(
				key,
				number,
				copyOf === undefined ? this.#owned({ ...told, time: first.time }, file) : { ...nothing, file },
			);
			number += 1;
		});
	}

	#addOwner(key: string, number: number, owned: OwnedRow): void {
		const { file, responses, input, output, cache_read, cache_write, cost, unpriced } = owned;
		this.#run('own', key, String(number), file, responses, input, output, cache_read, cache_write, cost, unpriced);
		this.#addTo(file, owned, 1);
	}

	#owned({ usage, model, provider, costUsd, responses, time }: Told, file: number): OwnedRow {
		const tokens = someTokens(usage);
		const priced =
			costUsd ?? (tokens === 0 ? 0 : model === undefined ? undefined : this.#prices.cost(usage, model, provider, time));
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
		const sums = this.#sums.get(file) ?? [0, 0, 0, 0, 0, 0, 0];
		const { responses, input, output, cache_read, cache_write, cost, unpriced } = row;
		for (const [index, value] of [responses, input, output, cache_read, cache_write, cost, unpriced].entries()) {
			sums[index] = (sums[index] ?? 0) + value * sign;
		}
		this.#sums.set(file, sums);
	}

	#all(name: string, ...values: (string | number)[]): unknown[] {
		return this.#sql[name]?.all(...values) ?? [];
	}

	#run(name: string, ...values: (string | number | null)[]): void {
		this.#sql[name]?.run(...values);
	}
}

/** A response as one more record tells it; what that does not say stays as it was, and so does where it was first told. */
function rowOf(file: number, request: string, sighting: Sighting, old: SightingRow | undefined): SightingRow {
	const { usage } = sighting;
	return {
		key: sighting.key,
		request,
		file,
		at: old?.at ?? sighting.at,
		line: old?.line ?? sighting.line,
		time: old?.time ?? sighting.time ?? null,
		model: sighting.model ?? old?.model ?? null,
		provider: sighting.provider ?? old?.provider ?? null,
		input: usage.input,
		output: usage.output,
		cache_read: usage.cacheRead,
		write_5m: usage.cacheWrite5m,
		write_1h: usage.cacheWrite1h,
		cost: sighting.costUsd ?? old?.cost ?? null,
		responses: sighting.responses,
	};
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
		line: row.line,
		time: row.time ?? undefined,
		model: row.model ?? undefined,
		provider: row.provider ?? undefined,
		usage: usageOf(row),
		costUsd: row.cost ?? undefined,
		responses: row.responses,
	};
}
