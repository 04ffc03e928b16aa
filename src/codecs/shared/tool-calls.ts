/** What tool calls mean, in words that all formats share, so that a call can be translated to another agent's. */
import { compact, type JsonObject } from '../../model/index.ts';

/** What a call does, in neutral words. An absent field was not given. */
export type Deed =
	| { readonly does: 'read'; readonly path: string; readonly offset?: number; readonly limit?: number }
	| { readonly does: 'write'; readonly path: string; readonly content: string }
	| { readonly does: 'create'; readonly path: string; readonly content: string }
	| { readonly does: 'edit'; readonly path: string; readonly old: string; readonly now: string; readonly all?: true }
	| { readonly does: 'run'; readonly command: string; readonly timeoutMs?: number }
	| { readonly does: 'glob'; readonly pattern: string; readonly path?: string }
	| {
			readonly does: 'grep';
			readonly pattern: string;
			readonly path?: string;
			readonly glob?: string;
			readonly ignoreCase?: true;
			readonly context?: number;
	  };

export interface NamedCall {
	readonly name: string;
	readonly input: JsonObject;
}

/** How an agent writes its calls. Both directions return undefined where the meaning would not be exactly the same. */
export interface ToolWords {
	/** Names of arguments that can be left out without changing the call. */
	readonly remarks: readonly string[];
	/** Its tools as a model is told of them, where they are not Claude Code's: a session of its goes on under these names. */
	readonly offers?: readonly OfferedTool[];
	read(name: string, fields: CallFields): Deed | undefined;
	write(deed: Deed): NamedCall | undefined;
}

export interface OfferedTool {
	readonly name: string;
	readonly description: string;
	readonly effect: 'read' | 'write' | 'exec';
	/** The fields of its input as JSON Schema; those with a question mark may be left out. */
	readonly fields: { readonly [name: string]: JsonObject };
}

/** Arguments that must all be understood: an unread one makes the translation inexact. */
export class CallFields {
	readonly #input: JsonObject;
	readonly #open: Set<string>;
	#sound = true;

	constructor(input: JsonObject, ignored: readonly string[]) {
		this.#input = input;
		this.#open = new Set(Object.keys(input).filter((key) => !ignored.includes(key)));
	}

	text(name: string): string {
		const value = this.#take(name);
		if (typeof value !== 'string') this.#sound = false;
		return typeof value === 'string' ? value : '';
	}

	optionalText(name: string): string | undefined {
		return this.#optional(name, (value) => (typeof value === 'string' ? value : undefined));
	}

	optionalCount(name: string): number | undefined {
		return this.#optional(name, (value) => (Number.isSafeInteger(value) ? (value as number) : undefined));
	}

	optionalFlag(name: string): true | undefined {
		return this.#optional(name, (value) => (typeof value === 'boolean' ? value : undefined)) || undefined;
	}

	/** The only element of a list argument. */
	single(name: string): unknown {
		const value = this.#take(name);
		if (Array.isArray(value) && value.length === 1) return value[0];
		this.#sound = false;
		return undefined;
	}

	refuse(): undefined {
		this.#sound = false;
		return undefined;
	}

	allRead(): boolean {
		return this.#sound && this.#open.size === 0;
	}

	#optional<T>(name: string, as: (value: unknown) => T | undefined): T | undefined {
		const value = this.#take(name);
		if (value === undefined || value === null) return undefined;
		const found = as(value);
		if (found === undefined) this.#sound = false;
		return found;
	}

	#take(name: string): JsonObject[string] {
		this.#open.delete(name);
		return Object.hasOwn(this.#input, name) ? this.#input[name] : undefined;
	}
}

/** A list of one: several at once would have to be allowed, run and answered as one call. */
export function oneOf(items: JsonObject): JsonObject {
	return { type: 'array', items, minItems: 1, maxItems: 1 };
}

/** Reads file tools with the names and arguments that Claude Code gave them and others took over. */
export function readCommon(name: string, fields: CallFields): Deed | undefined {
	switch (name) {
		case 'Read':
			return compact({
				does: 'read',
				path: fields.text('file_path'),
				offset: fields.optionalCount('offset'),
				limit: fields.optionalCount('limit'),
			}) as Deed;
		case 'Write':
			return { does: 'write', path: fields.text('file_path'), content: fields.text('content') };
		case 'Edit':
			return compact({
				does: 'edit',
				path: fields.text('file_path'),
				old: fields.text('old_string'),
				now: fields.text('new_string'),
				all: fields.optionalFlag('replace_all'),
			}) as Deed;
		case 'Glob':
			return compact({ does: 'glob', pattern: fields.text('pattern'), path: fields.optionalText('path') }) as Deed;
		default:
			return undefined;
	}
}

export function writeCommon(deed: Deed): NamedCall | undefined {
	switch (deed.does) {
		case 'read':
			return { name: 'Read', input: compact({ file_path: deed.path, offset: deed.offset, limit: deed.limit }) };
		case 'write':
		case 'create':
			return { name: 'Write', input: { file_path: deed.path, content: deed.content } };
		case 'edit': {
			const { path, old, now, all } = deed;
			return {
				name: 'Edit',
				input: compact({ file_path: path, old_string: old, new_string: now, replace_all: all }),
			};
		}
		case 'glob':
			return { name: 'Glob', input: compact({ pattern: deed.pattern, path: deed.path }) };
		default:
			return undefined;
	}
}
