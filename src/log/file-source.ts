/** A file as a source of bytes, read on demand. */
import { closeSync } from 'node:fs';
import type { Source } from '../model/index.ts';
import type { FileStat } from './calls.ts';
import { openRegular, readInto as readFrom } from './regular-file.ts';

export interface FileSource extends Source, Disposable {
	readonly path: string;
	readonly mtimeMs: number;
	readonly stat: FileStat;
}

/** Opens a regular file. Its size is taken once: what a client appends meanwhile belongs to the next reading. */
export function openFile(path: string): FileSource {
	const { file, stat } = openRegular(path);
	const readInto = (at: number, target: Uint8Array): number =>
		readFrom(file, at, target.subarray(0, Math.max(0, stat.size - at)));
	return {
		path,
		size: stat.size,
		mtimeMs: stat.mtimeMs,
		stat,
		read(at, length) {
			const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, stat.size - at)));
			return bytes.subarray(0, readInto(at, bytes));
		},
		readInto,
		[Symbol.dispose]: () => closeSync(file),
	};
}
