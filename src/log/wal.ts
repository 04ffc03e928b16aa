/** Lets several processes use a SQLite database at once: with which pauses and for how long a busy one is tried again, and which error means busy. */
import type { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from './load-sqlite.ts';

const busy = 5;
const pauseMs = 2;
const sleeping = new Int32Array(new SharedArrayBuffer(4));

/** True when another process holds the database, however long we waited. */
export function isBusy(error: unknown): boolean {
	return sqliteCode(error) === busy;
}

/**
 * Allows readers beside one writer. Of two processes that do this to a new database SQLite refuses one at once, however
 * patient it is, because each would wait for the other: that one tries again.
 */
export function useWal(database: DatabaseSync, patienceMs: number): void {
	for (const end = Date.now() + patienceMs; ; Atomics.wait(sleeping, 0, 0, pauseMs)) {
		try {
			database.exec('PRAGMA journal_mode = WAL');
			return;
		} catch (error) {
			if (!isBusy(error) || Date.now() >= end) throw error;
		}
	}
}
