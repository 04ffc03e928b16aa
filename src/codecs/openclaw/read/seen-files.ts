/** Finds files that read, write and edit have shown, where call and result together hold their text. */
import { isObject, type Json } from '../../../model/index.ts';
import {
	type HasEntries,
	plainText,
	replaced,
	type SeenFile,
	SeenFiles,
	seeOwnTool,
	type ToolRun,
	toolRuns,
} from '../../shared/read/seen-files.ts';

export function seenFiles(session: HasEntries): readonly SeenFile[] {
	const seen = new SeenFiles();
	for (const run of toolRuns(session)) {
		const { input, entry } = run;
		if (seeOwnTool(run, seen)) continue;
		if (run.call.name === 'write') seen.see(input.path, entry, input.content);
		else if (run.call.name === 'edit') seen.see(input.path, entry, edited(seen.textOf(input.path), input));
		else if (run.call.name === 'read' && isWhole(run)) seen.see(input.path, entry, plainText(run.result));
	}
	return seen.list();
}

/** True for a whole file: neither a requested part nor one that was shortened. */
function isWhole({ input, result }: ToolRun): boolean {
	if (input.offset !== undefined || input.limit !== undefined) return false;
	return !(isObject(result.details) && result.details.truncation !== undefined);
}

function edited(text: string | undefined, input: { readonly [name: string]: Json | undefined }): string | undefined {
	const { edits } = input;
	const list: readonly Json[] = Array.isArray(edits) ? edits : [{ oldText: input.oldText, newText: input.newText }];
	let now = text;
	for (const edit of list) now = isObject(edit) ? replaced(now, edit.oldText, edit.newText) : undefined;
	return now;
}
