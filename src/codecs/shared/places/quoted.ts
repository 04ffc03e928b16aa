/** A word for a shell, as it is or in quotes. */
export function quoted(text: string): string {
	return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
