/** The catalog's memory of what a glance at a session's first and last bytes found. */

export interface Seen {
	readonly cwd?: string;
	readonly title?: string;
	readonly gitBranch?: string;
	readonly created?: string;
}

/** Separates fields. Every list reads all rows, and splitting at a mark is several times faster than JSON. */
export const mark = '\u001f';
/** Separates the rows of a list. */
export const rowMark = '\u001e';

export function seenText({ cwd = '', title = '', gitBranch = '', created = '' }: Seen): string {
	return [cwd, title, gitBranch, created].join(mark);
}

/** A text without the separators, so that it is remembered exactly as it was shown. */
export function unmarked(text: string | undefined): string | undefined {
	// Searching first is several times faster than replacing, even where there is nothing to replace.
	if (text === undefined || !(text.includes(mark) || text.includes(rowMark))) return text;
	return text.replaceAll(mark, ' ').replaceAll(rowMark, ' ');
}

/** Reads the parts by index, without copying or destructuring: a list makes ten thousand of these. */
export function seenOf(parts: readonly (string | undefined)[], from = 0): Seen {
	const seen: { -readonly [K in keyof Seen]: Seen[K] } = {};
	const cwd = parts[from];
	const title = parts[from + 1];
	const gitBranch = parts[from + 2];
	const created = parts[from + 3];
	if (cwd) seen.cwd = cwd;
	if (title) seen.title = title;
	if (gitBranch) seen.gitBranch = gitBranch;
	if (created) seen.created = created;
	return seen;
}

/** The glance that a row of the catalog holds. */
export function seenIn(row: { readonly seen: string | null }): Seen {
	return seenOf(row.seen?.split(mark) ?? []);
}
