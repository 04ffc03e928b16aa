/** The sub-agents of a run: those that come with Reprise, those of the user and of a trusted project, and who answers for each. */
import { configForAgent } from '../agent/agent-config.ts';
import { agentPlace, builtinAgents } from '../agent/builtin-agents.ts';
import type { AgentConfig } from '../agent/config.ts';
import type { AgentOffers, AgentType, Tool } from '../agent/contracts.ts';
import { type AgentFiles, agentFiles } from '../host/agent-files.ts';
import { InputError } from '../store/errors.ts';
import { taskTool } from '../tools/task.ts';
import { type ChosenModel, modelNamed } from './model.ts';
import type { ClientOptions } from './options.ts';
import type { PermissionsHere } from './permissions.ts';
import { claudeHome } from './session.ts';

/** Read anew for every prompt, as commands are. */
export async function agentsHere(cwd: string, { trusted }: PermissionsHere): Promise<AgentFiles> {
	const { types, notes } = await agentFiles(cwd, claudeHome(), trusted);
	const own = new Set(types.map(({ name }) => name));
	return { types: [...builtinAgents.filter(({ name }) => !own.has(name)), ...types], notes };
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
export function asSubagent(config: AgentConfig, { subagent }: ClientOptions): AgentConfig {
	if (!subagent || !config.agents) return config;
	const { id, type: name, root } = subagent;
	const type = config.agents.types.find((one) => one.name === name);
	if (!type) throw new InputError('usage', `there is no kind of agent called ${name} here`);
	const self = { id, type: name, depth: 1, root };
	const { provider, model } = config;
	return configForAgent({ parent: config, request: { type }, self, model: { provider, model } });
}

/** The tools, with the kinds of agents told to those who may start one. */
export function withAgentKinds(tools: readonly Tool[], types: readonly AgentType[]): readonly Tool[] {
	const task = taskTool(types);
	return tools.map((tool) =>
		tool.name === task.name ? { ...task, ...(tool.unlisted ? { unlisted: true } : {}) } : tool,
	);
}
