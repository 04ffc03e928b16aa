/** /tasks while it is open: how often the list and an output are looked at, and how much of an output's end is shown; the same as lines for the plain console. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KnownTask } from '../../agent/tasks.ts';
import type { Client } from '../../client/client.ts';
import { taskName } from '../../client/left-running.ts';
import { oneLine } from '../../terminal/print.ts';
import { harmless } from '../../terminal/terminal-text.ts';
import { endText, tasksOf } from '../background.ts';
import type { Dialogs } from '../dialogs.ts';
import { AgentScreen, type AgentViewAnswer, type ShownAgent } from '../screens/agent.ts';
import { TabsScreen } from '../screens/tabs.ts';
import {
	noTasks,
	type ShownTask,
	type TaskAnswer,
	taskChange,
	taskFacts,
	tasksScreen,
	withTasks,
} from '../screens/tasks.ts';
import { texted } from '../views/rows.ts';
import { lookAtAgent } from './agents.ts';

/** How often it is asked what has changed. */
const lookMs = 500;
/** So many characters of what a command has printed; all of it is in its file. */
const mostShown = 8000;

export async function lookAtTasks(dialogs: Dialogs, client: Client, tell: (text: string) => void): Promise<void> {
	for (;;) {
		let isLeft = false;
		let listed = shownTasks(client);
		const id = await dialogs.open<TaskAnswer>(() => tasksScreen(listed), {
			serve: async ({ of }, screen) => {
				if (!(screen instanceof TabsScreen)) return screen;
				while (!isLeft && taskChange(listed).of === of) {
					await sleep(lookMs, undefined, { ref: false });
					if (!isLeft) listed = shownTasks(client);
				}
				return isLeft ? screen : withTasks(screen, listed);
			},
		});
		isLeft = true;
		const known = tasksOf(client).find(({ task }) => task.id === id);
		if (!known) return;
		if (known.task.kind === 'agent') await lookAtAgent(known.task.id, dialogs, client, tell);
		else await lookAtCommand(known.task.id, dialogs, client, tell);
	}
}

/** What there is of it is read anew each time: it goes on meanwhile. */
async function lookAtCommand(
	id: string,
	dialogs: Dialogs,
	client: Client,
	tell: (text: string) => void,
): Promise<void> {
	const now = (): KnownTask | undefined => tasksOf(client).find(({ task }) => task.id === id);
	for (let known = now(); known; known = now()) {
		let isLeft = false;
		const first = shownCommand(known);
		const answer = await dialogs.open<AgentViewAnswer>(() => new AgentScreen(first), {
			serve: async ({ of }, screen) => {
				if (!(screen instanceof AgentScreen)) return screen;
				let next = first;
				do {
					await sleep(lookMs, undefined, { ref: false });
					const later = now();
					if (later) next = shownCommand(later);
				} while (!isLeft && next.version === of);
				return isLeft ? screen : screen.withAgent(next);
			},
		});
		isLeft = true;
		if (answer !== 'stop') return;
		known.stop();
		await known.ended;
		tell(endText(now() ?? known));
	}
}

function shownCommand(known: KnownTask): ShownAgent {
	const { task, status } = known;
	const facts = taskFacts(known, Date.now());
	const printed = known.end(mostShown).trimEnd();
	const text = printed === '' ? '(nothing was printed so far)' : printed;
	return {
		title: oneLine(task.command ?? task.description),
		facts,
		body: (width, theme) => texted(text, width, '', printed === '' ? theme.dim : (row) => row, harmless),
		isRunning: status === 'running',
		canStop: true,
		version: `${facts}\n${text}`,
	};
}

function shownTasks(client: Client): readonly ShownTask[] {
	const now = Date.now();
	return tasksOf(client).map((known) => ({
		...{ id: known.task.id, name: taskName(known.task), facts: taskFacts(known, now) },
		isRunning: known.status === 'running',
	}));
}

/** The same as lines, each with the last that it has printed. */
export function taskLines(client: Client | undefined): string {
	const lines = tasksOf(client).flatMap((known) => {
		const last = known.end(mostShown).trimEnd().split('\n').at(-1) ?? '';
		const below = [taskFacts(known, Date.now()), ...(last === '' ? [] : [oneLine(last)])];
		return [oneLine(taskName(known.task)), ...below.map((line) => `  ${line}`)];
	});
	return lines.length === 0 ? noTasks : lines.join('\n');
}
