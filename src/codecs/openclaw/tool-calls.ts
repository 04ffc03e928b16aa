/** The tools of pi and OpenClaw: how a model is told of them, which of their calls can be translated, and what their own results say. */
import { compact, isObject, type Json } from '../../model/index.ts';
import { quoted } from '../../model/quoted.ts';
import {
	CallFields,
	changedLines,
	type Deed,
	linesRead,
	listOf,
	type PartOutcome,
	type Recorded,
	type ToolWords,
} from '../shared/tool-calls.ts';

export const toolCalls: ToolWords = {
	remarks: [],
	offers: [
		{
			...{ name: 'read', effect: 'read', description: 'Reads a file, or limit lines of it from the line offset on.' },
			fields: { path: { type: 'string' }, 'offset?': { type: 'integer' }, 'limit?': { type: 'integer' } },
		},
		{
			...{
				name: 'write',
				effect: 'write',
				description: 'Writes a file as a whole. One that exists has to be read first.',
			},
			fields: { path: { type: 'string' }, content: { type: 'string' } },
		},
		{
			...{ name: 'edit', effect: 'write' },
			description:
				'Replaces each oldText, which occurs once in the file as it is, by its newText. All of them are made, or none.',
			fields: {
				path: { type: 'string' },
				edits: listOf({
					...{ type: 'object', required: ['oldText', 'newText'], additionalProperties: false },
					properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
				}),
			},
		},
		{
			...{ name: 'bash', effect: 'exec', description: 'Runs a shell command. The timeout is in seconds.' },
			fields: { command: { type: 'string' }, 'timeout?': { type: 'integer' } },
		},
		{
			...{ name: 'exec', insteadOf: 'bash', effect: 'exec' },
			description: 'Runs a shell command. The timeout is in seconds.',
			fields: { command: { type: 'string' }, 'timeout?': { type: 'integer' } },
		},
		{
			...{ name: 'ls', effect: 'read', description: 'Lists a folder, with a slash behind the names of folders.' },
			fields: { 'path?': { type: 'string' }, 'limit?': { type: 'integer' } },
		},
		{
			...{ name: 'find', effect: 'read', description: 'Finds files by a pattern for their names, such as **/*.ts.' },
			fields: { pattern: { type: 'string' }, 'path?': { type: 'string' } },
		},
		{
			...{ name: 'grep', effect: 'read', description: 'Shows lines of files that match a regular expression.' },
			fields: {
				...{ pattern: { type: 'string' }, 'path?': { type: 'string' }, 'glob?': { type: 'string' } },
				...{ 'ignoreCase?': { type: 'boolean' }, 'context?': { type: 'integer' } },
			},
		},
	],
	read(name, fields) {
		switch (name) {
			case 'read':
				return compact({
					does: 'read',
					path: fields.text('path'),
					offset: fields.optionalCount('offset'),
					limit: fields.optionalCount('limit'),
				}) as Deed;
			case 'write':
				return { does: 'write', path: fields.text('path'), content: fields.text('content') };
			case 'edit':
				return readPiEdit(fields);
			case 'bash':
			case 'exec': {
				const seconds = fields.optionalCount('timeout');
				const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
				return compact({ does: 'run', command: fields.text('command'), timeoutMs }) as Deed;
			}
			case 'find':
				return compact({ does: 'glob', pattern: fields.text('pattern'), path: fields.optionalText('path') }) as Deed;
			case 'grep':
				return compact({
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
	runs(name, input) {
		if (name !== 'ls') return undefined;
		const fields = new CallFields(input, []);
		const path = fields.optionalText('path');
		const limit = fields.optionalCount('limit');
		if (!fields.allRead()) return undefined;
		const list = path === undefined ? 'ls -Ap' : `ls -Ap -- ${quoted(path)}`;
		return { name: 'Bash', input: { command: limit === undefined ? list : `${list} | head -n ${limit}` } };
	},
	readEdits(name, { path, edits, ...rest }) {
		if (name !== 'edit' || typeof path !== 'string' || !Array.isArray(edits) || Object.keys(rest).length > 0)
			return undefined;
		const all = (edits as readonly Json[]).flatMap((edit) => {
			if (!isObject(edit) || typeof edit.oldText !== 'string' || typeof edit.newText !== 'string') return [];
			return [{ old: edit.oldText, now: edit.newText }];
		});
		return all.length > 1 && all.length === edits.length ? { path, edits: all } : undefined;
	},
	record: (name, _, [part]) => (part && !part.failed ? recorded(name, part) : undefined),
	write(deed) {
		switch (deed.does) {
			case 'read':
				return { name: 'read', input: compact({ path: deed.path, offset: deed.offset, limit: deed.limit }) };
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
				return { name: 'bash', input: compact({ command: deed.command, timeout: seconds }) };
			}
			case 'glob':
				return { name: 'find', input: compact({ pattern: deed.pattern, path: deed.path }) };
			case 'grep': {
				const { pattern, path, glob, ignoreCase, context } = deed;
				return { name: 'grep', input: compact({ pattern, path, glob, ignoreCase, context }) };
			}
		}
	},
};

/** An edit with one replacement; older versions have it beside the list, or only there. */
function readPiEdit(fields: CallFields): Deed | undefined {
	const path = fields.text('path');
	const old = fields.optionalText('oldText');
	const now = fields.optionalText('newText');
	if (old !== undefined && now !== undefined && fields.allRead()) return { does: 'edit', path, old, now };
	const edit = fields.single('edits');
	if (!isObject(edit) || typeof edit.oldText !== 'string' || typeof edit.newText !== 'string') return fields.refuse();
	if (Object.keys(edit).length !== 2 || (old !== undefined && old !== edit.oldText)) return fields.refuse();
	return { does: 'edit', path, old: edit.oldText, now: edit.newText };
}

/** What pi's own tools return of what ours have done: pi shows changes by its `diff`, and reads files again by their plain text. */
function recorded(name: string, { input, text, details }: PartOutcome): Recorded | undefined {
	if (name === 'read') {
		const read = linesRead(details);
		return read && { text: read.lines.join('\n'), isError: false };
	}
	if (name !== 'edit') return undefined;
	const count = Array.isArray(input.edits) ? input.edits.length : 1;
	const lines = changedLines(details);
	const changed = lines.filter(({ sign }) => sign !== ' ');
	const width = String(Math.max(0, ...lines.map(({ number }) => number))).length;
	const diff = lines
		.map(({ sign, number, text: line }) => `${sign}${String(number).padStart(width)} ${line}`)
		.join('\n');
	return {
		text: `Successfully replaced ${count} block(s) in ${String(input.path)}.${/ \(note: .*\)$/.exec(text)?.[0] ?? ''}`,
		details: compact({ diff, firstChangedLine: changed[0]?.number }),
		isError: false,
	};
}
