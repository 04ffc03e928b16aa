/** Where Claude Code keeps the side files of one session, and how copies of files from before a change are named (`file-history`, `HASH@vN`). */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { pathsOf } from '../../shared/places/paths.ts';
import { folderNamedAfter } from '../../shared/places/side-folder.ts';

/** The folder beside the main file that is named after it. */
export function sessionFolder(main: string): string {
	const path = pathsOf(main);
	return path.join(path.dirname(main), folderNamedAfter(path.basename(main), /\.jsonl$/));
}

/** Names of project folders in the client's home, which begin like an absolute path. */
const ofAProject = /^(?:-|[A-Za-z](?:--|:-))/;

/** The client's home, if the main file lies where the client would put it. */
export function homeOf(main: string): string | undefined {
	const path = pathsOf(main);
	const folder = path.dirname(main);
	const projects = path.dirname(folder);
	const isPlaced = path.basename(projects) === 'projects' && ofAProject.test(path.basename(folder));
	return isPlaced ? path.dirname(projects) : undefined;
}

/**
 * The folder of a session's copies. The client keeps those of all sessions in its home. A session elsewhere has them in
 * its own folder: two folders above an arbitrary file is not ours to write.
 */
export function backupFolder(main: string): string {
	const path = pathsOf(main);
	const home = homeOf(main);
	if (home === undefined) return path.join(sessionFolder(main), 'file-history');
	return path.join(home, 'file-history', path.basename(sessionFolder(main)));
}

/** The name of a file's copy in its nth version. */
export function backupName(cwd: string | undefined, path: string, version: number): string {
	const absolute = posix.resolve(cwd ?? '/', path);
	return `${createHash('sha256').update(absolute).digest('hex').slice(0, 16)}@v${version}`;
}
