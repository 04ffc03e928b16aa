/** What is deleted or moved with a whole Claude Code session (todos, tasks, file history), and after how many days its client deletes it (30). */
import type { Folders, Manage } from '../../codec.ts';
import { filesBelow, filesIn, pathsFor, pathsOf } from '../../shared/places/paths.ts';
import { homeOf, sessionFolder } from './backups.ts';
import { projectSlug } from './locate.ts';

export const manage: Manage = {
	writes: 'append',
	keepsDays: 30,
	belongings,
	/** The client goes by the folder of a file and ignores the `cwd` of its lines, so the lines stay. */
	relink(main, to, machine) {
		const path = pathsFor(machine);
		const projects = path.dirname(path.dirname(main));
		return { path: path.join(projects, projectSlug(to), path.basename(main)) };
	},
};

/**
 * Everything in the session's own folder, and what the client keeps for it elsewhere in its home. Elsewhere a folder that is called
 * like the file may be anybody's: `app/` beside `app.jsonl`. Of that only side files are the session's.
 */
function belongings(main: string, folders: Folders): readonly string[] {
	const path = pathsOf(main);
	const own = sessionFolder(main);
	const id = path.basename(own);
	const home = homeOf(main);
	if (home === undefined) return [];
	const found = [...filesBelow(own, path, folders)];
	for (const name of ['file-history', 'tasks', 'session-env'])
		found.push(...filesBelow(path.join(home, name, id), path, folders));
	const todos = filesIn(path.join(home, 'todos'), folders).filter((name) => name.startsWith(`${id}-agent-`));
	return [...found, ...todos.map((name) => path.join(home, 'todos', name))];
}
