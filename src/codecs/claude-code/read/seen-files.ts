/** Finds the files that Read, Write and Edit have shown: their results hold the text. */
import { isObject, type Json } from '../../../model/index.ts';
import { type HasEntries, replaced, type SeenFile, SeenFiles, toolRuns } from '../../shared/read/seen-files.ts';

export function seenFiles(session: HasEntries): readonly SeenFile[] {
	const seen = new SeenFiles();
	for (const { entry, result } of toolRuns(session)) {
		const { details } = result;
		if (!isObject(details)) continue;
		const { file, filePath } = details;
		if (isObject(file)) {
			// A part of a file says nothing about the rest of it.
			const whole = (file.startLine ?? 1) === 1 && file.numLines === file.totalLines;
			if (details.type === 'text' && whole) seen.see(file.filePath, entry, file.content);
		} else if (typeof details.content === 'string') seen.see(filePath, entry, details.content);
		else if (details.newString !== undefined) seen.see(filePath, entry, edited(details));
	}
	return seen.list();
}

function edited({ originalFile, oldString, newString, replaceAll }: { readonly [name: string]: Json | undefined }) {
	if (typeof originalFile !== 'string') return undefined;
	if (oldString === '' && originalFile === '') return newString;
	return replaced(originalFile, oldString, newString, replaceAll === true);
}
