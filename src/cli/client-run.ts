/** One start of the client: session, model and tools put together, prompts answered one after the other. */
import { statSync } from 'node:fs';
import type { AgentConfig, Prompt, RunResult } from '../agent/config.ts';
import type { Ask, PermissionMode } from '../agent/contracts.ts';
import { endSession, type Run, type RunOptions } from '../agent/run.ts';
import { asSubagent } from '../client/agents.ts';
import type { Station } from '../client/commands/builtin.ts';
import { builtins } from '../client/commands/builtins.ts';
import { calledIn } from '../client/commands/called.ts';
import { asksModel, carryOut, leaveFor, modelFor } from '../client/commands/carry-out.ts';
import type { Definition } from '../client/commands/definitions.ts';
import { commandsHere } from '../client/commands/here.ts';
import { startPrompt } from '../client/commands/start-prompt.ts';
import { type ClientConfig, configOf, knownMode, modeOf, sessionNotes } from '../client/config.ts';
import { tellEnded } from '../client/left-running.ts';
import { type ChosenModel, chooseModel } from '../client/model.ts';
import { addedFolders, decideTrust, flagRules, type PermissionsHere, permissionsHere } from '../client/permissions.ts';
import { checkResume } from '../client/resume-check.ts';
import { resumeText } from '../client/resume-words.ts';
import { offeredTools, startServers } from '../client/servers.ts';
import { type ClientSession, openClientSession } from '../client/session.ts';
import type { Elicit } from '../mcp/elicitation.ts';
import type { McpServers } from '../mcp/servers.ts';
import { compact, type JsonObject } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { askYesNo, canAsk } from './ask.ts';
import { elicitOnTerminal } from './ask-elicitation.ts';
import { askOnTerminal } from './ask-permission.ts';
import { askTrust } from './ask-trust.ts';
import type { CommandOptions } from './client.ts';
import { type Output, outputFor, sendFrame } from './client-output.ts';
import { nothingToDo, promptOf } from './client-prompts.ts';
import { Driver, type Steering } from './client-wire.ts';
import { onClosedPipe } from './closed-pipe.ts';
import { debug } from './debug.ts';
import type { ExitCode } from './main.ts';
import { complain } from './prose.ts';
import { version } from './version.ts';
import { whichText } from './which-session.ts';

export async function runClient(words: string, options: CommandOptions): Promise<ExitCode> {
	const driven = options.inputFormat === 'stream-json';
	if (driven && options.outputFormat !== 'stream-json') {
		throw new InputError('usage', '--input-format stream-json needs --output-format stream-json');
	}
	const output = outputFor(options);
	// Before anything else: what is wrong with the prompt is said before a session is opened.
	const single = driven ? undefined : await promptOf(words, output.note);
	const mayWait = options.continue === true || options.resume !== undefined;
	if (!driven && single === undefined && !mayWait) throw nothingToDo();
	flagRules(options);
	addedFolders(options);
	await using session = await openClientSession(options, process.cwd());
	if (!driven && single === undefined && !session.conversation.deferred) throw nothingToDo();
	const unnamed = options.continue || options.resume === 'last';
	if (unnamed && session.found !== undefined && (options.outputFormat ?? 'text') === 'text') {
		complain(`going on with ${whichText(session.found)}`);
	}
	const permissions = await trustedOrNot(permissionsHere(options, session.cwd), session.cwd, options);
	const commands = await commandsHere(session.cwd, permissions.trusted);
	if (asksModel(single ?? '', commands.list) && !(await wantsToGoOn(session, options))) return 1;
	const model = await modelFor(single, options, session, permissions, commands.list);
	const client = new Client(options, session, model, permissions, output);
	await using servers = await startServers(options, session.cwd, permissions, {
		note: output.note,
		elicit: client.elicit,
		version: version(),
	});
	client.servers = servers;
	client.commands = commands.list;
	for (const note of await sessionNotes(options, session, model, permissions, servers, commands)) output.note(note);
	const code = driven ? await client.serve() : await client.answer(single);
	await client.close();
	output.end();
	return code;
}

/** Larger sessions go on without a question: looking at all of them first would take longer than it saves. */
const largestLooked = 1 << 26;

/** Whoever sits at a terminal hears before it happens that a part of what was said would not be sent. */
async function wantsToGoOn({ handle, resumed }: ClientSession, options: CommandOptions): Promise<boolean> {
	if (!resumed || !canAsk() || options.outputFormat === 'stream-json') return true;
	if ((statSync(handle.path, { throwIfNoEntry: false })?.size ?? 0) > largestLooked) return true;
	const check = await checkResume(handle.path, compact({ model: options.model }));
	if (!check.dropped.some(({ lost }) => lost)) return true;
	complain(resumeText(check));
	return await askYesNo('A part of the conversation would be lost. Go on all the same?');
}

