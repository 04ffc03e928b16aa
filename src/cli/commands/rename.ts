/** `reprise rename SESSION TITLE`: another title, as the session's own client shows it. */
import { sessionPath } from '../../store/find/find-session.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { renameSession } from '../../store/manage/rename.ts';
import { complain, printJson, printProse } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import { sessionHelp } from '../session-argument.ts';

export const define: Define = (command) => {
	command
		.argument('<session>', sessionHelp)
		.argument('<title>', 'the new title')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nIt is written where the client of the session reads it: a line at the end, or the file beside the session.\n\n' +
				'Example:\n  reprise rename samples/claude-code.jsonl Notes',
		)
		.action(async (argument: string, title: string, options: { readonly json?: boolean }) => {
			const session = sessionPath(argument, { writes: true });
			const renamed = await renameSession(session, title, thisMachine());
			if (renamed.note !== undefined) complain(renamed.note);
			if (options.json) printJson({ session, ...renamed });
			else printProse(`${session} is called "${renamed.title}" now`);
		});
};
