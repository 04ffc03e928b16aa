/** The store in one SQLite database: its tables, how long another process is waited for, and each append as a transaction. */

import { closeSync, constants, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { codeOf } from '../../log/errors.ts';
import { loadSqlite, sqliteCode } from '../../log/load-sqlite.ts';
import { makeFolders } from '../../log/make-folders.ts';
import { useWal } from '../../log/wal.ts';
import { InputError } from '../../store/errors.ts';
import type { ExactStore, SessionKey, SessionStoreEntry, SessionSummaryEntry, StoredLine } from '../contract.ts';
import { type Backend, exactStore } from '../exact-store.ts';
import { foldSessionSummary } from '../fold-summary.ts';

/** A main transcript has an empty subpath, which no key may have. */
const schema = `
	CREATE TABLE IF NOT EXISTS transcripts (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		project TEXT NOT NULL,
		session TEXT NOT NULL,
		subpath TEXT NOT NULL,
		mtime INTEGER NOT NULL,
		summary TEXT,
		UNIQUE (project, session, subpath)
	) STRICT;
	CREATE TABLE IF NOT EXISTS entries (
		transcript INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
		place INTEGER NOT NULL,
		id TEXT,
		text TEXT NOT NULL,
		PRIMARY KEY (transcript, place)
	) STRICT, WITHOUT ROWID;
	CREATE UNIQUE INDEX IF NOT EXISTS entries_by_id ON entries (transcript, id) WHERE id IS NOT NULL;
`;

const patienceMs = 30_000;
/** SQLITE_NOTADB */
const noDatabase = 26;

/** Opens the database at this path, or makes it, for its owner only. */
export function sqliteStore(path: string): ExactStore {
	const file = resolve(path);
	makeFile(file);
	const database = new (loadSqlite().DatabaseSync)(file, { timeout: patienceMs });
	try {
		useWal(database, patienceMs);
		database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
		database.exec(schema);
	} catch (error) {
		database.close();
		if (sqliteCode(error) !== noDatabase) throw error;
		const instead = 'name another file, or one that is not there yet: it is made';
		throw new InputError('destination', `${file} is a file, but no SQLite database: ${instead}`);
	}
	return exactStore(new SqliteBackend(database));
}

/** SQLite itself would make a file that everybody may read. */
function makeFile(file: string): void {
	try {
		makeFolders(dirname(file));
		closeSync(openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
	} catch (error) {
		const code = codeOf(error);
		if (code === 'EEXIST') return;
		if (code !== 'ENOTDIR') throw error;
		const why = `${dirname(file)} is no folder, or lies below a file`;
		throw new InputError('destination', `${file} cannot be made: ${why}; name a file in a folder`);
	}
}

interface Row {
	readonly id: number;
	readonly mtime: number;
	readonly summary: string | null;
}

class SqliteBackend implements Backend {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	async append(key: SessionKey, lines: readonly StoredLine[], written = Date.now()): Promise<void> {
		this.#transaction(() => {
			const { id, mtime, summary } = this.#touched(key, Math.min(written, Date.now()));
			const next = this.#database
				.prepare('SELECT coalesce(max(place), 0) + 1 AS next FROM entries WHERE transcript = ?')
				.get(id) as { readonly next: number };
			const insert = this.#database.prepare(
				'INSERT INTO entries (transcript, place, id, text) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
			);
			const fresh = lines.filter(
				(line, index) => insert.run(id, next.next + index, line.id ?? null, line.text).changes > 0,
			);
			if (key.subpath !== undefined) return;
			const data = summary === null ? {} : (JSON.parse(summary) as Record<string, unknown>);
			const entries = fresh.map(({ text }) => JSON.parse(text) as SessionStoreEntry);
			const folded = foldSessionSummary({ sessionId: key.sessionId, mtime, data }, key, entries, { mtime });
			this.#database.prepare('UPDATE transcripts SET summary = ? WHERE id = ?').run(JSON.stringify(folded.data), id);
		});
	}

	/** The transcript's row, with this time; made where there is none. A time that goes back does not show. */
	#touched({ projectKey, sessionId, subpath = '' }: SessionKey, time: number): Row {
		return this.#database
			.prepare(
				`INSERT INTO transcripts (project, session, subpath, mtime) VALUES (?, ?, ?, ?)
				ON CONFLICT (project, session, subpath) DO UPDATE SET mtime = max(mtime, excluded.mtime)
				RETURNING id, mtime, summary`,
			)
			.get(projectKey, sessionId, subpath, time) as unknown as Row;
	}

	async load({ projectKey, sessionId, subpath = '' }: SessionKey): Promise<readonly string[] | null> {
		const found = this.#database
			.prepare('SELECT id FROM transcripts WHERE project = ? AND session = ? AND subpath = ?')
			.get(projectKey, sessionId, subpath);
		if (!found) return null;
		const rows = this.#database
			.prepare('SELECT text FROM entries WHERE transcript = ? ORDER BY place')
			.all(found.id ?? 0);
		return rows.map(({ text }) => String(text));
	}

	/** Entries with an id, which the index counts without the texts. */
	async sizes(keys: readonly SessionKey[]): Promise<readonly number[]> {
		const counted = this.#database.prepare(
			`SELECT count(*) AS held FROM transcripts JOIN entries ON entries.transcript = transcripts.id
			WHERE project = ? AND session = ? AND subpath = ? AND entries.id IS NOT NULL`,
		);
		return keys.map(({ projectKey, sessionId, subpath = '' }) =>
			Number(counted.get(projectKey, sessionId, subpath)?.held),
		);
	}

	async listSessions(projectKey: string) {
		return this.#mains(projectKey).map(({ session, mtime }) => ({ sessionId: session, mtime }));
	}

	listSummaries = async (projectKey: string): Promise<SessionSummaryEntry[]> =>
		this.#mains(projectKey).map(({ session, mtime, summary }) => ({
			sessionId: session,
			mtime,
			data: JSON.parse(summary ?? '{}') as Record<string, unknown>,
		}));

	async delete({ projectKey, sessionId, subpath }: SessionKey): Promise<void> {
		this.#database
			.prepare('DELETE FROM transcripts WHERE project = ? AND session = ? AND (?3 IS NULL OR subpath = ?3)')
			.run(projectKey, sessionId, subpath ?? null);
	}

	async listSubkeys({ projectKey, sessionId }: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<string[]> {
		const rows = this.#database
			.prepare("SELECT subpath FROM transcripts WHERE project = ? AND session = ? AND subpath <> ''")
			.all(projectKey, sessionId);
		return rows.map(({ subpath }) => String(subpath));
	}

	async close(): Promise<void> {
		if (this.#database.isOpen) this.#database.close();
	}

	#mains(projectKey: string) {
		return this.#database
			.prepare("SELECT session, mtime, summary FROM transcripts WHERE project = ? AND subpath = ''")
			.all(projectKey) as unknown as (Row & { readonly session: string })[];
	}

	#transaction(run: () => void): void {
		this.#database.exec('BEGIN IMMEDIATE');
		try {
			run();
			this.#database.exec('COMMIT');
		} finally {
			// On a full disk SQLite has rolled back already.
			if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
		}
	}
}
