/** What people do to whole Cline sessions. */
import { posix, win32 } from 'node:path';
import { isObject } from '../../model/index.ts';
import type { FileEdit, Folders, Manage } from '../codec.ts';
import { withValue } from '../json-edit.ts';
import { parseRecord } from '../parse.ts';

const longestTitle = 120;
const manifestOnly =
	'Cline’s own index (db/sessions.db) is left alone: where it has a row of the session, that row still says';

const retitle: FileEdit<string> = {
	role: 'manifest',
	apply(bytes, wanted) {
		const title = wanted.slice(0, longestTitle);
		const { value } = parseRecord(bytes, true);
		if (!value) return undefined;
		if (!isObject(value.metadata)) return withValue(bytes, ['metadata'], { title });
		return withValue(bytes, ['metadata', 'title'], title);
	},
};

const refolder: FileEdit<string> = {
	role: 'manifest',
	apply(bytes, folder) {
		if (!parseRecord(bytes, true).value) return undefined;
		return withValue(withValue(bytes, ['cwd'], folder), ['workspace_root'], folder);
	},
};

export const manage: Manage = {
	writes: 'rewrite',
	belongings,
	retitle,
	relink: (main) => ({ path: main, edit: refolder, note: `${manifestOnly} the old folder` }),
	index: `${manifestOnly} what it said before`,
};

/** Everything else in the session's own folder. */
function belongings(main: string, folders: Folders): readonly string[] {
	const path = main.includes('\\') && !main.includes('/') ? win32 : posix;
	const folder = path.dirname(main);
	if (!path.basename(main).startsWith(`${path.basename(folder)}.`)) return [];
	return [...below(folder, path, folders)];
}

function* below(folder: string, path: typeof posix, folders: Folders): Iterable<string> {
	for (const item of folders.list(folder)) {
		const at = path.join(folder, item.name);
		if (item.folder) yield* below(at, path, folders);
		else yield at;
	}
}
