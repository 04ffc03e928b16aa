/** Write: a file as a whole, new or in place of one that the model has seen. */
import { z } from 'zod';
import { refused, said } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { withoutTrailingBlanks } from '../model/index.ts';
import { defineTool } from './define.ts';
import { absolutePath, byUser, type FileContent, openToReplace, writeContent } from './files.ts';
import { patchOf } from './patch.ts';

const input = () =>
	z.strictObject({
		file_path: z.string().describe('The file, absolute or relative to the working folder'),
		content: z.string().describe('All of it'),
	});

/** The tool Write: writes a whole file. */
export const write = defineTool({
	name: 'Write',
	description:
		'Writes a file as a whole, with its folders. A file that exists has to be read first, and keeps its encoding and line ends. Blanks at the ends of lines are left out, except in Markdown.',
	effect: 'write',
	input,
	subjects: ({ file_path }, cwd) => [absolutePath(file_path, cwd)],
	async check(given, context) {
		const ready = await prepare(given, context);
		return 'fails' in ready ? ready : { change: { before: ready.old?.text, after: ready.content } };
	},
	async run(given, context) {
		const ready = await prepare(given, context);
		if ('fails' in ready) return ready.fails;
		const { filePath, old, content } = ready;
		const file = await writeContent(filePath, content, old, context);
		const structuredPatch = old ? await patchOf(old.text, content) : [];
		const modified = context.userModified ? { userModified: true } : {};
		const details = { type: old ? 'update' : 'create', filePath, content, structuredPatch, ...modified };
		const text = old
			? `The file ${given.file_path} has been updated successfully.`
			: `File created successfully at: ${given.file_path}`;
		return { ...said(`${text}${byUser(context)}`, { ...details, originalFile: old?.text ?? null }), file };
	},
});

interface Ready {
	readonly filePath: string;
	readonly old: FileContent | undefined;
	readonly content: string;
}

async function prepare(
	given: z.infer<ReturnType<typeof input>>,
	context: ToolContext,
): Promise<Ready | { readonly fails: ToolOutput }> {
	const filePath = absolutePath(given.file_path, context.cwd);
	if ((await context.host.files.stat(filePath))?.folder) {
		const how = 'To create a file inside it, include the file name in file_path.';
		return { fails: refused(`${filePath} is a directory, not a file. ${how}`) };
	}
	const opened = await openToReplace(filePath, context);
	if ('fails' in opened) return opened;
	return { filePath, old: opened.old, content: withoutTrailingBlanks(given.content, filePath) };
}
