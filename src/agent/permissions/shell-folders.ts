/** Which folder a shell command runs in: `cd` in front of it changes what its paths mean. */
import { isAbsolute, normalise } from './path-names.ts';
import type { SimpleCommand } from './shell.ts';

/** All that are possible; undefined where that cannot be known. */
export type Folders = readonly string[] | undefined;

/** A command that may run in more folders than this: where it runs counts as not known. */
const most = 8;

export function joinedFolders(a: Folders, b: Folders): Folders {
	if (a === undefined || b === undefined) return undefined;
	const all = [...new Set([...a, ...b])];
	return all.length > most ? undefined : all;
}

/** The folders after the command has succeeded. */
export function folderAfter({ words, folders }: SimpleCommand, home: string): { moves: boolean; folders: Folders } {
	const [name, ...given] = words[0]?.value === 'command' || words[0]?.value === 'builtin' ? words.slice(1) : words;
	if (
		name?.value === 'eval' &&
		!given.every(({ value }) => value !== undefined && !/\b(cd|pushd|popd)\b/.test(value))
	) {
		return { moves: true, folders: undefined };
	}
	if (name?.value === 'popd') return { moves: true, folders: undefined };
	if (name?.value !== 'cd' && name?.value !== 'pushd') return { moves: false, folders };
	const [to, ...others] = given.filter(({ raw }) => raw !== '--');
	if (others.length > 0) return { moves: true, folders: undefined };
	if (!to) return { moves: true, folders: name.value === 'cd' ? [home] : undefined };
	const { value, glob } = to;
	if (value === undefined || glob !== undefined || /^[-+]/.test(value)) return { moves: true, folders: undefined };
	if (isAbsolute(value)) return { moves: true, folders: [normalise(value)] };
	return { moves: true, folders: folders?.map((folder) => normalise(`${folder}/${value}`)) };
}
