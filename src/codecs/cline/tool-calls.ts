/** Cline's tools in neutral words. */
import { compact, isObject } from '../../model/index.ts';
import { CallFields, type Deed, oneOf, type ToolWords } from '../shared/tool-calls.ts';

export const toolCalls: ToolWords = {
	remarks: [],
	offers: [
		{
			...{ name: 'read_files', effect: 'read', description: 'Reads a file, or lines of it. One file at a time.' },
			fields: {
				files: oneOf({
					...{ type: 'object', required: ['path'], additionalProperties: false },
					properties: { path: { type: 'string' }, start_line: { type: 'integer' }, end_line: { type: 'integer' } },
				}),
			},
		},
		{
			...{ name: 'run_commands', effect: 'exec', description: 'Runs a shell command. One at a time.' },
			fields: { commands: oneOf({ type: 'string' }) },
		},
		{
			...{ name: 'editor', effect: 'write' },
			description:
				'Replaces old_text, which occurs once in the file, by new_text. Without old_text: makes a new file of new_text.',
			fields: { path: { type: 'string' }, new_text: { type: 'string' }, 'old_text?': { type: 'string' } },
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

function readFiles(file: unknown): Deed | undefined {
	if (!isObject(file)) return undefined;
	const fields = new CallFields(file, []);
	const path = fields.text('path');
	const offset = fields.optionalCount('start_line');
	const end = fields.optionalCount('end_line');
	const limit = end === undefined ? undefined : end - (offset ?? 1) + 1;
	return fields.allRead() ? (compact({ does: 'read', path, offset, limit }) as Deed) : undefined;
}
