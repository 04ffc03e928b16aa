/** Which kinds of sub-agents there are in a run (built in, the user's, a trusted project's, a host's), who answers for each, and what `--agent` makes of the session itself. */

import type { AgentConfig } from '../agent/config.ts';
import type { AgentOffers, AgentType, Tool } from '../agent/contracts.ts';
import { configForAgent, toolsFor } from '../agent/sub-agents/agent-config.ts';
import { agentPlace, builtinAgents } from '../agent/sub-agents/builtin-agents.ts';
import { type AgentFiles, agentFiles } from '../host/project/agent-files.ts';
import { InputError } from '../store/errors.ts';
import { taskTool } from '../tools/task.ts';
import { type ChosenModel, modelNamed } from './model.ts';
import type { ClientOptions } from './options.ts';
import type { PermissionsHere } from './permissions.ts';
import { claudeHome } from './session.ts';

/** Read anew for every prompt, as commands are. */
export async function agentsHere(cwd: string, { trusted, env, hooksOff }: PermissionsHere): Promise<AgentFiles> {
	const { types, notes } = await agentFiles({ cwd, claudeHome: claudeHome(), trusted, env, hooksOff });
	const own = new Set(types.map(({ name }) => name));
	return { types: [...builtinAgents.filter(({ name }) => !own.has(name)), ...types], notes };
}

/** Skills that agents name and that are not here. */
export function skillNotes(types: readonly AgentType[], skills: readonly string[]): readonly string[] {
	return types.flatMap(({ name, skills: wanted = [] }) =>
		wanted
			.filter((one) => !skills.includes(one))
			.map((one) => `there is no skill ${one} here: the agent ${name} starts without it`),
	);
}

export interface AgentPrompts {
	/** What an agent is told of its surroundings, with the project's instructions or without. */
	surroundings(system: string, instructions: boolean): string;
}

export function agentOffers(
	types: readonly AgentType[],
	model: ChosenModel,
	settings: PermissionsHere,
	prompts: AgentPrompts,
): AgentOffers {
	return {
		types,
		system: ({ system, instructions, builtIn }) =>
			prompts.surroundings(builtIn ? system : `${system}\n\n${agentPlace}`, instructions),
		async model(name) {
			const found = await modelNamed(name, model, settings);
			return found && { provider: found.provider, model: found.name };
		},
	};
}

/** The run of a sub-agent that goes on by itself, without the run that once started it. */
export async function asSubagent(
	config: AgentConfig,
	{ subagent }: ClientOptions,
	ends: AsyncDisposableStack,
): Promise<AgentConfig> {
	if (!subagent || !config.agents) return config;
	const { id, type: name, depth, root } = subagent;
	const type = config.agents.types.find((one) => one.name === name);
	if (!type) throw new InputError('usage', `there is no kind of agent called ${name} here`);
	const self = { id, type: name, depth, root };
	const { provider, model } = config;
	const servers = await config.agents.servers?.(type);
	ends.use(servers);
	return configForAgent({ parent: config, request: { type }, self, model: { provider, model }, servers });
}

/** The session itself as a kind of agent: its words, its tools, its model. One that is not known changes nothing, and is said. */
export async function asMainAgent<C extends AgentConfig>(
	config: C,
	name: string,
	note: (text: string) => void,
): Promise<C> {
	const { types = [], system, model } = config.agents ?? {};
	const type = types.find((one) => one.name === name);
	if (!type) {
		const known = types.map((one) => one.name).join(', ');
		note(`there is no kind of agent called ${name}, so that the session is none; there are ${known}`);
		return config;
	}
	const own = [type.skills && 'skills', type.hooks && 'hooks', type.servers && 'mcpServers'].filter(Boolean);
	if (own.length > 0) note(`${own.join(', ')} of the agent ${name} are for sub-agents: the session is without them`);
	const other = type.model === undefined ? undefined : await model?.(type.model);
	const all = Object.getOwnPropertyDescriptors(config);
	const tools = { get: () => mainTools(type, config.tools), enumerable: true, configurable: true };
	const words = { system: { value: system?.(type) ?? type.system, enumerable: true } };
	const who = other ? Object.getOwnPropertyDescriptors(other) : {};
	return Object.defineProperties({}, { ...all, ...words, ...who, tools }) as C;
}

/** The tools of a session that is this agent: all that the agent does not rule out, questions too, because unlike with a sub-agent a person is there. */
function mainTools(type: AgentType, here: readonly Tool[]): readonly Tool[] {
	const { tools = ['*'], withoutTools = [] } = type;
	return tools.includes('*')
		? here.filter(({ name }) => !withoutTools.includes(name))
		: [...toolsFor(type, here, 0), ...here.filter(({ name }) => name === 'StructuredOutput')];
}

/** With those that a host brings: of two that have a name, its own counts. */
export function withTheirs(types: readonly AgentType[], theirs: readonly AgentType[]): readonly AgentType[] {
	const own = new Set(theirs.map(({ name }) => name));
	return [...types.filter(({ name }) => !own.has(name)), ...theirs];
}

/** The tools, with the kinds of agents told to those who may start one. */
export function withAgentKinds(tools: readonly Tool[], types: readonly AgentType[]): readonly Tool[] {
	const task = taskTool(types);
	// Not copied without need: a copy has the schema made.
	return tools.map((tool) => {
		if (tool.name !== task.name) return tool;
		return tool.unlisted ? { ...task, unlisted: true } : task;
	});
}
