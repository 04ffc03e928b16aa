/** Files that git ignores and the user wants kept all the same (`keepIgnored`), such as `.env`: named by patterns, up to a size and a number. */
import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** The most bytes of one of them, and the most of them: what git ignores is often large, and made by programs. */
export const largestIgnored = 1024 * 1024;
const mostFiles = 1000;

export interface AskedIgnored {
	/** Relative to the folder, in order. */
	readonly paths: readonly string[];
	readonly missed: readonly string[];
}

/** What the patterns name in a folder now; nothing outside of it, and nothing of git's own. */
export function askedIgnored(folder: string, patterns: readonly string[]): AskedIgnored {
	const inside = patterns.filter((pattern) => !pattern.startsWith('/') && !pattern.split('/').includes('..'));
	if (inside.length === 0) return { paths: [], missed: [] };
	const found = globSync(inside, { cwd: folder, exclude: (name) => basename(name) === '.git' });
	const paths = [...new Set(found)].sort().slice(0, mostFiles);
	const more = `keepIgnored names more than ${mostFiles} files: what commands change in the others is not kept`;
	return { paths, missed: found.length > mostFiles ? [more] : [] };
}
