/** Responses in the catalog: every record of one, and the sums per file. The ledger counts them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Sighting, UsageSink } from '../../codecs/index.ts';
import { type CostFile, Ledger } from '../cost/ledger.ts';
import type { Prices } from '../cost/prices.ts';
import { priceOf, Sum } from '../cost/report.ts';
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

/** A row with what the ledger needs to know of its file. */
interface PlacedRow extends SightingRow, Pick<CostFile, 'path' | 'session' | 'agent' | 'format'> {
	readonly standing: string | null;
}

/** How many records are kept in memory: a session of a gigabyte has a hundred thousand. */
const mostPending = 1 << 13;

/** Works within the caller's transaction. What a sink received is written, and counts, at `settle`. */
export class CostIndex {
	readonly #prices: Prices;
	#pending: { readonly file: number; readonly sighting: Sighting }[] = [];
	readonly #keysOf: StatementSync;
	readonly #ofKey: StatementSync;
	readonly #put: StatementSync;
	readonly #forget: StatementSync;
	readonly #stand: StatementSync;
	readonly #add: StatementSync;

	constructor(database: DatabaseSync, prices: Prices) {
		this.#prices = prices;
		this.#keysOf = database.prepare('SELECT DISTINCT key FROM sightings WHERE file = ?');
		this.#ofKey = database.prepare(
			'SELECT sightings.*, path, session, agent, format, standing FROM sightings JOIN files ON files.id = file ' +
				'WHERE key = ? ORDER BY file, at',
		);
		this.#put = database.prepare(
			'INSERT OR REPLACE INTO sightings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
		);
		this.#forget = database.prepare('DELETE FROM sightings WHERE file = ?');
		this.#stand = database.prepare('UPDATE files SET standing = ? WHERE id = ?');
		this.#add = database.prepare(
			'UPDATE files SET responses = responses + ?, input = input + ?, output = output + ?, cache_read = cache_read + ?, ' +
				'cache_write = cache_write + ?, cost = cost + ?, unpriced = unpriced + ? WHERE id = ?',
		);
	}

	/** Drops what an interrupted transaction had received. */
	reset(): void {
		this.#pending = [];
	}

	/** Removes all responses of a file. */
	forget(file: number): void {
		this.#change(this.#keysIn(file), () => this.#forget.run(file));
	}

	/** Changes which session the responses of a file count for. */
	stand(file: number, standing: string | null): void {
		this.#change(this.#keysIn(file), () => this.#stand.run(standing, file));
	}

	#keysIn(file: number): ReadonlySet<string> {
		return new Set((this.#keysOf.all(file) as { key: string }[]).map(({ key }) => key));
	}

	sink(file: number): UsageSink {
		return {
			seen: (sighting) => {
				if (this.#pending.length >= mostPending) this.settle();
				this.#pending.push({ file, sighting });
			},
			rejected: () => undefined,
			cwd: () => undefined,
		};
	}

	/** Writes what was received of many files at once, so that responses that copies share are counted once. */
	settle(): void {
		const pending = this.#pending;
		this.#pending = [];
		this.#change(new Set(pending.map(({ sighting }) => sighting.key)), () => {
			for (const { file, sighting } of pending) this.#put.run(...columnsOf(file, sighting));
		});
	}

	/** Runs `work`, which changes records with these keys, and updates the sums of all files that have any of them. */
	#change(keys: ReadonlySet<string>, work: () => void): void {
		const before = this.#count(keys);
		work();
		const after = this.#count(keys);
		for (const file of new Set([...before.keys(), ...after.keys()])) {
			const [old, now] = [numbersOf(before.get(file)), numbersOf(after.get(file))];
			this.#add.run(...now.map((number, index) => number - (old[index] ?? 0)), file);
		}
	}

	/** The sums of the responses with these keys, for each file that wrote some of them first. */
	#count(keys: ReadonlySet<string>): ReadonlyMap<number, Sum> {
		const ledger = new Ledger();
		const sinks = new Map<number, UsageSink>();
		const ids = new Map<CostFile, number>();
		for (const key of keys) {
			for (const row of this.#ofKey.all(key) as unknown as PlacedRow[]) {
				let sink = sinks.get(row.file);
				if (sink === undefined) {
					const file = fileOf(row);
					sink = ledger.sink(file);
					sinks.set(row.file, sink);
					ids.set(file, row.file);
				}
				sink.seen(sightingOf(row));
			}
		}
		const sums = new Map<number, Sum>();
		ledger.each((response) => {
			if (response.copyOf !== undefined) return;
			const file = ids.get(response.first.file) ?? 0;
			const sum = sums.get(file) ?? new Sum();
			sum.add(response, priceOf(response, this.#prices).dollars);
			sums.set(file, sum);
		});
		return sums;
	}
}

/** The numbers of a sum, in the order of its columns. */
function numbersOf(sum = new Sum()): readonly number[] {
	const { responses, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd, unpricedTokens } =
		sum.totals();
	return [responses, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd ?? 0, unpricedTokens];
}

function fileOf({ path, session, agent, format, standing }: PlacedRow): CostFile {
	const known = standing === null ? {} : { standing: JSON.parse(standing) as Standing };
	return { path, session, agent, format, ...known };
}

/** The values of a row, in the order of the table. */
function columnsOf(file: number, sighting: Sighting): (string | number | null)[] {
	const { key, request = '', at, line, time = null, model = null, provider = null, usage, costUsd = null } = sighting;
	const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = usage;
	const counts = [input, output, cacheRead, cacheWrite5m, cacheWrite1h];
	return [key, request, file, at, line, time, model, provider, ...counts, costUsd, sighting.responses];
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
		usage: {
			input: row.input,
			output: row.output,
			cacheRead: row.cache_read,
			cacheWrite5m: row.write_5m,
			cacheWrite1h: row.write_1h,
		},
		costUsd: row.cost ?? undefined,
		responses: row.responses,
	};
}
