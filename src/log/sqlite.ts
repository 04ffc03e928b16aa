/** The SQLite backend of logs: many logs in one file, its tables, how long another process is waited for, and how often a watched log is polled. */
import { constants } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { diskCalls } from './calls.ts';
import { asLogError, codeOf, LogConflict, LogError } from './errors.ts';
import { loadSqlite, sqliteCode } from './load-sqlite.ts';
import type { Log, LogSource, LogStat } from './log.ts';
import { makeFolders, placeOf } from './paths.ts';
import { readSource } from './pieces.ts';
import { useWal } from './wal.ts';
import { watchLog } from './watch.ts';
import { type Medium, QueuedWriter } from './writer.ts';
import { acquireLease, type Lease } from './writer-lock.ts';

export interface SqliteOptions {
	/** The folder for lock files. Default: beside the database, which is ours alone. */
	readonly locks?: string;
	readonly command?: string;
	/** How often a watched log is polled: a database does not notify other processes. Default 250. */
	readonly pollMs?: number;
}

/** A log is a row; its bytes are pieces, one per write. A replaced log is another row, like a replaced file. */
const schema = `
	CREATE TABLE IF NOT EXISTS logs (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		key TEXT NOT NULL UNIQUE,
		length INTEGER NOT NULL,
		version INTEGER NOT NULL,
		changed REAL NOT NULL
	) STRICT;
	CREATE TABLE IF NOT EXISTS pieces (
		log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
		at INTEGER NOT NULL,
		bytes BLOB NOT NULL,
		UNIQUE (log, at)
	) STRICT;
`;

type Row = {
	readonly id: number;
	readonly key: string;
	readonly length: number;
	readonly version: number;
	readonly changed: number;
};

const patienceMs = 10_000;

/** Opens the database at this path, or makes it (0600, in folders 0700). */
export async function sqliteLog(path: string, options: SqliteOptions = {}): Promise<Log> {
	const { DatabaseSync: Database } = loadSqlite();
	const file = makeFile(path);
	const connect = (): DatabaseSync => {
		const database = new Database(file, { timeout: patienceMs });
		try {
			useWal(database, patienceMs);
			database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
			return database;
		} catch (error) {
			database.close();
			throw error;
		}
	};
	const database = saying(path, 'open', connect);
	saying(path, 'open', () => database.exec(schema));
	const stat = async (key: string): Promise<LogStat | undefined> =>
		saying(key, 'look at', () => statOf(find(database, key)));
	const source = async (key: string): Promise<LogSource> => saying(key, 'read', () => sourceOf(connect(), key));
	return {
		stat,
		source,
		async *read(key, reading) {
			yield* readSource(await source(key), reading);
		},
		async *list(prefix) {
			const rows = saying(prefix, 'list', () =>
				database.prepare('SELECT * FROM logs WHERE substr(key, 1, length(?1)) = ?1').all(prefix),
			);
			for (const row of rows) yield statOf(row as Row);
		},
		watch: (key, from, signal) => watchLog({ look: () => stat(key), pollMs: options.pollMs ?? 250 }, from, signal),
		async writer(key, writing = {}) {
			const { command, locks: folder = `${file}.locks` } = options;
			const lease = await acquireLease({ folder, name: `${file}\n${key}`, key, command });
			const medium = new SqliteMedium(database, key, lease);
			try {
				return new QueuedWriter(key, medium, writing.lines ?? true);
			} catch (error) {
				medium.close();
				throw error;
			}
		},
		async close() {
			database.close();
		},
	};
}

