/** The title of a session that nobody gave one: the beginning of its first prompt, on one line. */

const longestTitle = 120;
const space = 0x20;
/** White space beyond ASCII, as `\s` has it. */
const wideSpaces = new Set(
	Array.from(
		'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
		(char) => char.charCodeAt(0),
	),
);

function isSpace(code: number): boolean {
	return code <= space ? code === space || (code >= 0x09 && code <= 0x0d) : code >= 0xa0 && wideSpaces.has(code);
}

/**
 * White space becomes single spaces, and what is too long is cut; undefined where nothing is left. A loop that stops when it
 * has enough: in a list of ten thousand sessions, replacing by pattern took as long as opening their files.
 */
export function titleFrom(text: string): string | undefined {
	const { length } = text;
	let made = '';
	/** What lies before it is in `made`. */
	let from = 0;
	/** Where there will be more than a title has room for. */
	let enough = longestTitle + 1;
	/** Whether the last character is a space, or none has come yet: white space then adds nothing. */
	let spaced = true;
	let at = 0;
	for (; at < length && (spaced || at < enough); at += 1) {
		const code = text.charCodeAt(at);
		if (!isSpace(code)) {
			spaced = false;
			continue;
		}
		if (spaced) {
			made += text.slice(from, at);
			from = at + 1;
			enough += 1;
		} else if (code !== space) {
			made += `${text.slice(from, at)} `;
			from = at + 1;
		}
		spaced = true;
	}
	made += text.slice(from, at);
	const end = spaced ? made.trimEnd().length : made.length;
	if (end === 0) return undefined;
	// Put together anew: a piece of a text would keep all of it in memory, for every session of the list.
	const title = end <= longestTitle ? ` ${made.slice(0, end)}` : ` ${made.slice(0, longestTitle - 1)}…`;
	return title.slice(1);
}
