/** Paths of any machine, not only this one, and what its folders contain. */
import { type PlatformPath, posix, win32 } from 'node:path';
import type { Folders, Machine } from '../../codec.ts';

/** The path functions of a machine's platform. */
export function pathsFor({ platform }: Machine): PlatformPath {
	return platform === 'win32' ? win32 : posix;
}

/** The path functions for the way a path is written: a Windows path can be handled anywhere. */
export function pathsOf(path: string): PlatformPath {
	return path.includes('\\') && !path.includes('/') ? win32 : posix;
}

/** The names of the files in a folder. */
export function filesIn(folder: string, folders: Folders): readonly string[] {
	return folders.list(folder).flatMap((item) => (item.folder ? [] : [item.name]));
}

/** The paths of all files in a folder and its subfolders. */
export function filesBelow(folder: string, path: PlatformPath, folders: Folders): readonly string[] {
	return folders.list(folder).flatMap((item) => {
		const at = path.join(folder, item.name);
		return item.folder ? filesBelow(at, path, folders) : [at];
	});
}
