/** The tools that agents share under different names: the same call in the words of another agent. */
import { type FormatId, isObject, type JsonObject } from '../model/index.ts';

/** What a call does, in words of our own. A field that is absent was not given. */
type Deed =
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

export interface ToolCall {
	readonly name: string;
	readonly input: JsonObject;
}

/** A call in another agent's words. `left` names the remarks that have no place there and change nothing. */
export interface TranslatedCall extends ToolCall {
	readonly left: readonly string[];
}

/** How one agent writes its calls. Both directions answer undefined where the meaning would not be exactly the same. */
interface Tongue {
	readonly remarks: readonly string[];
	read(name: string, fields: Fields): Deed | undefined;
	write(deed: Deed): ToolCall | undefined;
}

/** The call as the agent of `to` would make it; undefined where it has no such tool or the arguments do not fit exactly. */
export function translateCall(call: ToolCall, from: FormatId, to: FormatId): TranslatedCall | undefined {
	const source = tongues[from];
	const left = source.remarks.filter((name) => call.input[name] !== undefined);
	const fields = new Fields(call.input, left);
	const deed = source.read(call.name, fields);
	const made = deed && fields.allRead() ? tongues[to].write(deed) : undefined;
	return made && { ...made, left };
}

/** Arguments that must all be understood: one that is not makes the translation inexact. */
class Fields {
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

	/** The only element of a list. */
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

type Given = { readonly [key: string]: JsonObject[string] };

/** Without what was not given. */
function given<T extends Given>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
	const made: { [key: string]: JsonObject[string] } = {};
	for (const [key, value] of Object.entries(fields)) if (value !== undefined) made[key] = value;
	return made as { [K in keyof T]: Exclude<T[K], undefined> };
}

const claudeCode: Tongue = {
	remarks: ['description'],
	read(name, fields) {
		if (name === 'Bash') {
			return given({
				does: 'run',
				command: fields.text('command'),
				timeoutMs: fields.optionalCount('timeout'),
			}) as Deed;
		}
		if (name !== 'Grep') return readCommon(name, fields);
		if (fields.text('output_mode') !== 'content') return fields.refuse();
		if (fields.optionalFlag('-n') === undefined) return fields.refuse();
		return given({
			does: 'grep',
			pattern: fields.text('pattern'),
			path: fields.optionalText('path'),
			glob: fields.optionalText('glob'),
			ignoreCase: fields.optionalFlag('-i'),
			context: fields.optionalCount('-C'),
		}) as Deed;
	},
	write(deed) {
		if (deed.does === 'run') {
			return { name: 'Bash', input: given({ command: deed.command, timeout: deed.timeoutMs }) };
		}
		if (deed.does !== 'grep') return writeCommon(deed);
		const { pattern, path, glob, ignoreCase, context } = deed;
		const input = given({ pattern, path, glob, output_mode: 'content', '-n': true, '-i': ignoreCase, '-C': context });
		return { name: 'Grep', input };
	},
};

/** Clido took over the names and arguments of Claude Code's file tools. */
function readCommon(name: string, fields: Fields): Deed | undefined {
	switch (name) {
		case 'Read':
			return given({
				does: 'read',
				path: fields.text('file_path'),
				offset: fields.optionalCount('offset'),
				limit: fields.optionalCount('limit'),
			}) as Deed;
		case 'Write':
			return { does: 'write', path: fields.text('file_path'), content: fields.text('content') };
		case 'Edit':
			return given({
				does: 'edit',
				path: fields.text('file_path'),
				old: fields.text('old_string'),
				now: fields.text('new_string'),
				all: fields.optionalFlag('replace_all'),
			}) as Deed;
		case 'Glob':
			return given({ does: 'glob', pattern: fields.text('pattern'), path: fields.optionalText('path') }) as Deed;
		default:
			return undefined;
	}
}

function writeCommon(deed: Deed): ToolCall | undefined {
	switch (deed.does) {
		case 'read':
			return { name: 'Read', input: given({ file_path: deed.path, offset: deed.offset, limit: deed.limit }) };
		case 'write':
		case 'create':
			return { name: 'Write', input: { file_path: deed.path, content: deed.content } };
		case 'edit': {
			const { path, old, now, all } = deed;
			return {
				name: 'Edit',
				input: given({ file_path: path, old_string: old, new_string: now, replace_all: all }),
			};
		}
		case 'glob':
			return { name: 'Glob', input: given({ pattern: deed.pattern, path: deed.path }) };
		default:
			return undefined;
	}
}

const clido: Tongue = {
	remarks: [],
	read: (name, fields) =>
		name === 'Bash' ? { does: 'run', command: fields.text('command') } : readCommon(name, fields),
	write(deed) {
		if (deed.does !== 'run') return writeCommon(deed);
		return deed.timeoutMs === undefined ? { name: 'Bash', input: { command: deed.command } } : undefined;
	},
};

