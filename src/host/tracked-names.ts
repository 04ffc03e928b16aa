/** The names in git's index, for permission decisions; read without running git, because a repository that somebody else prepared says what git runs. */
import { resolve } from 'node:path';
import { readRegular } from '../log/regular-file.ts';

/** The files that git tracks in the repository with this top; undefined where its index is none that can be read here. */
export function trackedNames(top: string): readonly string[] | undefined {
	try {
		return namesIn(readRegular(`${gitFolderOf(top)}/index`));
	} catch {
		// No repository, none that is ours to read, or a torn index.
		return undefined;
	}
}

/** In a second work tree `.git` is a file that says where its index lies. */
function gitFolderOf(top: string): string {
	try {
		const [, folder] = /^gitdir: (.*)/.exec(readRegular(`${top}/.git`, 4096).toString()) ?? [];
		return resolve(top, folder ?? '.git');
	} catch {
		// A folder, as it nearly always is.
		return `${top}/.git`;
	}
}

const header = 12;
/** Before the name: times, numbers, an id of SHA-1, flags. */
const fixed = 62;

/** Versions 2 and 3; version 4 leaves out what a name has in common with the one before it, and is not read. */
function namesIn(index: Buffer): readonly string[] | undefined {
	const version = index.readUInt32BE(4);
	if (index.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) return undefined;
	const names: string[] = [];
	let at = header;
	for (let left = index.readUInt32BE(8); left > 0; left--) {
		const isExtended = (index.readUInt16BE(at + fixed - 2) & 0x4000) !== 0;
		const from = at + fixed + (isExtended ? 2 : 0);
		const to = index.indexOf(0, from);
		if (to === -1) return undefined;
		names.push(index.toString('utf8', from, to));
		at += Math.floor((to - at) / 8 + 1) * 8;
	}
	// Ids of SHA-256 are longer: names would begin with a part of one. A part of the names may lie in another file.
	const isSplit = index.indexOf('link', at, 'latin1') === at;
	return isSplit || names.some((name) => name === '' || hasControl(name)) ? undefined : names;
}

function hasControl(name: string): boolean {
	for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) < 32) return true;
	return false;
}
