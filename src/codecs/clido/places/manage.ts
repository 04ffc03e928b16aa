/** How a whole Clido session moves to another folder, and after how many days without use its client deletes it (30). */
import type { Manage } from '../../codec.ts';
import { folderName } from '../../shared/places/file-name.ts';
import { pathsFor } from '../../shared/places/paths.ts';
import { clientFolder } from './locate.ts';

export const manage: Manage = {
	// The client truncates the file after a failed turn.
	writes: 'rewrite',
	keepsDays: 30,
	/** Clido lists what lies in a project's folder and ignores the path in the first line. */
	relink(main, to, machine) {
		if (machine.env.CLIDO_SESSION_DIR) {
			return {
				path: main,
				note: 'CLIDO_SESSION_DIR is set: all projects share one folder, so there is nothing to move',
			};
		}
		const path = pathsFor(machine);
		const sessions = path.dirname(path.dirname(main));
		return { path: path.join(sessions, folderName(clientFolder(to, machine)), path.basename(main)) };
	},
};
