/** The commands and skills that can be called here, and how a call becomes what it stands for. */
import type { Conversation, Prompt } from '../../agent/config.ts';
import type { Expand, Tool } from '../../agent/contracts.ts';
import type { McpServers } from '../../mcp/servers.ts';
import { compact } from '../../model/index.ts';
import { skillTool } from '../../tools/skill.ts';
import { claudeHome } from '../session.ts';
import { builtinNames, builtins } from './builtins.ts';
import { calledIn, named } from './called.ts';
import { type Definition, type Definitions, readDefinitions } from './definitions.ts';
import { expandDefinition, type Place, withFiles } from './expand.ts';
import { lend, takeBack } from './lent-rules.ts';

/** Those of the user, and those of the project where it is trusted. A built-in command is nobody's to replace. */
export async function commandsHere(cwd: string, trusted: boolean): Promise<Definitions> {
	const { list, notes } = await readDefinitions(cwd, claudeHome(), trusted);
	const hidden = list.filter(({ name }) => builtinNames.includes(name));
	return {
		list: list.filter((one) => !hidden.includes(one)),
		notes: [...notes, ...hidden.map(({ path, name }) => `${path}: /${name} is built in, and this file is not used`)],
	};
}

/** A command as those who choose one see it. */
export interface Callable {
	readonly name: string;
	/** What is written behind its name. */
	readonly hint?: string;
	readonly description: string;
}

/** What a user may call: the built-in commands and those of files. */
export function callable(list: readonly Definition[]): readonly Callable[] {
	const own = builtins.map(({ name, hint, summary }) => ({ name, description: summary, ...compact({ hint }) }));
	const files = list.filter(({ forUser }) => forUser);
	return [...own, ...files.map(({ name, hint, description }) => ({ name, description, ...compact({ hint }) }))];
}

/** The one that the prompt calls, if it does. */
export function definitionFor(prompt: Prompt, list: readonly Definition[]): Definition | undefined {
	const called = calledIn(prompt);
	return called && named(called.name, list);
}

/** Prompts of servers are commands too. */
export function expander(
	list: readonly Definition[],
	{ granted }: Pick<Conversation, 'granted'>,
	servers: McpServers | undefined,
	place: Place,
): Expand {
	return async (prompt, how) => {
		if (how.by === 'user') takeBack(granted);
		const called = calledIn(prompt);
		if (!called) return how.by === 'user' ? await withFiles(prompt, place, how) : undefined;
		const offered = await servers?.expand(prompt);
		if (offered !== undefined) return { command: called, texts: [offered] };
		const definition = named(called.name, list);
		if (!definition) return undefined;
		// What an agent is told with its task is a text, whatever else a skill may be.
		if (how.by === 'agent') return await expandDefinition(definition, called.args, { ...place, forks: false }, how);
		lend(definition.allow, granted);
		return await expandDefinition(definition, called.args, place, how);
	};
}

/** The tools, with the skills told to whoever may use them. */
export function withSkills(tools: readonly Tool[], list: readonly Definition[]): readonly Tool[] {
	const skill = skillTool(list.filter(({ forModel }) => forModel));
	return tools.map((tool) => (tool.name === skill.name ? skill : tool));
}
