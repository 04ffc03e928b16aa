/** One session of an editor: the order of its prompts, which commands it is not offered, stop reasons, and the wording of notes, retries and compactions. */
import { randomUUID } from 'node:crypto';
import {
	type AgentContext,
	type ClientCapabilities,
	type ContentBlock,
	type McpServer,
	type PromptResponse,
	RequestError,
	type SessionUpdate,
	type StopReason,
} from '@agentclientprotocol/sdk';
import type { LoopEvent, Prompt, RunResult } from '../agent/config.ts';
import { textOf } from '../agent/recording/blocks.ts';
import { Client } from '../client/client.ts';
import { callable, commandsHere } from '../client/commands/commands-here.ts';
import type { Listener } from '../client/listener.ts';
import type { ClientOptions } from '../client/options.ts';
import { placeHere } from '../client/place-here.ts';
import { openClientSession } from '../client/session.ts';
import { promptTitle } from '../codecs/index.ts';
import type { EntryId } from '../model/index.ts';
import { choicesOf, choose, chooseMode, modesOf } from './choices.ts';
import { isEditorsOwn, ownOfEditors } from './editors-own.ts';
import { planOf, taskItems } from './plans.ts';
import { promptFrom } from './prompts.ts';
import { EditorQuestions } from './questions.ts';
import { pastUpdates } from './replay.ts';
import { RunUpdates } from './run-updates.ts';
import { serversFrom } from './servers.ts';
import { type CallPlace, fenced } from './tool-calls.ts';

/** Who is at the other end, and what holds for all of its sessions. */
export interface Editor {
	readonly peer: AgentContext;
	readonly capabilities: ClientCapabilities;
	readonly options: ClientOptions;
	readonly version: string;
	/** One line for whoever reads the editor's log. */
	warn(text: string): void;
}

export interface Opening {
	/** The editor's name for it, where it has one already. */
	readonly id?: string;
	/** The file of the session to go on with. */
	readonly path?: string;
	readonly cwd: string;
	readonly dirs: readonly string[];
	readonly servers: readonly McpServer[];
}

export class EditorSession {
	readonly id: string;
	readonly #editor: Editor;
	readonly #client: Client;
	readonly #updates: RunUpdates;
	/** What the user should know, until there is a moment to say it. */
	readonly #notes: string[];
	readonly #turns = new Set<AbortController>();
	/** The servers that the editor has handed over are there. */
	#ready: Promise<unknown> = Promise.resolve();
	#last: Promise<unknown> = Promise.resolve();
	#answers = false;
	#wasCommand = false;
	#entitled: boolean;
	#costUsd = 0;
	#told = { choices: '', commands: '' };

	private constructor(id: string, editor: Editor, client: Client, updates: RunUpdates, notes: string[]) {
		this.id = id;
		this.#editor = editor;
		this.#client = client;
		this.#updates = updates;
		this.#notes = notes;
		this.#entitled = client.station().session.resumed !== undefined;
		this.#told.choices = JSON.stringify(choicesOf(client));
	}

	static async open(editor: Editor, { id, path, cwd, dirs, servers }: Opening): Promise<EditorSession> {
		const given = { ...editor.options, cwd, addDir: [...(editor.options.addDir ?? []), ...dirs] };
		const options: ClientOptions = path === undefined ? given : { ...without(given), resume: path };
		const session = await openClientSession(options, cwd);
		const sessionId = id ?? session.handle.session.id;
		let made: EditorSession | undefined;
		const notes: string[] = [];
		const note = (text: string): void => {
			editor.warn(text);
			if (made) made.#note(text);
			else notes.push(text);
		};
		const station = () => client.station();
		const place = (): CallPlace => {
			const { handle, cwd: folder } = station().session;
			return { format: handle.session.format, cwd: folder };
		};
		const send = sender(editor, sessionId);
		const updates = new RunUpdates(send, place, () => station().session.conversation);
		let client: Client;
		try {
			const here = await placeHere(options, session.cwd);
			client = await Client.start({
				...{ options, session, ...here, version: editor.version },
				listener: listenerOf(() => made, updates, note),
				attend: (mode) => {
					const { peer, capabilities } = editor;
					return new EditorQuestions({ peer, sessionId, cwd: session.cwd, capabilities, updates, mode, note });
				},
			});
		} catch (error) {
			await session[Symbol.asyncDispose]();
			throw error;
		}
		made = new EditorSession(sessionId, editor, client, updates, notes);
		const configs = serversFrom(servers, note);
		if (configs.length > 0) made.#ready = client.withServers().then((all) => all.add(configs));
		return made;
	}

