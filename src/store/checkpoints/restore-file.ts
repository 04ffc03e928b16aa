/** Puts files back on the disk for a rewind: each whole or not at all, with its mode, never through a link; in which order, and which stay because somebody changed them meanwhile. */
import {
	chmodSync,
	closeSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readdirSync,
	renameSync,
	rmdirSync,
	rmSync,
	symlinkSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../log/errors.ts';
import type { Copies } from './copies.ts';
import { absent, type FileForm, type FormedChange, formHere, sameForm, statOf } from './forms.ts';

/** `name`: under which the new file is written before it is put in place. A killed process may have left one there. */
function restoreFile(path: string, form: FileForm, copies: Copies, name: string): void {
	if (form.is === 'unknown') throw new Error(`${path} has no copy`);
	if (form.is === 'absent') {
		unlinkSync(path);
		return;
	}
	const folder = dirname(path);
	mkdirSync(folder, { recursive: true });
	const temporary = join(folder, name);
	rmSync(temporary, { force: true });
	if (form.is === 'link') symlinkSync(form.target, temporary);
	else writeFile(temporary, form.mode, copies.read(form.sha256), path);
	removeEmptyTree(path);
	renameSync(temporary, path);
}

function writeFile(temporary: string, mode: number, bytes: Uint8Array | undefined, path: string): void {
	if (!bytes) throw new Error(`the copy of ${path} is damaged`);
	const file = openSync(temporary, 'wx', 0o600);
	try {
		for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
	chmodSync(temporary, mode);
}

/** Folders are not kept, only files are: an empty one may stand where a file was. */
function removeEmptyTree(path: string): void {
	if (!statOf(path)?.isDirectory()) return;
	for (const name of readdirSync(path)) {
		if (!statOf(join(path, name))?.isDirectory()) throw new Error(`${path} is a folder with files in it`);
		removeEmptyTree(join(path, name));
	}
	rmdirSync(path);
}

/** Removes the folders that are empty now, from the file's own up to one of the roots, which stay. */
function removeEmptyFolders(path: string, roots: readonly string[]): void {
	const inside = (folder: string): boolean => roots.some((root) => folder.startsWith(`${root}/`));
	for (let folder = dirname(path); inside(folder); folder = dirname(folder)) {
		try {
			rmdirSync(folder);
		} catch (error) {
			if (codeOf(error) === undefined) throw error;
			return; // something is in it, or it is gone
		}
	}
}

/** True for a folder in which nothing is but what will leave it. */
export function folderIsGone(path: string, leaving: ReadonlySet<string>): boolean {
	if (!statOf(path)?.isDirectory()) return false;
	return readdirSync(path).every((name) => {
		const inner = join(path, name);
		return statOf(inner)?.isDirectory() ? folderIsGone(inner, leaving) : leaving.has(inner);
	});
}

/** True where a file stands in the place of a folder on the way: it is somebody's, or it would have gone before. */
function isBlocked(path: string): boolean {
	let folder = dirname(path);
	let stat = statOf(folder);
	while (!stat && folder !== dirname(folder)) {
		folder = dirname(folder);
		stat = statOf(folder);
	}
	return stat !== undefined && !stat.isDirectory();
}

/** What was done to each file; one that is neither as it was nor as it shall be was changed meanwhile, and stays. */
export function restoreAll(
	changes: readonly FormedChange[],
	{ copies, roots, name }: { readonly copies: Copies; readonly roots: readonly string[]; readonly name: string },
): { readonly restored: readonly FormedChange[]; readonly kept: readonly FormedChange[] } {
	const restored: FormedChange[] = [];
	const kept: FormedChange[] = [];
	const leaving = new Set(changes.filter(({ after }) => after.is === 'absent').map(({ path }) => path));
	for (const change of inOrder(changes)) {
		const { path, before, after } = change;
		const found = formHere(path);
		const now = found.is === 'unknown' && folderIsGone(path, leaving) ? absent : found;
		if (sameForm(now, after)) restored.push(change);
		else if (!sameForm(now, before) || (after.is !== 'absent' && isBlocked(path))) kept.push(change);
		else {
			restoreFile(path, after, copies, name);
			restored.push(change);
		}
		if (after.is === 'absent') removeEmptyFolders(path, roots);
	}
	for (const folder of new Set(changes.map(({ path }) => dirname(path)))) {
		const left = join(folder, name);
		if (statOf(left)) rmSync(left, { force: true }); // a process that was killed has left it
	}
	return { restored, kept };
}

/** What goes, goes first, and from the inside: a file may have become a folder, or a folder a file. */
function inOrder(changes: readonly FormedChange[]): readonly FormedChange[] {
	const rank = ({ after }: FormedChange): number => (after.is === 'absent' ? 0 : 1);
	return [...changes].sort((one, other) => {
		if (rank(one) !== rank(other)) return rank(one) - rank(other);
		const byName = one.path < other.path ? -1 : 1;
		return rank(one) === 0 ? -byName : byName;
	});
}
