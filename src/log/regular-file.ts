/** Opening what may be anybody's: regular files only. A pipe never answers, a device never ends, and either may be named like a session. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { diskCalls, type FileStat } from './calls.ts';
import { codeOf } from './errors.ts';

/** Without waiting for somebody at the other end, and without becoming the terminal's process. Absent on Windows, which has neither. */
const patient = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** What the error of a refusal has as its `code`. */
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

/** The bytes of a file, the first `most` of them. Its size is taken once: a file that grows while it is read has an end. */
export function readRegular(path: string, most = Number.POSITIVE_INFINITY): Buffer {
	const { file, stat } = openRegular(path);
	try {
		const bytes = Buffer.allocUnsafe(Math.min(stat.size, most));
		return bytes.subarray(0, readInto(file, 0, bytes));
	} finally {
		closeSync(file);
	}
}

/** The same; undefined where there is no such file. */
export function readIfThere(path: string, most?: number): Buffer | undefined {
	try {
		return readRegular(path, most);
	} catch (error) {
		if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
		throw error;
	}
}

/** Fills `target` from `at` on; less where the file has shrunk since. */
export function readInto(file: number, at: number, target: Uint8Array): number {
	let got = 0;
	while (got < target.length) {
		const read = readSync(file, target, got, target.length - got, at + got);
		if (read === 0) break;
		got += read;
	}
	return got;
}
