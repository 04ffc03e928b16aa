/** Reads folders for codecs: which errors of the disk count as an empty folder, which files are passed over (pipes, devices), and when a link makes a side file unreal. */
import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Folders } from '../../codecs/index.ts';
import { notRegular, readRegular } from '../../log/regular-file.ts';
import { databaseSessions } from '../reader/database.ts';

export { thisMachine } from './this-machine.ts';

const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', notRegular]);
const refused = new Set(['EACCES', 'EPERM']);

type Refused = (path: string, message: string) => void;

/** The folders of the disk. A missing or unreadable folder counts as empty; `tell` hears of unreadable ones. */
export function foldersOfDisk(tell: Refused): Folders {
	return {
		...diskFolders,
		list: (folder) =>
			orEmpty(
				() => listOf(folder),
				[],
				(message) => tell(folder, message),
			),
	};
}

function orEmpty<T>(read: () => T, empty: T, tell: (message: string) => void = () => undefined): T {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		const isRefused = refused.has(String(error.code));
		if (isRefused) tell(error.message);
		if (isRefused || absent.has(String(error.code))) return empty;
		throw error;
	}
}

/** Pipes, sockets and devices are nobody's session, whatever they are called. */
function listOf(folder: string): ReturnType<Folders['list']> {
	return readdirSync(folder, { withFileTypes: true })
		.filter((item) => item.isFile() || item.isDirectory() || item.isSymbolicLink())
		.map((item) => ({ name: item.name, folder: item.isDirectory() }))
		.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const diskFolders: Folders = {
	list: (folder) => orEmpty(() => listOf(folder), []),
	head: (path, length) => orEmpty<Uint8Array>(() => readRegular(path, length), new Uint8Array(0)),
	isPlain: (main, path) => isReal(main, path),
	stored: storedIn,
};

/** True for a regular file that is reached from the session's folder without passing a link. */
export function isReal(main: string, path: string): boolean {
	const file = resolve(path);
	const top = commonFolder(resolve(main), file);
	for (let at = file; at !== top; at = dirname(at)) {
		const stat = lstatSync(at, { throwIfNoEntry: false });
		if (!stat || (at === file ? !stat.isFile() : !stat.isDirectory())) return false;
	}
	return true;
}

/** The deepest folder that both paths are in. Links above it are the user's own choice and are followed. */
export function commonFolder(a: string, b: string): string {
	const theirs = dirname(b).split(sep);
	const shared: string[] = [];
	for (const [index, name] of dirname(a).split(sep).entries()) {
		if (theirs[index] !== name) break;
		shared.push(name);
	}
	return shared.length === 1 ? join(shared[0] ?? '', sep) : shared.join(sep);
}

/** One damaged or locked database must not hide the sessions of every other client. */
function storedIn(file: string): readonly string[] {
	try {
		return databaseSessions(file)?.map((session) => session.id) ?? [];
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		return [];
	}
}

/** The current folder. It may be deleted while a shell is in it; its sessions keep the name that it had. */
export function currentFolder(): { readonly path: string; readonly gone: boolean } {
	try {
		return { path: process.cwd(), gone: false };
	} catch (error) {
		const name = process.env.PWD;
		if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT') || !name) throw error;
		return { path: name, gone: true };
	}
}
