/** Sentences for people: where their lines break on a terminal, the `reprise:` before messages on stderr, and how narrow a column may be. */
// On a terminal their lines end between words. In a pipe a line stays as long as it is: whoever reads it there
// may look for it as a whole.
import { textWidth } from './width.ts';
import { indent, wrap } from './wrap.ts';
import { print, tellPart } from './writer.ts';

/** What is too long goes on below its beginning. A path or a command that is longer than a line stays whole, so that it can be copied. */
export function prose(text: string, width: number | undefined): string {
	if (!width) return text;
	return text
		.split('\n')
		.map((line) => {
			const words = line.trimStart();
			const blanks = line.slice(0, line.length - words.length);
			return indent(wrap(words, width - textWidth(blanks), false), blanks, blanks);
		})
		.join('\n');
}

export function printProse(text: string): void {
	print(prose(text, process.stdout.columns));
}

/** What a user should know, whatever the answer is: on stderr, and it says who speaks. */
export function complain(message: string): void {
	tellProse(`reprise: ${message}`);
}

export function tellProse(text: string): void {
	tellPart(`${prose(text, process.stderr.columns)}\n`);
}

const narrowestColumn = 28;

/** A text in the column behind a name, or from the next line on where that column would be too narrow to read. */
export function inColumn(name: string, text: string, width: number): string {
	const left = textWidth(name);
	if (width - left >= narrowestColumn) return indent(wrap(text, width - left, false), name, ' '.repeat(left));
	const blanks = ' '.repeat(name.length - name.trimStart().length + 4);
	return indent(wrap(name.trimStart() + text, width - blanks.length, false), blanks.slice(4), blanks);
}
