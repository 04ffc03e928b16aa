/** The files of a folder without git: all of them, but those of folders that programs fill by themselves (node_modules, .venv …). */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../log/errors.ts';

/** Folders that hold what others made, or git's own data: they can be made again, and are large. */
const filled: ReadonlySet<string> = new Set([
	...['.git', '.hg', '.svn', '.jj', 'node_modules', '.venv', 'venv', '__pycache__', '.cache', '.tox', '.gradle'],
]);

export interface WalkedFiles {
	/** From the folder. */
	readonly paths: readonly string[];
	/** Folders that were not walked, with a slash at their end. */
	readonly leftOut: ReadonlySet<string>;
}

/** At most so many files; undefined where there are more. */
export function walkFiles(folder: string, most: number): WalkedFiles | undefined {
	const found: string[] = [];
	const leftOut = new Set<string>();
	const waiting = [''];
	for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
		for (const item of listOf(join(folder, place))) {
			const path = place === '' ? item.name : `${place}/${item.name}`;
			if (!item.isDirectory()) found.push(path);
			else if (filled.has(item.name)) leftOut.add(`${path}/`);
			else waiting.push(path);
		}
		if (found.length > most) return undefined;
	}
	return { paths: found, leftOut };
}

/** A folder that went away meanwhile, or is closed to us, has no files to look at. */
export function listOf(folder: string): readonly Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch (error) {
		if (codeOf(error) === undefined) throw error;
		return [];
	}
}
