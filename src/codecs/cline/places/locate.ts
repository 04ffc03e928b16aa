/** Where Cline keeps its sessions: one folder per session, named like it, and the tasks of its VS Code extension; which side files each has. */
import type { Folders, Location, Machine, PlacesPart, SideFile } from '../../codec.ts';
import { fileName } from '../../shared/places/file-name.ts';
import { filesIn, pathsFor, pathsOf } from '../../shared/places/paths.ts';
import { plainFiles } from '../../shared/places/side-files.ts';

const messages = '.messages.json';
/** The main file of a VS Code extension's task; the task's id is the name of its folder. */
const taskFile = 'api_conversation_history.json';
const extension = 'saoudrizwan.claude-dev';
/** Editors that the extension runs in, by the names of their settings folders. */
const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor'];

/** An environment variable; an empty one counts as unset. */
export const variable = (machine: Machine, name: string): string | undefined => machine.env[name]?.trim() || undefined;

/** Cline's data folder. Each variable replaces one level of the path. */
export function dataFolder(machine: Machine): string {
	const { join } = pathsFor(machine);
	const cline = variable(machine, 'CLINE_DIR') ?? join(machine.home, '.cline');
	return variable(machine, 'CLINE_DATA_DIR') ?? join(cline, 'data');
}

function root(machine: Machine): string {
	return variable(machine, 'CLINE_SESSION_DATA_DIR') ?? pathsFor(machine).join(dataFolder(machine), 'sessions');
}

/** The folder for settings of desktop programs. */
function settingsFolder(machine: Machine): string {
	const { join } = pathsFor(machine);
	if (machine.platform === 'darwin') return join(machine.home, 'Library', 'Application Support');
	if (machine.platform === 'win32') return variable(machine, 'APPDATA') ?? join(machine.home, 'AppData', 'Roaming');
	return variable(machine, 'XDG_CONFIG_HOME') ?? join(machine.home, '.config');
}

/** The folders of old tasks: those of each editor, and Cline's own. */
function taskFolders(machine: Machine): readonly string[] {
	const { join } = pathsFor(machine);
	const settings = settingsFolder(machine);
	const storages = editors.map((editor) => join(settings, editor, 'User', 'globalStorage', extension));
	return [...storages, dataFolder(machine)].map((storage) => join(storage, 'tasks'));
}

function* sessions(
	machine: Machine,
	folders: Folders,
	options: { readonly subagents?: boolean | undefined } = {},
): Iterable<Location> {
	yield* foldersWith(root(machine), (id) => id + messages, machine, folders, options.subagents);
	for (const tasks of taskFolders(machine)) yield* foldersWith(tasks, () => taskFile, machine, folders);
}

/** A session for each folder that contains a main file of that name. */
function* foldersWith(
	at: string,
	file: (id: string) => string,
	machine: Machine,
	folders: Folders,
	subagents = false,
): Iterable<Location> {
	const { join } = pathsFor(machine);
	for (const { name: id, folder } of folders.list(at)) {
		if (!folder) continue;
		const main = file(id);
		const names = filesIn(join(at, id), folders);
		if (names.includes(main)) yield { path: join(at, id, main), id };
		if (!subagents) continue;
		for (const name of names) {
			if (name === main || !name.endsWith(messages)) continue;
			yield { path: join(at, id, name), id: name.slice(0, -messages.length), parent: id };
		}
	}
}

/** Everything else in the session's folder. A file without its folder's name is a sub-agent's and has no side files. */
function sideFiles(path: string, folders: Folders): readonly SideFile[] {
	const { basename, dirname, join } = pathsOf(path);
	const name = basename(path);
	if (name === taskFile) return taskSideFiles(path, folders);
	if (!name.endsWith(messages)) return [];
	const id = name.slice(0, -messages.length);
	const folder = dirname(path);
	const own = basename(folder) === id;
	const found: SideFile[] = [];
	for (const file of filesIn(folder, folders)) {
		const at = join(folder, file);
		if (file === `${id}.json`) found.push({ path: at, role: 'manifest' });
		else if (file === `${id}.compaction.json`) found.push({ path: at, role: 'compaction' });
		else if (own && file !== name && file.endsWith(messages)) {
			found.push({ path: at, role: 'subagent', id: file.slice(0, -messages.length) });
		}
	}
	return found;
}

const display = 'ui_messages.json';

const taskRoles: readonly (readonly [name: string, role: SideFile['role']])[] = [
	['task_metadata.json', 'manifest'],
	[display, 'display'],
	['context_history.json', 'edits'],
];

/** A task's side files. The list of all tasks comes first: it counts more than the task's own files. */
function taskSideFiles(path: string, folders: Folders): readonly SideFile[] {
	const { dirname, join } = pathsOf(path);
	const folder = dirname(path);
	const state = join(dirname(dirname(folder)), 'state');
	const has = (where: string, name: string): boolean => filesIn(where, folders).includes(name);
	const id = idOf(path);
	const found: SideFile[] = [];
	if (id !== undefined && has(state, 'taskHistory.json')) {
		found.push({ path: join(state, 'taskHistory.json'), role: 'index', id });
	}
	for (const [name, role] of taskRoles) if (has(folder, name)) found.push({ path: join(folder, name), role });
	return found;
}

/** The id of a VS Code extension's task; undefined for every other file. */
export function idOf(path: string): string | undefined {
	const { basename, dirname } = pathsOf(path);
	return basename(path) === taskFile ? basename(dirname(path)) || undefined : undefined;
}

/** The file with what the extension shows of a task; undefined for every other session. */
export function displayFile(path: string): string | undefined {
	if (!path.endsWith(taskFile)) return undefined;
	const { basename, dirname, join } = pathsOf(path);
	return basename(path) === taskFile ? join(dirname(path), display) : undefined;
}

export const locate: PlacesPart = {
	ending: '.messages.json',
	variables: ['CLINE_'],
	roots: (machine) => [root(machine), ...taskFolders(machine)],
	sessions,
	idOf,
	sideFiles: plainFiles(sideFiles),
	manifest: (path) => (path.endsWith(messages) ? `${path.slice(0, -messages.length)}.json` : undefined),
	place(machine, session) {
		const { join } = pathsFor(machine);
		const name = fileName(session.id);
		return join(root(machine), name, name + messages);
	},
};
