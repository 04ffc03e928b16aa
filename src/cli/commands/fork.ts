/** `reprise fork SESSION`: flags and report of a new session that starts as a copy of another, up to an entry. It is made in src/store/manage/fork.ts. */

import { lossLines } from '../../client/loss-words.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { forkSession } from '../../store/manage/fork.ts';
import { printJson, printProse } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import { sessionHelp } from '../session-argument.ts';

interface Options {
	readonly at?: string;
	readonly out?: string;
	readonly json?: boolean;
}

export const define: Define = (command) => {
	command
		.argument('<session>', sessionHelp)
		.option(
			'--at <entry>',
			'the last entry to copy: its id or the beginning of it (show --ids lists them); default: everything',
		)
		.option('-o, --out <path>', 'the new main file; default: where its client looks for it')
		.option('--json', 'print one JSON document')
		.addHelpText('after', '\nExample:\n  reprise fork samples/claude-code.jsonl -o fork.jsonl')
		.action(async (session: string, options: Options) => {
			const to = options.out === undefined ? {} : { to: options.out };
			const made = await forkSession(sessionPath(session, { writes: true }), options.at, to);
			if (options.json) printJson({ from: session, ...made });
			else printProse([`session ${made.id}, up to ${made.at}`, ...made.files, ...lossLines(made.losses)].join('\n'));
		});
};
