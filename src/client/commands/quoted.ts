/** Puts words that somebody typed into a shell command that somebody else wrote: each stays one word, and none becomes a command. */

/** Nothing that a shell would read as more than letters of a word, wherever it stands. */
const plain = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** A command that reads its words as a command once more: no quotes would hold. */
const readsAgain = /(?:^|[\s;&|(])(?:\S*\/)?(?:eval|source|trap|ssh|su|[a-z]{0,2}sh)\s/;

/** The words as they may stand behind `before` in this command; undefined where no quotes would be sure to hold them. */
export function quotedWords(words: readonly string[], before: string, command: string): string | undefined {
	if (words.every((word) => plain.test(word))) return words.join(' ');
	const place = readsAgain.test(command) ? undefined : quotesAt(before);
	if (place === undefined) return undefined;
	if (place === '') return words.map(quoted).join(' ');
	// The quotes around the place are closed, and opened again behind what is quoted by itself.
	return `${place}${quoted(words.join(' '))}${place}`;
}

function quoted(word: string): string {
	return plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

type Quotes = '' | "'" | '"';

/** The quotes that are open at the end of this beginning of a command; undefined where that takes more than counting them. */
function quotesAt(before: string): Quotes | undefined {
	// Here-documents, expansions with texts in them, other quotes and comments have rules of their own.
	if (/<<|\$\{|\$\(\(|\$['"]|(^|\s)#/.test(before)) return undefined;
	const open: Quotes[] = [''];
	for (let at = 0; at < before.length; at++) {
		const sign = before.charAt(at);
		const inside = open.at(-1);
		if (inside === "'") {
			if (sign === "'") open.pop();
		} else if (sign === '\\') at++;
		else if (sign === '"') inside === '"' ? open.pop() : open.push('"');
		else if (sign === "'" && inside === '') open.push("'");
		else if (sign === '(' && (inside === '' || before.charAt(at - 1) === '$')) open.push('');
		else if (sign === ')' && inside === '' && open.length > 1) open.pop();
	}
	return open.at(-1);
}
