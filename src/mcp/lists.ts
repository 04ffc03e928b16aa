/** What a server offers (tools, prompts, resources), as far as a model can be told of it: how many tools, how long a description, and the note on what is left out. */
import type { Client, Tool as Definition, RequestOptions } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { isObject, type JsonObject, stringAt } from '../model/index.ts';
import { offeredName } from './names.ts';
import { schemaProblem } from './schema.ts';

export interface OfferedTool {
	/** As the model calls it: `mcp__server__tool`. */
	readonly name: string;
	/** As the server calls it. */
	readonly own: string;
	readonly description: string;
	readonly inputSchema: JsonObject;
	/** The server says that it changes nothing. It is taken at its word for what may run together, never for permission. */
	readonly looksOnly: boolean;
}

export interface OfferedPrompt {
	/** As the user calls it, without the slash: `mcp__server__prompt`. */
	readonly name: string;
	readonly own: string;
	readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

/** More tools than this no model is offered, whatever a server says. */
const mostTools = 128;
const mostPages = 50;
const longestDescription = 2048;

const page = z.looseObject({ nextCursor: z.string().optional() });

/** Read one by one: an entry that is wrong does not take the others with it. */
export class Lists {
	readonly #server: string;
	readonly #note: (text: string) => void;
	readonly #told = new Set<string>();
	readonly #definitions = new Map<string, Definition>();
	tools: readonly OfferedTool[] = [];
	prompts: readonly OfferedPrompt[] = [];
	hasResources = false;

	constructor(server: string, note: (text: string) => void) {
		this.#server = server;
		this.#note = note;
	}

	async read(client: Client, options: RequestOptions): Promise<void> {
		const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
		const listed = tools ? await this.#all(client, 'tools', options) : [];
		this.prompts = this.#prompts(prompts ? await this.#all(client, 'prompts', options) : []);
		this.tools = this.#tools(listed);
		this.hasResources = resources !== undefined;
	}

	async resources(client: Client, options: RequestOptions): Promise<readonly JsonObject[]> {
		if (!client.getServerCapabilities()?.resources) return [];
		return await this.#all(client, 'resources', options);
	}

	/** Without the schema of its output: what it answers is shown as it is, whether it keeps its word or not. */
	definition(own: string): Definition | undefined {
		return this.#definitions.get(own);
	}

	async #all(client: Client, what: 'tools' | 'prompts' | 'resources', options: RequestOptions): Promise<JsonObject[]> {
		const found: JsonObject[] = [];
		let cursor: string | undefined;
		for (let pages = 0; pages < mostPages; pages += 1) {
			const params = cursor === undefined ? {} : { cursor };
			const answer = await client.request({ method: `${what}/list`, params }, page, options);
			const items = answer[what];
			if (!Array.isArray(items)) throw new Error(`its list of ${what} is no list`);
			found.push(...items.filter((item): item is JsonObject => isObject(item)));
			cursor = answer.nextCursor;
			if (cursor === undefined) break;
		}
		return found;
	}

	#tools(listed: readonly JsonObject[]): readonly OfferedTool[] {
		const found = new Map<string, OfferedTool>();
		this.#definitions.clear();
		for (const item of listed) {
			const own = stringAt(item, 'name') ?? '';
			const problem = own === '' ? 'it has no name' : schemaProblem(item.inputSchema);
			const name = offeredName(this.#server, own);
			if (problem !== undefined) this.#leaveOut(own, problem);
			else if (found.has(name)) this.#leaveOut(own, 'another one has the same name');
			else if (found.size >= mostTools) this.#leaveOut(own, `a server may have ${mostTools}`);
			else {
				found.set(name, offered(name, own, item));
				const { outputSchema: _, ...definition } = item;
				this.#definitions.set(own, definition as Definition);
			}
		}
		return [...found.values()];
	}

	#prompts(listed: readonly JsonObject[]): readonly OfferedPrompt[] {
		return listed.flatMap((item) => {
			const own = stringAt(item, 'name');
			if (own === undefined || own === '') return [];
			const given = Array.isArray(item.arguments) ? item.arguments : [];
			const names = given.flatMap((one) =>
				isObject(one) && typeof one.name === 'string' ? [{ name: one.name, required: one.required === true }] : [],
			);
			return [{ name: offeredName(this.#server, own), own, arguments: names }];
		});
	}

	/** Once for each: a server may send its list again and again. Of many the first few are enough. */
	#leaveOut(tool: string, why: string): void {
		const text = `the tool ${tool.slice(0, 100)} of the MCP server ${this.#server} is left out: ${why}`;
		if (this.#told.has(text) || this.#told.size >= mostTold) return;
		this.#told.add(text);
		this.#note(text);
	}
}

const mostTold = 5;

function offered(name: string, own: string, item: JsonObject): OfferedTool {
	const annotations = isObject(item.annotations) ? item.annotations : {};
	return {
		name,
		own,
		description: (stringAt(item, 'description') ?? '').slice(0, longestDescription),
		inputSchema: item.inputSchema as JsonObject,
		looksOnly: annotations.readOnlyHint === true,
	};
}
