/** Typographic quotes: models write straight ones for them, and mean the text that has the others. */

const left = { double: '“', single: '‘' } as const;
const right = { double: '”', single: '’' } as const;

/** The part of the text that is meant; undefined where there is none. */
export function asInFile(text: string, wanted: string): string | undefined {
	if (text.includes(wanted)) return wanted;
	const at = straight(text).indexOf(straight(wanted));
	return at === -1 ? undefined : text.slice(at, at + wanted.length);
}

/** One character for each, so that places in one text are places in the other. */
function straight(text: string): string {
	return text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'");
}

/** The new text with quotes of the kind that the file has where the old text was found by its quotes alone. */
export function withQuotesOf(found: string, wanted: string, after: string): string {
	if (found === wanted) return after;
	const double = /[“”]/.test(found) ? curly(after, '"', 'double') : after;
	return /[‘’]/.test(found) ? curly(double, "'", 'single') : double;
}

const opensAfter = /[\s([{\u2013\u2014]/;

function curly(text: string, quote: string, kind: keyof typeof left): string {
	const characters = [...text];
	return characters
		.map((character, index) => {
			if (character !== quote) return character;
			const before = characters[index - 1] ?? ' ';
			return opensAfter.test(before) ? left[kind] : right[kind];
		})
		.join('');
}
