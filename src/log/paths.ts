/** Finds where a write really goes: no link planted in a session folder may lead it elsewhere. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileCalls } from './calls.ts';
import { asLogError, codeOf, LogError, telling } from './errors.ts';

export interface FilePlace {
	/** The key as the caller wrote it, for messages. */
	readonly key: string;
	/** The real folder (links above `within` resolved) and the file's name in it. */
	readonly path: string;
	readonly folder: string;
	/** Folders that do not exist yet, outermost first. */
	readonly absent: readonly string[];
}

/** Finds the place of a key. Throws an error that names the part of the path that leads elsewhere. */
export function placeOf(calls: FileCalls, key: string, within?: string): FilePlace {
	return telling(key, 'write to', () => {
		const path = resolve(key);
		const top = within === undefined ? dirname(path) : resolve(within);
		const inner = relative(top, path);
		if (inner === '' || inner.startsWith(`..${sep}`) || inner === '..' || isAbsolute(inner)) {
			throw new LogError('outside', key, `cannot write to ${key}: it is not inside ${top}.`);
		}
		let [folder, absent] = deepest(calls, key, top);
		for (const name of inner.split(sep).slice(0, -1)) {
			const next = join(folder, name);
			const stat = absent.length > 0 ? undefined : calls.lstat(next);
			if (stat?.isSymbolicLink()) throw planted(key, next);
			if (stat && !stat.isDirectory())
				throw new LogError('not-a-file', key, `cannot write to ${key}: ${next} is no folder.`);
			if (!stat) absent = [...absent, next];
			folder = next;
		}
		const target = join(folder, basename(path));
		if (absent.length === 0) refuseOddFile(key, target, calls.lstat(target));
		return { key, path: target, folder, absent };
	});
}

/** The real path of the deepest existing folder, extended by those that do not exist. */
function deepest(calls: FileCalls, key: string, folder: string): [string, readonly string[]] {
	const missing: string[] = [];
	for (let at = folder; ; at = dirname(at)) {
		if (calls.stat(at)) {
			let real = calls.realpath(at);
			const absent = missing.reverse().map((name) => {
				real = join(real, name);
				return real;
			});
			return [real, absent];
		}
		// A dangling link exists, yet cannot be entered: making a folder in its place would fail later and less clearly.
		if (calls.lstat(at)?.isSymbolicLink()) throw planted(key, at);
		missing.push(basename(at));
	}
}

function planted(key: string, path: string): LogError {
	const what = `cannot write to ${key}: ${path} is a symbolic link, and following it could write elsewhere`;
	return new LogError('link', key, `${what}. Remove the link and try again.`);
}

/** Throws for anything but a regular file, or none, in a log's place: a link leads elsewhere, a pipe never answers. */
export function refuseOddFile(key: string, path: string, stat: ReturnType<FileCalls['lstat']>): void {
	if (stat?.isSymbolicLink()) throw planted(key, path);
	if (stat && !stat.isFile())
		throw new LogError('not-a-file', key, `cannot write to ${key}: it is not a regular file.`);
}

/** Makes the absent folders, for their owner only. Returns the folders whose names changed, to be synced. */
export function makeFolders(calls: FileCalls, place: FilePlace): readonly string[] {
	const changed: string[] = [];
	for (const folder of place.absent) {
		try {
			calls.mkdir(folder, 0o700);
			changed.push(dirname(folder));
		} catch (error) {
			if (codeOf(error) !== 'EEXIST') throw asLogError(place.key, 'make the folder of', error);
			if (calls.lstat(folder)?.isDirectory() !== true) throw planted(place.key, folder);
		}
	}
	return changed;
}

/** Throws if the folder is no longer the real one: between look and open somebody could have put a link there. */
export function refuseMovedFolder(calls: FileCalls, place: FilePlace): void {
	if (calls.realpath(place.folder) !== place.folder) throw planted(place.key, place.folder);
}
