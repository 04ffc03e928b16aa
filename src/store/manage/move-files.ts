/** Moves files together: all or none, never over a file that exists, and never through a planted link. */
import { linkSync, lstatSync, rmdirSync, unlinkSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { stage, syncFolders } from '../../log/atomic.ts';
import { diskCalls } from '../../log/calls.ts';
import { asLogError, codeOf, LogConflict } from '../../log/errors.ts';
import { openFile } from '../../log/file-source.ts';
import { makeFolders, placeOf } from '../../log/paths.ts';
import { piecesOf } from '../../model/index.ts';
import { InputError } from '../errors.ts';

export interface Move {
	readonly from: string;
	readonly to: string;
	/** The folder below which no link may lead `to` elsewhere. */
	readonly within: string;
	/** False asks for a real copy, even where a hard link would do. */
	readonly link?: boolean;
}

/**
 * Moves files: first every file gets its second name, then the old names go. Whatever ends the process in between, each
 * file has at least one name and all its bytes. A client that appends meanwhile appends to the same file.
 */
export async function moveFiles(plan: readonly Move[]): Promise<void> {
	const copied = await putFiles(plan);
	for (const [index, { from, to }] of plan.entries()) {
		if (copied[index] && changedSince(from, copied[index])) {
			for (const { to: made } of plan) unlinkSync(made);
			throw new InputError('busy', `${from} was written to while it was copied to ${to}: nothing was moved, try again`);
		}
	}
	await removeNames(plan);
	await syncFolders(
		diskCalls,
		plan.map(({ from }) => dirname(from)),
	);
}

/** Removes the old names, all or none: a file whose old name is gone already gets it back before the new names go. */
async function removeNames(plan: readonly Move[]): Promise<void> {
	const gone: Move[] = [];
	for (const move of plan) {
		try {
			unlinkSync(move.from);
			gone.push(move);
		} catch (error) {
			await putFiles(gone.map(({ from, to }) => ({ from: to, to: from, within: dirname(from) })));
			for (const { to } of plan) unlinkSync(to);
			throw asLogError(move.from, 'remove', error);
		}
	}
}

type Stamp = { readonly size: number; readonly mtimeMs: number };

/** Gives each file its new name, by a hard link or else a copy. Returns the stamps of the copies. */
export async function putFiles(plan: readonly Move[]): Promise<readonly (Stamp | undefined)[]> {
	const made: string[] = [];
	const stamps: (Stamp | undefined)[] = [];
	try {
		for (const move of plan) {
			stamps.push(await put(move));
			made.push(move.to);
		}
	} catch (error) {
		for (const path of made) unlinkSync(path);
		throw error;
	}
	await syncFolders(diskCalls, made.map(dirname));
	return stamps;
}

async function put({ from, to, within, link = true }: Move): Promise<Stamp | undefined> {
	const place = placeOf(diskCalls, to, within);
	makeFolders(diskCalls, place);
	if (link && tryLink(from, place.path)) return undefined;
	using source = openFile(from);
	const staged = await stage(diskCalls, place, piecesOf(source));
	try {
		staged.create();
	} catch (error) {
		staged.discard();
		if (error instanceof LogConflict) throw exists(to);
		throw asLogError(to, 'write', error);
	}
	utimesSync(place.path, source.stat.mtimeMs / 1000, source.stat.mtimeMs / 1000);
	return { size: source.size, mtimeMs: source.mtimeMs };
}

const noLinks = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function tryLink(from: string, to: string): boolean {
	try {
		linkSync(from, to);
		return true;
	} catch (error) {
		if (codeOf(error) === 'EEXIST') throw exists(to);
		if (noLinks.has(codeOf(error) ?? '')) return false;
		throw asLogError(to, 'write', error);
	}
}

function exists(path: string): InputError {
	return new InputError('exists', `${path} exists already: nothing was moved`);
}

function changedSince(path: string, stamp: Stamp): boolean {
	const now = lstatSync(path);
	return now.size !== stamp.size || now.mtimeMs !== stamp.mtimeMs;
}

/** Removes folders that a move has left empty, upwards to below `top`. */
export function removeEmptyFolders(paths: Iterable<string>, top: string): void {
	for (const path of paths) {
		for (let at = dirname(path); at.length > top.length && at.startsWith(top); at = dirname(at)) {
			try {
				rmdirSync(at);
			} catch {
				break; // the folder holds something, or is gone already
			}
		}
	}
}
