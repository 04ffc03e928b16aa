/** Cline's tools: how a model is told of them, which of their calls can be translated, and which of our tools run them (patches, several files at once). */
import { compact, isObject, type Json, type JsonObject } from '../../model/index.ts';
import { quoted } from '../../model/quoted.ts';
import { CallFields, type Deed, listOf, type NamedCall, type ToolWords } from '../shared/tool-calls.ts';
import { readPart, splitPatch } from './read/patch.ts';
import { recorded } from './write/tool-answers.ts';

export const toolCalls: ToolWords = {
	remarks: [],
	offers: [
		{
			...{
				name: 'read_files',
				effect: 'read',
				description: 'Reads files, or lines of them. Files that are needed together are read together.',
			},
			fields: {
				files: listOf({
					...{ type: 'object', required: ['path'], additionalProperties: false },
					properties: { path: { type: 'string' }, start_line: { type: 'integer' }, end_line: { type: 'integer' } },
				}),
			},
		},
		{
			...{ name: 'run_commands', effect: 'exec', description: 'Runs shell commands, one after the other.' },
			fields: { commands: listOf({ type: 'string' }) },
		},
		{
			...{ name: 'search_codebase', effect: 'read' },
			description: 'Finds lines that match regular expressions, in all files of the project and in any case.',
			fields: { queries: listOf({ type: 'string' }) },
		},
		{
			...{ name: 'editor', effect: 'write' },
			description:
				'Replaces old_text, which occurs once in the file, by new_text. Without old_text: makes a new file of new_text.',
			fields: { path: { type: 'string' }, new_text: { type: 'string' }, 'old_text?': { type: 'string' } },
		},
		{
			...{ name: 'apply_patch', insteadOf: 'editor', effect: 'write' },
			description:
				'Changes files by a patch: *** Begin Patch, then for each file *** Add File: PATH with lines that begin with +, *** Delete File: PATH, or *** Update File: PATH with parts that begin with @@ and hold whole lines, each behind a blank (as it is), - (taken out) or + (put in), then *** End Patch. The lines that are there already occur once in the file.',
			fields: { input: { type: 'string' } },
		},
	],
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
	/** Runs calls that have no exact counterpart. Cline's search ignores case and shows two lines around each match. */
	runs(name, input) {
		if (name === 'apply_patch') return patchCall(input);
		if (name !== 'search_codebase') return undefined;
		const fields = new CallFields(input, []);
		const pattern = fields.single('queries');
		if (typeof pattern !== 'string' || !fields.allRead()) return undefined;
		return { name: 'Grep', input: { pattern, output_mode: 'content', '-n': true, '-i': true, '-C': 2 } };
	},
	readEdits(name, input) {
		const part = name === 'apply_patch' ? partOf(input) : undefined;
		return part?.does === 'update' ? { path: part.path, edits: part.hunks, wholeLines: true } : undefined;
	},
	split(name, input) {
		if (name === 'apply_patch')
			return splitPatch(patchIn(input) ?? '')?.map((one): JsonObject => ({ input: one })) ?? [input];
		if (name === 'read_files') return filesIn(input)?.map((file) => ({ files: [file] })) ?? [input];
		const list = name === 'run_commands' ? 'commands' : name === 'search_codebase' ? 'queries' : undefined;
		const given = list === undefined ? undefined : input[list];
		if (list === undefined || given === undefined) return [input];
		const all: readonly Json[] = Array.isArray(given) ? given : [given];
		return all.length > 0 ? all.map((one) => ({ [list]: [one] })) : [input];
	},
	record: (name, _, parts) => recorded(name, parts),
	write(deed) {
		switch (deed.does) {
			case 'read': {
				const start = deed.offset ?? (deed.limit === undefined ? undefined : 1);
				const end = deed.limit === undefined || start === undefined ? undefined : start + deed.limit - 1;
				const file = compact({ path: deed.path, start_line: start, end_line: end });
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
				return undefined; // Cline's editor does not overwrite, and its search takes other patterns
		}
	},
};

function patchIn({ input, ...rest }: JsonObject): string | undefined {
	return typeof input === 'string' && Object.keys(rest).length === 0 ? input : undefined;
}

function partOf(input: JsonObject): ReturnType<typeof readPart> {
	const parts = splitPatch(patchIn(input) ?? '');
	const [only] = parts ?? [];
	return only !== undefined && parts?.length === 1 ? readPart(only) : undefined;
}

/** A new file, or one that goes. What is there already is not written over. */
function patchCall(input: JsonObject): NamedCall | undefined {
	const part = partOf(input);
	if (part?.does === 'add')
		return { name: 'Edit', input: { file_path: part.path, old_string: '', new_string: part.content } };
	return part?.does === 'delete' ? { name: 'Bash', input: { command: `rm -- ${quoted(part.path)}` } } : undefined;
}

function readFiles(file: unknown): Deed | undefined {
	if (!isObject(file)) return undefined;
	const fields = new CallFields(file, []);
	const path = fields.text('path');
	const offset = fields.optionalCount('start_line');
	const end = fields.optionalCount('end_line');
	const limit = end === undefined ? undefined : end - (offset ?? 1) + 1;
	return fields.allRead() ? (compact({ does: 'read', path, offset, limit }) as Deed) : undefined;
}

/** The files of a call; models name them in several ways, all of which the client takes. */
function filesIn({ files, paths, file_paths, path }: JsonObject): readonly JsonObject[] | undefined {
	const given = files ?? paths ?? file_paths ?? path;
	const all: readonly Json[] = Array.isArray(given) ? given : [given ?? null];
	const found = all.map((file) => (typeof file === 'string' ? { path: file } : file)).filter(isObject);
	return found.length > 0 && found.length === all.length ? found : undefined;
}
