/** All MCP servers of a session: started together, asked together, ended with it; how the words behind a call of a server’s prompt become its arguments; the limits of time and output (MCP_TIMEOUT, MCP_TOOL_TIMEOUT, MAX_MCP_OUTPUT_TOKENS). */
import type { Tool } from '../agent/contracts.ts';
import type { JsonObject } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import type { ServerConfig } from './config.ts';
import { Connection, type ConnectionOptions, messageOf } from './connection.ts';
import type { Elicit } from './elicitation.ts';
import type { OfferedPrompt, OfferedTool } from './lists.ts';
import { serverPart } from './names.ts';
import { clipped, usualTokens } from './results.ts';
import { resourceTools, serverTool } from './tools.ts';

export interface McpOptions {
	readonly cwd: string;
	readonly env: { readonly [name: string]: string | undefined };
	readonly version?: string;
	/** Absent: what servers ask their user is declined. */
	readonly elicit?: Elicit | undefined;
	readonly note: (text: string) => void;
	readonly elicited?: ConnectionOptions['elicited'];
}

export interface ServerStatus {
	readonly name: string;
	/** `pending`: it has not said yet what it has. */
	readonly status: 'connected' | 'failed' | 'disabled' | 'pending';
	/** The file or flag that names it. */
	readonly from?: string;
	/** Why it cannot be used. */
	readonly problem?: string;
	readonly tools?: readonly OfferedTool[];
	/** Whose it is, in Claude Code's words: of a flag, of this folder alone, of the project, of the user. */
	readonly scope: 'dynamic' | 'local' | 'project' | 'user';
	/** How it is reached, without values that may be secret. */
	readonly config?: JsonObject;
	/** What it calls itself. */
	readonly info?: { readonly name: string; readonly version: string };
	/** It lives in the process that drives this one. */
	readonly host?: boolean;
}

/** As Claude Code's users know them: milliseconds, milliseconds, tokens. */
const limits = { MCP_TIMEOUT: 30_000, MCP_TOOL_TIMEOUT: 300_000, MAX_MCP_OUTPUT_TOKENS: usualTokens } as const;

export class McpServers implements AsyncDisposable {
	#servers: Server[] = [];
	readonly #each: ConnectionOptions;
	readonly #tokens: number;
	readonly #note: (text: string) => void;

	private constructor(each: ConnectionOptions, tokens: number) {
		this.#each = each;
		this.#tokens = tokens;
		this.#note = each.note;
	}