	/** The names of the sessions that it holds: a command may have gone on to another one. */
	get holds(): readonly string[] {
		return [this.id, this.#client.station().session.handle.session.id];
	}

	state() {
		return { modes: modesOf(this.#client), configOptions: choicesOf(this.#client) };
	}

	/** All that was said so far, or behind an entry, as the editor would have heard it. */
	async replay(behind?: EntryId | null): Promise<void> {
		const { handle, cwd, conversation } = this.#client.station().session;
		if (handle.leaf === null) return;
		const { format } = handle.session;
		for await (const update of pastUpdates(handle.path, { format, cwd }, behind)) await this.#send(update);
		const tasks = taskItems(conversation);
		if (tasks.length > 0) await this.#send({ sessionUpdate: 'plan', ...planOf(tasks) });
	}

	/** Called when the editor knows the session. */
	async opened(): Promise<void> {
		if (this.#editor.capabilities.session?.notices) for (const text of this.#notes.splice(0)) this.#note(text);
		await this.#tellCommands();
		await this.#ready;
		await this.#tellCommands();
	}

	async prompt(blocks: readonly ContentBlock[], cancelled: AbortSignal): Promise<PromptResponse> {
		const prompt = promptFrom(blocks, this.#client.station().session.cwd);
		const control = new AbortController();
		cancelled.addEventListener('abort', () => control.abort(), { once: true });
		const waited = this.#turns.size > 0;
		if (waited) this.#client.announce(prompt);
		this.#turns.add(control);
		const turn = this.#last.then(() => this.#answer(prompt, waited, control.signal));
		this.#last = turn.catch(() => undefined);
		try {
			return { stopReason: await turn };
		} finally {
			this.#turns.delete(control);
		}
	}

	/** Ends the turn, and those that wait for it. */
	cancel(): void {
		for (const control of this.#turns) control.abort();
	}

	chooseMode(mode: string): void {
		chooseMode(this.#client, mode);
		this.#told.choices = JSON.stringify(choicesOf(this.#client));
	}

	async choose(option: string, value: unknown): Promise<void> {
		const before = this.#client.station().mode;
		await choose(this.#client, option, value);
		const { mode } = this.#client.station();
		if (mode !== before) this.#tellMode(mode);
		this.#told.choices = JSON.stringify(choicesOf(this.#client));
	}

	async close(): Promise<void> {
		this.cancel();
		await this.#last;
		await this.#ready.catch(() => undefined);
		await this.#client.leave();
		await this.#client[Symbol.asyncDispose]();
	}

	/** Listens to the client. */
	heard(event: Heard): void {
		switch (event.is) {
			case 'mode':
				this.#tellMode(event.mode);
				break;
			case 'begin':
				// Files of commands may have been edited since the last prompt.
				void this.#tellCommands();
				break;
			case 'command':
				this.#wasCommand = true;
				this.#say(asColumns(event.result.text || (event.result.problem ?? '')));
				break;
			case 'result':
				if (!this.#updates.hasSaid && event.result.text !== '') this.#say(event.result.text);
				break;
			case 'elicited':
				void this.#editor.peer.notify('elicitation/complete', { elicitationId: event.id }).catch(() => undefined);
				break;
			case 'compaction':
				this.#compacted(event.event);
		}
	}

	async #answer(prompt: Prompt, waited: boolean, signal: AbortSignal): Promise<StopReason> {
		if (signal.aborted) return 'cancelled';
		await this.#ready;
		this.#answers = true;
		this.#wasCommand = false;
		this.#updates.begin();
		for (const text of this.#notes.splice(0)) this.#note(text);
		const own = ownOfEditors(prompt, this.#client.station().session.handle);
		try {
			if (own !== undefined) {
				this.#say(own);
				return 'end_turn';
			}
			const result = await this.#client.answer(prompt, { signal, waited });
			await this.#tellState(prompt, result);
			return this.#stopReason(result, signal);
		} finally {
			this.#answers = false;
		}
	}

	#stopReason(result: RunResult, signal: AbortSignal): StopReason {
		const { outcome, message, failure, problem = 'the run has failed' } = result;
		if (signal.aborted) return 'cancelled';
		if (this.#wasCommand) return 'end_turn';
		switch (outcome) {
			case 'success':
				return message?.stopReason === 'length' ? 'max_tokens' : 'end_turn';
			case 'max_turns':
			case 'max_budget':
				this.#say(problem);
				return 'max_turn_requests';
			case 'interrupted':
				return 'cancelled';
			default:
				if (!failure?.refused) throw new RequestError(-32603, problem);
				this.#say(problem);
				return 'refusal';
		}
	}

	/** What has become of the session with the turn: its title, how full it is, what it has cost, what was chosen in it. */
	async #tellState(prompt: Prompt, { message, costUsd }: RunResult): Promise<void> {
		const { session, model } = this.#client.station();
		this.#costUsd += costUsd;
		if (!this.#entitled && session.handle.leaf !== null) {
			this.#entitled = true;
			const title = promptTitle(textOf(prompt)) ?? null;
			void this.#send({ sessionUpdate: 'session_info_update', title, updatedAt: new Date().toISOString() });
		}
		const size = message && (await model.window())();
		if (message && size !== undefined) {
			const cost = { amount: this.#costUsd, currency: 'USD' };
			void this.#send({ sessionUpdate: 'usage_update', used: message.usage.totalTokens, size, cost });
		}
		const choices = JSON.stringify(choicesOf(this.#client));
		if (choices !== this.#told.choices) this.#tellChoices();
	}

	#tellMode(currentModeId: string): void {
		void this.#send({ sessionUpdate: 'current_mode_update', currentModeId });
		this.#tellChoices();
	}

	#tellChoices(): void {
		const configOptions = choicesOf(this.#client);
		this.#told.choices = JSON.stringify(configOptions);
		void this.#send({ sessionUpdate: 'config_option_update', configOptions });
	}

	async #tellCommands(): Promise<void> {
		const { session, permissions, servers } = this.#client.station();
		const { list } = await commandsHere(session.cwd, permissions.trusted);
		const prompts = (servers?.prompts ?? []).map((name) => ({ name, description: 'a prompt of an MCP server' }));
		const all = [...callable(list), ...prompts];
		const names = all.map(({ name }) => name).join();
		if (names === this.#told.commands) return;
		this.#told.commands = names;
		const availableCommands = all
			.filter(({ name }) => !isEditorsOwn(name))
			.map(({ name, description, ...more }) => ({
				...{ name, description },
				...('hint' in more && more.hint !== undefined ? { input: { hint: more.hint } } : {}),
			}));
		await this.#send({ sessionUpdate: 'available_commands_update', availableCommands });
	}

	#note(text: string): void {
		if (this.#editor.capabilities.session?.notices)
			void this.#send({ sessionUpdate: 'notice', severity: 'warning', title: text });
		else if (this.#answers) this.#say(`\n\n> ${text.replaceAll('\n', '\n> ')}\n\n`);
		else this.#notes.push(text);
	}

	/** Words of ours in the conversation. */
	#say(text: string): void {
		if (text === '') return;
		const content = { type: 'text' as const, text };
		void this.#send({ sessionUpdate: 'agent_message_chunk', content, messageId: randomUUID() });
	}

	#compactionId = '';

	#compacted(event: CompactionNews): void {
		if (!this.#editor.capabilities.session?.compaction) {
			if (event.type === 'compacted' && event.trigger === 'auto')
				this.#note(event.problem ?? 'the conversation was too long, and was compacted');
			return;
		}
		if (event.type === 'compacting') this.#compactionId = randomUUID();
		const problem = event.type === 'compacted' ? event.problem : undefined;
		void this.#send({
			...{ sessionUpdate: 'compaction_update', compactionId: this.#compactionId },
			status: event.type === 'compacting' ? 'in_progress' : problem === undefined ? 'completed' : 'failed',
			...(problem === undefined ? {} : { error: problem }),
		});
	}

	async #send(update: SessionUpdate): Promise<void> {
		await sender(this.#editor, this.id)(update);
	}
}

type CompactionNews = Extract<LoopEvent, { type: 'compacting' | 'compacted' }>;

type Heard =
	| { readonly is: 'mode'; readonly mode: string }
	| { readonly is: 'begin' }
	| { readonly is: 'command' | 'result'; readonly result: RunResult }
	| { readonly is: 'elicited'; readonly id: string }
	| { readonly is: 'compaction'; readonly event: CompactionNews };

function listenerOf(
	session: () => EditorSession | undefined,
	updates: RunUpdates,
	note: (text: string) => void,
): Listener {
	const tell = (event: Heard): void => session()?.heard(event);
	return {
		note,
		event: (event) => updates.event(event),
		observe(event) {
			updates.observe(event);
			if (event.type === 'compacting' || event.type === 'compacted') tell({ is: 'compaction', event });
			if (event.type === 'hook') note(`${event.name}: ${event.message}`);
			// What was said of a reply that broke off stands there: whoever reads it has to know why it begins again.
			if (event.type === 'retry')
				note(
					`${event.failure.message} Asking again in ${Math.ceil(event.waitMs / 1000)} s (${event.attempt} of ${event.of})`,
				);
		},
		begin: () => tell({ is: 'begin' }),
		mode: (mode) => tell({ is: 'mode', mode }),
		moved: ({ session: { id } }) =>
			note(`the conversation goes on in the session ${id}: open that one from the list the next time`),
		goneOn: async (_, behind) => await session()?.replay(behind),
		elicited: (_, id) => tell({ is: 'elicited', id }),
		result: (result) => tell({ is: 'result', result }),
		command: (result) => tell({ is: 'command', result }),
	};
}

/** An editor that has gone hears nothing, and its sessions are about to be closed. */
function sender({ peer }: Editor, sessionId: string): (update: SessionUpdate) => Promise<void> {
	return (update) => peer.notify('session/update', { sessionId, update }).catch(() => undefined);
}

/** What a command has set in columns would be one paragraph as Markdown. */
function asColumns(text: string): string {
	return /\S {2,}\S|^ {2,}\S/m.test(text) ? fenced(text.trimEnd()) : text;
}

/** The options without those that count for new sessions alone. */
function without({ sessionFormat: _, sessionProfile: __, ...options }: ClientOptions): ClientOptions {
	return options;
}
