/** Commands and sub-agents in the background do not outlive their run: what the user is told of that at its end, by which names, and the model when the session goes on. */
import type { Conversation } from '../agent/config.ts';
import { type BackgroundTask, backgroundTasks } from '../agent/tasks.ts';
import { plural, shortLine } from '../model/index.ts';
import type { SessionHandle } from '../store/handle/handle.ts';
import { endedNotice, runningTasks } from '../tools/shell-tasks.ts';

/** What the model has not been told yet of commands that were ended: the last note counts. */
export function endedBefore({ notes }: SessionHandle): readonly string[] {
	return notes.flatMap(({ noted }) => (noted.what === 'ended' ? [noted.told] : [])).at(-1) ?? [];
}

/** Called when the session is left, before what it has started is ended. */
export function tellEnded(handle: SessionHandle, { kept, notices }: Conversation, say: (text: string) => void): void {
	const tasks = runningTasks(kept);
	const before = endedBefore(handle);
	const unsaid = before.filter((text) => notices.includes(text));
	const told = [...unsaid, ...tasks.map(endedNotice)];
	if (before.length > 0 || told.length > 0) handle.note({ what: 'ended', told });
	const running = backgroundTasks(kept);
	if (running.length === 0) return;
	const were = running.length === 1 ? 'was' : 'were';
	say(`${countedTasks(running)} ${were} ended with this run: ${running.map(taskName).join('; ')}`);
}

/** `2 background commands and 1 background sub-agent`. */
export function countedTasks(tasks: readonly BackgroundTask[]): string {
	const counted = (kind: BackgroundTask['kind'], what: string): readonly string[] => {
		const { length } = tasks.filter((task) => task.kind === kind);
		return length === 0 ? [] : [`${length} background ${plural(length, what)}`];
	};
	return [...counted('shell', 'command'), ...counted('agent', 'sub-agent')].join(' and ');
}

/** By which its user knows it again: the command, or what the sub-agent is about. */
export function taskName({ command, description }: BackgroundTask): string {
	return shortLine(command ?? description, longest);
}

const longest = 60;