	/** Those that are in use. */
	get #connections(): readonly Connection[] {
		return this.#servers.flatMap(({ connection }) => connection ?? []);
	}

	/** Starts all of them at once, and waits until each has answered or failed. One that fails is a note. */
	static async start(configs: readonly ServerConfig[], options: McpOptions): Promise<McpServers> {
		const limit = (name: keyof typeof limits): number => wholeNumber(options.env[name]) ?? limits[name];
		const { cwd, elicit, elicited, note, version = '0' } = options;
		const each: ConnectionOptions = {
			cwd,
			version,
			startMs: limit('MCP_TIMEOUT'),
			callMs: limit('MCP_TOOL_TIMEOUT'),
			elicit,
			elicited,
			note,
		};
		const made = new McpServers(each, limit('MAX_MCP_OUTPUT_TOKENS'));
		await made.add(configs);
		return made;
	}

	/** More of them, started as the first ones are; what cannot be told from one that is there is left out. */
	async add(configs: readonly ServerConfig[]): Promise<void> {
		const known = this.#servers.map(({ config }) => config);
		const fresh = distinct([...known, ...configs], this.#note).slice(known.length);
		await Promise.all(fresh.map((config) => this.#open({ config })));
	}

	async remove(name: string): Promise<void> {
		const server = this.#named(name);
		this.#servers = this.#servers.filter((one) => one !== server);
		await server.connection?.close();
	}

	/** Starts a server anew, or, switched off, leaves it out until it is switched on. */
	async restart(name: string, enabled = true): Promise<void> {
		const server = this.#named(name);
		const { connection } = server;
		server.connection = undefined;
		await connection?.close();
		if (enabled) await this.#open(server);
	}

	/** Calls a tool of a server for somebody else than the model. */
	async call(name: string, tool: string, input: JsonObject, signal: AbortSignal): Promise<JsonObject> {
		const options = { signal, callId: `beside_${tool}`, progress: () => undefined };
		return (await this.#connection(name).call(tool, input, options)) as unknown as JsonObject;
	}

	/** What a server has under an address. */
	async resource(name: string, uri: string, signal: AbortSignal): Promise<JsonObject> {
		return (await this.#connection(name).resource(uri, signal)) as unknown as JsonObject;
	}

	async #open(server: Server): Promise<void> {
		const connection = new Connection(server.config, this.#each);
		server.connection = connection;
		if (!this.#servers.includes(server)) this.#servers.push(server);
		await connection.open();
		const { name, problem } = connection;
		if (problem !== undefined) this.#note(`the MCP server ${name} cannot be used: ${problem}`);
	}

	#named(name: string): Server {
		const found = this.#servers.find(({ config }) => config.name === name);
		if (!found) throw new InputError('unknown-server', `there is no MCP server ${name}`);
		return found;
	}

	#connection(name: string): Connection {
		const { connection } = this.#named(name);
		if (!connection) throw new InputError('disabled-server', `the MCP server ${name} is switched off`);
		return connection;
	}

	get status(): readonly ServerStatus[] {
		return this.#servers.map(({ config, connection }): ServerStatus => {
			const { name, from, scope = 'dynamic', reach } = config;
			const host = reach.kind === 'host' ? { host: true } : {};
			const named = { name, from, scope, config: shownReach(reach), ...host } satisfies Omit<ServerStatus, 'status'>;
			if (!connection) return { ...named, status: 'disabled' };
			const { problem, isOpen, lists, info } = connection;
			if (problem !== undefined) return { ...named, status: 'failed', problem };
			if (!isOpen) return { ...named, status: 'pending' };
			return { ...named, status: 'connected', tools: lists.tools, ...(info ? { info } : {}) };
		});
	}

	/** What servers want models to know of them, under their names; empty where none says anything. */
	get instructions(): string {
		const told = this.#connections.filter(({ instructions }) => instructions !== '');
		if (told.length === 0) return '';
		return ['# MCP servers', ...told.map(({ name, instructions }) => `## ${name}\n${instructions}`)].join('\n\n');
	}

	/** As they are now: a server may change what it offers at any time. */
	get tools(): readonly Tool[] {
		const own = this.#connections.flatMap((connection) =>
			connection.lists.tools.map((tool) => serverTool(connection, tool, this.#tokens)),
		);
		const having = (): readonly Connection[] => this.#connections.filter(({ lists }) => lists.hasResources);
		return having().length === 0 ? own : [...own, ...resourceTools(having, this.#tokens)];
	}

	/** The names of the prompts, as commands without their slash. */
	get prompts(): readonly string[] {
		return this.#connections.flatMap(({ lists }) => lists.prompts.map(({ name }) => name));
	}

	/** What `/mcp__server__prompt words` stands for; undefined where it calls no prompt. */
	async expand(prompt: string): Promise<string | undefined> {
		const called = /^\/(mcp__\S+)(?:\s+([\s\S]*))?$/.exec(prompt.trim());
		for (const connection of called ? this.#connections : []) {
			const found = connection.lists.prompts.find(({ name }) => name === called?.[1]);
			if (found) return await this.#filled(connection, found, called?.[2]?.trim() ?? '');
		}
		return undefined;
	}

	/** A server that does not answer is told of in the prompt's place: the run goes on, and everybody knows why it is not what was meant. */
	async #filled(
		connection: Connection,
		{ own, name, arguments: wanted }: OfferedPrompt,
		words: string,
	): Promise<string> {
		try {
			const { messages } = await connection.prompt(own, argumentsOf(words, wanted), new AbortController().signal);
			const told = messages.map(({ content }) =>
				content.type === 'text' ? content.text : `[${content.type} left out]`,
			);
			return clipped(told.join('\n\n'), { tokens: this.#tokens });
		} catch (error) {
			const why = messageOf(error);
			this.#note(`/${name} could not be had from its MCP server: ${why}`);
			return `The prompt /${name} could not be had from its MCP server: ${why}`;
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await Promise.all(this.#connections.map((connection) => connection.close()));
	}
}

/** Headers and variables hold keys. */
function shownReach(reach: ServerConfig['reach']): JsonObject {
	if (reach.kind === 'host') return { type: 'sdk' };
	if (reach.kind === 'http') return { type: 'http', url: reach.url };
	return { type: 'stdio', command: reach.command, args: reach.args };
}

interface Server {
	readonly config: ServerConfig;
	/** Undefined: it is switched off. */
	connection?: Connection | undefined;
}

/** One word for each argument, and all that is left for the last one. */
function argumentsOf(words: string, wanted: OfferedPrompt['arguments']): { [argument: string]: string } {
	const made: { [argument: string]: string } = {};
	let rest = words;
	for (const [index, { name }] of wanted.entries()) {
		if (rest === '') break;
		const [word = ''] = index === wanted.length - 1 ? [rest] : rest.split(/\s+/, 1);
		made[name] = word;
		rest = rest.slice(word.length).trim();
	}
	return made;
}

/** Two names that rules and models cannot tell apart are one server too many. */
function distinct(configs: readonly ServerConfig[], note: (text: string) => void): readonly ServerConfig[] {
	const known = new Map<string, ServerConfig>();
	for (const config of configs) {
		const other = known.get(serverPart(config.name));
		if (other) note(`the MCP server ${config.name} is left out: it cannot be told from ${other.name}`);
		else known.set(serverPart(config.name), config);
	}
	return [...known.values()];
}

function wholeNumber(given: string | undefined): number | undefined {
	return given !== undefined && /^[1-9]\d{0,9}$/.test(given) ? Math.min(Number(given), 2 ** 31 - 1) : undefined;
}
