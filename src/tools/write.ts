/** Write: a file as a whole, new or in place of one that the model has seen. */
import { z } from 'zod';
import { defineTool } from './define.ts';
import { absolutePath, isFolder, problem, readContent, said, unseen, writeContent } from './files.ts';
import { patchOf } from './patch.ts';

const input = z.object({
	file_path: z.string().min(1).describe('The file, absolute or relative to the working folder'),
	content: z.string().describe('All of it'),
});

export const write = defineTool({
	name: 'Write',
	description: 'Writes a file as a whole, with its folders. A file that exists has to be read first.',
	effect: 'write',
	input,
	subjects: ({ file_path }, cwd) => [absolutePath(file_path, cwd)],
	async run({ file_path, content }, context) {
		const filePath = absolutePath(file_path, context.cwd);
		if ((await context.host.files.stat(filePath))?.folder) return isFolder(filePath);
		const old = await readContent(filePath, context);
		const why = old && unseen(filePath, old, context);
		if (why) return problem(why);
		const originalFile = old ? Buffer.from(old.bytes).toString('utf8') : null;
		const file = await writeContent(filePath, content, old?.bytes ?? null, context);
		const type = old ? 'update' : 'create';
		const structuredPatch = originalFile === null ? [] : await patchOf(originalFile, content);
		const text = old ? `The file ${filePath} was replaced.` : `The file ${filePath} was created.`;
		return { ...said(text, { type, filePath, content, structuredPatch, originalFile }), file };
	},
});
