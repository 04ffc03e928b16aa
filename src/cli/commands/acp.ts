/** `reprise acp`: flags and help of the agent for editors, over the Agent Client Protocol on stdin and stdout. What editors are answered is in src/acp. */
import type { ClientOptions } from '../../client/options.ts';
import { addedFolders, flagRules } from '../../client/permissions.ts';
import { InputError } from '../../store/errors.ts';
import { complain } from '../../terminal/prose.ts';
import { jsonLines } from '../../terminal/writer.ts';
import { endingOn } from '../client/client-ending.ts';
import { formatOption, limitOptions, modelOptions, permissionOptions } from '../client/client-flags.ts';
import type { Define } from '../commands.ts';
import { version } from '../version.ts';

export const define: Define = (command) => {
	modelOptions(command.optionsGroup('Who answers:'));
	limitOptions(command);
	formatOption(command.optionsGroup('New sessions:'));
	permissionOptions(command);
	command
		.addHelpText(
			'after',
			'\nSpeaks the Agent Client Protocol on stdin and stdout: set it up in your editor as the command reprise with the argument acp. Several conversations run at once, each is a session like any other, and the editor lists and opens those of all agents. docs/acp.md says how to set it up in Zed and others, and what is supported.\n\nExamples:\n  reprise acp --model anthropic/claude-sonnet-5-5 --permission-mode acceptEdits',
		)
		.action(async (options: ClientOptions) => {
			if (process.stdin.isTTY)
				throw new InputError(
					'usage',
					'reprise acp is started by an editor, which talks to it on stdin: set it up there as the command reprise with the argument acp',
				);
			// What is wrong with a flag is said before an editor waits for anything.
			flagRules(options);
			addedFolders(options);
			const control = new AbortController();
			using _ = endingOn(() => control.abort());
			const { serveEditor } = await import('../../acp/serve.ts');
			await serveEditor({
				...{ options, version: version(), input: process.stdin, output: jsonLines() },
				...{ signal: control.signal, warn: complain },
			});
		});
};
