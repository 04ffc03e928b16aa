/** Sessions inside a database, named `DB#SESSION`: OpenClaw's store, read without touching it. */
import { closeSync, existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import {
	type EventRow,
	eventsQuery,
	isStoreQuery,
	sessionsQuery,
	transcriptBytes,
} from '../codecs/openclaw/database.ts';
import { loadSqlite } from '../log/load-sqlite.ts';
import { openRegular } from '../log/regular-file.ts';

export interface DatabasePath {
	readonly file: string;
	/** Absent: the only session, or the question which one. */
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
	if (!store.known) return undefined;
	return store.database.prepare(sessionsQuery).all() as unknown as StoredSession[];
}

/** A transcript as lines of JSON, each exactly as stored. Empty when there is no such session. */
export function databaseTranscript(file: string, session: string): Uint8Array {
	using store = openStore(file);
	return transcriptBytes(store.database.prepare(eventsQuery).iterate(session) as unknown as Iterable<EventRow>);
}

function openStore(file: string): { readonly database: DatabaseSync; readonly known: boolean } & Disposable {
	closeSync(openRegular(file).file); // SQLite would wait for a pipe
	const database = new (loadSqlite().DatabaseSync)(addressOf(file), { readOnly: true });
	try {
		const { found } = database.prepare(isStoreQuery).get() as { found: number };
		return { database, known: found > 0, [Symbol.dispose]: () => database.close() };
	} catch (error) {
		database.close();
		throw error;
	}
}

/**
 * A client that is running has a write-ahead log: then SQLite's own locking reads a consistent state beside it. Otherwise the file is
 * opened as immutable, because even a read-only connection would leave `-wal` and `-shm` files in the client's folder.
 */
function addressOf(file: string): URL {
	const url = pathToFileURL(file);
	const log = `${file}-wal`;
	if (!existsSync(log) || statSync(log).size === 0) url.searchParams.set('immutable', '1');
	return url;
}
