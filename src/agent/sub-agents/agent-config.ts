/** What of its parent's configuration a sub-agent runs with: which tools and mode it has, its limits, and how deep sub-agents may start others. */

import { compact } from '../../model/index.ts';
import type { AgentConfig } from '../config.ts';
import type { PermissionMode, Tool } from '../contracts.ts';
import { noRules } from '../permissions/index.ts';
import type { AgentModel, AgentRequest, AgentSelf, AgentServers, AgentType } from './agent-types.ts';

/** The session's own agents may start others, and those none: a mistake must not multiply without end. */
const deepest = 2;

export interface AgentSetup {
	readonly parent: AgentConfig;
	readonly request: Pick<AgentRequest, 'type' | 'turns'> & Partial<Pick<AgentRequest, 'description'>>;
	readonly self: AgentSelf;
	readonly model: AgentModel;
	/** Its own. */
	readonly servers?: AgentServers | undefined;
}

export function configForAgent({ parent, request, self, model, servers }: AgentSetup): AgentConfig {
	const { type } = request;
	// The user speaks to the session, not to its agents.
	const { limits, observe, ask, steer: _, ...rest } = parent;
	const turns = request.turns ?? type.turns;
	const call = self.parent?.call;
	return {
		...rest,
		...model,
		system: parent.agents?.system(type) ?? type.system,
		// All of these may change while the agent is at work: what a host forbids then holds for it, too.
		get rules() {
			return parent.rules ?? noRules;
		},
		get askedServers() {
			return parent.askedServers ?? [];
		},
		get tools() {
			const own = servers?.tools ?? [];
			const names = new Set(own.map(({ name }) => name));
			return [...toolsFor(type, parent.tools, self.depth).filter(({ name }) => !names.has(name)), ...own];
		},
		get mode() {
			return modeFor(type, parent.mode);
		},
		limits: {
			...(turns === undefined ? {} : { turns }),
			...(limits?.costUsd === undefined ? {} : { costUsd: limits.costUsd }),
		},
		agent: self,
		...(type.hooks && { hooks: [...(rest.hooks ?? []), ...type.hooks] }),
		skillsAtStart: type.skills ?? [],
		// A stricter mode of its own must not bring back questions that the session's mode has ruled out.
		...(ask && parent.mode !== 'dontAsk' ? { ask } : {}),
		...(observe && {
			observe(event) {
				// The ids of streaming replies are told to whoever streams them, and a sub-agent's are not streamed.
				if (event.type === 'reply') return;
				const agent = { id: self.id, type: type.name, ...compact({ description: request.description }) };
				observe(event.type === 'entries' && call ? { agent, ...event, parentCall: call } : event);
			},
		}),
	};
}

/** What only makes sense in a conversation with a person, or is the answer to one. */
const notForAgents: ReadonlySet<string> = new Set(['ExitPlanMode', 'EnterPlanMode', 'StructuredOutput']);
const starters: ReadonlySet<string> = new Set(['Task', 'Agent']);

/** Those that the kind of agent names, of those that its parent has. */
export function toolsFor(
	{ tools, withoutTools = [] }: AgentType,
	here: readonly Tool[],
	depth: number,
): readonly Tool[] {
	const all = tools === undefined || tools.includes('*');
	return here.filter(({ name, asks }) => {
		if (asks || notForAgents.has(name) || withoutTools.includes(name)) return false;
		if (starters.has(name)) return depth < deepest && (all || tools.some((one) => starters.has(one)));
		return all || tools.includes(name);
	});
}

/** A kind of agent may be stricter than its parent, and accept edits where its parent asks; nothing makes it freer than that. */
function modeFor({ mode }: AgentType, parent: PermissionMode): PermissionMode {
	if (mode === undefined || parent === 'plan') return parent;
	if (mode === 'plan') return mode;
	return mode === 'acceptEdits' && parent === 'default' ? mode : parent;
}