/** Whoever sits at a terminal is asked once whether the folder is trusted, before anything of it counts. */
async function trustedOrNot(found: PermissionsHere, cwd: string, options: CommandOptions): Promise<PermissionsHere> {
	if (found.decided || !canAsk() || options.outputFormat === 'stream-json') return found;
	const trusted = await askTrust(cwd, found.waiting);
	if (trusted === undefined) return found;
	await decideTrust(cwd, trusted);
	return trusted ? permissionsHere(options, cwd) : { ...found, waiting: [] };
}

/** What stays the same and what may change between the prompts of one start. */
class Client {
	readonly #options: CommandOptions;
	#session: ClientSession;
	readonly #permissions: PermissionsHere;
	readonly #output: Output;
	#model: ChosenModel;
	#mode: ReturnType<typeof modeOf>;
	#ask: Ask | undefined;
	#elicit: Elicit | undefined;
	/** Set before the first prompt, if there are any. */
	servers: McpServers | undefined;
	commands: readonly Definition[] = [];
	#run: Run | undefined;
	/** What the last prompt was answered with. */
	#config: AgentConfig | undefined;
	/** Prompts that have to wait and came before the run that they wait for. */
	readonly #early: Prompt[] = [];
	/** A signal, or a reader that went away, ends the client; a request of the driver only ends the turn. */
	#stopped = false;

	constructor(
		options: CommandOptions,
		session: ClientSession,
		model: ChosenModel,
		permissions: PermissionsHere,
		output: Output,
	) {
		this.#options = options;
		this.#session = session;
		this.#model = model;
		this.#permissions = permissions;
		this.#output = output;
		this.#mode = modeOf(options, session, permissions);
		if (canAsk() && options.outputFormat !== 'stream-json') {
			this.#ask = askOnTerminal(session.cwd, () => this.#mode);
			this.#elicit = elicitOnTerminal;
		}
	}

