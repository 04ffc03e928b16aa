/** The built-in commands by name, with their lines of /help and in its order. Each is a function of a file beside this one, loaded when it is called. */
import type { Builtin, Done, Station } from './builtin-command.ts';

type Run = (args: string, at: Station) => Promise<Done>;

function builtin(name: string, hint: string | undefined, summary: string, load: () => Promise<Run>): Builtin {
	const run: Run = async (args, at) => await (await load())(args, at);
	return { name, summary, run, ...(hint === undefined ? {} : { hint }) };
}

const views = (): Promise<typeof import('./builtin-views.ts')> => import('./builtin-views.ts');
const moves = (): Promise<typeof import('./builtin-moves.ts')> => import('./builtin-moves.ts');

export const builtins: readonly Builtin[] = [
	builtin('help', undefined, 'the commands and skills that can be called here', async () => (await views()).help),
	builtin('clear', undefined, 'go on in a new session', async () => (await moves()).clear),
	{
		name: 'compact',
		hint: '[instructions]',
		summary: 'let a summary take the place of what was said; the instructions are for whoever writes it',
	},
	builtin('uncompact', '[entry]', 'go on from all that was said before compactions, in a copy', async () => {
		return (await moves()).uncompact;
	}),
	builtin(
		'resume',
		'[--check] [session]',
		'go on with another session, or list those; --check: what going on would mean',
		async () => {
			return (await moves()).resume;
		},
	),
	builtin('fork', '[entry]', 'go on in a copy, from here or from an entry; this session stays as it is', async () => {
		return (await moves()).fork;
	}),
	builtin(
		'rewind',
		'[entry] [--files|--only-files|--undo]',
		'go back to before an earlier prompt, with its files or without, or list the prompts',
		async () => (await import('./builtin-rewind.ts')).rewind,
	),
	builtin('model', '[name]', 'who answers, or who is to answer from now on', async () => (await views()).model),
	builtin('cost', undefined, 'what this session has cost, by model', async () => (await views()).cost),
	builtin('context', undefined, 'what the next request would hold, in tokens', async () => (await views()).context),
	builtin('permissions', undefined, 'the mode and the rules that hold here', async () => (await views()).permissions),
	builtin(
		'agents',
		undefined,
		'the kinds of sub-agents, and those of this session',
		async () => (await views()).agents,
	),
	builtin('mcp', undefined, 'the MCP servers, and what they offer', async () => (await views()).mcp),
	builtin('hooks', undefined, 'the hooks that are called here', async () => (await views()).hooks),
	builtin('rename', 'title', 'give the session another title', async () => (await moves()).rename),
	builtin('export', '[file]', 'the session as Markdown', async () => (await moves()).exported),
	builtin('handoff', 'agent', 'give the session to another agent', async () => (await moves()).handoff),
	builtin('return', '[session]', 'bring back what a copy that was given away was told', async () => {
		return (await moves()).returned;
	}),
];

export const builtinNames: readonly string[] = builtins.map(({ name }) => name);
