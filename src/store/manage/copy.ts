/** Copies a session byte for byte, which is its conversion to its own format: what the side files are called at the new place. A fork is made in `fork.ts`. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Codec } from '../../codecs/index.ts';
import { folderNamedAfter } from '../../codecs/shared/places/side-folder.ts';
import { openFile } from '../../log/file-source.ts';
import { createFiles } from '../../log/index.ts';
import { piecesOf } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { diskFolders } from '../find/folders.ts';
import { homeIn, placeOf } from '../find/place.ts';
import { codecAt, openSession } from '../reader/session-reader.ts';
import { stemOf } from '../reader/whole.ts';

/** Copies the session at `from` to the main file `to`, or with a trailing slash into a folder like a client's home. */
export async function copySession(from: string, to: string, format: string): Promise<readonly string[]> {
	const codec = codecAt(from);
	if (codec.id !== format) {
		throw new InputError(
			'other-format',
			`${from} is a ${codec.id} session; this version converts it to ${codec.id} only`,
		);
	}
	const main = /[/\\]$/.test(to) ? await placeIn(to, from, codec) : to;
	const plan = [{ from, to: main }, ...besideOf(codec, from, main)];
	for (const file of plan) {
		if (existsSync(file.to)) throw new InputError('exists', `${file.to} exists already: nothing was written`);
	}
	await createFiles(plan.map((file) => ({ to: file.to, pieces: piecesOfFile(file.from) })));
	return plan.map((file) => file.to);
}

async function placeIn(home: string, from: string, codec: Codec): Promise<string> {
	const session = await openSession(from, { subagents: false });
	const { cwd, created } = session.header;
	return placeOf(homeIn(home), codec, { id: session.id, cwd, created });
}

/**
 * Where each side file goes. It keeps its place relative to the main file, and a name made from the main file's becomes
 * the new one's. Copies of changed files go where the new session would keep its own.
 */
function besideOf(codec: Codec, from: string, to: string): readonly { readonly from: string; readonly to: string }[] {
	const oldStem = stemOf(from);
	const oldFolder = folderNamedAfter(basename(from));
	return codec.places.sideFiles(from, diskFolders).map((file) => {
		const copies = file.role === 'backup' ? codec.places.sideFolder?.(resolve(to), 'backup') : undefined;
		if (copies !== undefined) return { from: file.path, to: join(copies, basename(file.path)) };
		const [head = '', ...rest] = relative(dirname(from), file.path).split(/[/\\]/);
		if (rest.length > 0 && head === oldFolder) {
			return { from: file.path, to: join(dirname(to), folderNamedAfter(basename(to)), ...rest) };
		}
		const named = head.startsWith(`${oldStem}.`) ? stemOf(to) + head.slice(oldStem.length) : head;
		return { from: file.path, to: join(dirname(to), named, ...rest) };
	});
}

/** The bytes of a session file, a piece at a time. */
function* piecesOfFile(path: string): Generator<Uint8Array> {
	using source = openFile(path);
	yield* piecesOf(source);
}
