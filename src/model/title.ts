/** The title of a session that nobody gave one: the beginning of its first prompt, on one line. */

const longestTitle = 120;

/**
 * White space becomes single spaces, and what is too long is cut; undefined where nothing is left. Of a long prompt no more is
 * looked at than it takes: a list makes ten thousand titles.
 */
export function titleFrom(text: string): string | undefined {
	let line = '';
	for (let reach = 4 * longestTitle; line.length <= longestTitle; reach *= 4) {
		line = text.slice(0, reach).replace(/\s+/g, ' ').trim();
		if (reach >= text.length) break;
	}
	if (line === '') return undefined;
	// Put together anew: a piece of a text would keep all of it in memory, for every session of the list.
	const title = line.length <= longestTitle ? ` ${line}` : ` ${line.slice(0, longestTitle - 1)}…`;
	return title.slice(1);
}
