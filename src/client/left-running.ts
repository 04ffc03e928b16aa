/** Commands in the background do not outlive their run: what the user is told of that at its end, and the model when the session goes on. */
import type { Conversation } from '../agent/config.ts';
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
	if (tasks.length === 0) return;
	const what = tasks.length === 1 ? '1 background command was' : `${tasks.length} background commands were`;
	say(`${what} ended with this run: ${tasks.map(({ command }) => short(command)).join('; ')}`);
}

const longest = 60;

function short(command: string): string {
	const line = command.replaceAll(/\s+/g, ' ').trim();
	return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
