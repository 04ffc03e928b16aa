/** What a handle writes besides appends: the files of a new session and their order, side files, the copy of an original document, the note that a run has ended. */
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Codec, Encoded, Machine, RunEnd } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import { createFiles, type Log, LogConflict } from '../../log/index.ts';
import { readRegular } from '../../log/regular-file.ts';
import type { Loss } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { diskFolders } from '../find/folders.ts';
import { besidePath } from '../find/place.ts';
import { addToIndex } from '../manage/session-index.ts';

/**
 * Creates a new session with its side files: all of them or none, and never over a file that exists. The side files
 * come first, because Cline takes messages without a manifest for an empty session and overwrites them.
 */
export async function createSession(
	codec: Codec,
	path: string,
	{ bytes, beside }: Encoded,
	machine: Machine,
): Promise<readonly Loss[]> {
	const folder = dirname(resolve(path));
	const side = beside.map((file) => ({ to: join(folder, file.path), pieces: file.bytes }));
	try {
		await createFiles([...side, { to: path, pieces: bytes }]);
	} catch (error) {
		if (!(error instanceof LogConflict)) throw error;
		throw new InputError('exists', `${error.key} exists already: nothing was written`);
	}
	return indexLoss(codec, path, machine);
}

/** Adds a new session to its client's own list; returns a loss where that was not possible. */
export function indexLoss(codec: Codec, path: string, machine: Machine): readonly Loss[] {
	const note = addToIndex(codec, path, machine);
	return note === undefined ? [] : [{ entry: '', path: 'index', how: 'dropped', note }];
}

/** Keeps a document as it was before our first write replaces it: one copy per session. */
export async function keepOriginal(log: Log, data: string, path: string, bytes: Uint8Array): Promise<void> {
	const name = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 32);
	await using copy = await log.writer(join(data, 'originals', `${name}.json`), { lines: false });
	await copy.replace(bytes);
}

/** Writes side files. A document's sidecar belongs to it and is replaced; any other file that exists stays as it is. */
export async function writeBeside(log: Log, codec: Codec, path: string, beside: Encoded['beside']): Promise<void> {
	for (const file of beside) {
		const to = besidePath(codec, resolve(path), file.path);
		if (!(await log.stat(to))) await createFiles([{ to, pieces: file.bytes }]);
		else if (codec.capabilities.container === 'document') {
			await using writer = await log.writer(to, { lines: false });
			await writer.replace(file.bytes);
		} else if (!readRegular(to).equals(file.bytes)) {
			throw new InputError('exists', `${to} is there already and says something else: nothing was written`);
		}
	}
}

/** Records that a run has ended, in the file where the session's client looks for that. */
export async function noteEnd(log: Log, codec: Codec, path: string, end: RunEnd): Promise<void> {
	const edit = codec.live.ended;
	const file = edit && codec.places.sideFiles(path, diskFolders).find(({ role }) => role === edit.role);
	if (!edit || !file) return;
	await using writer = await log.writer(file.path, { lines: false });
	const before = readRegular(file.path);
	const after = edit.apply(before, end);
	if (after) await writer.replace(after, { expect: before.length });
}

export function readRange(path: string, from: number, to: number): Uint8Array {
	using source = openFile(path);
	return source.read(from, to - from);
}
