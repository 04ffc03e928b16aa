/** Decides where a session's files may be written: in its client's home or in a folder laid out like one. A name that leads outside, or the published profile at home, is refused. */
import { dirname, join, resolve, sep } from 'node:path';
import { type Codec, hasOneProfile, type Machine } from '../../codecs/index.ts';
import { compact, type Profile } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { diskFolders, thisMachine } from './folders.ts';

/** A machine whose home is this folder, and on which no environment variable moves a client's files elsewhere. */
export function homeIn(folder: string): Machine {
	return { ...thisMachine(), home: resolve(folder), env: {} };
}

/** True for a file that lies among the sessions of its client. */
export function isInHome(codec: Codec, path: string, machine: Machine): boolean {
	return codec.places.roots(machine).some((root) => resolve(path).startsWith(join(resolve(root), sep)));
}

/** The refusal to write a session of the profile `published` among a client's own sessions. */
export const notAtHome = 'a session in the published profile does not belong among a client’s own sessions';

/** Throws where a client's session that lies among its own would be continued in the profile `published`. */
export function keepHome(codec: Codec, path: string, machine: Machine, from: Profile, to: Profile): void {
	if (to === 'client' || from === to || hasOneProfile(codec.profiles) || !isInHome(codec, path, machine)) return;
	throw new InputError('no-place', `${notAtHome}: fork ${path} to a file elsewhere first`);
}

export interface Placed {
	readonly id: string;
	readonly cwd?: string | undefined;
	readonly created?: string | undefined;
	readonly profile?: Profile | undefined;
}

export function placeOf(machine: Machine, codec: Codec, { id, cwd, created, profile }: Placed): string {
	const session = { id, cwd: cwd ?? resolve('.'), ...compact({ created, profile }) };
	const path = codec.places.place(machine, session, diskFolders);
	// Codecs make file names of what a session says. A name that leads out of the client's folders is refused.
	if (codec.places.roots(machine, diskFolders).some((root) => isBelow(resolve(root), path))) return path;
	throw new InputError('no-place', `${path} would be outside of the folders of ${codec.name}: nothing was written`);
}

/** Where a side file goes: beside the session's main file, or where the client keeps copies of files. */
export function besidePath(codec: Codec, main: string, inner: string): string {
	const to = resolve(dirname(main), inner);
	const backups = codec.places.sideFolder?.(resolve(main), 'backup');
	if (isBelow(resolve(dirname(main)), to) || (backups !== undefined && isBelow(backups, to))) return to;
	throw new InputError('no-place', `${to} would be outside of the folder of ${main}: nothing was written`);
}

function isBelow(folder: string, path: string): boolean {
	return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
