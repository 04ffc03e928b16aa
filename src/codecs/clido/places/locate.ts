/** Where Clido keeps its sessions, and where its document says they are: the names of folders and files. */
import { createHash } from 'node:crypto';
import type { PlatformPath } from 'node:path';
import type { Folders, Location, Machine, PlacesPart } from '../../codec.ts';
import { fileName, folderName } from '../../shared/places/file-name.ts';
import { pathsFor } from '../../shared/places/paths.ts';
import { publishedId } from '../write/words.ts';

/** The data folder: `CLIDO_DATA_DIR`, else the platform's own. */
export function dataDir(machine: Machine): string {
	const path = pathsFor(machine);
	const { CLIDO_DATA_DIR: own, XDG_DATA_HOME: xdg, APPDATA: appData } = machine.env;
	if (own) return own;
	switch (machine.platform) {
		case 'darwin':
			return path.join(machine.home, 'Library', 'Application Support', 'clido');
		case 'win32':
			return path.join(appData || path.join(machine.home, 'AppData', 'Roaming'), 'clido', 'data');
		case 'linux':
			return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(machine.home, '.local', 'share'), 'clido');
	}
}

/** The folder with all sessions. `CLIDO_SESSION_DIR` replaces it, and all projects then share it. */
function sessionRoot(machine: Machine): { readonly folder: string; readonly shared: boolean } {
	const own = machine.env.CLIDO_SESSION_DIR;
	if (own) return { folder: own, shared: true };
	return { folder: pathsFor(machine).join(dataDir(machine), 'sessions'), shared: false };
}

/** The client's folder for a project: its path with `_` for each separator. Two projects may share one. */
export function clientFolder(cwd: string, machine: Machine): string {
	// A Windows file name cannot contain a colon; Clido itself loses such sessions.
	return machine.platform === 'win32' ? cwd.replaceAll(/[\\:]/g, '_') : cwd.replaceAll('/', '_');
}

/** The document's folder for a project: the first 16 hex digits of the SHA-256 of its absolute path. */
export function publishedFolder(cwd: string): string {
	return createHash('sha256').update(cwd).digest('hex').slice(0, 16);
}

function* sessionsIn(folder: string, path: PlatformPath, folders: Folders, deeper: boolean): Iterable<Location> {
	for (const item of folders.list(folder)) {
		const full = path.join(folder, item.name);
		if (item.folder) {
			if (deeper) yield* sessionsIn(full, path, folders, false);
		} else if (item.name.endsWith('.jsonl')) {
			yield { path: full, id: item.name.slice(0, -'.jsonl'.length) };
		}
	}
}

export const locate: PlacesPart = {
	ending: '.jsonl',
	variables: ['CLIDO_'],
	roots: (machine) => [sessionRoot(machine).folder],
	sessions(machine, folders) {
		const root = sessionRoot(machine);
		return sessionsIn(root.folder, pathsFor(machine), folders, !root.shared);
	},
	// Clido has no file that belongs to one session only.
	sideFiles: () => [],
	place(machine, session) {
		const path = pathsFor(machine);
		const root = sessionRoot(machine);
		if (session.profile === 'published') {
			return path.join(root.folder, publishedFolder(session.cwd), `${publishedId(session.id)}.jsonl`);
		}
		const name = `${fileName(session.id)}.jsonl`;
		return root.shared
			? path.join(root.folder, name)
			: path.join(root.folder, folderName(clientFolder(session.cwd, machine)), name);
	},
};
