/** `reprise completion SHELL`: which commands, options and session ids (those of this project) are completed. The scripts themselves are in completion-scripts.ts. */
import { Argument, Command, InvalidArgumentError } from 'commander';
import { discoverSessions } from '../../store/find/discover.ts';
import { sessionWord } from '../../store/find/session-names.ts';
import { foldersOf } from '../../store/reader/glance.ts';
import { print } from '../../terminal/print.ts';
import { clientOptions } from '../client/client-flags.ts';
import { commands, type Define } from '../commands.ts';
import { currentProject, here } from '../many-sessions.ts';
import { type Completed, scripts } from './completion-scripts.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
/** What the scripts ask us for while somebody types. */
const ids = 'ids';

export const define: Define = (command) => {
	command
		.addArgument(new Argument('<shell>', 'the shell to make it for').choices(shells).argParser(shellNamed))
		.addHelpText(
			'after',
			'\nTo have it in every new shell:\n' +
				'  bash  put this into ~/.bashrc: eval "$(reprise completion bash)"\n' +
				'  zsh   put this into ~/.zshrc:  eval "$(reprise completion zsh)"\n' +
				'  fish  run once: reprise completion fish > ~/.config/fish/completions/reprise.fish\n\n' +
				'ids prints the ids of this project’s sessions, one per line, which is what the scripts complete.\n\n' +
				'Example:\n  reprise completion bash',
		)
		.action(async (shell: (typeof shells)[number] | typeof ids) => {
			if (shell === ids) print(sessionIds().join('\n'));
			else print(scripts[shell](await described()));
		});
};

/** What only the scripts ask for is not offered to people. */
function shellNamed(value: string): string {
	if (value === ids || shells.some((shell) => shell === value)) return value;
	throw new InvalidArgumentError(`Allowed choices are ${shells.join(', ')}.`);
}

/** Those of this project: with all of them nobody would find one. An id that a shell would not take as it stands is no word to put into its line. */
function sessionIds(): readonly string[] {
	const project = currentProject();
	const own = [...discoverSessions()].filter((session) =>
		project.has(here.annotationsOf(session).folder ?? foldersOf(session)[0]),
	);
	return ['last', ...new Set(own.map(({ id }) => id).filter((id) => sessionWord({ id, path: '' }) === id))];
}

async function described(): Promise<readonly Completed[]> {
	const client = new Command('');
	clientOptions(client);
	const all = [completed('', 'the client', client)];
	for (const [name, { summary, load }] of Object.entries(commands)) {
		const command = new Command(name);
		(await load())(command, { code: 0 });
		all.push(completed(name, summary, command));
	}
	return all;
}

function completed(name: string, summary: string, command: Command): Completed {
	const options = command.options.filter(({ hidden }) => !hidden);
	return {
		name,
		summary,
		options: options.map(({ long, short, description, required, optional, argChoices }) => ({
			names: [long, short].filter((flag) => flag !== undefined),
			about: description,
			takesValue: required || optional,
			values: argChoices ?? [],
		})),
		words: [
			...command.commands.map((sub) => sub.name()),
			...command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
		],
		takesSession: command.registeredArguments.some((argument) => /^sessions?$/.test(argument.name())),
	};
}
