/** Writes whole files, all or nothing: under a temporary name in the same folder, made durable, then put in place; and which temporary files are swept away later. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { basename, join } from 'node:path';
import type { Amendment } from '../model/index.ts';
import { diskCalls, type FileCalls, newFile, noFollow } from './calls.ts';
import { asLogError, codeOf, LogConflict, telling } from './errors.ts';
import { type FilePlace, makeFolders, placeOf, refuseMovedFolder } from './paths.ts';

/** A file that is written and durable, but not in its place yet. */
export interface Staged {
	readonly place: FilePlace;
	/** Puts it in place of whatever is there. */
	replace(): void;
	/** Puts it in place if nothing is there; LogConflict otherwise. */
	create(): void;
	/** Removes the staged file if it is not in place. */
	discard(): void;
	/** Makes the file's name durable. */
	settle(): Promise<void>;
}

/** Each piece is written before the next is asked for, so all may be in the same memory. */
export type Pieces = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** How to write the file. */
export interface StageOptions {
	/** A change of what was not known earlier; called when everything is written. */
	readonly amended?: () => Amendment;
}

/** Writes the pieces to a temporary file beside the place. After a failure nothing of it is left. */
export async function stage(
	calls: FileCalls,
	place: FilePlace,
	pieces: Pieces,
	{ amended }: StageOptions = {},
): Promise<Staged> {
	const folders = [...makeFolders(calls, place), place.folder];
	const temporary = join(place.folder, `.${basename(place.path)}.${randomBytes(6).toString('hex')}.tmp`);
	const discard = (): void => removeIfThere(calls, temporary);
	// Where the bytes come from may fail as well: that is told as it is, and not as a failure of this file.
	let isWriting = true;
	let isMade = false;
	try {
		const file = calls.open(temporary, newFile, 0o600);
		isMade = true;
		try {
			refuseMovedFolder(calls, place);
			isWriting = false;
			for await (const piece of each(pieces)) {
				isWriting = true;
				writeAll(calls, file, piece);
				isWriting = false;
			}
			const amendment = amended?.();
			isWriting = true;
			if (amendment) amend(calls, temporary, amendment);
			keepOwner(calls, place, temporary, file);
			await calls.sync(file);
		} finally {
			calls.close(file);
		}
	} catch (error) {
		if (isMade) discard();
		throw isWriting && codeOf(error) !== undefined ? asLogError(place.key, 'write', error) : error;
	}
	return {
		place,
		replace: () => calls.rename(temporary, place.path),
		create: () => createFrom(calls, temporary, place),
		discard,
		settle: () => syncFolders(calls, folders),
	};
}

function each(pieces: Pieces): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
	return pieces instanceof Uint8Array ? [pieces] : pieces;
}

function writeAll(calls: FileCalls, file: number, piece: Uint8Array): void {
	for (let at = 0; at < piece.length; ) at += calls.write(file, piece, at, piece.length - at);
}

/** Writes an amendment through another descriptor: one for appending writes only at the end. */
function amend(calls: FileCalls, path: string, { at, bytes }: Amendment): void {
	const file = calls.open(path, constants.O_WRONLY | noFollow);
	try {
		for (let done = 0; done < bytes.length; ) done += calls.write(file, bytes, done, bytes.length - done, at + done);
	} finally {
		calls.close(file);
	}
}

/** Keeps the owner: a replacement made by an administrator must stay readable for the user of the session. */
function keepOwner(calls: FileCalls, place: FilePlace, temporary: string, file: number): void {
	const old = calls.lstat(place.path) ?? calls.lstat(place.folder);
	const made = calls.fstat(file);
	if (process.geteuid?.() === 0 && old && (old.uid !== made.uid || old.gid !== made.gid)) {
		calls.chown(temporary, old.uid, old.gid);
	}
}

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Puts a new file in place by a link which, unlike a rename, never replaces a file that appeared meanwhile. */
function createFrom(calls: FileCalls, temporary: string, place: FilePlace): void {
	try {
		calls.link(temporary, place.path);
	} catch (error) {
		const there = calls.lstat(place.path);
		if (there) throw new LogConflict(place.key, 0, there.size, true);
		if (!noLinks.has(codeOf(error) ?? '')) throw error;
		calls.rename(temporary, place.path); // a file system without hard links
		return;
	}
	calls.unlink(temporary);
}

function removeIfThere(calls: FileCalls, path: string): void {
	try {
		calls.unlink(path);
	} catch (error) {
		if (codeOf(error) !== 'ENOENT') throw error;
	}
}

/** Error codes of network file systems that cannot sync a folder, which is no failure of the disk. */
const noFolderSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Syncs folders, which hold names: without this a power failure can remove a new file though its bytes were synced. */
export async function syncFolders(calls: FileCalls, folders: Iterable<string>): Promise<void> {
	if (process.platform === 'win32') return; // folders cannot be opened there; the file system orders names itself
	for (const folder of new Set(folders)) {
		const file = calls.open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
		try {
			await calls.sync(file);
		} catch (error) {
			if (!noFolderSync.has(codeOf(error) ?? '')) throw error;
		} finally {
			calls.close(file);
		}
	}
}

/** Removes what a killed writer staged for this place. Only the lease holder may: nobody else is staging then. */
export function sweep(calls: FileCalls, place: FilePlace): void {
	const start = `.${basename(place.path)}.`;
	for (const item of calls.list(place.folder)) {
		if (!item.isFile() || !item.name.startsWith(start)) continue;
		if (/^[0-9a-f]{12}\.tmp$/.test(item.name.slice(start.length))) removeIfThere(calls, join(place.folder, item.name));
	}
}

export function isStaged(name: string): boolean {
	return /^\..+\.[0-9a-f]{12}\.tmp$/.test(name);
}

interface NewFile extends StageOptions {
	readonly to: string;
	readonly pieces: Pieces;
	readonly within?: string;
}

/**
 * Makes several new files, all or none; none ever replaces a file that exists (LogConflict). `within` is the folder
 * that no part of a path may leave. The plan may be a generator: the next file is asked for when the one before has
 * been written.
 */
export async function createFiles(plan: Iterable<NewFile>, calls: FileCalls = diskCalls): Promise<void> {
	const staged: Staged[] = [];
	const made: string[] = [];
	try {
		for (const { to, pieces, within, ...options } of plan) {
			staged.push(await stage(calls, placeOf(calls, to, within), pieces, options));
		}
		for (const file of staged) {
			telling(file.place.key, 'write', () => file.create());
			made.push(file.place.path);
		}
	} catch (error) {
		for (const path of made) removeIfThere(calls, path);
		for (const file of staged) file.discard();
		throw error;
	}
	for (const file of staged) await file.settle();
}
