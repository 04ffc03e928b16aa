/** Quotes a word for a shell where it needs that. */
export function quoted(text: string): string {
	return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
