/** One prompt, answered as `reprise -p` answers it: session, model, tools, instructions and permissions put together. */
import type { AgentConfig, Prompt, RunResult } from '../agent/config.ts';
import type { Ask, Hook, Provider, Tool } from '../agent/contracts.ts';
import type { RunOptions } from '../agent/run.ts';
import type { Elicit } from '../mcp/elicitation.ts';
import type { ClientOptions } from './options.ts';

export interface RunPromptOptions extends ClientOptions, Pick<RunOptions, 'onEvent' | 'signal'> {
	/** Who answers, instead of a model that is set up here; `model` is then the name that it is asked by. */
	readonly provider?: Provider;
	/** Tools of your own, beside those that come with Reprise. */
	readonly moreTools?: readonly Tool[];
	/** Hooks of your own, beside those of the settings. */
	readonly hooks?: readonly Hook[];
	/** Asked what the permission rules leave open. Without it such calls are denied. */
	readonly ask?: Ask;
	/** Answers what MCP servers ask their user. Without it they are told that nobody answers. */
	readonly elicit?: Elicit;
	/** Told what a user should know: why another model answers, which files have changed since … */
	readonly warn?: (message: string) => void;
}

export interface PromptResult extends RunResult {
	/** The session that it was written into. */
	readonly session: { readonly id: string; readonly path: string };
}

/** Lets a model work on the prompt until it is done. Everything is in the session's file by then, whatever the outcome. */
export async function runPrompt(prompt: Prompt, options: RunPromptOptions = {}): Promise<PromptResult> {
	// Models, tools and the loop are large: only those who ask a model load them.
	const [
		{ endSession },
		{ openClientSession },
		models,
		{ configOf, modeOf, sessionNotes },
		{ permissionsHere },
		mcp,
		{ startPrompt },
		{ asSubagent },
		{ commandsHere },
		{ carryOut, leaveFor, modelFor },
		{ tellEnded },
	] = await Promise.all([
		import('../agent/run.ts'),
		import('./session.ts'),
		import('./model.ts'),
		import('./config.ts'),
		import('./permissions.ts'),
		import('./servers.ts'),
		import('./commands/start-prompt.ts'),
		import('./agents.ts'),
		import('./commands/here.ts'),
		import('./commands/carry-out.ts'),
		import('./left-running.ts'),
	]);
	await using session = await openClientSession(options, process.cwd());
	const permissions = permissionsHere(options, session.cwd);
	const commands = await commandsHere(session.cwd, permissions.trusted);
	const { provider, model: name, ask, moreTools = [], hooks = [], onEvent, signal } = options;
	const model = provider
		? models.givenModel(provider, name)
		: await modelFor(prompt, options, session, permissions, commands.list);
	const note = (text: string): void => options.warn?.(text);
	await using servers = await mcp.startServers(options, session.cwd, permissions, { note, elicit: options.elicit });
	for (const text of await sessionNotes(options, session, model, permissions, servers, commands)) note(text);
	const config = await configOf(options, session, model, ask, permissions, servers, prompt);
	const { handle, conversation } = session;
	let mode = modeOf(options, session, permissions);
	const given: AgentConfig = {
		...config,
		...(config.agents && { agents: { ...config.agents, awaited: true } }),
		hooks: [...(config.hooks ?? []), ...hooks],
		get tools() {
			return [...config.tools, ...mcp.offeredTools(servers, permissions.rules), ...moreTools];
		},
		get mode() {
			return mode;
		},
		setMode(next) {
			mode = next;
		},
	};
	const whole = asSubagent(given, options);
	const at = {
		options,
		session,
		permissions,
		servers,
		model,
		mode,
		commands: commands.list,
		config: async () => whole,
	};
	const commanded = await carryOut(prompt, at);
	if (commanded) {
		await using now = await leaveFor(session, commanded.session);
		return { ...commanded.result, session: { id: now.handle.session.id, path: now.handle.path } };
	}
	const watching = { ...(onEvent ? { onEvent } : {}), ...(signal ? { signal } : {}) };
	const result = await startPrompt(handle, conversation, prompt, whole, watching).result;
	await endSession(handle, conversation, whole, 'other');
	tellEnded(handle, conversation, note);
	return { ...result, session: { id: handle.session.id, path: handle.path } };
}
