/** `reprise uncompact SESSION`: the conversation goes on from all that was said, as if it had never been compacted. */

import { lossLines } from '../../client/loss-words.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { uncompactSession } from '../../store/manage/uncompact.ts';
import { printJson, printProse } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import { sessionHelp } from '../session-argument.ts';

interface Options {
	readonly to?: string;
	readonly json?: boolean;
}

export const define: Define = (command) => {
	command
		.argument('<session>', sessionHelp)
		.option(
			'--to <entry>',
			'go on from this entry instead of the last: its id or the beginning of it (show --ids lists them)',
		)
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nA new session is made: everything that was said, before and after each compaction, in one line, without the\n' +
				'summaries. The compacted session stays as it is. reprise context SESSION --diff shows what a compaction lost.',
		)
		.action(async (session: string, { to, json }: Options) => {
			const made = await uncompactSession(sessionPath(session, { writes: true }), to);
			const { id, path, at, undone, files, losses } = made;
			if (json) {
				printJson({ id, path, leaf: at, undone, out: files, losses });
				return;
			}
			const what = undone === 1 ? 'a compaction' : `${undone} compactions`;
			const lines = [`${id} goes on from ${at} without ${what}`, ...files, ...lossLines(losses)];
			printProse(lines.join('\n'));
		});
};
