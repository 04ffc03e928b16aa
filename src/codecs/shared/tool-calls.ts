/** What tool calls mean, in words that all formats share, so that a call can be translated to another agent's. */
import { compact, isObject, type Json, type JsonObject } from '../../model/index.ts';

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
	/** The inputs that a call with several things in it stands for, each with one of them; itself where it has one. */
	split?(name: string, input: JsonObject): readonly JsonObject[];
	/** A call of ours that does the same here, where none means exactly the same: good to be run, not to be written down instead. */
	runs?(name: string, input: JsonObject): NamedCall | undefined;
	/** Several replacements in one file, where a call asks for that. */
	readEdits?(name: string, input: JsonObject): Edits | undefined;
	/** What came of the calls that one stands for, as the agent itself records it; undefined: as our tools say it. */
	record?(name: string, input: JsonObject, parts: readonly PartOutcome[]): Recorded | undefined;
}

/** Replacements that are made together or not at all: each old text is one of the file as it was. */
export interface Edits {
	readonly path: string;
	readonly edits: readonly { readonly old: string; readonly now: string }[];
	/** Old texts are lines: they begin where a line does. */
	readonly wholeLines?: true;
}

/** What came of a call, in the words of our own tools. */
export interface PartOutcome {
	readonly input: JsonObject;
	readonly text: string;
	readonly failed: boolean;
	/** Nothing was run: the input was wrong, or it was denied. */
	readonly rejected: boolean;
	readonly details?: Json;
}

export interface Recorded {
	readonly text: string;
	readonly details?: Json;
	readonly isError: boolean;
}

/** The lines of a file that was read, and the number of the first; undefined where it was no text. */
export function linesRead(
	details: Json | undefined,
): { readonly lines: readonly string[]; readonly first: number } | undefined {
	const file = isObject(details) && isObject(details.file) ? details.file : undefined;
	if (typeof file?.content !== 'string' || typeof file.startLine !== 'number') return undefined;
	return { lines: file.content.split('\n'), first: Math.max(1, file.startLine) };
}

export interface ChangedLine {
	readonly sign: '+' | '-' | ' ';
	/** Where it stands: in the file before for what was taken out, else in the file after. */
	readonly number: number;
	readonly text: string;
}

/** The lines of a change as our tools keep it. */
export function changedLines(details: Json | undefined): readonly ChangedLine[] {
	const hunks = isObject(details) && Array.isArray(details.structuredPatch) ? details.structuredPatch : [];
	return (hunks as readonly Json[]).filter(isObject).flatMap((hunk) => {
		let before = Number(hunk.oldStart);
		let after = Number(hunk.newStart);
		const lines = Array.isArray(hunk.lines) ? (hunk.lines as readonly Json[]).map(String) : [];
		return lines.flatMap((line): readonly ChangedLine[] => {
			const text = line.slice(1);
			if (line.startsWith('-')) return [{ sign: '-', number: before++, text }];
			if (line.startsWith('+')) return [{ sign: '+', number: after++, text }];
			if (!line.startsWith(' ')) return [];
			before += 1;
			return [{ sign: ' ', number: after++, text }];
		});
	});
}

/** The text of a problem without the tags that tell models that nothing was run. */
export function bareProblem(text: string): string {
	return text.replaceAll(/<\/?tool_use_error>/g, '');
}

export interface OfferedTool {
	readonly name: string;
	readonly description: string;
	readonly effect: 'read' | 'write' | 'exec';
	/** Another agent of the same format has this name for that tool. Which of the two is offered, the session's own calls say. */
	readonly insteadOf?: string;
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

/** A list of one or more. */
export function listOf(items: JsonObject): JsonObject {
	return { type: 'array', items, minItems: 1 };
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
