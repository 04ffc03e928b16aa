/** What the folder of a session's side files is called. */

/** As the session's file without its ending. A file without the ending already has the name that the folder would have. */
export function folderNamedAfter(name: string, ending = /(\.messages)?\.jsonl?$/): string {
	const stem = name.replace(ending, '');
	return stem === name ? `${name}.files` : stem;
}
