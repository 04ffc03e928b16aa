/** Which project a folder belongs to: its repository with all worktrees of it, or the folder alone where there is none. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readRegular } from '../log/regular-file.ts';

export interface Project {
	/** What it is called: the root of the repository, or of the worktree, else the folder itself. */
	readonly folder: string;
	/** Whether a session that names this folder is one of the project's. */
	has(folder: string | undefined): boolean;
}

/** The project that somebody in this folder works on. Everything that says "this project" asks here. */
export function projectAt(cwd: string): Project {
	const { root, key } = repositoryOf(real(cwd));
	const keys = new Map<string, string>();
	return {
		folder: root,
		has(folder) {
			if (folder === undefined || !isAbsolute(folder)) return false;
			let known = keys.get(folder);
			if (known === undefined) {
				known = repositoryOf(real(folder)).key;
				keys.set(folder, known);
			}
			return known === key;
		},
	};
}

/** A folder with everything below it, whatever repositories those are of. */
export function folderTree(folder: string): Project {
	const root = real(resolve(folder));
	return { folder: root, has: (path) => path !== undefined && isInside(root, path) };
}

/** True for the folder itself and everything below it. */
export function isInside(folder: string, path: string): boolean {
	const inner = relative(folder, real(path));
	return inner === '' || (inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner));
}

interface Repository {
	readonly root: string;
	/** Equal for all worktrees of one repository, and for nothing else. */
	readonly key: string;
}

function repositoryOf(folder: string): Repository {
	for (let root = folder; ; root = dirname(root)) {
		const git = join(root, '.git');
		const stat = statSync(git, { throwIfNoEntry: false });
		if (stat?.isDirectory()) return { root, key: real(git) };
		if (stat?.isFile()) return { root, key: sharedFolder(git, root) ?? git };
		if (dirname(root) === root) return { root: folder, key: folder };
	}
}

/**
 * A worktree has a file in place of the folder `.git`, which names a folder inside the repository; that folder names the
 * worktree again. Without the second half any folder could claim to be a worktree of somebody else's project.
 */
function sharedFolder(file: string, root: string): string | undefined {
	const named = /^gitdir: (.+)$/m.exec(shortText(file) ?? '')?.[1];
	if (named === undefined) return undefined;
	const own = resolve(root, named.trim());
	const back = shortText(join(own, 'gitdir'))?.trim();
	const shared = shortText(join(own, 'commondir'))?.trim();
	if (!back || !shared || real(resolve(own, back)) !== real(file)) return undefined;
	return real(resolve(own, shared));
}

/** Longer than any path that git writes into such a file. */
const longest = 1 << 13;

function shortText(path: string): string | undefined {
	const stat = statSync(path, { throwIfNoEntry: false });
	return stat?.isFile() && stat.size <= longest ? readRegular(path).toString('utf8') : undefined;
}

/** Through links where the folder exists: clients differ in which of its names they write down. */
function real(path: string): string {
	try {
		return realpathSync.native(path);
	} catch (error) {
		if (error instanceof Error && 'code' in error && 'syscall' in error) return path;
		throw error;
	}
}
