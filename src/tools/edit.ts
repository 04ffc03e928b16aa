/** Edit: one text in a file replaced by another; when the file has to be read first, what counts as found, and what is told where the file has changed since. */
import { extname } from 'node:path';
import { z } from 'zod';
import { refused, said } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { changedText, type TextChange, withoutTrailingBlanks } from '../model/index.ts';
import { defineTool } from './define.ts';
import {
	absolutePath,
	byUser,
	changedSince,
	type FileContent,
	foreignProblem,
	forget,
	missing,
	openToChange,
	unseen,
	writeContent,
} from './files.ts';
import { patchOf } from './patch.ts';
import { asInFile, withQuotesOf } from './quotes.ts';

const input = () =>
	z.strictObject({
		file_path: z.string().describe('The file, absolute or relative to the working folder'),
		old_string: z.string().describe('The text to replace, exactly as it is in the file; empty to create a file'),
		new_string: z.string().describe('What stands there instead'),
		replace_all: z.boolean().optional().describe('Everywhere it occurs, not just once'),
	});

/** The tool Edit: replaces a text in a file. */
export const edit = defineTool({
	name: 'Edit',
	description:
		'Replaces a text in a file that was read before. The text must occur exactly once: give enough lines around it, or set replace_all. The file keeps its encoding and line ends. Blanks at the ends of new lines are left out, except in Markdown.',
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
		const { before, after } = ready;
		return await writeEdit(ready, told(given, before, after), given.replace_all === true, context);
	},
});

/** Writes the file as it is to be, and says so. */
export async function writeEdit(
	ready: Ready,
	text: string,
	replaceAll: boolean,
	context: ToolContext,
): Promise<ToolOutput> {
	const { filePath, old, before, after, result, change, stale } = ready;
	const file = await writeContent(filePath, result, old, context, change);
	if (stale) forget(filePath, context);
	const originalFile = old?.text ?? '';
	const details = {
		filePath,
		oldString: before,
		newString: after,
		originalFile,
		structuredPatch: await patchOf(originalFile, result, change),
		userModified: context.userModified,
		replaceAll,
		...(stale ? { staleRecovered: true, contentNotInModelContext: true } : {}),
	};
	return { ...said(`${text}${byUser(context)}${stale ? otherChanges : ''}`, details), file };
}

type Given = z.infer<ReturnType<typeof input>>;

export interface Ready extends Planned {
	readonly filePath: string;
	readonly old: FileContent | undefined;
	/** Somebody else has changed the file since the model saw it. */
	readonly stale: boolean;
}

const otherChanges =
	' (note: the file had been modified on disk since you last read it — the edit applied cleanly, but the file contains other changes not in your context. Read it before edits that depend on surrounding content.)';

async function prepare(given: Given, context: ToolContext): Promise<Ready | { readonly fails: ToolOutput }> {
	if (given.old_string === given.new_string)
		return { fails: refused('No changes to make: old_string and new_string are exactly the same.') };
	const opened = await openToEdit(given, context);
	if ('fails' in opened) return opened;
	const planned = plan(opened.filePath, opened.old, given);
	return 'why' in planned ? { fails: refused(planned.why) } : { ...opened, ...planned };
}

/** The file, which may be changed by whoever knows it. */
export async function openToEdit(
	given: Pick<Given, 'file_path' | 'old_string'>,
	context: ToolContext,
): Promise<Omit<Ready, keyof Planned> | { readonly fails: ToolOutput }> {
	const filePath = absolutePath(given.file_path, context.cwd);
	const opened = await openToChange(filePath, context);
	if ('fails' in opened) return opened;
	const { old } = opened;
	const why = old ? whyNot(filePath, old, given.old_string, context) : await whyNotMade(filePath, given, context);
	// What is replaced is in the file as it is now: nothing is lost, and the model is told.
	const stale = why === changedSince;
	return why === undefined || stale ? { filePath, old, stale } : { fails: refused(why) };
}

/** Why a file that is there may not be changed. An empty one may be filled by whoever has not read it: nothing is lost. */
function whyNot(path: string, old: FileContent, before: string, context: ToolContext): string | undefined {
	if (before === '') return old.text.trim() === '' ? undefined : 'Cannot create new file - file already exists.';
	if (extname(path).toLowerCase() === '.ipynb')
		return 'File is a Jupyter Notebook. Use the NotebookEdit to edit this file.';
	return foreignProblem(old) ?? unseen(path, old, context);
}

async function whyNotMade(
	path: string,
	{ old_string }: Pick<Given, 'old_string'>,
	context: ToolContext,
): Promise<string | undefined> {
	return old_string === '' ? undefined : await missing(path, context);
}

interface Planned {
	/** The texts as they were found and as they are written. */
	readonly before: string;
	readonly after: string;
	readonly result: string;
	/** What differs in the result, where that is one part of it. */
	readonly change?: TextChange;
}

export function plan(path: string, old: FileContent | undefined, given: Given): Planned | { readonly why: string } {
	const { old_string: wanted, replace_all: all = false } = given;
	if (!old) return { before: '', after: given.new_string, result: given.new_string };
	const clean = withoutTrailingBlanks(given.new_string, path);
	if (wanted === '') return { before: '', after: clean, result: clean };
	const found = asInFile(old.text, wanted);
	if (found === undefined) return { why: `String to replace not found in file.\nString: ${wanted}` };
	const at = old.text.indexOf(found);
	const once = old.text.indexOf(found, at + found.length) === -1;
	if (!once && !all) {
		return {
			why: `Found ${old.text.split(found).length - 1} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${wanted}`,
		};
	}
	const after = withQuotesOf(found, wanted, clean);
	if (!once) return { before: found, after, result: old.text.split(found).join(after) };
	const before = after === '' && !all ? wholeLines(old.text, found) : found;
	const change = { at, length: before.length, text: after };
	return { before, after, result: changedText(old.text, change), change };
}

/** Whoever takes away whole lines does not mean to leave an empty one. */
function wholeLines(text: string, found: string): string {
	const at = text.indexOf(found);
	const starts = at === 0 || text[at - 1] === '\n';
	return starts && !found.endsWith('\n') && text[at + found.length] === '\n' ? `${found}\n` : found;
}

function told({ file_path, replace_all }: Given, before: string, after: string): string {
	if (!replace_all) return `The file ${file_path} has been updated successfully.`;
	return `The file ${file_path} has been updated. All occurrences of '${before}' were successfully replaced with '${after}'.`;
}