/** Creates the file for its owner only; SQLite would make it readable for all. */
function makeFile(path: string): string {
	const place = placeOf(diskCalls, resolve(path));
	makeFolders(diskCalls, place);
	try {
		diskCalls.close(diskCalls.open(place.path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
	} catch (error) {
		// An existing file is never opened here: closing it would drop the locks that SQLite holds on it in this process.
		if (codeOf(error) !== 'EEXIST') throw asLogError(path, 'make', error);
	}
	return place.path;
}

const full = 13;
const readOnly = 8;

/** Runs `run` and turns SQLite's failures into LogErrors. */
function saying<T>(key: string, doing: string, run: () => T): T {
	try {
		return run();
	} catch (error) {
		const kind = sqliteCode(error);
		if (kind === undefined || !(error instanceof Error)) throw error;
		const fault = kind === full ? 'full' : kind === readOnly ? 'read-only' : 'io';
		throw new LogError(fault, key, `cannot ${doing} ${key}: ${error.message} (SQLite ${kind}).`, { cause: error });
	}
}

function find(database: DatabaseSync, key: string): Row | undefined {
	return database.prepare('SELECT * FROM logs WHERE key = ?').get(key) as Row | undefined;
}

function statOf(row: Row): LogStat;
function statOf(row: Row | undefined): LogStat | undefined;
function statOf(row: Row | undefined): LogStat | undefined {
	if (!row) return undefined;
	return {
		key: row.key,
		length: row.length,
		mtimeMs: row.changed,
		id: `${row.id}`,
		version: `${row.id}:${row.version}`,
	};
}

function bytesOf(database: DatabaseSync, log: number, at: number, length: number): Uint8Array {
	const out = new Uint8Array(length);
	const first = database.prepare('SELECT max(at) AS at FROM pieces WHERE log = ? AND at <= ?').get(log, at);
	const rows = database.prepare('SELECT at, bytes FROM pieces WHERE log = ? AND at >= ? AND at < ? ORDER BY at');
	let got = 0;
	for (const row of rows.iterate(log, first?.at ?? 0, at + length)) {
		const piece = (row.bytes as Uint8Array).subarray(Math.max(0, at - Number(row.at)));
		const part = piece.subarray(0, length - got);
		out.set(part, got);
		got += part.length;
	}
	return out.subarray(0, got);
}

/** A source from an open read transaction, which does not see later changes of the log. */
function sourceOf(snapshot: DatabaseSync, key: string): LogSource {
	try {
		snapshot.exec('BEGIN');
		const row = find(snapshot, key);
		if (!row) throw new LogError('missing', key, `cannot read ${key}: there is no such log.`);
		const read = (at: number, length: number): Uint8Array =>
			saying(key, 'read', () => bytesOf(snapshot, row.id, at, Math.max(0, Math.min(length, row.length - at))));
		return { stat: statOf(row), size: row.length, read, [Symbol.dispose]: () => snapshot.close() };
	} catch (error) {
		snapshot.close();
		throw error;
	}
}

class SqliteMedium implements Medium {
	readonly #database: DatabaseSync;
	readonly #key: string;
	readonly #lease: Lease;
	#id: number | undefined;

	constructor(database: DatabaseSync, key: string, lease: Lease) {
		this.#database = database;
		this.#key = key;
		this.#lease = lease;
	}

	look(): { readonly length: number; readonly replaced: boolean } {
		this.#lease.check();
		const row = saying(this.#key, 'look at', () => find(this.#database, this.#key));
		const replaced = this.#id !== undefined && this.#id !== row?.id;
		this.#id = row?.id;
		return { length: row?.length ?? 0, replaced };
	}

	peek(at: number, length: number): Uint8Array {
		const id = this.#id;
		return id === undefined
			? new Uint8Array(0)
			: saying(this.#key, 'read', () => bytesOf(this.#database, id, at, length));
	}

	write(bytes: Uint8Array, expect: number): number {
		return this.#transaction('append to', (row) => {
			const length = row?.length ?? 0;
			if (length !== expect || row?.id !== this.#id)
				throw new LogConflict(this.#key, expect, length, row?.id !== this.#id);
			const id = row?.id ?? this.#insert();
			const database = this.#database;
			database.prepare('INSERT INTO pieces (log, at, bytes) VALUES (?, ?, ?)').run(id, expect, bytes);
			const grow = 'UPDATE logs SET length = length + ?, version = version + 1, changed = ? WHERE id = ?';
			database.prepare(grow).run(bytes.length, Date.now(), id);
			this.#id = id;
			return expect;
		});
	}

	/** A commit with full synchronisation makes every earlier one durable too: they share the write-ahead log. */
	async sync(): Promise<void> {
		saying(this.#key, 'make durable what was written to', () => {
			this.#database.exec('PRAGMA synchronous = FULL');
			try {
				this.#database.prepare('UPDATE logs SET changed = changed WHERE key = ?').run(this.#key);
			} finally {
				this.#database.exec('PRAGMA synchronous = NORMAL');
			}
		});
	}

	async replace(
		pieces: Uint8Array | Iterable<Uint8Array>,
		expect: number,
		version: string | undefined,
	): Promise<LogStat> {
		const stat = this.#transaction('replace', (row) => {
			const length = row?.length ?? 0;
			const changed = row?.id !== this.#id || (version !== undefined && version !== statOf(row)?.version);
			if (changed || length !== expect) throw new LogConflict(this.#key, expect, length, changed);
			this.#database.prepare('DELETE FROM logs WHERE key = ?').run(this.#key);
			const id = this.#insert();
			const insert = this.#database.prepare('INSERT INTO pieces (log, at, bytes) VALUES (?, ?, ?)');
			let end = 0;
			for (const piece of pieces instanceof Uint8Array ? [pieces] : pieces) {
				if (piece.length > 0) insert.run(id, end, piece);
				end += piece.length;
			}
			this.#database.prepare('UPDATE logs SET length = ? WHERE id = ?').run(end, id);
			this.#id = id;
			return statOf(find(this.#database, this.#key)) as LogStat;
		});
		await this.sync();
		return stat;
	}

	close(): void {
		this.#lease.release();
	}

	#insert(): number {
		const insert = 'INSERT INTO logs (key, length, version, changed) VALUES (?, 0, 0, ?)';
		return Number(this.#database.prepare(insert).run(this.#key, Date.now()).lastInsertRowid);
	}

	#transaction<T>(doing: string, run: (row: Row | undefined) => T): T {
		return saying(this.#key, doing, () => {
			this.#database.exec('BEGIN IMMEDIATE');
			let committed = false;
			try {
				const result = run(find(this.#database, this.#key));
				this.#database.exec('COMMIT');
				committed = true;
				return result;
			} finally {
				if (!committed) this.#rollBack();
			}
		});
	}

	/** Rolls back. On a full disk or after an I/O error SQLite has done so itself, and says that nothing is to undo. */
	#rollBack(): void {
		try {
			this.#database.exec('ROLLBACK');
		} catch (error) {
			if (!(error instanceof Error && /no transaction/.test(error.message))) throw error;
		}
	}
}
