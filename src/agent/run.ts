/** A session with somebody who answers: runs begin here, and are watched, steered and ended here. */
import { codecOf } from '../codecs/index.ts';
import type { EntryId } from '../model/index.ts';
import type { SessionHandle } from '../store/handle/handle.ts';
import type { Surroundings } from '../store/handle/session-handle.ts';
import { rootOf } from '../store/handle/subagents.ts';
import { Checkpoints } from './calls/checkpoints.ts';
import type { AgentConfig, Conversation, Prompt, RunResult } from './config.ts';
import type { AgentEvent } from './events.ts';
import { BackgroundHooks } from './hooks/background-hooks.ts';
import { hearBackground, runHooks } from './hooks/run-hooks.ts';
import { type LoopInput, runCompaction, runLoop } from './loop.ts';
import { textOf } from './recording/blocks.ts';
import { Journal } from './recording/journal.ts';
import { AgentRuns, agentRunsIn, agentsKey } from './sub-agents/sub-agents.ts';

export { endConversation, newConversation } from './conversation.ts';

/** One run. Iterating it shows its events; `result` comes whether anybody looks or not. */
export interface Run extends AsyncIterable<AgentEvent> {
	readonly result: Promise<RunResult>;
	/** A prompt for when the run is done with what it does. */
	queue(prompt: Prompt): void;
	/** A prompt that came meanwhile and waits for a run of its own, which is started with `waited`: the session is told. */
	announce(prompt: Prompt): void;
	/** A prompt that was announced has left the queue: it is answered in this run, or was taken back. */
	unannounce(operation: 'dequeue' | 'remove'): void;
	/** Ends it as soon as possible, with everything written that had happened. */
	interrupt(): void;
}

export interface RunOptions {
	/** Called for every event, at once. Cheaper than iterating. */
	readonly onEvent?: (event: AgentEvent) => void;
	readonly signal?: AbortSignal;
	/** True for a prompt that was queued, and announced, while an earlier run was at work. */
	readonly waited?: boolean;
	/** The id that the entry of the prompt gets, where its sender has named it. */
	readonly promptId?: EntryId;
}

/**
 * Asks the model, and lets it work until it is done. One run per session at a time. Without a prompt it goes on with the call that a hook
 * has put off.
 */
export function startRun(
	handle: SessionHandle,
	conversation: Conversation,
	prompt: Prompt | undefined,
	config: AgentConfig,
	options: RunOptions = {},
): Run {
	return start(handle, conversation, config, options, (input) => runLoop(prompt, input));
}

/** Compacts the conversation: a summary takes its place. `instructions` are for whoever writes that. */
export function startCompaction(
	handle: SessionHandle,
	conversation: Conversation,
	instructions: string,
	config: AgentConfig,
	options: RunOptions = {},
): Run {
	return start(handle, conversation, config, options, (input) => runCompaction(instructions, input));
}

function start(
	handle: SessionHandle,
	conversation: Conversation,
	config: AgentConfig,
	options: RunOptions,
	work: (input: LoopInput) => Promise<RunResult>,
): Run {
	const journal = journalOf(handle, conversation, config);
	const control = new AbortController();
	const signal = options.signal ? AbortSignal.any([options.signal, control.signal]) : control.signal;
	const waiting: Prompt[] = [];
	const events = new EventQueue();
	const unannounce = (operation: string): void => journal.start({ kind: 'event', event: { type: 'queue', operation } });
	const dequeue = (): void => unannounce('dequeue');
	const announce = (next: Prompt): void => {
		journal.start({ kind: 'event', event: { type: 'queue', operation: 'enqueue', content: textOf(next) } });
		config.observe?.({ type: 'queued', prompt: next });
	};
	if (options.waited) dequeue();
	const result = work({
		config,
		journal,
		checkpoints: new Checkpoints(handle, conversation.tracked, config),
		conversation,
		...agentsOf(handle, conversation, config),
		signal,
		...(options.promptId === undefined ? {} : { promptId: options.promptId }),
		nextPrompt() {
			const next = waiting.shift();
			if (next !== undefined) dequeue();
			return next;
		},
		emit(event) {
			options.onEvent?.(event);
			events.push(event);
		},
	}).finally(() => events.end());
	// Whoever iterates learns of a failure there; whoever awaits the result, here.
	result.catch((error: unknown) => events.fail(error));
	return {
		result,
		queue(next) {
			waiting.push(next);
			announce(next);
		},
		announce,
		unannounce,
		interrupt: () => control.abort(),
		[Symbol.asyncIterator]: () => events.iterate(),
	};
}

