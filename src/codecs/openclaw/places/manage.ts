/** How a whole session of pi moves to another folder: by the folder's name and the `cwd` of its header. OpenClaw's own list is left alone. */
import type { FileEdit, Manage } from '../../codec.ts';
import { folderName } from '../../shared/places/file-name.ts';
import { pathsFor, pathsOf } from '../../shared/places/paths.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { withValue } from '../../shared/write/json-edit.ts';
import { isOpenClaws, projectFolder } from './locate.ts';

/** Changes the folder in the header, because pi refuses a session whose folder is gone; all other lines stay. */
const refolder = (moved: ReadonlyMap<string, string>): FileEdit<string> => ({
	role: 'main',
	apply(bytes, folder) {
		let start = 0;
		while (start < bytes.length) {
			const newline = bytes.indexOf(10, start);
			const end = newline === -1 ? bytes.length : newline;
			const { value } = parseRecord(bytes.subarray(start, end), start === 0);
			// pi skips lines that it cannot parse; the first other line must be the header.
			if (value) {
				if (value.type !== 'session') return undefined;
				const line = headerLine(bytes.subarray(start, end), folder, moved.get(String(value.parentSession)));
				return Buffer.concat([bytes.subarray(0, start), line, bytes.subarray(end)]);
			}
			start = end + 1;
		}
		return undefined;
	},
});

/** The header line with the new folder. A fork names its source file; if that has moved too, it gets the new path. */
function headerLine(line: Uint8Array, folder: string, parent: string | undefined): Uint8Array {
	const moved = withValue(line, ['cwd'], folder);
	return parent === undefined ? moved : withValue(moved, ['parentSession'], parent);
}

const projectName = /^--.*--$/;

export const manage: Manage = {
	// The clients migrate old versions in place.
	writes: 'rewrite',
	relink(main, to, machine, moved) {
		const path = pathsFor(machine);
		const folder = path.dirname(main);
		if (isOpenClaws(main, path)) {
			return { path: main, note: 'OpenClaw keeps sessions by agent, not by folder: there is nothing to move' };
		}
		// In one folder for all projects pi goes by the header alone.
		const own = projectName.test(path.basename(folder));
		return {
			path: own ? path.join(path.dirname(folder), folderName(projectFolder(to)), path.basename(main)) : main,
			edit: refolder(moved),
		};
	},
	index: (main) =>
		isOpenClaws(main, pathsOf(main))
			? 'OpenClaw’s own list (sessions.json) is left alone: it may still name the session'
			: undefined,
};
