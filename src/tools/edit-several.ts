/** Several replacements in one file, as some agents ask for them: each in the file as it was, all of them or none. */
import { z } from 'zod';
import { refused } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { defineTool } from './define.ts';
import { openToEdit, plan, type Ready, writeEdit } from './edit.ts';
import { absolutePath } from './files.ts';

const input = () =>
	z.strictObject({
		file_path: z.string(),
		edits: z.array(z.strictObject({ old_string: z.string().min(1), new_string: z.string() })).min(1),
		whole_lines: z.boolean().optional(),
	});

type Given = z.infer<ReturnType<typeof input>>;

/** What Edit does, several times in one file. It is offered under the names of other agents only. */
export const editSeveral = defineTool({
	name: 'Edit',
	description: 'Replaces several texts in a file that was read before.',
	effect: 'write',
	input,
	subjects: ({ file_path }, cwd) => [absolutePath(file_path, cwd)],
	async check(given, context) {
		const ready = await prepare(given, context);
		return 'fails' in ready ? ready : { change: { before: ready.old?.text, after: ready.result } };
	},
	async run(given, context) {
		const ready = await prepare(given, context);
		if ('fails' in ready) return ready.fails;
		return await writeEdit(ready, `The file ${given.file_path} has been updated successfully.`, false, context);
	},
});

interface Piece {
	readonly index: number;
	readonly at: number;
	readonly before: string;
	readonly after: string;
}

async function prepare(given: Given, context: ToolContext): Promise<Ready | { readonly fails: ToolOutput }> {
	const { file_path, edits } = given;
	const opened = await openToEdit({ file_path, old_string: edits[0]?.old_string ?? '' }, context);
	if ('fails' in opened) return opened;
	const text = opened.old?.text ?? '';
	const pieces: Piece[] = [];
	for (const [index, edit] of edits.entries()) {
		const meant = given.whole_lines ? lastLineOf(text, edit) : edit;
		const planned = plan(opened.filePath, opened.old, { file_path, ...meant });
		if ('why' in planned) return { fails: refused(`edits[${index}]: ${planned.why}`) };
		const at = text.indexOf(planned.before);
		if (given.whole_lines && at > 0 && text[at - 1] !== '\n')
			return { fails: refused(`edits[${index}]: String to replace not found in file.\nString: ${edit.old_string}`) };
		pieces.push({ index, at, before: planned.before, after: planned.after });
	}
	pieces.sort((one, other) => one.at - other.at);
	const joined = replaceAll(text, pieces);
	if ('why' in joined) return { fails: refused(`${joined.why} in ${file_path}. Merge them into one.`) };
	if (joined.result === text)
		return { fails: refused(`No changes to make in ${file_path}: all new texts are the old ones.`) };
	const side = (which: 'before' | 'after'): string => pieces.map((piece) => piece[which]).join('\n');
	return { ...opened, before: side('before'), after: side('after'), result: joined.result };
}

/** The last line of a file may end without a line end, and then it still does. */
function lastLineOf(text: string, edit: Given['edits'][number]): Given['edits'][number] {
	const bare = (one: string): string => one.replace(/\n$/, '');
	if (text.endsWith('\n') || !text.endsWith(bare(edit.old_string))) return edit;
	return { old_string: bare(edit.old_string), new_string: bare(edit.new_string) };
}

function replaceAll(text: string, pieces: readonly Piece[]): { readonly result: string } | { readonly why: string } {
	let result = '';
	let end = 0;
	let last: Piece | undefined;
	for (const piece of pieces) {
		if (last && piece.at < end) return { why: `edits[${last.index}] and edits[${piece.index}] overlap` };
		result += text.slice(end, piece.at) + piece.after;
		end = piece.at + piece.before.length;
		last = piece;
	}
	return { result: result + text.slice(end) };
}
