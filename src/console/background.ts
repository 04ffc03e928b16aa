/** What the console says of commands and sub-agents in the background: how many run, that one has ended and how, and what it asks before it is left with some running; within how long leaving again is meant. */
import type { LoopEvent } from '../agent/config.ts';
import { backgroundTasks, type KnownTask, knownTasks } from '../agent/tasks.ts';
import type { Client } from '../client/client.ts';
import { countedTasks, taskName } from '../client/left-running.ts';
import type { Action } from './state.ts';

/** All that run or ran in the background of the session that is open. */
export function tasksOf(client: Client | undefined): readonly KnownTask[] {
	return client ? knownTasks(client.station().session.conversation.kept) : [];
}

/** What happens in a run, for the console's state. What a sub-agent has started by itself is that sub-agent's, and is not told. */
export function hearLoop(event: LoopEvent, client: Client | undefined, dispatch: (action: Action) => void): void {
	dispatch({ type: 'loop', event });
	if (event.type !== 'task' || event.task.is === 'progress') return;
	const known = tasksOf(client);
	const background = known.filter(({ status }) => status === 'running').length;
	dispatch({ type: 'status', status: { background } });
	const { id } = event.task;
	const ended = event.task.is === 'ended' ? known.find(({ task }) => task.id === id) : undefined;
	// Whoever has stopped one knows it, and what ends with the session is named where that is left.
	if (ended && ended.status !== 'killed') dispatch({ type: 'note', text: endText(ended) });
}

/** The name of one that has ended, and how it went. */
export function endText({ task, status, how }: KnownTask): string {
	const what = task.kind === 'shell' ? 'background command' : 'background sub-agent';
	const went = status === 'killed' ? 'was stopped' : status === 'failed' ? 'has failed' : 'has ended';
	const more = status === 'killed' || how === undefined ? '' : `: ${how}`;
	return `the ${what} "${taskName(task)}" ${went}${more} (/tasks shows ${task.kind === 'shell' ? 'its output' : 'what it did'})`;
}

/** So long after it was said what would end, leaving again is meant. */
const meantMs = 10_000;

/** Ends nothing that its user may have forgotten. */
export class Leaving {
	readonly #client: () => Client | undefined;
	readonly #say: (text: string) => void;
	#saidAt = Number.NEGATIVE_INFINITY;

	constructor(client: () => Client | undefined, say: (text: string) => void) {
		this.#client = client;
		this.#say = say;
	}

	/** What would end, as one line; empty where nothing would. */
	get ends(): string {
		const client = this.#client();
		const running = client ? backgroundTasks(client.station().session.conversation.kept) : [];
		return running.length === 0 ? '' : `${countedTasks(running)}: ${running.map(taskName).join('; ')}`;
	}

	/** True where nothing would end, or its user was told a moment ago; else that is done now. */
	isMeant(): boolean {
		const { ends } = this;
		if (ends === '' || Date.now() - this.#saidAt < meantMs) return true;
		this.#saidAt = Date.now();
		this.#say(`Leaving ends ${ends} (once more leaves; /tasks shows what runs)`);
		return false;
	}
}
