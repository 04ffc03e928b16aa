/** Keeps a file's old bytes for a checkpoint as the session's own client does (numbered copies, or inline): the number of a version, and the folder for long outputs. */
import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Codec, Machine } from '../../codecs/index.ts';
import { createFiles } from '../../log/index.ts';
import { readRegular } from '../../log/regular-file.ts';
import type { FileSnapshot, Header, Profile } from '../../model/index.ts';
import { outputsFolder } from '../own-data/session-folders.ts';

export type KeptState = FileSnapshot['state'];

export interface Keeper {
	readonly codec: Codec;
	/** The session's main file. */
	readonly path: string;
	readonly profile: Profile;
	readonly header: Header;
}

/** True for clients that keep files as numbered copies and go on counting from one prompt to the next. */
export function keepsCopies({ codec, profile }: Pick<Keeper, 'codec' | 'profile'>): boolean {
	return profile === 'client' && codec.live.backupName !== undefined && codec.places.sideFolder !== undefined;
}

/**
 * The state that a checkpoint records for a file with these bytes; null: the file does not exist. `last` is the state
 * in the checkpoint before: it is repeated where nothing has changed, and otherwise the next version follows it.
 */
export async function keepFile(
	keeper: Keeper,
	file: string,
	bytes: Uint8Array | null,
	last: KeptState | undefined,
): Promise<KeptState> {
	const { codec, path, header } = keeper;
	const name = codec.live.backupName;
	const folder = keepsCopies(keeper) ? codec.places.sideFolder?.(resolve(path), 'backup') : undefined;
	if (folder === undefined || !name) {
		return bytes === null ? { is: 'absent' } : { is: 'inline', text: Buffer.from(bytes).toString('utf8') };
	}
	const before = versionOf(last);
	const next = before + 1;
	if (bytes === null) return last?.is === 'absent' ? last : { is: 'absent', version: next };
	// A recorded name counts only if it is the one we would give: anybody may have written the session.
	const own = last?.is === 'backup' && last.name === name(header.cwd, file, before);
	if (own && holds(join(folder, last.name), bytes)) return last;
	for (let version = next; ; version += 1) {
		const copy = name(header.cwd, file, version);
		const same = holds(join(folder, copy), bytes);
		// A copy is never overwritten: a checkpoint on another branch may lead back to it.
		if (same === false) continue;
		if (same === undefined) await createFiles([{ to: join(folder, copy), pieces: bytes }]);
		return { is: 'backup', name: copy, version };
	}
}

export function outputFolder({ codec, path }: Pick<Keeper, 'codec' | 'path'>, machine: Machine): string {
	return codec.places.sideFolder?.(resolve(path), 'output') ?? outputsFolder(machine, path);
}

function versionOf(state: KeptState | undefined): number {
	if (state === undefined || state.is === 'inline') return 0;
	const version = state.version ?? 1;
	return Number.isInteger(version) && version > 0 && version < 1e6 ? version : 1;
}

/** Whether a regular file holds exactly these bytes; undefined when no file has the name. */
function holds(path: string, bytes: Uint8Array): boolean | undefined {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (!stat) return undefined;
	return stat.isFile() && stat.size === bytes.length && readRegular(path).equals(bytes);
}
