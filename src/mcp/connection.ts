/** The connection to one MCP server: how it is greeted, how long its answers may take, how often it is started again, how much of its instructions the model gets, and what is told of its errors without keys. */
import { pathToFileURL } from 'node:url';
import type { CallToolResult, Client, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client';
import { compact, errorText, type JsonObject } from '../model/index.ts';
import type { ServerConfig } from './config.ts';
import type { ServerReach } from './config-entry.ts';
import type { Elicit, ElicitAnswer } from './elicitation.ts';
import { httpTransport, type Reached } from './http.ts';
import { Lists } from './lists.ts';
import { closed, StdioTransport } from './stdio.ts';

export interface ConnectionOptions {
	/** The project's folder: where programs run, and what servers are told. */
	readonly cwd: string;
	readonly version: string;
	/** How long a server may take to answer for the first time. */
	readonly startMs: number;
	/** How long a call may take in which nothing is heard. */
	readonly callMs: number;
	/** Absent: what servers ask their user is declined. */
	readonly elicit?: Elicit | undefined;
	/** Told what the user should know, one line each. */
	readonly note: (text: string) => void;
	/** The visit of an address that a server has asked for has ended. */
	readonly elicited?: ((server: string, id: string) => void) | undefined;
}

export interface CallOptions {
	readonly signal: AbortSignal;
	readonly callId: string;
	readonly progress: (progress: Progress) => void;
}

export interface Progress {
	readonly progress: number;
	readonly total?: number | undefined;
	readonly message?: string | undefined;
}

/** How long an old server may ignore the first question, which only newer ones know, before it is greeted in the old way. */
const probeMs = 2000;
/** A timer may fire a little before its time. */
const earlyMs = 20;
/** How often a server that has died is started again. */
const mostRestarts = 3;
/** Our own clock decides how long is waited: it stands still while the user is asked. */
const never = 2 ** 31 - 1;

export class Connection {
	readonly name: string;
	readonly lists: Lists;
	readonly #config: ServerConfig;
	readonly #options: ConnectionOptions;
	#client: Client | undefined;
	#transport: Reached | undefined;
	#opening: Promise<Client> | undefined;
	#restarts = 0;
	#closed = false;
	/** Why it cannot be used. */
	#problem: string | undefined;
	/** Calls that wait for the server, and not for the user. */
	readonly #clocks = new Set<Clock>();

	constructor(config: ServerConfig, options: ConnectionOptions) {
		this.name = config.name;
		this.lists = new Lists(config.name, options.note);
		this.#config = config;
		this.#options = options;
	}

	get problem(): string | undefined {
		return this.#problem;
	}

	/** It was greeted, and has said what it has. */
	get isOpen(): boolean {
		return this.#client !== undefined;
	}

	/** What the server calls itself. */
	get info(): { readonly name: string; readonly version: string } | undefined {
		const found = this.#client?.getServerVersion();
		return found && { name: found.name, version: found.version };
	}

	/** What the server wants models to know of it. */
	get instructions(): string {
		return this.#client?.getInstructions()?.slice(0, longestInstructions).trim() ?? '';
	}

	/** Starts the server and asks what it has. Never throws: a server that cannot be used says why. */
	async open(): Promise<void> {
		try {
			await this.#connected();
		} catch (error) {
			this.#problem = this.#told(error);
		}
	}

	async call(tool: string, input: JsonObject, options: CallOptions): Promise<CallToolResult> {
		const { callId, progress } = options;
		const _meta = { 'claudecode/toolUseId': callId };
		return await this.#ask(options.signal, (client, request) =>
			client.callTool(
				{ name: tool, arguments: input, _meta },
				{
					...request,
					onprogress: progressOf(progress, request.heard),
					...compact({ toolDefinition: this.lists.definition(tool) }),
				},
			),
		);
	}

	async prompt(name: string, given: { [argument: string]: string }, signal: AbortSignal): Promise<GetPromptResult> {
		return await this.#ask(signal, (client, request) => client.getPrompt({ name, arguments: given }, request));
	}

	async resource(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
		return await this.#ask(signal, (client, request) =>
			client.readResource({ uri }, { ...request, cacheMode: 'bypass' }),
		);
	}

	async resources(signal: AbortSignal): Promise<readonly JsonObject[]> {
		return await this.#ask(signal, (client, request) => this.lists.resources(client, request));
	}

	async close(): Promise<void> {
		this.#closed = true;
		// One that is still being greeted is left without an answer.
		await Promise.all([this.#client?.close(), this.#transport?.close()].map((one) => one?.catch(() => undefined)));
	}

	/** Asks within the limits. What goes wrong is said in one line that names what became of the server. */
	async #ask<T>(
		signal: AbortSignal,
		ask: (client: Client, request: Request) => Promise<T>,
		isSecond = false,
	): Promise<T> {
		using clock = new Clock(this.#options.callMs);
		let client: Client | undefined;
		let transport: Reached | undefined;
		try {
			client = await this.#connected();
			transport = this.#transport;
			this.#clocks.add(clock);
			const both = AbortSignal.any([signal, clock.signal]);
			return await ask(client, { signal: both, timeout: never, heard: () => clock.restart() });
		} catch (error) {
			if (clock.signal.aborted) throw new Error(`it has not answered for ${this.#options.callMs / 1000} s`);
			if (client && !isSecond && statusOf(error) === 404) {
				// The server has forgotten us, and has done nothing: it is greeted again.
				this.#lost(client, transport);
				return await this.#ask(signal, ask, true);
			}
			const ended = transport?.ended;
			throw new Error(ended === undefined ? this.#told(error) : `the server is gone: ${ended}`);
		} finally {
			this.#clocks.delete(clock);
		}
	}

	/** A server may repeat what it was given: keys are not printed. */
	#told(error: unknown): string {
		const { reach } = this.#config;
		const secrets = Object.values(secretsOf(reach));
		return secrets
			.flatMap((value) => [value, value.replace(/^\w+ /, '')])
			.filter((value) => value.length >= shortestSecret)
			.reduce((text, value) => text.replaceAll(value, '…'), messageOf(error));
	}

	async #connected(): Promise<Client> {
		if (this.#client) return this.#client;
		if (this.#closed) throw new Error('the session is being left');
		if (this.#restarts > mostRestarts) throw new Error(`${this.#problem}; it has ended too often to be started again`);
		this.#opening ??= this.#start().finally(() => {
			this.#opening = undefined;
		});
		return await this.#opening;
	}

	async #start(): Promise<Client> {
		this.#restarts += 1;
		const { startMs } = this.#options;
		const until = Date.now() + startMs;
		try {
			const client = await this.#greeted(until);
			await this.lists.read(client, { timeout: Math.max(1, until - Date.now()) });
			this.#client = client;
			this.#problem = undefined;
			return client;
		} catch (error) {
			if (error instanceof Ended || this.#closed || Date.now() < until - earlyMs) throw error;
			throw new Error(`it did not answer within ${startMs / 1000} s (MCP_TIMEOUT)`);
		}
	}

	async #greeted(until: number): Promise<Client> {
		// A server of the driving process is one of the older protocol, and a question it does not know would only cost time.
		return await this.#greet(this.#config.reach.kind === 'host' ? 'legacy' : 'auto', until).catch(
			async (error: unknown) => {
				const again = this.#closed ? undefined : secondTry(error);
				if (again === undefined) throw error;
				return await this.#greet(again, until);
			},
		);
	}

	async #greet(mode: 'auto' | 'legacy', until: number): Promise<Client> {
		const { reach } = this.#config;
		const transport = await reachedBy(reach, this.#options.cwd);
		this.#transport = transport;
		const client = await this.#newClient(mode, reach.kind === 'stdio' ? probeMs : Math.max(1, until - Date.now()));
		client.onclose = () => this.#lost(client, transport);
		const timeout = Math.max(1, until - Date.now());
		try {
			await client.connect(transport, { timeout });
		} catch (error) {
			await transport.close();
			const ended = transport?.ended;
			throw ended === undefined || ended === closed ? error : new Ended(ended);
		}
		return client;
	}

	async #newClient(mode: 'auto' | 'legacy', timeoutMs: number): Promise<Client> {
		const sdk = await import('@modelcontextprotocol/client');
		const { version, cwd } = this.#options;
		const changed = { autoRefresh: false, onChanged: () => void this.#changed() };
		const client = new sdk.Client(
			{ name: 'reprise', version },
			{
				capabilities: { elicitation: { form: {}, url: {} }, roots: {} },
				versionNegotiation: { mode, probe: { timeoutMs } },
				listChanged: { tools: changed, prompts: changed },
			},
		);
		client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(cwd).href, name: 'project' }] }));
		client.setRequestHandler('elicitation/create', async ({ params }, context) => {
			const { action, content } = await this.#elicited(params as JsonObject, context.mcpReq.signal);
			return { action, ...(content ? { content: { ...content } } : {}) };
		});
		client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
			this.#options.elicited?.(this.name, params.elicitationId);
		});
		return client;
	}

	/** While the user thinks, no call is late. */
	async #elicited(params: JsonObject, signal: AbortSignal): Promise<ElicitAnswer> {
		const { elicit } = this.#options;
		const asked = elicitationOf(this.name, params);
		// Nobody is sent to a file of this machine, nor to a script in disguise.
		if (!elicit || (asked.mode === 'url' && !/^https?:\/\//i.test(asked.url))) return { action: 'decline' };
		for (const clock of this.#clocks) clock.stop();
		try {
			return await elicit(asked, signal);
		} finally {
			for (const clock of this.#clocks) clock.restart();
		}
	}

	async #changed(): Promise<void> {
		try {
			if (this.#client) await this.lists.read(this.#client, { timeout: this.#options.startMs });
		} catch (error) {
			this.#options.note(
				`the MCP server ${this.name} has changed what it offers, and does not say how: ${this.#told(error)}`,
			);
		}
	}

	#lost(client: Client, transport: Reached | undefined): void {
		if (this.#client !== client) return;
		this.#client = undefined;
		this.#problem = transport?.ended ?? 'the connection has ended';
	}
}

interface Request {
	readonly signal: AbortSignal;
	readonly timeout: number;
	/** The server is alive: it has said how far it is. */
	readonly heard: () => void;
}

/** The program has ended while it was greeted. */
class Ended extends Error {}

/**
 * Some old servers end when they are asked what only new ones know. A new one that was slow to start has been greeted in the old way by
 * then, and is asked again.
 */
function secondTry(error: unknown): 'auto' | 'legacy' | undefined {
	if (error instanceof Ended) return 'legacy';
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return code === 'ERA_NEGOTIATION_FAILED' || code === 'CONNECTION_CLOSED' ? 'legacy' : undefined;
}

async function reachedBy(reach: ServerReach, cwd: string): Promise<Reached> {
	if (reach.kind === 'stdio') return new StdioTransport(reach, cwd);
	return reach.kind === 'http' ? await httpTransport(reach) : reach.open();
}

function secretsOf(reach: ServerReach): { readonly [name: string]: string } {
	if (reach.kind === 'host') return {};
	return reach.kind === 'http' ? reach.headers : reach.env;
}

function progressOf(tell: CallOptions['progress'], heard: () => void): (progress: Progress) => void {
	return (progress) => {
		heard();
		tell(progress);
	};
}

function elicitationOf(server: string, params: JsonObject): Parameters<Elicit>[0] {
	const message = String(params.message ?? '');
	if (params.mode !== 'url')
		return { server, message, mode: 'form', schema: (params.requestedSchema ?? {}) as JsonObject };
	const id = typeof params.elicitationId === 'string' ? { id: params.elicitationId } : {};
	return { server, message, mode: 'url', url: String(params.url ?? ''), ...id };
}

function statusOf(error: unknown): unknown {
	return error instanceof Error && 'status' in error ? error.status : undefined;
}

/** What goes wrong with a server, in one line. */
export function messageOf(error: unknown): string {
	const isRefusal = statusOf(error) === 401 || (error instanceof Error && error.name === 'UnauthorizedError');
	if (isRefusal) return 'it wants its user to log in (OAuth), which Reprise does not do: put a token into its headers';
	const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
	const message = errorText(error);
	return `${message}${message.includes(cause) ? '' : cause}`.replaceAll(/\s+/g, ' ').slice(0, longestMessage);
}

const longestMessage = 500;
const longestInstructions = 2048;
const shortestSecret = 8;

/** Aborts when nothing was heard for so long. */
class Clock implements Disposable {
	readonly #control = new AbortController();
	readonly #ms: number;
	#timer: NodeJS.Timeout | undefined;

	constructor(ms: number) {
		this.#ms = ms;
		this.restart();
	}

	get signal(): AbortSignal {
		return this.#control.signal;
	}

	restart(): void {
		this.stop();
		this.#timer = setTimeout(() => this.#control.abort(), this.#ms);
	}

	stop(): void {
		clearTimeout(this.#timer);
	}

	[Symbol.dispose](): void {
		this.stop();
	}
}
