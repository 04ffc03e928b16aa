/** `reprise resume SESSION [PROMPT]`: flags for going on with a session; --check only says what would be sent, what is left out, and the cost. */
import { checkResume } from '../../client/resume-check.ts';
import { resumeText } from '../../client/resume-words.ts';
import { InputError } from '../../store/errors.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { printJson, printProse } from '../../terminal/print.ts';
import { askOptions, type CommandOptions, permissionOptions, resumeOptions } from '../client/client-flags.ts';
import type { Define } from '../commands.ts';
import { sessionHelp } from '../session-argument.ts';

interface Options extends CommandOptions {
	readonly check?: boolean;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.argument('[prompt...]', 'what to do; - or nothing reads it from stdin')
		.option(
			'--check',
			'ask nobody: say what would be sent, what is left out and why, which files have changed, and the cost',
		)
		.option('--json', 'with --check: print one JSON document');
	askOptions(command);
	resumeOptions(command.optionsGroup('How it goes on:'));
	permissionOptions(command);
	command
		.addHelpText(
			'after',
			'\nThe same as reprise -r SESSION -p "…". With --check nothing is asked, changed or written.\n\n' +
				'Examples:\n  reprise resume samples/claude-code.jsonl --check\n  reprise resume last --check --json\n' +
				'  reprise resume last "and now the tests"',
		)
		.action(async (session: string, words: readonly string[], { check, json, ...options }: Options) => {
			if (json && !check)
				throw new InputError('usage', '--json is for --check; --output-format json prints the answer so');
			if (!check) {
				const { runClient } = await import('../client/start-client.ts');
				outcome.code = await runClient(words.join(' '), { ...options, resume: session });
				return;
			}
			const found = await checkResume(sessionPath(session), options);
			if (found.refused !== undefined) outcome.code = 1;
			if (json) printJson(found);
			else printProse(resumeText(found));
		});
};
