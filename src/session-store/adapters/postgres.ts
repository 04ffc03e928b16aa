/** The store in PostgreSQL: its schema and tables, how many connections it has, its time limits, and how several processes append in order. */
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type {
	ExactStore,
	SessionKey,
	SessionStoreEntry,
	SessionSummaryEntry,
	StoredLine,
	StoredSession,
} from '../contract.ts';
import { type Backend, exactStore } from '../exact-store.ts';
import { foldSessionSummary } from '../fold-summary.ts';
import { postgresAddress } from './postgres-url.ts';

export interface PostgresOptions {
	/** The schema with the tables; made if it is not there. Default `reprise`. */
	readonly schema?: string;
	/** How many connections at most. Default 4. */
	readonly connections?: number;
	/** How long a connection may take, in seconds. Default 10. */
	readonly connectSeconds?: number;
}

/** The tables are looked for before they are made: most who may write may not create. A main transcript has an empty subpath. */
const tables = `
	CREATE TABLE IF NOT EXISTS transcripts (
		id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		project text NOT NULL,
		session text NOT NULL,
		subpath text NOT NULL,
		mtime bigint NOT NULL,
		places bigint NOT NULL DEFAULT 0,
		summary text,
		UNIQUE (project, session, subpath)
	);
	CREATE TABLE IF NOT EXISTS entries (
		transcript bigint NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
		place bigint NOT NULL,
		id text,
		text text NOT NULL,
		PRIMARY KEY (transcript, place)
	);
	CREATE UNIQUE INDEX IF NOT EXISTS entries_by_id ON entries (transcript, id) WHERE id IS NOT NULL;
`;

const patienceMs = 120_000;

/** A number for the lock under which two processes do not make the tables at once. */
const makingTables = 7_230_415;

/**
 * A store in the database that the URL names. It connects with the first call; a lost connection is made again with the next.
 * Throws an InputError for what is no such URL.
 */
export function postgresStore(url: string, options: PostgresOptions = {}): ExactStore {
	return exactStore(new PostgresBackend(url, options));
}

class PostgresBackend implements Backend {
	readonly #url: string;
	readonly #options: PostgresOptions;
	#pool: Promise<Pool> | undefined;
	#ready = false;
	#closed = false;

	constructor(url: string, options: PostgresOptions) {
		this.#url = postgresAddress(url).url;
		this.#options = options;
	}