	/** Where nobody can be asked, a server is told no. */
	readonly elicit: Elicit = async (asked, signal) => (await this.#elicit?.(asked, signal)) ?? { action: 'decline' };

	/** Prompts from another process until it ends them. A turn that fails does not end the session. */
	async serve(): Promise<ExitCode> {
		const driver = new Driver(sendFrame, this.#steering());
		if (this.#options.permissionPromptTool === 'stdio') {
			this.#ask = driver.ask;
			this.#elicit = (asked, signal) => driver.elicit(asked, signal);
		}
		let code: ExitCode = 0;
		try {
			for await (const { prompt, waited } of driver.prompts()) {
				code = await this.answer(prompt, waited);
				if (this.#stopped) break;
			}
			return code;
		} finally {
			// A driver that keeps its end open would keep the process alive, also after a refusal.
			process.stdin.destroy();
		}
	}

	/** Ctrl-C ends the run, not the session: what happened until then is written. */
	async answer(prompt: Prompt | undefined, waited = false): Promise<ExitCode> {
		const commanded = prompt === undefined ? undefined : await this.#commanded(prompt, waited);
		if (commanded !== undefined) return commanded;
		const { handle, conversation, resumed } = this.#session;
		const given = await this.#configFor(prompt);
		const config = asSubagent(given, this.#options);
		this.#config = config;
		this.#begin({ ...given, tools: config.tools, model: config.model });
		debug('prompt', { session: handle.session.id, file: handle.path, model: config.model, resumed: !!resumed });
		const onEvent: RunOptions['onEvent'] = (event) => this.#output.event(event);
		this.#run = startPrompt(handle, conversation, prompt, config, { onEvent, waited });
		for (const early of this.#early.splice(0)) this.#run.announce(early);
		using _ = endingOn(() => this.#stop());
		const result = await this.#run.result;
		this.#run = undefined;
		this.#output.result(result, handle.session.id);
		return exitCodeOf(result);
	}

	/** What a command that asks no model came to; undefined where the prompt is none. */
	async #commanded(prompt: Prompt, waited: boolean): Promise<ExitCode | undefined> {
		if (!calledIn(prompt)) return undefined;
		const { list } = await commandsHere(this.#session.cwd, this.#permissions.trusted);
		const at: Station = {
			options: this.#options,
			session: this.#session,
			permissions: this.#permissions,
			servers: this.servers,
			model: this.#model,
			mode: this.#mode,
			commands: list,
			config: () => this.#configFor(),
			waited,
		};
		const commanded = await carryOut(prompt, at);
		if (!commanded) return undefined;
		const { result, session, model = this.#model } = commanded;
		if (session) await this.leave(calledIn(prompt)?.name === 'clear' ? 'clear' : 'other');
		this.#session = await leaveFor(this.#session, session);
		this.#model = model;
		this.#begin(await this.#configFor());
		this.#output.command(result, this.#session.handle.session.id);
		return exitCodeOf(result);
	}

	async #configFor(prompt: Prompt = ''): Promise<ClientConfig & AgentConfig> {
		const client = this;
		const { servers } = this;
		const { tools, ...fixed } = await configOf(
			this.#options,
			this.#session,
			this.#model,
			this.#ask,
			this.#permissions,
			servers,
			prompt,
		);
		const awaited = this.#options.inputFormat !== 'stream-json';
		return {
			...fixed,
			...(fixed.agents && { agents: { ...fixed.agents, awaited } }),
			// Servers change what they offer while the run goes on.
			get tools() {
				return [...tools, ...offeredTools(servers, client.#permissions.rules)];
			},
			get mode() {
				return client.#mode;
			},
			setMode(mode: PermissionMode) {
				client.#mode = mode;
			},
			observe: this.#output.observe,
		};
	}

	#begin(config: ClientConfig): void {
		this.#output.begin({
			sessionId: this.#session.handle.session.id,
			cwd: config.cwd,
			model: config.model,
			tools: config.tools.filter(({ unlisted }) => !unlisted).map(({ name }) => name),
			permissionMode: this.#mode,
			slashCommands: config.commands,
			skills: config.skills,
			agents: config.agents?.types.map(({ name }) => name) ?? [],
			mcpServers: this.servers?.status ?? [],
			apiKeySource: this.#model.keySource ?? 'none',
		});
	}

	/** The session is left: hooks hear of it. */
	async leave(reason = 'other'): Promise<void> {
		const { handle, conversation } = this.#session;
		if (this.#config) await endSession(handle, conversation, this.#config, reason);
		this.#config = undefined;
		tellEnded(handle, conversation, this.#output.note);
	}

	/** Closes the session that prompts went to last: a command may have opened it. */
	async close(): Promise<void> {
		await this.leave();
		await this.#session[Symbol.asyncDispose]();
	}

	/** What a driver shows its user; commands that are edited later are in the frame that each prompt begins with. */
	#offered(): readonly JsonObject[] {
		const files = this.commands.filter(({ forUser }) => forUser);
		const all = [...builtins, ...files.map(({ name, hint, description }) => ({ name, hint, summary: description }))];
		return all.map(({ name, hint = '', summary }) => ({ name, description: summary, argumentHint: hint }));
	}

	#stop(): void {
		this.#stopped = true;
		this.#run?.interrupt();
	}

	#steering(): Steering {
		return {
			initialize: () => ({ commands: this.#offered(), agents: [], models: [], account: {}, output_style: 'default' }),
			interrupt: () => this.#run?.interrupt(),
			setMode: (given) => {
				const mode = knownMode(given);
				if (mode === 'bypassPermissions' && modeOf(this.#options, this.#session, this.#permissions) !== mode) {
					throw new InputError('bad-mode', 'bypassPermissions can only be chosen when the client is started');
				}
				this.#mode = mode;
				return { mode };
			},
			mcpStatus: () => ({ mcpServers: (this.servers?.status ?? []).map(({ name, status }) => ({ name, status })) }),
			announce: (prompt) => {
				if (this.#run) this.#run.announce(prompt);
				else this.#early.push(prompt);
			},
			setModel: async (model) => {
				const { model: first, ...options } = this.#options;
				const wanted = model ?? first;
				this.#model = await chooseModel(
					{ ...options, ...(wanted === undefined ? {} : { model: wanted }) },
					this.#session.resumed,
					this.#permissions,
				);
				return { model: this.#model.name };
			},
		};
	}
}

/** Calls `stop` for Ctrl-C, a request to terminate, and an output that nobody reads any more. */
function endingOn(stop: () => void): Disposable {
	process.on('SIGINT', stop);
	process.on('SIGTERM', stop);
	let closed = false;
	const before = onClosedPipe(() => {
		closed = true;
		stop();
	});
	return {
		[Symbol.dispose]() {
			process.off('SIGINT', stop);
			process.off('SIGTERM', stop);
			// What is still said to a closed pipe must not end the program before the session is closed.
			if (!closed) onClosedPipe(before);
		},
	};
}

function exitCodeOf({ outcome, failure }: RunResult): ExitCode {
	if (outcome === 'success') return 0;
	if (outcome === 'interrupted') return 130;
	return failure ? 3 : 1;
}
