/** How a whole Cline session gets another title or folder: by edits of its manifest. What is deleted with it, and that its own index is left alone. */
import { isObject, type JsonObject } from '../../../model/index.ts';
import type { FileEdit, Folders, Manage } from '../../codec.ts';
import { filesBelow, pathsOf } from '../../shared/places/paths.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { withValue } from '../../shared/write/json-edit.ts';
import { longestTitle } from '../write/beside.ts';
import { idOf } from './locate.ts';

const manifestOnly =
	'Cline’s own index (db/sessions.db) is left alone: where it has a row of the session, that row still says';

const retitle: FileEdit<string> = {
	role: 'manifest',
	apply(bytes, wanted) {
		const title = wanted.slice(0, longestTitle);
		const value = manifestIn(bytes);
		if (!value) return undefined;
		if (!isObject(value.metadata)) return withValue(bytes, ['metadata'], { title });
		return withValue(bytes, ['metadata', 'title'], title);
	},
};

const refolder: FileEdit<string> = {
	role: 'manifest',
	apply(bytes, folder) {
		if (!manifestIn(bytes)) return undefined;
		return withValue(withValue(bytes, ['cwd'], folder), ['workspace_root'], folder);
	},
};

/** The manifest in these bytes; undefined for files of the VS Code extension, which have no title or folder. */
export function manifestIn(bytes: Uint8Array): JsonObject | undefined {
	const { value } = parseRecord(bytes, true);
	return value && typeof value.session_id === 'string' ? value : undefined;
}

export const manage: Manage = {
	writes: 'rewrite',
	belongings,
	retitle,
	relink(main) {
		if (idOf(main) !== undefined) {
			return {
				path: main,
				note: 'the VS Code extension keeps the folder of a task in a list of its own, which is left alone',
			};
		}
		return { path: main, edit: refolder, note: `${manifestOnly} the old folder` };
	},
	index: () => `${manifestOnly} what it said before`,
};

/**
 * Everything else in the session's own folder, where that lies as the client has it. A file that somebody has put elsewhere has no
 * folder of its own: in `Downloads`, all that lies around it would go with it.
 */
function belongings(main: string, folders: Folders): readonly string[] {
	const path = pathsOf(main);
	const folder = path.dirname(main);
	const above = path.basename(path.dirname(folder));
	const isTask = idOf(main) !== undefined;
	const own = isTask
		? above === 'tasks'
		: above === 'sessions' && isNamedLike(path.basename(main), path.basename(folder));
	return own ? filesBelow(folder, path, folders) : [];
}

function isNamedLike(file: string, folder: string): boolean {
	return file.startsWith(`${folder}.`);
}
