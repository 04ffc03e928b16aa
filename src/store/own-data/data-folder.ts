/** Decides which folder holds our own data, by platform, `REPRISE_HOME` and `XDG_DATA_HOME`, and that only its owner may read it. */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { posix, resolve, win32 } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { codeOf } from '../../log/errors.ts';

export function dataFolder({ platform, home, env }: Machine): string {
	const { REPRISE_HOME: own, LOCALAPPDATA: local, XDG_DATA_HOME: shared } = env;
	if (own) return own;
	if (platform === 'win32') return win32.join(local || win32.join(home, 'AppData', 'Local'), 'reprise');
	if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'reprise');
	return posix.join(shared || posix.join(home, '.local', 'share'), 'reprise');
}

/** Pictures that were taken from the clipboard. */
export function pastedPictures(machine: Machine): string {
	return resolve(dataFolder(machine), 'pictures');
}

const ownerOnly = 0o700;

/**
 * Makes the data folder readable by its owner alone, whatever the umask: it holds copies of sessions. False where that
 * is not possible; then it is as private as the folder that it is in.
 */
export function closeDataFolder(machine: Machine): boolean {
	const folder = dataFolder(machine);
	try {
		mkdirSync(folder, { recursive: true, mode: ownerOnly });
		if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, ownerOnly);
		return true;
	} catch (error) {
		if (codeOf(error) !== undefined) return false;
		throw error;
	}
}
