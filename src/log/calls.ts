/** The few file system calls the file backend makes, as an object: tests put a failing disk in their place. */
import {
	chownSync,
	closeSync,
	constants,
	fdatasync,
	fstatSync,
	fsync,
	ftruncateSync,
	linkSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readSync,
	realpathSync,
	renameSync,
	statSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

export interface FileStat {
	readonly dev: number | bigint;
	readonly ino: number | bigint;
	readonly size: number;
	readonly mtimeMs: number;
	readonly birthtimeMs: number;
	readonly nlink: number;
	readonly uid: number;
	readonly gid: number;
	isFile(): boolean;
	isDirectory(): boolean;
	isSymbolicLink(): boolean;
}

/**
 * Everything but the syncs is synchronous: a write into the page cache takes microseconds, less than handing it to
 * another thread; a sync takes milliseconds, in which others may append.
 */
export interface FileCalls {
	open(path: string, flags: number, mode?: number): number;
	close(file: number): void;
	read(file: number, into: Uint8Array, at: number, length: number, position: number): number;
	/** Writes behind what was written last, or from `position` on. */
	write(file: number, from: Uint8Array, at: number, length: number, position?: number): number;
	truncate(file: number, length: number): void;
	/** Makes the bytes and the length of a file durable. */
	syncData(file: number): Promise<void>;
	/** Makes a file or the names in a folder durable. */
	sync(file: number): Promise<void>;
	stat(path: string): FileStat | undefined;
	lstat(path: string): FileStat | undefined;
	fstat(file: number): FileStat;
	chown(path: string, uid: number, gid: number): void;
	mkdir(path: string, mode: number): void;
	rename(from: string, to: string): void;
	link(from: string, to: string): void;
	unlink(path: string): void;
	realpath(path: string): string;
	list(folder: string): readonly { readonly name: string; isFile(): boolean; isDirectory(): boolean }[];
}

/** Zero on Windows, where opening does not follow a link at the end of a path that was just checked. */
export const noFollow = constants.O_NOFOLLOW ?? 0;
/** Flags to create a file that must not exist. */
export const newFile = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | noFollow;

const syncData = promisify(fdatasync);
const sync = promisify(fsync);
const orUndefined = { throwIfNoEntry: false } as const;

/** True for an exact inode number: beyond 2^53 (overlays, Windows) low bits are lost, and neighbours look equal. */
function isExact({ ino }: FileStat): boolean {
	return typeof ino === 'bigint' || ino <= Number.MAX_SAFE_INTEGER;
}

function exact(stat: FileStat, wide: { readonly dev: bigint; readonly ino: bigint } | undefined): FileStat {
	return wide ? Object.assign(Object.create(stat) as FileStat, { dev: wide.dev, ino: wide.ino }) : stat;
}

export const diskCalls: FileCalls = {
	open: (path, flags, mode) => openSync(path, flags, mode),
	close: closeSync,
	read: readSync,
	write: (file, from, at, length, position) => writeSync(file, from, at, length, position),
	truncate: ftruncateSync,
	syncData: (file) => syncData(file),
	sync: (file) => sync(file),
	stat(path) {
		const stat = statSync(path, orUndefined);
		return stat && !isExact(stat) ? exact(stat, statSync(path, { ...orUndefined, bigint: true })) : stat;
	},
	lstat(path) {
		const stat = lstatSync(path, orUndefined);
		return stat && !isExact(stat) ? exact(stat, lstatSync(path, { ...orUndefined, bigint: true })) : stat;
	},
	fstat(file) {
		const stat = fstatSync(file);
		return isExact(stat) ? stat : exact(stat, fstatSync(file, { bigint: true }));
	},
	chown: chownSync,
	mkdir: (path, mode) => mkdirSync(path, { mode }),
	rename: renameSync,
	link: linkSync,
	unlink: unlinkSync,
	realpath: (path) => realpathSync.native(path),
	list: (folder) => readdirSync(folder, { withFileTypes: true }),
};

export function sameFile(a: FileStat, b: FileStat): boolean {
	return a.ino === b.ino && a.dev === b.dev;
}