/** The sub-agents of the conversation: those in the background have been started by an earlier run. */
function agentsOf(
	handle: SessionHandle,
	conversation: Conversation,
	config: AgentConfig,
): { readonly agents?: AgentRuns } {
	if (!config.agents) return {};
	const run = { config, conversation, root: config.agent?.root ?? rootOf(handle) };
	const agents = agentRunsIn(conversation.kept) ?? new AgentRuns(startRun, run);
	agents.goOn(run);
	conversation.kept.set(agentsKey, agents);
	return { agents };
}

/** The session is left: hooks that want to know hear of it. Nothing was said in it where it has no entry. */
export async function endSession(
	handle: SessionHandle,
	conversation: Conversation,
	config: AgentConfig,
	reason: string,
): Promise<void> {
	if (handle.leaf === null || config.hooks === undefined || config.hooks.length === 0) return;
	const journal = journalOf(handle, conversation, config);
	const scene = { config, journal, conversation, signal: new AbortController().signal };
	await runHooks(scene, 'SessionEnd', { reason });
	await BackgroundHooks.in(conversation)?.finish(config.host);
	await hearBackground(scene);
	await journal.sync();
}

/** The mode that was chosen since the last prompt: it holds when the session goes on, as if a prompt had said it. */
export async function keepMode(handle: SessionHandle, conversation: Conversation, config: AgentConfig): Promise<void> {
	const { settings } = conversation;
	await journalOf(handle, conversation, config).chosenMode(config.mode, settings.permissionMode);
	conversation.settings = { ...settings, permissionMode: config.mode };
}

function journalOf(handle: SessionHandle, conversation: Conversation, config: AgentConfig): Journal {
	const codec = codecOf(handle.session.format);
	if (!codec) throw new Error(`no codec writes ${handle.session.format}`);
	return new Journal(
		handle,
		codec,
		(entries) => config.observe?.({ type: 'entries', entries }),
		() => surroundings(conversation, config),
	);
}

/** What lines say of where they were written. The branch is left as it was where nobody asks for it. */
function surroundings({ folder }: Conversation, { cwd, gitBranch, toldFolder }: AgentConfig): Surroundings {
	const here = folder ?? cwd;
	return { folder: toldFolder?.(here) ?? here, ...(gitBranch ? { gitBranch: gitBranch() } : {}) };
}

/** Events for one reader. Before somebody reads, only as many are kept as a reader who comes at once would get. */
class EventQueue {
	#waiting: AgentEvent[] = [];
	#wake: (() => void) | undefined;
	#ended = false;
	#failure: { readonly error: unknown } | undefined;
	#read = false;

	push(event: AgentEvent): void {
		if (!this.#read && this.#waiting.length >= 1000) return;
		this.#waiting.push(event);
		this.#wake?.();
	}

	end(): void {
		this.#ended = true;
		this.#wake?.();
	}

	fail(error: unknown): void {
		this.#failure = { error };
		this.#wake?.();
	}

	async *iterate(): AsyncGenerator<AgentEvent, void> {
		this.#read = true;
		for (;;) {
			const batch = this.#waiting;
			this.#waiting = [];
			yield* batch;
			if (this.#waiting.length > 0) continue;
			if (this.#failure) throw this.#failure.error;
			if (this.#ended) return;
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
			this.#wake = undefined;
		}
	}
}
