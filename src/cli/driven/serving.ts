/** One host from its first prompt to its end: the order of frames around a turn, exit codes, and when a guess at the next prompt is made. */
import { randomUUID } from 'node:crypto';
import type { Prompt } from '../../agent/config.ts';
import type { Client } from '../../client/client.ts';
import type { SentPrompt } from '../../frames/input.ts';
import type { HookSetting } from '../../host/hooks/hook-settings.ts';
import { hooksOf } from '../../host/hooks/hooks.ts';
import { compact } from '../../model/index.ts';
import { exitCodeOf, onSignals } from '../client/client-ending.ts';
import type { CommandOptions } from '../client/client-flags.ts';
import type { ExitCode } from '../main.ts';
import { Controls } from './controls.ts';
import { type Arrived, Driver } from './driver.ts';
import type { FrameOutput } from './frame-output.ts';
import { HostQuestions } from './host-questions.ts';
import { HostServers } from './host-server.ts';
import { applyUpdates } from './permission-updates.ts';
import { suggestPrompt } from './suggest.ts';
import { ToolSummaries } from './summaries.ts';

export class Serving implements Disposable {
	readonly driver: Driver;
	readonly frames: FrameOutput;
	readonly client: Client;
	readonly questions: HostQuestions;
	readonly hostServers: HostServers;
	/** Settled when the servers of the host are connected: a prompt is not answered before. */
	ready: Promise<unknown> = Promise.resolve();
	/** Prompts by the names that their host knows, where the session has them under others. */
	readonly names = new Map<string, string>();
	/** The host wants guesses at the next prompt. */
	suggests = false;
	readonly #options: CommandOptions;
	readonly #summaries: ToolSummaries | undefined;
	#turns = 0;

	constructor(client: Client, frames: FrameOutput, options: CommandOptions) {
		this.client = client;
		this.frames = frames;
		this.#options = options;
		this.driver = new Driver(frames.wire, new Controls(this));
		this.hostServers = new HostServers(this.driver);
		this.questions = new HostQuestions(this.driver, {
			waits: () => {
				frames.setState('requires_action');
				return () => frames.setState('running');
			},
			updates: (given) => applyUpdates(given, client, frames),
			misunderstood: (tool, why) => frames.inform(`can_use_tool ${tool}: ${why}`, 'warning', 'bad_input'),
			hookFailed: (event, callback, why) =>
				frames.inform(
					`${event}: the hook ${callback} of the host has failed, and its answer was not used: ${why}`,
					'warning',
					'hook_callback_failed',
				),
		});
		if (process.env.CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES === '1') this.#summaries = new ToolSummaries(client, frames);
		frames.waiting = () => this.driver.unanswered;
		frames.taskEnded = (tells) => this.driver.nudge(tells);
	}

	/** Prompts from another process until it ends them. A turn that fails does not end the session. */
	async run(): Promise<ExitCode> {
		const { client, questions } = this;
		const asks = this.#options.permissionPromptTool === 'stdio' ? { ask: questions.ask } : {};
		// What servers ask their user has nothing to do with permissions: a host is always asked.
		client.attend({ ...client.attendants, ...asks, elicit: (asked, signal) => questions.elicit(asked, signal) });
		// Heard between two turns as well: a signal that comes while its listener is taken away is heard by nobody, and ends nothing.
		let ended: ExitCode | undefined;
		using _signals = onSignals((signal) => {
			ended = signal;
			this.driver.close();
		});
		let code: ExitCode = 0;
		for await (const arrived of this.driver.prompts()) {
			code = await this.#answer(arrived, code);
			if (!client.stopped) continue;
			// Whoever ends the client by a signal, or reads nothing any more, answers no question either.
			this.driver.close();
			break;
		}
		return ended ?? code;
	}

	[Symbol.dispose](): void {
		this.driver.close();
	}

	/** The hooks of the host are called as those of the settings are. */
	callBack(settings: readonly HookSetting[], cwd: string): ReturnType<typeof hooksOf> {
		return hooksOf(settings, { cwd, env: {}, callback: this.questions.callback });
	}

	/** Nothing of what a host sends is dropped in silence. */
	async #withAttachments({ content, prompt }: SentPrompt): Promise<Prompt> {
		if (!Array.isArray(content)) return prompt;
		const { readAttachments } = await import('./attachments.ts');
		const read = await readAttachments(content, new AbortController().signal);
		for (const what of read.dropped) this.frames.inform(`No model is shown ${what}`, 'warning', 'attachment_dropped');
		return read.prompt;
	}

	async #answer({ sent, waited }: Arrived, before: ExitCode): Promise<ExitCode> {
		const { client, frames } = this;
		if (!sent && client.station().session.conversation.notices.length === 0) return before;
		const uuid = sent?.uuid;
		frames.setState('running');
		if (uuid !== undefined) frames.lifecycle(uuid, 'started');
		frames.turn = {
			...(uuid === undefined ? {} : { user_message_uuid: uuid, user_message_uuids: [uuid] }),
			...(sent ? {} : { origin: { kind: 'task-notification' } }),
		};
		await this.ready;
		const content = sent?.content;
		// Who is shown what was said goes back to it by the name that it is shown under.
		const name = uuid ?? (this.#options.replayUserMessages && sent ? randomUUID() : undefined);
		const begun = (): void => {
			if (content !== undefined) frames.replay(content, name);
		};
		const prompt = sent?.attached ? await this.#withAttachments(sent) : sent?.prompt;
		const how = { waited, begun, ...compact({ uuid: name }) };
		const result = sent?.asks === false ? await client.hear(sent.prompt, begun) : await client.answer(prompt, how);
		if (name !== undefined && frames.prompt !== undefined) this.names.set(name, frames.prompt);
		// Hosts know no other code for a turn that failed; a signal that ends the client is another matter.
		const code = client.stopped ? exitCodeOf(result) : result.outcome === 'success' || result.hookStopped ? 0 : 1;
		await this.#summaries?.settled();
		frames.turn = {};
		if (uuid !== undefined) frames.lifecycle(uuid, result.outcome === 'interrupted' ? 'cancelled' : 'completed');
		// A host takes it as the end of all work, and says no more.
		if (!this.driver.hasMore) frames.setState('idle');
		// Where no model was asked, nothing is new.
		if (result.turns === 0) return code;
		this.#turns += 1;
		// A first turn says too little, and after one that failed nobody knows what comes next.
		if (this.suggests && this.#turns > 1 && code === 0 && !this.driver.hasMore) await suggestPrompt(client, frames);
		return code;
	}
}
