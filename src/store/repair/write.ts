/** Writes a repaired session in place or elsewhere; what was there is kept beside it under a name that ends with `.reprise-original`. */
import { existsSync } from 'node:fs';
import type { Machine } from '../../codecs/index.ts';
import { createFiles, LogConflict, type LogStat } from '../../log/index.ts';
import { readRegular } from '../../log/regular-file.ts';
import { InputError } from '../errors.ts';
import { ownLog } from '../own-data/own-data.ts';

export interface Written {
	/** The file that holds the repaired session. */
	readonly out: string;
	/** The file that holds the original. */
	readonly kept: string;
}

/** Writes the repaired session to another place; the original is not touched. */
export async function writeBeside(original: string, to: string, bytes: Uint8Array): Promise<Written> {
	if (existsSync(to)) throw new InputError('exists', `${to} exists already: nothing was written`);
	await createFiles([{ to, pieces: bytes }]);
	return { out: to, kept: original };
}

/** Replaces the file in one step, if it is still what was read. The original is copied before that. */
export async function replaceFile(
	path: string,
	stat: LogStat,
	original: Uint8Array,
	bytes: Uint8Array,
	machine: Machine,
): Promise<Written> {
	const log = ownLog(machine);
	await using writer = await log.writer(path, { lines: false });
	const now = await log.stat(path);
	if (now?.version !== stat.version) throw new LogConflict(path, stat.length, now?.length ?? 0, true);
	const kept = await keepOriginal(path, original);
	await writer.replace(bytes, { expect: original.length, version: stat.version });
	return { out: path, kept };
}

/** Copies the original to a name that no client looks for. A file that has the name already is never overwritten. */
async function keepOriginal(path: string, bytes: Uint8Array): Promise<string> {
	for (let count = 1; ; count += 1) {
		const to = `${path}.reprise-original${count === 1 ? '' : `-${count}`}`;
		if (!existsSync(to)) {
			await createFiles([{ to, pieces: bytes }]);
			return to;
		}
		if (readRegular(to).equals(bytes)) return to;
	}
}
