/** Reading and replacing a file that was decided about: only while its name still leads where it led then. */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, isMissing } from '../log/errors.ts';
import { openRegular, readInto } from '../log/regular-file.ts';
import { realTarget } from './file-view.ts';

/** All of a file, or parts that follow each other. */
export type FileBytes = Uint8Array | readonly Uint8Array[];

/** A link may be put in place of a file between the decision and now: what was opened is asked where it is, not its name. */
export function readDecided(path: string, real: string): Uint8Array {
	const { file, stat: facts } = openRegular(path);
	try {
		if ((placeOf(file) ?? realTarget(path)) !== real) throw moved(path);
		const bytes = Buffer.allocUnsafe(facts.size);
		return bytes.subarray(0, readInto(file, 0, bytes));
	} finally {
		closeSync(file);
	}
}

/** The folder is held open meanwhile, so that it stays the one it was, whatever its name leads to. */
export async function replaceDecided(path: string, real: string, bytes: FileBytes): Promise<void> {
	if (realTarget(path) !== real) throw moved(path);
	await makeFolder(real);
	const folder = openSync(dirname(real), constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
	try {
		const place = placeOf(folder);
		if ((place ?? realTarget(dirname(real))) !== dirname(real)) throw moved(path);
		await replaceIn(place === undefined ? dirname(real) : held(folder), basename(real), bytes);
	} catch (error) {
		if (error instanceof Error) error.message = error.message.replaceAll(held(folder), dirname(real));
		throw error;
	} finally {
		closeSync(folder);
	}
}

/** The folder of a file. */
export async function makeFolder(path: string): Promise<void> {
	try {
		await mkdir(dirname(path), { recursive: true });
	} catch (error) {
		if (codeOf(error) !== 'EEXIST' && codeOf(error) !== 'ENOTDIR') throw error;
		const cause = Object.assign(new Error(`ENOTDIR: not a directory, open '${path}'`), { code: 'ENOTDIR' });
		throw cause;
	}
}

/** With the mode that the file had. A link of that name is replaced, never followed. */
export async function replaceIn(folder: string, name: string, bytes: FileBytes): Promise<void> {
	const before = await stat(join(folder, name)).catch((error: unknown) => {
		if (isMissing(error)) return undefined;
		throw error;
	});
	const temporary = join(folder, `.${name}.${randomBytes(6).toString('hex')}.tmp`);
	try {
		await writeFile(temporary, bytes, { flag: 'wx', ...(before ? { mode: before.mode & 0o777 } : {}) });
		await rename(temporary, join(folder, name));
	} catch (error) {
		await rm(temporary, { force: true });
		throw error;
	}
}

/** Where the kernel says that an open file is; undefined where it does not tell. */
function placeOf(file: number): string | undefined {
	try {
		return readlinkSync(held(file));
	} catch {
		// Only Linux tells; elsewhere the name is asked once more.
		return undefined;
	}
}

/** A name that leads to what is open, whatever happens to its own name. */
function held(file: number): string {
	return `/proc/self/fd/${file}`;
}

function moved(path: string): Error {
	return new Error(`${path} leads elsewhere than when it was decided about: a link on its way was changed`);
}
