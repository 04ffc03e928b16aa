/** One start of the client: session, model, tools and rules put together, prompts answered one after the other. */
import type { AgentConfig, Prompt, RunResult } from '../agent/config.ts';
import type { AgentOffers, AgentType, Hook, PermissionMode } from '../agent/contracts.ts';
import type { AgentEvent } from '../agent/events.ts';
import { keepOwn, ranTexts } from '../agent/own-runs.ts';
import { isEmpty, textOf } from '../agent/recording/blocks.ts';
import { endSession, keepMode, type Run } from '../agent/run.ts';
import type { McpServers } from '../mcp/servers.ts';
import { compact } from '../model/index.ts';
import { asMainAgent, asSubagent, withAgentKinds, withTheirs } from './agents.ts';
import type { Station } from './commands/builtin-command.ts';
import { calledIn } from './commands/called.ts';
import { asksModel, carryOut, leaveFor, modelFor, nothingSaid, resultOf } from './commands/carry-out.ts';
import { commandsHere } from './commands/commands-here.ts';
import type { Definition } from './commands/definitions.ts';
import { startPrompt } from './commands/start-prompt.ts';
import { type ClientConfig, configOf, modeOf, sessionNotes } from './config.ts';
import { LiveSettings } from './flag-settings.ts';
import { catchUp, keepRan } from './gone-on.ts';
import { initFacts } from './init-facts.ts';
import { tellEnded } from './left-running.ts';
import type { Listener } from './listener.ts';
import { type ChosenModel, chooseModel, givenModel } from './model.ts';
import type { ClientOptions } from './options.ts';
import { mayName } from './prompt-name.ts';
import { agentServers, noServers, offeredTools, startServers } from './servers.ts';
import type { ClientSession } from './session.ts';
import type { Answering, Attendants, ClientSetup } from './setup.ts';
import type { StructuredOutput } from './structured-output.ts';

