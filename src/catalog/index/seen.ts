/** What a look at the beginning and the end of a session tells, as the catalog remembers it. */

export interface Seen {
	readonly cwd?: string;
	readonly title?: string;
	readonly gitBranch?: string;
	readonly created?: string;
}

/** Not JSON: all of them are read for every list, and this is taken apart several times faster. */
const mark = '\u001f';

export function seenText({ cwd = '', title = '', gitBranch = '', created = '' }: Seen): string {
	return [cwd, title.replaceAll(mark, ' '), gitBranch, created].join(mark);
}

export function seenOf(row: { readonly seen: string | null }): Seen {
	const [cwd, title, gitBranch, created] = row.seen?.split(mark) ?? [];
	return {
		...(cwd ? { cwd } : {}),
		...(title ? { title } : {}),
		...(gitBranch ? { gitBranch } : {}),
		...(created ? { created } : {}),
	};
}
