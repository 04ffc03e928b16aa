/** `reprise delete SESSION`: asks unless --yes is given, then moves the session with everything that is its own into the trash. */

import { namedSession } from '../../store/find/find-session.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { sessionFiles } from '../../store/find/session-files.ts';
import { deleteSession } from '../../store/manage/trash.ts';
import { glance } from '../../store/reader/glance.ts';
import { complain, printJson, printProse } from '../../terminal/print.ts';
import { askYesNo, canAsk } from '../ask/ask.ts';
import type { Define } from '../commands.ts';
import { sessionHelp } from '../session-argument.ts';

interface Options {
	readonly yes?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.option('-y, --yes', 'do not ask')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nNothing is destroyed: reprise restore lists the trash and puts a session back.\n\n' +
				'Example:\n  reprise delete samples/clido.jsonl --yes',
		)
		.action(async (argument: string, options: Options) => {
			const session = namedSession(argument, { writes: true });
			const { files } = sessionFiles(session.path, 'delete');
			if (!options.yes) {
				if (!canAsk()) {
					outcome.code = 2;
					complain('delete asks first, and there is nobody to ask: add --yes');
					return;
				}
				const title = glance(session)?.title ?? session.id;
				const many = files.length === 1 ? '' : ` and ${files.length - 1} files that belong to it`;
				if (!(await askYesNo(`Move "${title}" (${session.path})${many} to the trash?`))) {
					if (options.json) printJson({ session: session.path, trash: null, files: [], left: [] });
					else printProse('nothing was deleted');
					return;
				}
			}
			const { trashed, left, note } = await deleteSession(session.path, thisMachine());
			for (const path of left) complain(`${path} is not a regular file and stays where it is`);
			if (note !== undefined) complain(note);
			const moved = trashed.files.map((file) => file.from);
			if (options.json) printJson({ session: session.path, trash: trashed.id, files: moved, left });
			else printProse(`${session.path} is in the trash; reprise restore ${trashed.id} puts it back`);
		});
};