const pi: Tongue = {
	remarks: [],
	read(name, fields) {
		switch (name) {
			case 'read':
				return given({
					does: 'read',
					path: fields.text('path'),
					offset: fields.optionalCount('offset'),
					limit: fields.optionalCount('limit'),
				}) as Deed;
			case 'write':
				return { does: 'write', path: fields.text('path'), content: fields.text('content') };
			case 'edit':
				return readPiEdit(fields);
			case 'bash': {
				const seconds = fields.optionalCount('timeout');
				const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
				return given({ does: 'run', command: fields.text('command'), timeoutMs }) as Deed;
			}
			case 'find':
				return given({ does: 'glob', pattern: fields.text('pattern'), path: fields.optionalText('path') }) as Deed;
			case 'grep':
				return given({
					does: 'grep',
					pattern: fields.text('pattern'),
					path: fields.optionalText('path'),
					glob: fields.optionalText('glob'),
					ignoreCase: fields.optionalFlag('ignoreCase'),
					context: fields.optionalCount('context'),
				}) as Deed;
			default:
				return undefined;
		}
	},
	write(deed) {
		switch (deed.does) {
			case 'read':
				return { name: 'read', input: given({ path: deed.path, offset: deed.offset, limit: deed.limit }) };
			case 'write':
			case 'create':
				return { name: 'write', input: { path: deed.path, content: deed.content } };
			case 'edit': {
				const edits = [{ oldText: deed.old, newText: deed.now }];
				return deed.all ? undefined : { name: 'edit', input: { path: deed.path, edits } };
			}
			case 'run': {
				const seconds = deed.timeoutMs === undefined ? undefined : deed.timeoutMs / 1000;
				if (seconds !== undefined && !Number.isInteger(seconds)) return undefined;
				return { name: 'bash', input: given({ command: deed.command, timeout: seconds }) };
			}
			case 'glob':
				return { name: 'find', input: given({ pattern: deed.pattern, path: deed.path }) };
			case 'grep': {
				const { pattern, path, glob, ignoreCase, context } = deed;
				return { name: 'grep', input: given({ pattern, path, glob, ignoreCase, context }) };
			}
		}
	},
};

/** One replacement; older versions have it beside the list, or only there. */
function readPiEdit(fields: Fields): Deed | undefined {
	const path = fields.text('path');
	const old = fields.optionalText('oldText');
	const now = fields.optionalText('newText');
	if (old !== undefined && now !== undefined && fields.allRead()) return { does: 'edit', path, old, now };
	const edit = fields.single('edits');
	if (!isObject(edit) || typeof edit.oldText !== 'string' || typeof edit.newText !== 'string') return fields.refuse();
	if (Object.keys(edit).length !== 2 || (old !== undefined && old !== edit.oldText)) return fields.refuse();
	return { does: 'edit', path, old: edit.oldText, now: edit.newText };
}

const cline: Tongue = {
	remarks: [],
	read(name, fields) {
		switch (name) {
			case 'read_files':
				return readFiles(fields.single('files')) ?? fields.refuse();
			case 'run_commands': {
				const command = fields.single('commands');
				return typeof command === 'string' ? { does: 'run', command } : fields.refuse();
			}
			case 'editor': {
				const path = fields.text('path');
				const now = fields.text('new_text');
				const old = fields.optionalText('old_text');
				return old === undefined ? { does: 'create', path, content: now } : { does: 'edit', path, old, now };
			}
			default:
				return undefined;
		}
	},
	write(deed) {
		switch (deed.does) {
			case 'read': {
				const start = deed.offset ?? (deed.limit === undefined ? undefined : 1);
				const end = deed.limit === undefined || start === undefined ? undefined : start + deed.limit - 1;
				const file = given({ path: deed.path, start_line: start, end_line: end });
				return { name: 'read_files', input: { files: [file] } };
			}
			case 'create':
				return { name: 'editor', input: { path: deed.path, new_text: deed.content } };
			case 'edit':
				if (deed.all) return undefined;
				return { name: 'editor', input: { path: deed.path, old_text: deed.old, new_text: deed.now } };
			case 'run':
				if (deed.timeoutMs !== undefined) return undefined;
				return { name: 'run_commands', input: { commands: [deed.command] } };
			default:
				return undefined; // its editor does not overwrite, and its search takes other patterns
		}
	},
};

function readFiles(file: unknown): Deed | undefined {
	if (!isObject(file)) return undefined;
	const fields = new Fields(file, []);
	const path = fields.text('path');
	const offset = fields.optionalCount('start_line');
	const end = fields.optionalCount('end_line');
	const limit = end === undefined ? undefined : end - (offset ?? 1) + 1;
	return fields.allRead() ? (given({ does: 'read', path, offset, limit }) as Deed) : undefined;
}

const tongues: { readonly [F in FormatId]: Tongue } = { 'claude-code': claudeCode, cline, clido, openclaw: pi };
