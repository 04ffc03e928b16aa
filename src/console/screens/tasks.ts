/** The /tasks screen: the commands and sub-agents that run in the background, and those that did; what each row says. */
import type { KnownTask } from '../../agent/tasks.ts';
import { timeText } from '../views/rows.ts';
import { ageText } from './age.ts';
import type { Want } from './screen.ts';
import { type Tab, TabsScreen } from './tabs.ts';

/** One as it stands now. */
export interface ShownTask {
	readonly id: string;
	readonly name: string;
	readonly facts: string;
	readonly isRunning: boolean;
}

/** The id of the one to look at. */
export type TaskAnswer = string | undefined;

export const noTasks = 'Nothing runs in the background, and nothing did.';

export function tasksScreen(tasks: readonly ShownTask[]): TabsScreen<TaskAnswer> {
	const wants = taskChange(tasks);
	return new TabsScreen<TaskAnswer>({ title: 'In the background', enter: 'look at it', wants }, tabsOf(tasks));
}

/** The same screen when others were started, some have ended, or time has passed. */
export function withTasks(screen: TabsScreen<TaskAnswer>, tasks: readonly ShownTask[]): TabsScreen<TaskAnswer> {
	return screen.withTabs(tabsOf(tasks), taskChange(tasks));
}

/** What the list waits for: that it is no longer what it is. */
export function taskChange(tasks: readonly ShownTask[]): Want {
	return { what: 'tasks', of: tasks.map(({ facts }) => facts).join('\n') };
}

function tabsOf(tasks: readonly ShownTask[]): readonly Tab<TaskAnswer>[] {
	const items = tasks.map(({ id, name, facts, isRunning }) => ({
		...{ value: id, label: name, below: facts },
		mark: isRunning ? '●' : ' ',
	}));
	return [{ name: 'Tasks', items, none: noTasks }];
}

const states = { running: 'running', completed: 'completed', failed: 'failed', killed: 'stopped' } as const;

/** What it is, its state and since when, and the id by which the model knows it. */
export function taskFacts({ task, status, began, over, how }: KnownTask, now: number): string {
	const what = task.kind === 'shell' ? 'command' : (task.agentType ?? 'agent');
	const state = `${states[status]}${how === undefined || status === 'killed' ? '' : ` (${how})`}`;
	const age = ageText(over ?? now, now);
	const since = status === 'running' ? `for ${timeText(now - began)}` : age === 'now' ? 'just now' : `${age} ago`;
	return [what, `${state} ${since}`, task.id].join(' · ');
}
