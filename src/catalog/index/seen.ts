/** What a look at the beginning and the end of a session tells, as the catalog remembers it. */

export interface Seen {
	readonly cwd?: string;
	readonly title?: string;
	readonly gitBranch?: string;
	readonly created?: string;
}

export function seenOf(row: { readonly seen: string | null }): Seen {
	return row.seen === null ? {} : (JSON.parse(row.seen) as Seen);
}
