/** Which sessions are this project's: of this folder, of those above and below it in its repository and worktrees. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readRegular } from '../../log/regular-file.ts';

export interface Project {
	/** The project's name: the root of the repository or of the worktree, else the folder itself. */
	readonly folder: string;
	/** True for the folder of a session that belongs to the project. */
	has(folder: string | undefined): boolean;
}

/**
 * The project that somebody in this folder works on; all code that says "this project" asks here. A sibling folder does
 * not count: it is another part of a large repository, or of a home folder that is a repository itself, and going on
 * with its session would be a surprise.
 */
export function projectAt(cwd: string): Project {
	const here = placeOf(cwd);
	const known = new Map<string, boolean>();
	return {
		folder: here.root,
		has(folder) {
			if (folder === undefined || !isAbsolute(folder)) return false;
			const told = known.get(folder);
			if (told !== undefined) return told;
			const place = placeOf(folder);
			const along = isBelow(place.inner, here.inner) || isBelow(here.inner, place.inner);
			const found = place.key === here.key && along;
			known.set(folder, found);
			return found;
		},
	};
}

/** A folder's repository, and where in it the folder is: an absolute path whose root is the repository's. */
function placeOf(folder: string): Repository & { readonly inner: string } {
	const at = realPath(folder);
	const repository = repositoryOf(at);
	return { ...repository, inner: resolve(sep, relative(repository.root, at)) };
}

/** A folder with everything below it, whichever repositories those folders are in. */
export function folderTree(folder: string): Project {
	const root = realPath(resolve(folder));
	return { folder: root, has: (path) => path !== undefined && isInside(root, path) };
}

/** True for the folder itself and everything below it, whichever way a path leads there. */
export function isInside(folder: string, path: string): boolean {
	return isBelow(folder, realPath(path));
}

/** True for the folder itself, too. Nothing is looked up: links count as they are called. */
export function isBelow(folder: string, path: string): boolean {
	const inner = relative(folder, path);
	return inner === '' || (inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner));
}

interface Repository {
	readonly root: string;
	/** The same for all worktrees of one repository, and different for everything else. */
	readonly key: string;
	/** The folder in which git keeps the data of this worktree; undefined where the folder is in no repository. */
	readonly git?: string;
}

/** The repository that a folder is in; a folder in no repository counts as one of its own. */
export function repositoryOf(folder: string): Repository {
	for (let root = folder; ; root = dirname(root)) {
		const git = join(root, '.git');
		const stat = statSync(git, { throwIfNoEntry: false });
		if (stat?.isDirectory()) return { root, key: realPath(git), git };
		if (stat?.isFile()) return { root, key: sharedFolder(git, root) ?? git, git: namedFolder(git, root) ?? git };
		if (dirname(root) === root) return { root: folder, key: folder };
	}
}

/** The folder that a `.git` file names. */
function namedFolder(file: string, root: string): string | undefined {
	const named = /^gitdir: (.+)$/m.exec(shortText(file) ?? '')?.[1];
	return named === undefined ? undefined : resolve(root, named.trim());
}

/**
 * A worktree has a file in place of the folder `.git`, which names a folder inside the repository; that folder names the
 * worktree again. Without the second half any folder could claim to be a worktree of somebody else's project.
 */
function sharedFolder(file: string, root: string): string | undefined {
	const own = namedFolder(file, root);
	if (own === undefined) return undefined;
	const back = shortText(join(own, 'gitdir'))?.trim();
	const shared = shortText(join(own, 'commondir'))?.trim();
	if (!back || !shared || realPath(resolve(own, back)) !== realPath(file)) return undefined;
	return realPath(resolve(own, shared));
}

/** More bytes than any path that git writes into such a file. */
const longest = 1 << 13;

function shortText(path: string): string | undefined {
	const stat = statSync(path, { throwIfNoEntry: false });
	return stat?.isFile() && stat.size <= longest ? readRegular(path).toString('utf8') : undefined;
}

/**
 * The path with its links resolved, where the folder exists: clients differ in which of its names they write down. What no system takes for
 * a path, as a hostile file may have it, stays as it is.
 */
export function realPath(path: string): string {
	if (path.includes('\0')) return path;
	try {
		return realpathSync.native(path);
	} catch (error) {
		if (error instanceof Error && 'code' in error && 'syscall' in error) return path;
		throw error;
	}
}
