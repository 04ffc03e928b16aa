/** What people do to whole Claude Code sessions. */
import { posix, win32 } from 'node:path';
import type { Folders, Manage } from '../../codec.ts';
import { homeOf, pathsOf, sessionFolder } from './backups.ts';
import { projectSlug } from './locate.ts';

export const manage: Manage = {
	writes: 'append',
	keepsDays: 30,
	belongings,
	/** The client goes by the folder a file lies in and never looks at the `cwd` of its lines, so they stay. */
	relink(main, to, machine) {
		const path = machine.platform === 'win32' ? win32 : posix;
		const projects = path.dirname(path.dirname(main));
		return { path: path.join(projects, projectSlug(to), path.basename(main)) };
	},
};

/** Everything in the session's own folder, and what the client keeps about it elsewhere in its home. */
function belongings(main: string, folders: Folders): readonly string[] {
	const path = pathsOf(main);
	const id = path.basename(main, '.jsonl');
	const found = [...below(sessionFolder(main), path, folders)];
	const home = homeOf(main);
	if (home === undefined) return found;
	for (const name of ['file-history', 'tasks', 'session-env'])
		found.push(...below(path.join(home, name, id), path, folders));
	for (const item of folders.list(path.join(home, 'todos'))) {
		if (!item.folder && item.name.startsWith(`${id}-agent-`)) found.push(path.join(home, 'todos', item.name));
	}
	return found;
}

function* below(folder: string, path: typeof posix, folders: Folders): Iterable<string> {
	for (const item of folders.list(folder)) {
		const at = path.join(folder, item.name);
		if (item.folder) yield* below(at, path, folders);
		else yield at;
	}
}
