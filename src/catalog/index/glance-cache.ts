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
	// Looked for first: replacing takes several times as long, also where there is nothing to replace.
	if (text === undefined || !(text.includes(mark) || text.includes(rowMark))) return text;
	return text.replaceAll(mark, ' ').replaceAll(rowMark, ' ');
}

/** Without copying and destructuring: a list makes ten thousand of these. */
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

/** What a row of the catalog remembers. */
export function seenIn(row: { readonly seen: string | null }): Seen {
	return seenOf(row.seen?.split(mark) ?? []);
}
