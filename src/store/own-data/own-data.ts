/** Reads and writes our own small JSON files: each whole, by one writer at a time, how long another process is waited for, and what a damaged file leads to. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from '../../codecs/index.ts';
import { createFiles } from '../../log/atomic.ts';
import { diskCalls } from '../../log/calls.ts';
import { LogConflict, LogError, LogHeld } from '../../log/errors.ts';
import { filesLog } from '../../log/files.ts';
import type { Log, LogWriter } from '../../log/log.ts';
import { placeOf } from '../../log/paths.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { isHeld } from '../../log/writer-lock.ts';
import { isObject, type JsonObject, type Loss, parsedJson } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { dataFolder } from './data-folder.ts';

/** The log through which we write all our own files. */
export function ownLog(machine: Machine): Log {
	return filesLog({ locks: locksIn(machine), command: 'reprise' });
}

/** True while a process of ours writes the file. Nothing is locked to find out. */
export function isWritten(path: string, machine: Machine): boolean {
	return isHeld({ folder: locksIn(machine), name: placeOf(diskCalls, path).path });
}

function locksIn(machine: Machine): string {
	return join(dataFolder(machine), 'locks');
}

/** A file's content; undefined when absent. Throws for a damaged one, which the next write would lose. */
export function readOwn(path: string): JsonObject | undefined {
	const bytes = readIfThere(path);
	if (bytes === undefined) return undefined;
	const value = parsedJson(bytes.toString('utf8'));
	if (!isObject(value)) {
		throw new InputError('damaged', `${path} is damaged: it is not what Reprise wrote. Repair it or move it away.`);
	}
	return value;
}

/** Reads one of many files: a damaged one is told, and counts as absent, so that the others can still be used. */
export function readOneOf(path: string, damaged: (message: string) => void = () => undefined): JsonObject | undefined {
	try {
		return readOwn(path);
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		damaged(error.message);
		return undefined;
	}
}

/** Reads, changes and replaces a file under its lease. A change to `undefined` leaves it as it is. */
export async function changeOwn(
	machine: Machine,
	path: string,
	change: (value: JsonObject | undefined) => JsonObject | undefined,
): Promise<void> {
	const log = ownLog(machine);
	await using writer = await patientWriter(log, path, dataFolder(machine));
	const next = change(readOwn(path));
	if (next) await writer.replace(bytesOf(next));
}

function bytesOf(value: JsonObject): Uint8Array {
	return Buffer.from(`${JSON.stringify(value, null, '\t')}\n`);
}

/** Writes a file that rarely exists. The lease is taken only where it does and has to be replaced. */
export async function createOwn(machine: Machine, path: string, value: JsonObject): Promise<void> {
	try {
		await createFiles([{ to: path, pieces: bytesOf(value), within: dataFolder(machine) }]);
	} catch (error) {
		if (!(error instanceof LogConflict)) throw error;
		await changeOwn(machine, path, () => value);
	}
}

const patienceMs = 5000;
const pauseMs = 20;

/** Waits for the lease: another process needs the file for milliseconds only, which is no reason to fail. */
async function patientWriter(log: Log, path: string, within: string): Promise<LogWriter> {
	const started = performance.now();
	for (;;) {
		try {
			return await log.writer(path, { lines: false, within });
		} catch (error) {
			if (!(error instanceof LogHeld) || performance.now() - started > patienceMs) throw error;
			await pause(pauseMs);
		}
	}
}

/** Stores data of our own after the session is written; a failure becomes a loss. */
export async function orLoss(what: string, store: () => Promise<unknown>): Promise<readonly Loss[]> {
	try {
		await store();
		return [];
	} catch (error) {
		if (!(error instanceof LogError) && !(error instanceof Error && 'syscall' in error)) throw error;
		return [{ entry: '', path: 'lineage', how: 'dropped', note: `${what} could not be stored: ${error.message}` }];
	}
}
