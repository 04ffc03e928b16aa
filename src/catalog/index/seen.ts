/** What a look at the beginning and the end of a session tells, as the catalog remembers it. */

export interface Seen {
	readonly cwd?: string;
	readonly title?: string;
	readonly gitBranch?: string;
	readonly created?: string;
}

/** Not JSON: all of them are read for every list, and this is taken apart several times faster. */
export const mark = '\u001f';
/** Between the rows of a list. */
export const rowMark = '\u001e';

export function seenText({ cwd = '', title = '', gitBranch = '', created = '' }: Seen): string {
	return [cwd, title, gitBranch, created].join(mark);
}

/** A text without the marks: what is seen is what will be remembered. */
export function unmarked(text: string | undefined): string | undefined {
	return text?.replaceAll(mark, ' ').replaceAll(rowMark, ' ');
}

export function seenOf([cwd, title, gitBranch, created]: readonly (string | undefined)[]): Seen {
	return {
		...(cwd ? { cwd } : {}),
		...(title ? { title } : {}),
		...(gitBranch ? { gitBranch } : {}),
		...(created ? { created } : {}),
	};
}

/** What a row of the catalog remembers. */
export function seenIn(row: { readonly seen: string | null }): Seen {
	return seenOf(row.seen?.split(mark) ?? []);
}
