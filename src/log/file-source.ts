/** A file as a source of bytes, read on demand. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Source } from '../model/index.ts';
import { diskCalls, type FileStat } from './calls.ts';

export interface FileSource extends Source, Disposable {
	readonly path: string;
	readonly mtimeMs: number;
	readonly stat: FileStat;
}

/** Opens a file for reading. Its size is taken once: what a client appends meanwhile belongs to the next reading. */
export function openFile(path: string): FileSource {
	const file = openSync(path, 'r');
	const stat = diskCalls.fstat(file);
	function readInto(at: number, target: Uint8Array): number {
		const wanted = Math.max(0, Math.min(target.length, stat.size - at));
		let got = 0;
		while (got < wanted) {
			const read = readSync(file, target, got, wanted - got, at + got);
			if (read === 0) break; // the file has shrunk since
			got += read;
		}
		return got;
	}
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
