/** How a word stands in a command that is printed to be copied: in quotes where a shell would not take it as it is, and never as a flag. */

export function quoted(text: string): string {
	return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A flag and its value, which may begin with a dash: then it would be a flag itself. */
export function flagged(flag: string, value: string): string {
	return `${flag}${value.startsWith('-') ? '=' : ' '}${quoted(value)}`;
}
