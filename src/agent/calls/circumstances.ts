/** A call and where it is made, in the words of permission rules; and whether it only looks, so that nothing has to be kept of it. */
import type { Json } from '../../model/index.ts';
import type { AgentConfig, Conversation } from '../config.ts';
import type { Tool } from '../contracts.ts';
import { type AskedCall, type Circumstances, decide, noRules } from '../permissions/index.ts';

export function circumstancesOf(
	config: AgentConfig,
	{ granted, folder }: Pick<Conversation, 'granted' | 'folder'>,
): Circumstances {
	const { mode, cwd, dirs = [], rules = noRules, host, skillGrants, trusted = false, askedServers = [] } = config;
	return {
		mode,
		cwd,
		...(folder === undefined ? {} : { shellFolder: folder }),
		dirs,
		rules: { ...rules, allow: [...rules.allow, ...granted] },
		home: host.home,
		files: host.names,
		trusted,
		askedServers,
		...(skillGrants ? { skillGrants } : {}),
	};
}

/** The call in the words of the rules. */
export function askedCall(tool: Tool, input: Json): AskedCall {
	const known = tool.judgedAs?.(input);
	return known ? { tool: known.name, input: known.input } : { tool: tool.name, input };
}

/** True for a call that changes nothing, by the same judgement that lets it run unasked where no rule says anything. */
export async function onlyLooks(
	asked: AskedCall,
	config: AgentConfig,
	conversation: Pick<Conversation, 'granted' | 'folder'>,
): Promise<boolean> {
	const here = { ...circumstancesOf(config, conversation), mode: 'default', rules: noRules } as const;
	return (await decide(asked, here)).decision === 'allow';
}
