/** Quotes a word for a shell where needed. */
export function quoted(text: string): string {
	return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
