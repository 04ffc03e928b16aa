/** Opens regular files only: a pipe never answers, a device never ends, and either may be named like a session. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { diskCalls, type FileStat } from './calls.ts';
import { isMissing } from './errors.ts';

/** Flags to open without waiting for a pipe's other end or becoming the terminal's process. Windows has neither. */
const patient = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** The `code` of the error for anything but a regular file. */
export const notRegular = 'EFTYPE';

export function openRegular(path: string): { readonly file: number; readonly stat: FileStat } {
	const file = openSync(path, patient);
	try {
		const stat = diskCalls.fstat(file);
		if (stat.isFile()) return { file, stat };
		const message = `${notRegular}: ${path} is not a regular file`;
		throw Object.assign(new Error(message), {
			code: stat.isDirectory() ? 'EISDIR' : notRegular,
			syscall: 'open',
			path,
		});
	} catch (error) {
		closeSync(file);
		throw error;
	}
}

/** The first `most` bytes of a file. Its size is taken once, so that a file that grows meanwhile has an end. */
export function readRegular(path: string, most = Number.POSITIVE_INFINITY): Buffer {
	const { file, stat } = openRegular(path);
	try {
		const bytes = Buffer.allocUnsafe(Math.min(stat.size, most));
		return bytes.subarray(0, readInto(file, 0, bytes));
	} finally {
		closeSync(file);
	}
}

/** `readRegular`, but undefined where the file does not exist. */
export function readIfThere(path: string, most?: number): Buffer | undefined {
	try {
		return readRegular(path, most);
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

/** Fills `target` from the offset `at` on; returns fewer bytes where the file has shrunk. */
export function readInto(file: number, at: number, target: Uint8Array): number {
	let got = 0;
	while (got < target.length) {
		const read = readSync(file, target, got, target.length - got, at + got);
		if (read === 0) break;
		got += read;
	}
	return got;
}
