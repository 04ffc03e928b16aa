/** The hooks at both ends of a run (SessionStart, SubagentStart, Stop, SubagentStop), and how often one may keep a run from ending. */
import type { HookAnswer } from '../contracts.ts';
import { backgroundTasks } from '../tasks.ts';
import { type HookScene, runHooks } from './run-hooks.ts';

export type Started = { readonly context?: string } & HookAnswer;

/** Hooks that want to know of a session hear of it once, with its first prompt; of a sub-agent, whenever it is given work. */
export async function tellStart(scene: HookScene): Promise<readonly Started[]> {
	const { config, conversation } = scene;
	if (config.agent) {
		const { id: agentId, type: agentType } = config.agent;
		return await runHooks(scene, 'SubagentStart', { agentId, agentType });
	}
	const { source } = conversation;
	if (source === undefined) return [];
	conversation.source = undefined;
	return await runHooks(scene, 'SessionStart', { source, model: config.model });
}

/** How often hooks may keep a run from ending. */
const mostKept = 20;

/** What a hook wants done before the run may end. `kept`: how often hooks have kept it already, so that one that is never content does not keep it for ever. */
export async function wantedBeforeStop(text: string, kept: number, scene: HookScene): Promise<string | undefined> {
	const { config, journal, conversation } = scene;
	const said = { text, again: kept > 0, tasks: backgroundTasks(conversation.kept) };
	const { agent } = config;
	const hooked = agent
		? await runHooks(scene, 'SubagentStop', {
				...{ ...said, agentId: agent.id, agentType: agent.type, path: journal.path },
			})
		: await runHooks(scene, 'Stop', said);
	if (hooked.some(({ halt }) => halt !== undefined)) return undefined;
	const wanted = hooked.flatMap(({ continueWith }) => continueWith ?? []);
	if (wanted.length === 0) return undefined;
	if (kept < mostKept) return wanted.join('\n');
	await journal.warn(`hooks have kept the run from ending ${mostKept} times, and it ends now`);
	return undefined;
}
