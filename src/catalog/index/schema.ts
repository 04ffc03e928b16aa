/** The catalog's database: its tables and version number, how long another process is waited for, and which errors count as damaged, locked or not writable. */
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite, sqliteCode } from '../../log/load-sqlite.ts';
import { isBusy, useWal } from '../../log/wal.ts';

/** Increase it when a table or its content changes: a catalog of another version is rebuilt. */
export const catalogVersion = 11;

/** Memory for pages: a negative number means kilobytes to SQLite. */
export const cacheSize = -2000;

/** How long to wait for another process that writes, before answering from what is there. */
const defaultPatienceMs = 5000;

const tables = `
CREATE TABLE files (
	id INTEGER PRIMARY KEY,
	path TEXT NOT NULL UNIQUE,
	format TEXT NOT NULL,
	agent TEXT NOT NULL,
	session TEXT NOT NULL,
	parent TEXT,
	-- what it looked like when all of it had been indexed; null while something is missing
	indexed TEXT,
	inode TEXT,
	size INTEGER NOT NULL DEFAULT 0,
	fingerprint TEXT,
	progress TEXT,
	turns INTEGER NOT NULL DEFAULT 0,
	activity TEXT,
	-- what is known of hand-offs of its session
	standing TEXT,
	-- the responses that its session wrote first
	responses INTEGER NOT NULL DEFAULT 0,
	input INTEGER NOT NULL DEFAULT 0,
	output INTEGER NOT NULL DEFAULT 0,
	cache_read INTEGER NOT NULL DEFAULT 0,
	cache_write INTEGER NOT NULL DEFAULT 0,
	cost REAL NOT NULL DEFAULT 0,
	unpriced INTEGER NOT NULL DEFAULT 0
) STRICT;
-- what a file looked like when it was listed, and what was seen
CREATE TABLE listing (
	path TEXT PRIMARY KEY,
	listed TEXT NOT NULL,
	seen TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX files_of_session ON files (session);
CREATE INDEX standings ON files (id, standing) WHERE standing IS NOT NULL;
CREATE INDEX subagents ON files (format, session) WHERE parent IS NOT NULL;
CREATE TABLE entries (
	id INTEGER PRIMARY KEY,
	file INTEGER NOT NULL,
	entry TEXT NOT NULL,
	at INTEGER NOT NULL,
	length INTEGER NOT NULL,
	role INTEGER NOT NULL,
	tools TEXT,
	time INTEGER
) STRICT;
CREATE INDEX entries_of_file ON entries (file);
CREATE VIRTUAL TABLE words USING fts5 (text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
CREATE TABLE sightings (
	key TEXT NOT NULL,
	request TEXT NOT NULL,
	file INTEGER NOT NULL,
	at INTEGER NOT NULL,
	line INTEGER NOT NULL,
	time REAL,
	model TEXT,
	provider TEXT,
	input INTEGER NOT NULL,
	output INTEGER NOT NULL,
	cache_read INTEGER NOT NULL,
	write_5m INTEGER NOT NULL,
	write_1h INTEGER NOT NULL,
	cost REAL,
	responses INTEGER NOT NULL,
	PRIMARY KEY (key, file, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX sightings_of_file ON sightings (file);
-- Words are gathered in memory until their transaction ends: the default writes, and merges, many times in between.
INSERT INTO words (words, rank) VALUES ('hashsize', 2097152);
INSERT INTO words (words, rank) VALUES ('automerge', 16);
PRAGMA user_version = ${catalogVersion};
`;

/** Opens the catalog and rebuilds it where needed. `:memory:` is one that is not stored. */
export function openCatalog(path: string, patienceMs = defaultPatienceMs): DatabaseSync {
	if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	try {
		return prepare(path, patienceMs);
	} catch (error) {
		if (hasNoRoomToShare(error)) return prepare(path, patienceMs, true);
		if (!isDamaged(error)) throw error;
		removeCatalog(path);
		return prepare(path, patienceMs);
	}
}

/** SQLITE_IOERR_SHMSIZE: a full disk has no room for the memory that several processes share. */
function hasNoRoomToShare(error: unknown): boolean {
	return error instanceof Error && 'errcode' in error && error.errcode === 4874;
}

/** Deletes the catalog. It holds nothing that cannot be read again from the sessions. */
export function removeCatalog(path: string): void {
	for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** Opens the database. `alone`: no other process can use it meanwhile, so no shared memory is needed. */
function prepare(path: string, timeout: number, alone = false): DatabaseSync {
	// Only the user may read what was said in sessions. SQLite gives its other files the mode of this one.
	if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
	const database = new (loadSqlite().DatabaseSync)(path, { timeout });
	try {
		if (alone) database.exec('PRAGMA locking_mode = EXCLUSIVE');
		// For a new database. Pages are larger than usual, because rows are added by the thousand.
		database.exec('PRAGMA page_size = 16384');
		useWal(database, timeout);
		database.exec(
			`PRAGMA synchronous = NORMAL; PRAGMA cache_size = ${cacheSize}; ` +
				// Moves pages to the database rarely, so that one that changes often is written there once.
				'PRAGMA wal_autocheckpoint = 2000',
		);
		if (versionOf(database) !== catalogVersion) rebuild(database);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function versionOf(database: DatabaseSync): number {
	return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function rebuild(database: DatabaseSync): void {
	database.exec('BEGIN IMMEDIATE');
	// Two processes may have found the old version: the second finds the work done.
	if (versionOf(database) !== catalogVersion) {
		const list = database.prepare(
			"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'words_%'",
		);
		for (const { name } of list.all() as { name: string }[]) {
			database.exec(`DROP TABLE IF EXISTS "${name.replaceAll('"', '""')}"`);
		}
		database.exec(tables);
	}
	database.exec('COMMIT');
}

/** True for a file that is damaged, is no database, or has tables that are not ours. */
export function isDamaged(error: unknown): boolean {
	const code = sqliteCode(error);
	return (
		code === 11 || code === 26 || (code === 1 && error instanceof Error && /no such (table|column)/.test(error.message))
	);
}

/** True when another process held the catalog for longer than we wait. */
export function isLocked(error: unknown): boolean {
	return isBusy(error) || sqliteCode(error) === 6;
}

/** True when the catalog cannot be opened or written: a full disk, a read-only folder. */
export function isUnwritable(error: unknown): boolean {
	const code = sqliteCode(error);
	if (code === 8 || code === 10 || code === 13 || code === 14) return true;
	return (
		error instanceof Error &&
		'code' in error &&
		['EACCES', 'EROFS', 'ENOSPC', 'EPERM', 'ENOTDIR', 'EEXIST', 'EISDIR'].includes(String(error.code))
	);
}
