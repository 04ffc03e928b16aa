/** The sub-agent screens while they are open: how often the list and each file are looked at, how many blocks are shown, and when one counts as running. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentRunsIn } from '../../agent/sub-agents/sub-agents.ts';
import { agentsHere } from '../../client/agents.ts';
import type { Client } from '../../client/client.ts';
import { countText } from '../../export/count-text.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { isWritten } from '../../store/own-data/own-data.ts';
import { listSubagents, type SubagentSummary } from '../../store/reader/subagent-list.ts';
import { endText, tasksOf } from '../background.ts';
import type { Dialogs } from '../dialogs.ts';
import { AgentScreen, type AgentViewAnswer, type ShownAgent } from '../screens/agent.ts';
import { type AgentAnswer, agentsScreen, changeOf, withAgents } from '../screens/agents.ts';
import { TabsScreen } from '../screens/tabs.ts';
import { storedBlocks } from '../stored.ts';
import { blockRows } from '../views/block.ts';

/** So many of its blocks are shown; `reprise agents` shows all. */
const mostBlocks = 300;
const allTurns = 1000;
/** How often a file that may grow is looked at. */
const lookMs = 250;
/** How often it is asked whether there are others. */
const listMs = 1000;

export async function lookAtAgents(dialogs: Dialogs, client: Client, tell: (text: string) => void): Promise<void> {
	const { session, permissions } = client.station();
	const { types } = await agentsHere(session.cwd, permissions);
	const list = (): readonly SubagentSummary[] => agentsIn(client);
	for (;;) {
		let isLeft = false;
		let started = list();
		const id = await dialogs.open<AgentAnswer>(() => agentsScreen(started, types), {
			serve: async ({ of }, screen) => {
				if (!(screen instanceof TabsScreen)) return screen;
				while (!isLeft && changeOf(started).of === of) {
					await sleep(listMs, undefined, { ref: false });
					if (!isLeft) started = list();
				}
				return isLeft ? screen : withAgents(screen, started, types);
			},
		});
		isLeft = true;
		const agent = started.find((one) => one.id === id);
		if (!agent) return;
		await lookAt(agent, dialogs, client, tell);
	}
}

/** One of them, until it is left. */
export async function lookAtAgent(
	id: string,
	dialogs: Dialogs,
	client: Client,
	tell: (text: string) => void,
): Promise<void> {
	const agent = agentsIn(client).find((one) => one.id === id);
	if (agent) await lookAt(agent, dialogs, client, tell);
}

function agentsIn(client: Client): readonly SubagentSummary[] {
	const { handle } = client.station().session;
	return handle.leaf === null ? [] : listSubagents(handle.path);
}

async function lookAt(
	agent: SubagentSummary,
	dialogs: Dialogs,
	client: Client,
	tell: (text: string) => void,
): Promise<void> {
	for (;;) {
		let isLeft = false;
		const first = await shownNow(agent, client);
		const answer = await dialogs.open<AgentViewAnswer>(() => new AgentScreen(first), {
			serve: async ({ of }, screen) => {
				if (!(screen instanceof AgentScreen)) return screen;
				while (!isLeft && versionOf(agent) === of && isRunning(agent, client))
					await sleep(lookMs, undefined, { ref: false });
				return isLeft ? screen : screen.withAgent(await shownNow(agent, client));
			},
		});
		isLeft = true;
		if (answer !== 'stop') return;
		const started = startedHere(agent, client);
		started?.stop();
		await started?.ended;
		const known = tasksOf(client).find(({ task }) => task.id === agent.id);
		if (known) tell(endText(known));
	}
}

function startedHere({ id }: SubagentSummary, client: Client) {
	return agentRunsIn(client.station().session.conversation.kept)?.find(id);
}

function isRunning(agent: SubagentSummary, client: Client): boolean {
	const started = startedHere(agent, client);
	return started ? started.status === 'running' : isWritten(agent.path, thisMachine());
}

function versionOf({ path }: SubagentSummary): string {
	const stat = statSync(path, { throwIfNoEntry: false });
	return `${stat?.size} ${stat?.mtimeMs}`;
}

async function shownNow(agent: SubagentSummary, client: Client): Promise<ShownAgent> {
	const { id, path, type = 'agent', description, prompt, tokens, state } = agent;
	const running = isRunning(agent, client);
	const started = startedHere(agent, client);
	// It may write while it is read: then it is read once more, and nothing is missed.
	const version = versionOf(agent);
	const blocks = (await storedBlocks(path, allTurns)).slice(-mostBlocks);
	const ended = started?.status ?? state;
	const now = running ? 'running' : ended === 'killed' ? 'stopped' : ended === 'running' ? 'ended' : ended;
	return {
		title: description ?? prompt,
		facts: [type, now, ...(tokens > 0 ? [`${countText(tokens)} tokens`] : []), id].join(' · '),
		body: (width, theme, full) => blocks.flatMap((block) => blockRows(block, width, theme, { full })).slice(1),
		isRunning: running,
		canStop: started !== undefined,
		version,
	};
}
