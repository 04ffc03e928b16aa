/** Makes a title from the first prompt, for a session without one: one line of at most 120 characters. */

const longestTitle = 120;

/**
 * The text on one line, shortened if it is too long; undefined where nothing is left. Only the needed part of a long
 * prompt is read, because a list makes ten thousand titles.
 */
export function titleFrom(text: string): string | undefined {
	let line = '';
	for (let reach = 4 * longestTitle; line.length <= longestTitle; reach *= 4) {
		line = text.slice(0, reach).replace(/\s+/g, ' ').trim();
		if (reach >= text.length) break;
	}
	if (line === '') return undefined;
	// Built anew: a slice would keep the whole prompt in memory, for every session of the list.
	const title = line.length <= longestTitle ? ` ${line}` : ` ${line.slice(0, longestTitle - 1)}…`;
	return title.slice(1);
}
