/** One entry of `mcpServers`: by which transport (stdio, http, sse) a server is reached, with variables of the environment put in. */
import type { Transport } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '../model/index.ts';

export type ServerReach =
	| {
			readonly kind: 'stdio';
			readonly command: string;
			readonly args: readonly string[];
			readonly env: { readonly [name: string]: string };
	  }
	| { readonly kind: 'http'; readonly url: string; readonly headers: { readonly [name: string]: string } }
	/** It lives in the process that drives this one, and is reached through it. */
	| { readonly kind: 'host'; open(): Transport };

export type Environment = { readonly [name: string]: string | undefined };

/** Told which field of the entry is wrong, and how. */
export type Problem = (field: string, what: string) => void;

/** Undefined after a problem was told. */
export function readServer(entry: Json, env: Environment, problem: Problem): ServerReach | undefined {
	if (!isObject(entry)) return refuse(problem, '', 'is not an object');
	const { type } = entry;
	if (type === 'sse') return refuse(problem, 'type', 'is sse, the older way: use http where the server offers it');
	if (type !== undefined && type !== 'stdio' && type !== 'http')
		return refuse(problem, 'type', `is not stdio or http but ${JSON.stringify(type)}`);
	const fields = new Fields(entry, env, problem);
	return type === 'http' || (type === undefined && entry.command === undefined && entry.url !== undefined)
		? fields.http()
		: fields.stdio();
}

function refuse(problem: Problem, field: string, what: string): undefined {
	problem(field, what);
	return undefined;
}

class Fields {
	readonly #entry: JsonObject;
	readonly #env: Environment;
	readonly #tell: Problem;
	#bad = false;

	constructor(entry: JsonObject, env: Environment, tell: Problem) {
		this.#entry = entry;
		this.#env = env;
		this.#tell = tell;
	}

	stdio(): ServerReach | undefined {
		const command = this.#text('command', this.#entry.command);
		const args = this.#list('args');
		const env = this.#texts('env');
		if (!this.#bad && command === '') this.#problem('command', 'is empty');
		return this.#bad ? undefined : { kind: 'stdio', command, args, env };
	}

	http(): ServerReach | undefined {
		const url = this.#text('url', this.#entry.url);
		const headers = this.#texts('headers');
		if (!this.#bad && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
			this.#problem('url', 'is not an http address');
		if (this.#entry.oauth !== undefined)
			this.#problem('oauth', 'asks for OAuth, which Reprise does not do: put a token into headers');
		return this.#bad ? undefined : { kind: 'http', url, headers };
	}

	#problem(field: string, what: string): string {
		// One line for an entry: the first thing that is wrong with it.
		if (!this.#bad) this.#tell(field, what);
		this.#bad = true;
		return '';
	}

	#text(field: string, given: Json | undefined): string {
		if (given === undefined) return this.#problem(field, 'is missing');
		if (typeof given !== 'string') return this.#problem(field, 'is not a text');
		const { text, missing } = expanded(given, this.#env);
		return missing === undefined ? text : this.#problem(field, `needs the variable ${missing}, which is not set`);
	}

	#list(field: string): readonly string[] {
		const given = this.#entry[field];
		if (given === undefined) return [];
		if (Array.isArray(given)) return given.map((one, index) => this.#text(`${field}[${index}]`, one));
		this.#problem(field, 'is not a list');
		return [];
	}

	#texts(field: string): { readonly [name: string]: string } {
		const given = this.#entry[field];
		if (given === undefined) return {};
		if (isObject(given))
			return Object.fromEntries(
				Object.entries(given).map(([name, value]) => [name, this.#text(`${field}.${name}`, value)]),
			);
		this.#problem(field, 'is not an object');
		return {};
	}
}

/** `${NAME}` is the variable, `${NAME:-other}` the other text where the variable is not set or empty. */
function expanded(given: string, env: Environment): { readonly text: string; readonly missing?: string } {
	let missing: string | undefined;
	const text = given.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, other: string | undefined) => {
		const value = env[name];
		if (value !== undefined && (value !== '' || other === undefined)) return value;
		if (other === undefined) missing ??= name;
		return other ?? '';
	});
	return missing === undefined ? { text } : { text, missing };
}
