/** The name of the folder with a session's side files. */

/** The session's file name without its ending. A file without the ending has the folder's name already. */
export function folderNamedAfter(name: string, ending = /(\.messages)?\.jsonl?$/): string {
	const stem = name.replace(ending, '');
	// A stranger's `..jsonl` would have the files of all sessions beside it as its own.
	return stem === name || /^\.{0,2}$/.test(stem) ? `${name}.files` : stem;
}
