/** What of its parent's configuration a sub-agent runs with: fewer tools, its own words, the same rules. */
import type { AgentModel, AgentRequest, AgentSelf, AgentType } from './agent-types.ts';
import type { AgentConfig } from './config.ts';
import type { PermissionMode, Tool } from './contracts.ts';

/** The session's own agents may start others, and those none: a mistake must not multiply without end. */
const deepest = 2;

export interface AgentSetup {
	readonly parent: AgentConfig;
	readonly request: Pick<AgentRequest, 'type' | 'turns'>;
	readonly self: AgentSelf;
	readonly model: AgentModel;
}

export function configForAgent({ parent, request, self, model }: AgentSetup): AgentConfig {
	const { type } = request;
	const { limits, observe, ask, ...rest } = parent;
	const turns = request.turns ?? type.turns;
	const call = self.parent?.call;
	return {
		...rest,
		...model,
		system: parent.agents?.system(type) ?? type.system,
		// Both may change while the agent is at work.
		get tools() {
			return toolsFor(type, parent.tools, self.depth);
		},
		get mode() {
			return modeFor(type, parent.mode);
		},
		limits: {
			...(turns === undefined ? {} : { turns }),
			...(limits?.costUsd === undefined ? {} : { costUsd: limits.costUsd }),
		},
		agent: self,
		// A stricter mode of its own must not bring back questions that the session's mode has ruled out.
		...(ask && parent.mode !== 'dontAsk' ? { ask } : {}),
		...(observe && {
			observe(event) {
				// The ids of streaming replies are told to whoever streams them, and a sub-agent's are not streamed.
				if (event.type !== 'reply') observe(event.type === 'entries' && call ? { ...event, parentCall: call } : event);
			},
		}),
	};
}

/** What only makes sense in a conversation with a person. */
const notForAgents: ReadonlySet<string> = new Set(['ExitPlanMode', 'EnterPlanMode']);
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
