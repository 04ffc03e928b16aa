/** Edit: one text in a file replaced by another. */
import { z } from 'zod';
import { defineTool } from './define.ts';
import { absolutePath, isFolder, problem, readContent, said, unseen, writeContent } from './files.ts';
import { patchOf } from './patch.ts';

const input = z.object({
	file_path: z.string().min(1).describe('The file, absolute or relative to the working folder'),
	old_string: z.string().describe('The text to replace, exactly as it is in the file; empty to create a file'),
	new_string: z.string().describe('What stands there instead'),
	replace_all: z.boolean().optional().describe('Everywhere it occurs, not just once'),
});

export const edit = defineTool({
	name: 'Edit',
	description:
		'Replaces a text in a file that was read before. The text must occur exactly once: give enough lines around it, or set replace_all.',
	effect: 'write',
	input,
	subjects: ({ file_path }, cwd) => [absolutePath(file_path, cwd)],
	async run({ file_path, old_string: oldString, new_string: newString, replace_all: replaceAll = false }, context) {
		const filePath = absolutePath(file_path, context.cwd);
		if (oldString === newString) return problem('The old text and the new text are the same.');
		if ((await context.host.files.stat(filePath))?.folder) return isFolder(filePath);
		const old = await readContent(filePath, context);
		if (!old && oldString !== '') return problem(`There is no file ${filePath}.`);
		const why = old && unseen(filePath, old, context);
		if (why) return problem(why);
		const originalFile = old ? Buffer.from(old.bytes).toString('utf8') : '';
		const found = replaced(originalFile, oldString, newString, replaceAll);
		if (typeof found !== 'string') return problem(`${found.problem} in ${filePath}.`);
		const file = await writeContent(filePath, found, old?.bytes ?? null, context);
		const details = {
			filePath,
			oldString,
			newString,
			originalFile,
			structuredPatch: await patchOf(originalFile, found),
			userModified: false,
			replaceAll,
		};
		return { ...said(`The file ${filePath} was changed.`, details), file };
	},
});

function replaced(text: string, before: string, after: string, all: boolean): string | { readonly problem: string } {
	if (before === '')
		return text === '' ? after : { problem: 'An empty old text only creates a file; there is one already' };
	const times = text.split(before).length - 1;
	if (times === 0) return { problem: 'The old text does not occur' };
	if (times > 1 && !all)
		return { problem: `The old text occurs ${times} times: say more of what is around it, or set replace_all,` };
	return all ? text.split(before).join(after) : text.replace(before, () => after);
}
