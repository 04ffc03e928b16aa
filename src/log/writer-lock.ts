/** One writer per log across processes: a lock that the kernel holds, how its files are named, how long it is waited for, and how its holder is told to whoever comes second. */

import { createHash, randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { diskCalls, type FileStat, sameFile } from './calls.ts';
import { asLogError, codeOf, type Holder, LogError, LogHeld } from './errors.ts';
import { loadSqlite } from './load-sqlite.ts';
// The lock is an open write transaction on an empty SQLite database: it is released however the process ends. Foreign
// clients know nothing of it.
import { makeFolders } from './make-folders.ts';
import { isBusy } from './wal.ts';

export interface Lease {
	/** Throws when the lease is lost. */
	check(): void;
	release(): void;
}

export interface LeaseOptions {
	/** The folder for lock files, never beside a client's own files. */
	readonly folder: string;
	/** The canonical name of what is locked. */
	readonly name: string;
	/** The user's name for it. */
	readonly key: string;
	readonly command?: string | undefined;
}

const pauseMs = 10;
const patienceMs = 1000;

/**
 * Acquires the lease. The lock file must be opened only through SQLite: POSIX locks fall when the process closes *any*
 * descriptor of the file. So the holder's note is a file of its own, which also stays readable while the lock is held.
 */
export async function acquireLease(options: LeaseOptions): Promise<Lease> {
	const { folder, key } = options;
	const stem = stemOf(folder, options.name);
	const lock = `${stem}.lock`;
	const note = `${stem}.holder`;
	const started = performance.now();
	try {
		makeFolders(folder);
		for (;;) {
			const lease = atGate(folder, () => {
				const database = take(lock);
				return database && hold(database, lock, note, options);
			});
			if (lease) return lease;
			// A winner writes its note just after it won, and a killed one leaves its note behind, so this waits a moment.
			const holder = readHolder(note);
			if (holder || performance.now() - started > patienceMs) throw new LogHeld(key, holder);
			await pause(pauseMs);
		}
	} catch (error) {
		// SQLite says of every file that it could not open the file, and no more.
		const why = codeOf(error) === 'ERR_SQLITE_ERROR' ? denialOf(folder) : undefined;
		throw asLogError(key, `keep a lock in ${folder} for`, why ?? error);
	}
}

/** What the system says where files in the folder may not be written. */
function denialOf(folder: string): unknown {
	try {
		accessSync(folder, constants.W_OK | constants.X_OK);
		return undefined;
	} catch (error) {
		return error;
	}
}

/**
 * Opens and removes lock files one at a time in a folder, under a lock that is never removed itself. Otherwise a
 * process could open a file that its holder is about to remove, and lock it under no name without noticing: the next
 * file of that name may even get the same inode number. Undefined when the gate is not free in time.
 */
function atGate<T>(folder: string, work: () => T): T | undefined {
	const gate = take(join(folder, 'gate.lock'), patienceMs);
	if (!gate) return undefined;
	try {
		return work();
	} finally {
		gate.close();
	}
}

/** Takes the lock; undefined when another has it. A write lock, unlike an exclusive one, is never denied to both. */
function take(file: string, timeout = 0): DatabaseSync | undefined {
	const { DatabaseSync: Database } = loadSqlite();
	const database = new Database(file, { timeout });
	try {
		database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
		chmodSync(file, 0o600);
		return database;
	} catch (error) {
		database.close();
		if (isBusy(error)) return undefined;
		throw error;
	}
}

function hold(database: DatabaseSync, lock: string, note: string, options: LeaseOptions): Lease {
	let released = false;
	let mine: FileStat | undefined;
	const isMine = (): boolean => {
		const now = diskCalls.stat(lock);
		return now !== undefined && mine !== undefined && sameFile(now, mine);
	};
	try {
		mine = diskCalls.stat(lock);
		writeNote(note, options.command);
	} catch (error) {
		database.close(); // otherwise nobody could write until this process ends
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
				if (!isMine()) return;
				rmSync(note, { force: true }); // removed first: once the lock is free, the note is the next holder's
				if (process.platform === 'win32') return; // Windows cannot remove open files
				atGate(options.folder, () => {
					if (isMine()) rmSync(lock, { force: true });
				});
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

/** The process that holds the lease of that name, as far as its note tells. Nothing is locked to find out. */
function holderOf({ folder, name }: Pick<LeaseOptions, 'folder' | 'name'>): Holder | undefined {
	return readHolder(`${stemOf(folder, name)}.holder`);
}

/**
 * True while a process holds the lease. The note alone may speak of one that was killed, whose number another process has now, or
 * nobody has taken note of its end: the lock itself is asked, which the kernel has released then.
 */
export function isHeld({ folder, name }: Pick<LeaseOptions, 'folder' | 'name'>): boolean {
	const lock = `${stemOf(folder, name)}.lock`;
	if (holderOf({ folder, name }) === undefined || diskCalls.stat(lock) === undefined) return false;
	try {
		const free = atGate(folder, () => {
			const database = take(lock);
			database?.close();
			return database !== undefined;
		});
		return free !== true;
	} catch {
		return true; // the folder of locks cannot be written: the note is all there is
	}
}

function stemOf(folder: string, name: string): string {
	return join(folder, createHash('sha256').update(name).digest('hex').slice(0, 32));
}

/** The process that claims to hold the lock, if it is alive. */
function readHolder(note: string): Holder | undefined {
	try {
		const value: unknown = JSON.parse(readFileSync(note, 'utf8'));
		return isHolder(value) && !isGone(value) ? value : undefined;
	} catch {
		return undefined; // no note, or not one of ours: only the lock itself counts
	}
}

function isHolder(value: unknown): value is Holder {
	if (typeof value !== 'object' || value === null) return false;
	const { pid, host, command, since } = value as { readonly [name: string]: unknown };
	const strings = typeof host === 'string' && typeof command === 'string' && typeof since === 'string';
	return typeof pid === 'number' && Number.isSafeInteger(pid) && strings;
}

function isGone(holder: Holder): boolean {
	return holder.host === hostname() && isEnded(holder.pid);
}

/** No process of this machine has that number. */
export function isEnded(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		return codeOf(error) === 'ESRCH';
	}
}
