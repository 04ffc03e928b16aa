/** All servers of a session: started together, asked together, ended with it. */
import type { Tool } from '../agent/contracts.ts';
import type { ServerConfig } from './config.ts';
import { Connection, type ConnectionOptions, messageOf } from './connection.ts';
import type { Elicit } from './elicitation.ts';
import type { OfferedPrompt } from './lists.ts';
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
}

export interface ServerStatus {
	readonly name: string;
	readonly status: 'connected' | 'failed';
}

/** As Claude Code's users know them: milliseconds, milliseconds, tokens. */
const limits = { MCP_TIMEOUT: 30_000, MCP_TOOL_TIMEOUT: 300_000, MAX_MCP_OUTPUT_TOKENS: usualTokens } as const;

export class McpServers implements AsyncDisposable {
	readonly #connections: readonly Connection[];
	readonly #tokens: number;
	readonly #note: (text: string) => void;

	private constructor(connections: readonly Connection[], tokens: number, note: (text: string) => void) {
		this.#connections = connections;
		this.#tokens = tokens;
		this.#note = note;
	}

	/** Starts all of them at once, and waits until each has answered or failed. One that fails is a note. */
	static async start(configs: readonly ServerConfig[], options: McpOptions): Promise<McpServers> {
		const limit = (name: keyof typeof limits): number => wholeNumber(options.env[name]) ?? limits[name];
		const { cwd, elicit, note, version = '0' } = options;
		const each: ConnectionOptions = {
			cwd,
			version,
			startMs: limit('MCP_TIMEOUT'),
			callMs: limit('MCP_TOOL_TIMEOUT'),
			elicit,
			note,
		};
		const connections = distinct(configs, note).map((config) => new Connection(config, each));
		await Promise.all(connections.map((connection) => connection.open()));
		for (const { name, problem } of connections)
			if (problem !== undefined) note(`the MCP server ${name} cannot be used: ${problem}`);
		return new McpServers(connections, limit('MAX_MCP_OUTPUT_TOKENS'), note);
	}

	get status(): readonly ServerStatus[] {
		return this.#connections.map(({ name, problem }) => ({
			name,
			status: problem === undefined ? 'connected' : 'failed',
		}));
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