	async #open(): Promise<Pool> {
		const { default: pg } = await import('pg');
		const { connections = 4, connectSeconds = 10 } = this.#options;
		const pool = new pg.Pool({
			connectionString: this.#url,
			max: connections,
			connectionTimeoutMillis: connectSeconds * 1000,
			// An idle connection would keep the process of our caller alive.
			idleTimeoutMillis: 5000,
			allowExitOnIdle: true,
			keepAlive: true,
			// A server that is gone without a word never answers.
			query_timeout: patienceMs,
			application_name: 'reprise',
		});
		// A connection that is cut fails the query that uses it, and is replaced with the next call. Without a listener of its
		// own from its beginning, the process of our caller would end with it.
		pool.on('error', () => undefined);
		pool.on('connect', (client) => client.on('error', () => undefined));
		return pool;
	}

	/** Runs work on a connection of its own, in one transaction. A connection that has failed is not used again. */
	async #transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
		if (this.#closed) throw new Error('the store is closed');
		this.#pool ??= this.#open();
		const client = await (await this.#pool).connect();
		let failed: Error | undefined;
		try {
			if (!this.#ready) await makeTables(client, this.#schema);
			this.#ready = true;
			await client.query(beginIn(this.#schema));
			const query: Query = async (text, values) => (await client.query(text, [...values])).rows;
			const result = await work(query);
			await client.query('COMMIT');
			return result;
		} catch (error) {
			failed = error instanceof Error ? error : new Error(String(error));
			throw error;
		} finally {
			client.release(failed);
		}
	}

	get #schema(): string {
		return this.#options.schema ?? 'reprise';
	}

	async append(key: SessionKey, lines: readonly StoredLine[], written?: number): Promise<void> {
		await this.#transaction(async (query) => {
			const row = await touched(query, key, lines.length, written);
			const fresh = await query<{ place: string }>(
				`INSERT INTO entries (transcript, place, id, text)
				SELECT $1::bigint, $2::bigint + nr, id, text
				FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (id, text, nr) ORDER BY nr
				ON CONFLICT DO NOTHING RETURNING place`,
				[row.id, row.first, lines.map(({ id }) => id ?? null), lines.map(({ text }) => text)],
			);
			if (key.subpath !== undefined || fresh.length === 0) return;
			const entries = fresh
				.map(({ place }) => Number(BigInt(place) - BigInt(row.first)) - 1)
				.sort((a, b) => a - b)
				.map((index) => JSON.parse(lines[index]?.text ?? '{}') as SessionStoreEntry);
			const mtime = Number(row.mtime);
			const data = JSON.parse(row.summary ?? '{}') as Record<string, unknown>;
			const folded = foldSessionSummary({ sessionId: key.sessionId, mtime, data }, key, entries, { mtime });
			await query('UPDATE transcripts SET summary = $1 WHERE id = $2', [JSON.stringify(folded.data), row.id]);
		});
	}

	async load({ projectKey, sessionId, subpath = '' }: SessionKey): Promise<readonly string[] | null> {
		// One statement, so that what another process deletes meanwhile is not half there.
		const rows = await this.#transaction((query) =>
			query<{ text: string | null }>(
				`SELECT entries.text FROM transcripts LEFT JOIN entries ON entries.transcript = transcripts.id
				WHERE project = $1 AND session = $2 AND subpath = $3 ORDER BY entries.place`,
				[projectKey, sessionId, subpath],
			),
		);
		return rows.length === 0 ? null : rows.flatMap(({ text }) => (text === null ? [] : [text]));
	}

	/** Entries with an id, which the index counts without the texts. */
	async sizes(keys: readonly SessionKey[]): Promise<readonly number[]> {
		const rows = await this.#transaction((query) =>
			query<{ held: string }>(
				`SELECT (
					SELECT count(*) FROM transcripts JOIN entries ON entries.transcript = transcripts.id
					WHERE project = key.project AND session = key.session AND subpath = key.subpath AND entries.id IS NOT NULL
				) AS held
				FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS key (project, session, subpath, nr) ORDER BY nr`,
				[
					keys.map(({ projectKey }) => projectKey),
					keys.map(({ sessionId }) => sessionId),
					keys.map(({ subpath = '' }) => subpath),
				],
			),
		);
		return rows.map(({ held }) => Number(held));
	}

	async listSessions(projectKey: string): Promise<StoredSession[]> {
		return (await this.#mains(projectKey)).map(({ session, mtime }) => ({ sessionId: session, mtime: Number(mtime) }));
	}

	listSummaries = async (projectKey: string): Promise<SessionSummaryEntry[]> =>
		(await this.#mains(projectKey)).map(({ session, mtime, summary }) => ({
			sessionId: session,
			mtime: Number(mtime),
			data: JSON.parse(summary ?? '{}') as Record<string, unknown>,
		}));

	async #mains(projectKey: string) {
		return await this.#transaction((query) =>
			query<{ session: string; mtime: string; summary: string | null }>(
				"SELECT session, mtime, summary FROM transcripts WHERE project = $1 AND subpath = ''",
				[projectKey],
			),
		);
	}

	async delete({ projectKey, sessionId, subpath }: SessionKey): Promise<void> {
		await this.#transaction((query) =>
			query('DELETE FROM transcripts WHERE project = $1 AND session = $2 AND ($3::text IS NULL OR subpath = $3)', [
				projectKey,
				sessionId,
				subpath ?? null,
			]),
		);
	}

	async listSubkeys({ projectKey, sessionId }: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<string[]> {
		const rows = await this.#transaction((query) =>
			query<{ subpath: string }>(
				"SELECT subpath FROM transcripts WHERE project = $1 AND session = $2 AND subpath <> ''",
				[projectKey, sessionId],
			),
		);
		return rows.map(({ subpath }) => subpath);
	}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		const pool = await this.#pool?.catch(() => undefined);
		await pool?.end();
	}
}

type Query = <Row extends QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>;

function beginIn(schema: string): string {
	return `BEGIN; SET LOCAL search_path TO ${quoted(schema)}`;
}

/** Makes the tables in a transaction of their own: their locks would get in the way of those who append already. */
async function makeTables(client: PoolClient, schema: string): Promise<void> {
	const name = `${quoted(schema)}.entries_by_id`;
	const areThere = async (): Promise<boolean> =>
		(await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [name])).rows[0]?.there === true;
	if (await areThere()) return;
	await client.query(beginIn(schema));
	await client.query('SELECT pg_advisory_xact_lock($1)', [makingTables]);
	// Another process may have made them while this one waited.
	if (!(await areThere())) {
		await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
		await client.query(tables);
	}
	await client.query('COMMIT');
}

interface Touched {
	readonly id: string;
	/** The place behind which the lines go. */
	readonly first: string;
	readonly mtime: string;
	readonly summary: string | null;
}

/**
 * Takes the transcript's row, or makes it, and so many places in it. The row stays locked until the end of the transaction:
 * of two that append at once, one goes first with all of its lines.
 */
async function touched(
	query: Query,
	{ projectKey, sessionId, subpath = '' }: SessionKey,
	count: number,
	written: number | undefined,
): Promise<Touched> {
	const [row] = await query<Touched>(
		`INSERT INTO transcripts AS old (project, session, subpath, mtime, places)
		VALUES ($1, $2, $3, least($5::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)), $4::bigint)
		ON CONFLICT (project, session, subpath)
		DO UPDATE SET places = old.places + excluded.places, mtime = greatest(old.mtime, excluded.mtime)
		RETURNING id, places - $4::bigint AS first, mtime, summary`,
		[projectKey, sessionId, subpath, count, written ?? null],
	);
	if (!row) throw new Error('PostgreSQL gave no row for the transcript');
	return row;
}

/** A name as SQL has it. */
function quoted(name: string): string {
	return `"${name.replaceAll('"', '""')}"`;
}
