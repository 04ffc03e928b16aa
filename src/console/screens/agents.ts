/** The /agents screen: the sub-agents of this session, which can be looked into, and the kinds that can be started; what each row says. */
import type { AgentType } from '../../agent/contracts.ts';
import { countText } from '../../export/count-text.ts';
import type { SubagentSummary } from '../../store/reader/subagent-list.ts';
import type { Want } from './screen.ts';
import { type Tab, TabsScreen } from './tabs.ts';

/** The id of the sub-agent to look into. */
export type AgentAnswer = string | undefined;

type Started = Pick<SubagentSummary, 'id' | 'type' | 'description' | 'prompt' | 'state' | 'tokens'>;
type Kind = Pick<AgentType, 'name' | 'description' | 'model' | 'builtIn'>;

export function agentsScreen(started: readonly Started[], kinds: readonly Kind[]): TabsScreen<AgentAnswer> {
	return new TabsScreen<AgentAnswer>(
		{ title: 'Sub-agents', enter: 'look into it', wants: changeOf(started) },
		tabsOf(started, kinds),
		started.length === 0 ? 1 : 0,
	);
}

/** The same screen when others were started, or some have gone on. */
export function withAgents(
	screen: TabsScreen<AgentAnswer>,
	started: readonly Started[],
	kinds: readonly Kind[],
): TabsScreen<AgentAnswer> {
	return screen.withTabs(tabsOf(started, kinds), changeOf(started));
}

/** What the list waits for: that it is no longer what it is. */
export function changeOf(started: readonly Started[]): Want {
	return { what: 'agents', of: started.map(({ id, state, tokens }) => `${id} ${state} ${tokens}`).join('\n') };
}

function tabsOf(started: readonly Started[], kinds: readonly Kind[]): readonly Tab<AgentAnswer>[] {
	return [
		{
			name: 'This session',
			none: 'No sub-agent was started in this session.',
			items: started.map(({ id, type = 'agent', description, prompt, state, tokens }) => ({
				value: id,
				label: description ?? prompt,
				below: [type, state, ...(tokens > 0 ? [`${countText(tokens)} tokens`] : []), id].join(' · '),
				mark: state === 'running' ? '●' : ' ',
			})),
		},
		{
			name: 'Kinds',
			none: 'There are none.',
			items: kinds.map(({ name, description, model, builtIn }) => ({
				value: undefined,
				label: name,
				detail: [...(model === undefined ? [] : [model]), builtIn ? 'built in' : 'of a file'].join(' · '),
				below: description,
			})),
		},
	];
}
