/** Sessions inside a database, named `DB#SESSION`: a client's store, read without touching it. */
import { closeSync, existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { codecs, type SessionDatabase } from '../../codecs/index.ts';
import { loadSqlite } from '../../log/load-sqlite.ts';
import { openRegular } from '../../log/regular-file.ts';

export interface DatabasePath {
	readonly file: string;
	/** Absent: the only session of the database. Where it has several, the user is asked which. */
	readonly session?: string;
}

/** Splits `DB#SESSION`; a path that exists as it is stays whole, whatever characters it has. */
export function databasePath(path: string): DatabasePath {
	const mark = path.lastIndexOf('#');
	if (mark < 1 || existsSync(path)) return { file: path };
	return { file: path.slice(0, mark), session: path.slice(mark + 1) };
}

export interface StoredSession {
	readonly id: string;
	readonly updated: number;
}

/** The sessions of the database, newest first; undefined when it is not a session store. */
export function databaseSessions(file: string): readonly StoredSession[] | undefined {
	using store = openStore(file);
	if (!store.rules) return undefined;
	return store.database.prepare(store.rules.sessions).all() as unknown as StoredSession[];
}

/** A transcript as lines of JSON, each exactly as stored. Empty when the session does not exist. */
export function databaseTranscript(file: string, session: string): Uint8Array {
	using store = openStore(file);
	if (!store.rules) return new Uint8Array();
	return store.rules.transcript(store.database.prepare(store.rules.rows).iterate(session));
}

interface Store extends Disposable {
	readonly database: DatabaseSync;
	/** How to read the database; absent where it is no client's store of sessions. */
	readonly rules?: SessionDatabase;
}

function openStore(file: string): Store {
	closeSync(openRegular(file).file); // SQLite would wait forever for a pipe
	const database = new (loadSqlite().DatabaseSync)(addressOf(file), { readOnly: true });
	try {
		const rules = codecs
			.flatMap(({ places }) => places.database ?? [])
			.find(({ isStore }) => (database.prepare(isStore).get() as { found: number }).found > 0);
		return { database, ...(rules ? { rules } : {}), [Symbol.dispose]: () => database.close() };
	} catch (error) {
		database.close();
		throw error;
	}
}

/**
 * The address for opening a database. A client that is running has a write-ahead log: then SQLite's own locking reads a
 * consistent state. Otherwise the file is opened as immutable, because even a read-only connection would leave `-wal`
 * and `-shm` files in the client's folder.
 */
function addressOf(file: string): URL {
	const url = pathToFileURL(file);
	const log = `${file}-wal`;
	if (!existsSync(log) || statSync(log).size === 0) url.searchParams.set('immutable', '1');
	return url;
}