export class Client implements AsyncDisposable {
	readonly #setup: ClientSetup;
	readonly #listener: Listener;
	#options: ClientOptions;
	#session: ClientSession;
	#model: ChosenModel;
	/** Who answered at first: a script that is chosen again goes on where it was. */
	readonly #first: ChosenModel;
	#mode: PermissionMode;
	#choseMode = false;
	/** Settings and permissions, which a host may change while the client runs. */
	readonly live: LiveSettings;
	#attendants: Attendants = {};
	#hooks: readonly Hook[];
	/** Kinds of sub-agents that a host brings. */
	#agents: readonly AgentType[] = [];
	#servers: McpServers | undefined;
	/** What ends with the client. */
	readonly #ends = new AsyncDisposableStack();
	#run: Run | undefined;
	/** What the last prompt was answered with. */
	#config: AgentConfig | undefined;
	/** Prompts that have to wait and came before the run that they wait for. */
	readonly #early: Prompt[] = [];
	/** What the user need not hear twice. */
	readonly #told = new Set<string>();
	/** In dollars, for all prompts so far: a budget is for the client, and not for each of them. */
	#spent = 0;
	#stopped = false;
	/** Takes the answer, where it has a shape. */
	#structured: StructuredOutput | undefined;
	readonly catchUp = (): Promise<void> => catchUp(this.#session, this.#listener);

	private constructor(setup: ClientSetup, model: ChosenModel) {
		const { options, session, permissions, listener, hooks = [], attend } = setup;
		this.#setup = setup;
		this.#listener = listener;
		this.#options = options;
		this.#session = session;
		this.#first = this.#model = model;
		this.#mode = modeOf(options, session, permissions);
		this.live = new LiveSettings(permissions, () => this.#options);
		this.#hooks = hooks;
		if (attend) this.#attendants = attend(() => this.#mode);
	}

	/** The session is closed together with the client; where this throws, it is left to the caller. */
	static async start(setup: ClientSetup): Promise<Client> {
		const { options, session, permissions, commands, provider, first } = setup;
		const model = provider
			? givenModel(provider, options.model)
			: await modelFor(first, options, session, permissions, commands.list);
		const client = new Client(setup, model);
		if (options.jsonSchema !== undefined) await client.shape(options.jsonSchema);
		client.#servers = await startServers(options, session.cwd, permissions, client.#asked());
		const asks = first === undefined || asksModel(first, commands.list);
		const notes = await sessionNotes(options, session, model, permissions, client.#servers, commands, asks);
		for (const note of notes) client.#note(note);
		return client;
	}

	/** Ends the run, not the session, when it is interrupted: what happened until then is written. */
	async answer(prompt: Prompt | undefined, how: Answering = {}): Promise<RunResult> {
		try {
			return await this.#answer(prompt, how);
		} finally {
			// Until the next prompt, the session may be gone on with in another window.
			await this.#session.handle.rest();
		}
	}

	async #answer(prompt: Prompt | undefined, how: Answering): Promise<RunResult> {
		const { waited = false, uuid, signal } = how;
		await this.catchUp();
		if (prompt !== undefined && isEmpty(prompt)) return await this.#unsaid();
		const commanded = prompt === undefined ? undefined : await this.#commanded(prompt, waited);
		if (commanded) return commanded;
		const { handle, conversation } = this.#session;
		const given = await this.#configFor(prompt);
		const config = await asSubagent(given, this.#options, this.#ends);
		this.#config = config;
		this.#begin({ ...given, tools: config.tools, model: config.model });
		how.begun?.();
		this.#structured?.begin();
		const named = uuid !== undefined && mayName(uuid, handle) ? { promptId: uuid } : {};
		const watched = { onEvent: (event: AgentEvent) => this.#listener.event?.(event), ...compact({ signal }) };
		this.#run = startPrompt(handle, conversation, prompt, config, { ...watched, waited, ...named });
		for (const early of this.#early.splice(0)) this.#run.announce(early);
		using _ = this.#listener.running?.(() => this.#stop());
		const answered = await this.#run.result;
		this.#spent += answered.costUsd;
		const result = this.#structured?.of(answered) ?? answered;
		this.#run = undefined;
		await keepRan(this.#session, this.#listener, config.changes);
		await this.#entitle();
		this.#listener.result?.(result, handle.session.id);
		return result;
	}

	/** The session is left: hooks hear of it. */
	async leave(reason = 'other'): Promise<void> {
		const { handle, conversation } = this.#session;
		if (this.#config) await endSession(handle, conversation, this.#config, reason);
		this.#config = undefined;
		// Last of all: what is noted beside a file holds as long as nothing comes after it.
		if (this.#choseMode && handle.leaf !== null) await keepMode(handle, conversation, await this.#configFor());
		tellEnded(handle, conversation, (text) => this.#note(text));
	}

	/** Closes the session that prompts went to last: a command may have opened it. */
	async [Symbol.asyncDispose](): Promise<void> {
		await this.#session[Symbol.asyncDispose]();
		await this.#ends.disposeAsync();
		await this.#servers?.[Symbol.asyncDispose]();
	}

	/** A signal, or a reader that went away, has ended the client; an interrupt only ends the turn. */
	get stopped(): boolean {
		return this.#stopped;
	}

	/** What the client has at hand now. */
	station(): Station {
		return {
			options: this.#options,
			session: this.#session,
			permissions: this.live.permissions,
			servers: this.#servers,
			model: this.#model,
			mode: this.#mode,
			commands: this.commands,
			stays: this.#setup.stays === true,
			config: () => this.#configFor(),
		};
	}

	/** Commands as they were at the start; those that are edited later are in the facts that each prompt begins with. */
	get commands(): readonly Definition[] {
		return this.#setup.commands.list;
	}

	get attendants(): Attendants {
		return this.#attendants;
	}

	attend(attendants: Attendants): void {
		this.#attendants = attendants;
	}

	/** Hooks and kinds of sub-agents of a host's own. */
	add(hooks: readonly Hook[], agents: readonly AgentType[]): void {
		this.#hooks = hooks;
		this.#agents = agents;
	}

	/** Flags as they should have been given; undefined: as if it had not been. */
	setOptions(more: { readonly [K in keyof ClientOptions]?: ClientOptions[K] | undefined }): void {
		this.#options = compact({ ...this.#options, ...more }) as ClientOptions;
	}

	/** The answer is to have this shape. Loaded where somebody wants one: few do. */
	async shape(schema: string): Promise<void> {
		const { StructuredOutput } = await import('./structured-output.ts');
		this.#structured = new StructuredOutput(schema);
	}

	setMode(mode: PermissionMode): void {
		this.#mode = mode;
		this.#choseMode = true;
	}

	/** Without a name: who answered first. Returns who answers from now on. */
	async setModel(name: string | undefined): Promise<string> {
		const { model: first, script, ...options } = this.#options;
		// A script answers whatever model is named, but for one that names its provider, too.
		const wanted = compact({ model: name ?? first, script: name?.includes('/') ? undefined : script });
		const isFirst = wanted.script !== undefined || wanted.model === first;
		const known = isFirst && this.#first.provider.id === 'offline' ? this.#first : undefined;
		this.#model = await chooseModel({ ...options, ...wanted }, this.#session.resumed, this.live.permissions, known);
		return this.#model.name;
	}

	/** The MCP servers, also where there was none so far. */
	async withServers(): Promise<McpServers> {
		this.#servers ??= await noServers(this.#session.cwd, this.live.permissions, this.#asked());
		return this.#servers;
	}

	/** A prompt has to wait. */
	announce(prompt: Prompt): void {
		if (isEmpty(prompt)) return;
		if (this.#run) this.#run.announce(prompt);
		else this.#early.push(prompt);
	}

	/** A prompt that was announced is answered by the run that goes on, or was taken back. */
	unannounce(operation: 'dequeue' | 'remove'): void {
		this.#run?.unannounce(operation);
	}

	/** The user runs a shell command beside the prompts, which gives what is told of it. It is written at once, or where a run goes on, at its next step. */
	async runs(command: string, run: (config: AgentConfig) => Promise<string>): Promise<void> {
		const config = await this.#configFor();
		const kept = await keepOwn(command, config, this.#session.conversation);
		const output = await run(config);
		await kept();
		this.#session.conversation.ran.push(...ranTexts(command, output));
		if (!this.#run) await keepRan(this.#session, this.#listener, config.changes);
	}

	/** Ends the turn. */
	interrupt(): void {
		this.#run?.interrupt();
	}

	#stop(): void {
		this.#stopped = true;
		this.interrupt();
	}

	/** `told`: what was said already, and is not said again. */
	#note(text: string, told?: Set<string>): void {
		if (!told?.has(text)) this.#listener.note?.(text);
		told?.add(text);
	}

	/** Where nobody can be asked, a server is told no. */
	#asked(): Parameters<typeof startServers>[3] {
		return {
			note: (text) => this.#note(text),
			elicit: async (asked, signal) => (await this.#attendants.elicit?.(asked, signal)) ?? { action: 'decline' },
			elicited: (server, id) => this.#listener.elicited?.(server, id),
			...compact({ version: this.#setup.version }),
		};
	}

	/** A session that was begun with a title gets it with its first prompt. */
	async #entitle(): Promise<void> {
		const { title, ...rest } = this.#options;
		const { handle } = this.#session;
		if (title === undefined || handle.leaf === null) return;
		this.#options = rest;
		await handle.append({ kind: 'setting', set: { title } });
	}

	/** Something is said that nobody answers: it stands before the next prompt. */
	async hear(said: Prompt, begun: () => void): Promise<RunResult> {
		const { handle, conversation } = this.#session;
		await this.catchUp();
		this.#begin(await this.#configFor());
		begun();
		if (!isEmpty(said)) conversation.ran.push(textOf(said));
		await keepRan(this.#session, this.#listener, undefined);
		const result = resultOf({ text: '' });
		this.#listener.result?.(result, handle.session.id);
		return result;
	}

	/** A model would be asked to guess what nobody has said. */
	async #unsaid(): Promise<RunResult> {
		const result = resultOf({ text: nothingSaid });
		this.#begin(await this.#configFor());
		this.#note(nothingSaid);
		this.#listener.result?.(result, this.#session.handle.session.id);
		return result;
	}

	/** What a command that asks no model came to; undefined where the prompt is none. */
	async #commanded(prompt: Prompt, waited: boolean): Promise<RunResult | undefined> {
		const called = calledIn(prompt);
		if (!called) return undefined;
		const { list } = await commandsHere(this.#session.cwd, this.live.permissions.trusted);
		const commanded = await carryOut(prompt, { ...this.station(), commands: list, waited });
		if (!commanded) return undefined;
		const { result, session, model = this.#model, goesOn } = commanded;
		const isCleared = called.name === 'clear';
		if (session) await this.leave(isCleared ? 'clear' : 'other');
		this.#session = await leaveFor(this.#session, session);
		if (session) this.#listener.moved?.(session.handle, isCleared);
		this.#model = model;
		this.#begin(await this.#configFor());
		this.#listener.command?.(result, this.#session.handle.session.id, called.name, goesOn);
		return result;
	}

	/** Whoever wants another model for an agent is told, once, where nobody answers by that name. A script answers whoever asks. */
	#agentModel({ agents, provider, model }: Omit<ClientConfig, 'tools'>): NonNullable<AgentOffers['model']> {
		return async (name) => {
			const found = await agents?.model?.(name);
			if (!found && provider.id !== 'offline')
				this.#note(`no model is known here as ${name}: sub-agents that want it are answered by ${model}`, this.#told);
			return found;
		};
	}

	async #configFor(prompt: Prompt = ''): Promise<ClientConfig & AgentConfig> {
		const client = this;
		const { moreTools = [], stays = false, steer } = this.#setup;
		const toldInTurn = new Set<string>();
		const { tools: offered, ...fixed } = await configOf(
			this.#options,
			this.#session,
			this.#model,
			this.#attendants.ask,
			this.live.permissions,
			this.#servers,
			prompt,
		);
		const types = withTheirs(fixed.agents?.types ?? [], this.#agents);
		const tools = this.#agents.length === 0 ? offered : withAgentKinds(offered, types);
		const servers = (type: AgentType) => agentServers(type, this.live.permissions, this.#options, this.#asked());
		const { agent } = this.#options;
		const shaped = this.#structured;
		const config: ClientConfig & AgentConfig = {
			...fixed,
			...(fixed.agents && {
				agents: { ...fixed.agents, types, awaited: !stays, model: this.#agentModel(fixed), servers },
			}),
			hooks: [...(fixed.hooks ?? []), ...this.#hooks, ...(shaped ? [shaped.hook] : [])],
			limits: { ...fixed.limits, spentUsd: this.#spent },
			// Servers change what they offer while the run goes on.
			get tools() {
				const own = shaped ? [...moreTools, shaped.tool] : moreTools;
				return [...tools, ...offeredTools(client.#servers, client.live.permissions.rules), ...own];
			},
			// A host may deny something while the run goes on.
			get rules() {
				return client.live.permissions.rules;
			},
			get askedServers() {
				return client.live.askedServers;
			},
			get dirs() {
				return client.live.permissions.dirs;
			},
			get mode() {
				return client.#mode;
			},
			setMode(mode: PermissionMode) {
				client.setMode(mode);
				client.#listener.mode?.(mode);
			},
			observe: (event) => {
				this.#listener.observe?.(event);
				if (event.type === 'named') for (const why of event.files.left) this.#note(why);
				if (event.type === 'note') this.#note(event.text, toldInTurn);
			},
			...(steer && { steer }),
		};
		return agent === undefined ? config : await asMainAgent(config, agent, (text) => this.#note(text, this.#told));
	}

	#begin(config: ClientConfig): void {
		this.#listener.begin?.(initFacts(config, this.station()));
	}
}
