/** Where Cline keeps its sessions: one folder per session, named like it. */
import { posix, win32 } from 'node:path';
import type { Folders, Locate, Location, Machine, SideFile } from '../codec.ts';

const messages = '.messages.json';

/** Each variable replaces one level; an empty one counts as not set. */
function root(machine: Machine): string {
	const { join } = machine.platform === 'win32' ? win32 : posix;
	const env = (name: string): string | undefined => machine.env[name]?.trim() || undefined;
	const cline = env('CLINE_DIR') ?? join(machine.home, '.cline');
	const data = env('CLINE_DATA_DIR') ?? join(cline, 'data');
	return env('CLINE_SESSION_DATA_DIR') ?? join(data, 'sessions');
}

function* sessions(
	machine: Machine,
	folders: Folders,
	options: { readonly subagents?: boolean | undefined } = {},
): Iterable<Location> {
	const { join } = machine.platform === 'win32' ? win32 : posix;
	const at = root(machine);
	for (const { name: id, folder } of folders.list(at)) {
		if (!folder) continue;
		const main = id + messages;
		const files = folders.list(join(at, id)).filter((file) => !file.folder && file.name.endsWith(messages));
		if (files.some((file) => file.name === main)) yield { path: join(at, id, main), id };
		if (!options.subagents) continue;
		for (const { name } of files) {
			if (name !== main) yield { path: join(at, id, name), id: name.slice(0, -messages.length), parent: id };
		}
	}
}

/** Everything else in the session's folder. Without its own folder's name a file is a sub-agent's and has no side files. */
function sideFiles(path: string, folders: Folders): readonly SideFile[] {
	const { basename, dirname, join } = path.includes('\\') && !path.includes('/') ? win32 : posix;
	const name = basename(path);
	if (!name.endsWith(messages)) return [];
	const id = name.slice(0, -messages.length);
	const folder = dirname(path);
	const own = basename(folder) === id;
	const found: SideFile[] = [];
	for (const file of folders.list(folder)) {
		if (file.folder) continue;
		const at = join(folder, file.name);
		if (file.name === `${id}.json`) found.push({ path: at, role: 'manifest' });
		else if (file.name === `${id}.compaction.json`) found.push({ path: at, role: 'compaction' });
		else if (own && file.name !== name && file.name.endsWith(messages)) {
			found.push({ path: at, role: 'subagent', id: file.name.slice(0, -messages.length) });
		}
	}
	return found;
}

export const locate: Locate = {
	roots: (machine) => [root(machine)],
	sessions,
	sideFiles,
	place(machine, session) {
		const { join } = machine.platform === 'win32' ? win32 : posix;
		return join(root(machine), session.id, session.id + messages);
	},
};
