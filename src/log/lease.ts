/** One writer per log across processes, by a lock that the kernel holds. */

// The lock is an open write transaction on an empty SQLite database: it is released however the process ends. Foreign
// clients know nothing of it.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { diskCalls, type FileStat, sameFile } from './calls.ts';
import { asLogError, type Holder, LogError, LogHeld } from './errors.ts';
import { loadSqlite } from './load-sqlite.ts';

export interface Lease {
	/** Throws when the lock is not there any more. */
	check(): void;
	release(): void;
}

export interface LeaseOptions {
	/** Where lock files are kept. Never beside a client's own files. */
	readonly folder: string;
	/** The one true name of what is locked. */
	readonly name: string;
	/** How the user calls it. */
	readonly key: string;
	readonly command?: string | undefined;
}

const mostGhosts = 1000;
const pauseMs = 10;
const patienceMs = 1000;
const busy = 5;

/**
 * The lock file must never be opened but through SQLite: POSIX locks fall when the process closes *any* descriptor of
 * the file. So the holder's note is a file of its own, which also stays readable while the lock is held.
 */
export async function acquireLease(options: LeaseOptions): Promise<Lease> {
	const { DatabaseSync: Database } = loadSqlite();
	const { folder, key } = options;
	const stem = join(folder, createHash('sha256').update(options.name).digest('hex').slice(0, 32));
	const lock = `${stem}.lock`;
	const note = `${stem}.holder`;
	const started = performance.now();
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		for (let ghosts = 0; ghosts < mostGhosts; ) {
			const before = diskCalls.stat(lock);
			const database = take(new Database(lock));
			if (database) {
				const after = diskCalls.stat(lock);
				// The file we locked is the one that has the name now; otherwise its last holder has just removed it.
				if (before && after && sameFile(before, after)) return hold(database, lock, note, after, options);
				database.close();
				ghosts += 1;
				continue;
			}
			// A winner writes its note just after it won, and a killed one leaves its note behind: give it a moment.
			const holder = readHolder(note);
			if (holder || performance.now() - started > patienceMs) throw new LogHeld(key, holder);
			await pause(pauseMs);
		}
	} catch (error) {
		throw asLogError(key, `keep a lock in ${folder} for`, error);
	}
	const advice = `the lock file ${lock} keeps vanishing. Is something cleaning ${folder}?`;
	throw new LogError('io', key, `cannot lock ${key}: ${advice}`);
}

/** Undefined when somebody else has it. A write lock, unlike an exclusive one, cannot be denied to both of two takers. */
function take(database: DatabaseSync): DatabaseSync | undefined {
	try {
		database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
		return database;
	} catch (error) {
		database.close();
		if (error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === busy) return undefined;
		throw error;
	}
}

function hold(database: DatabaseSync, lock: string, note: string, mine: FileStat, options: LeaseOptions): Lease {
	let released = false;
	const isMine = (): boolean => {
		const now = diskCalls.stat(lock);
		return now !== undefined && sameFile(now, mine);
	};
	try {
		chmodSync(lock, 0o600);
		writeNote(note, options.command);
	} catch (error) {
		database.close(); // or nobody could write until this process ends
		throw error;
	}
	return {
		check() {
			if (!released && isMine()) return;
			const message = `cannot write to ${options.key}: its lock ${lock} was removed, somebody else may be writing. Open it again.`;
			throw new LogError('lost', options.key, message);
		},
		release() {
			if (released) return;
			released = true;
			try {
				if (isMine()) {
					rmSync(note, { force: true }); // first: once the lock file is gone the note is the next holder's
					if (process.platform !== 'win32') rmSync(lock, { force: true }); // open files cannot be removed there
				}
			} finally {
				database.close();
			}
		},
	};
}

function writeNote(note: string, command = basename(process.argv[1] ?? process.title)): void {
	const holder: Holder = { pid: process.pid, host: hostname(), command, since: new Date().toISOString() };
	const temporary = `${note}.${randomBytes(6).toString('hex')}`;
	writeFileSync(temporary, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
	renameSync(temporary, note);
}

/** Who says that it holds the lock, if it is alive. */
function readHolder(note: string): Holder | undefined {
	try {
		const value: unknown = JSON.parse(readFileSync(note, 'utf8'));
		return isHolder(value) && !isGone(value) ? value : undefined;
	} catch {
		return undefined; // no note, or not one of ours: the lock itself is what counts
	}
}

function isHolder(value: unknown): value is Holder {
	if (typeof value !== 'object' || value === null) return false;
	const { pid, host, command, since } = value as { readonly [name: string]: unknown };
	const strings = typeof host === 'string' && typeof command === 'string' && typeof since === 'string';
	return typeof pid === 'number' && Number.isSafeInteger(pid) && strings;
}

function isGone(holder: Holder): boolean {
	if (holder.host !== hostname()) return false;
	try {
		process.kill(holder.pid, 0);
		return false;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'ESRCH';
	}
}
