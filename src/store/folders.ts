/** The real file system and machine, as codecs ask about them. */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Folders, Machine } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import { databaseSessions } from './database.ts';

const absent = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'ELOOP']);

/** Runs `read`; a folder or file that is not there or not ours to read is empty. */
function orEmpty<T>(read: () => T, empty: T): T {
	try {
		return read();
	} catch (error) {
		if (error instanceof Error && 'code' in error && absent.has(String(error.code))) return empty;
		throw error;
	}
}

export const diskFolders: Folders = {
	list: (folder) =>
		orEmpty(
			() =>
				readdirSync(folder, { withFileTypes: true })
					.map((item) => ({ name: item.name, folder: item.isDirectory() }))
					.sort((a, b) => (a.name < b.name ? -1 : 1)),
			[],
		),
	head: (path, length) =>
		orEmpty(() => {
			using source = openFile(path);
			return source.read(0, length);
		}, new Uint8Array(0)),
	stored(file) {
		try {
			return databaseSessions(file)?.map((session) => session.id) ?? [];
		} catch (error) {
			// One damaged or locked database must not hide the sessions of every other client.
			if (error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR') return [];
			throw error;
		}
	},
};

/** The clients ask the system for the home folder, which is `HOME`, and `USERPROFILE` on Windows. */
export function thisMachine(): Machine {
	const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
	return { platform, home: homedir(), env: process.env };
}
