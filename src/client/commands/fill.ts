/** What the text of a command from a file becomes with the words behind its name: places filled in, commands and files found in it. */

import { quotedWords } from './quoted.ts';

export interface Filling {
	/** Everything that was written behind the name. */
	readonly args: string;
	readonly sessionId: string;
	/** The folder of a skill's own files. */
	readonly skillFolder?: string;
}

/** A part of the text: as it is, a shell command whose output stands in its place, or one that these words cannot be put into. */
export type Part = { readonly text: string } | { readonly command: string } | { readonly refused: string };

/** Only at the beginning of a line or behind a blank: `` a!`b` `` is something else, in 2.1.325 too. */
const shell = /(?<=^|\s)!`([^`\n]+)`/gm;

/**
 * The parts in order. Commands are looked for in the text of the file alone: words behind the name may become a part of a
 * command that stands there, each as one word of it, and of nothing else.
 */
export function filledParts(template: string, filling: Filling): readonly Part[] {
	const places = new Places(filling);
	const parts: Part[] = [];
	let from = 0;
	for (const found of template.matchAll(shell)) {
		parts.push({ text: places.fill(template.slice(from, found.index)) });
		parts.push(places.command(found[1] ?? ''));
		from = found.index + found[0].length;
	}
	parts.push({ text: places.fill(template.slice(from)) });
	if (!places.used && filling.args !== '') parts.push({ text: `\n\nARGUMENTS: ${filling.args}` });
	return parts;
}

const place = /\$ARGUMENTS(?:\[(\d{1,3})\])?|\$(\d{1,3})(?!\w)|\$\{(CLAUDE_SESSION_ID|CLAUDE_SKILL_DIR)\}/g;

class Places {
	readonly #filling: Filling;
	readonly #words: readonly string[];
	/** A word, or all of them, found a place. */
	used = false;

	constructor(filling: Filling) {
		this.#filling = filling;
		this.#words = words(filling.args);
	}

	fill(text: string): string {
		return this.#filled(text, (words, all) => all ?? words[0]);
	}

	/** A command with the words in it: whatever they are, the shell reads each of them as one word. */
	command(text: string): Part {
		let refused = false;
		const command = this.#filled(text, (words, _, at) => {
			const safe = quotedWords(words, text.slice(0, at), text);
			refused ||= safe === undefined;
			return safe;
		});
		return refused ? { refused: text.trim() } : { command: command.trim() };
	}

	/** `give` gets the words for a place, all that was written where all of it is meant, and where the place is. */
	#filled(text: string, give: (words: readonly string[], all: string | undefined, at: number) => string | undefined) {
		return text.replaceAll(place, (whole: string, ...found: readonly unknown[]) => {
			const [listed, numbered, variable, at] = found as [string?, string?, string?, number?];
			if (variable === 'CLAUDE_SESSION_ID') return this.#filling.sessionId;
			if (variable !== undefined) return this.#filling.skillFolder ?? whole;
			const index = listed ?? numbered;
			const { args } = this.#filling;
			const words = index === undefined ? this.#words : this.#words.slice(Number(index), Number(index) + 1);
			// A place that nothing was written for stays, as in 2.1.325: the text may be about a script that has such places.
			if (index !== undefined && words.length === 0) return whole;
			this.used = true;
			return give(words, index === undefined ? args : undefined, at ?? 0) ?? whole;
		});
	}
}

/** As a shell would split them: quotes keep blanks together. */
export function words(args: string): readonly string[] {
	const found = args.matchAll(/(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*'|\\.|[^\s"'\\]+|["'\\])+/gs);
	return [...found].map(([word]) =>
		word.replaceAll(
			/"([^"\\]*(?:\\.[^"\\]*)*)"|'([^']*)'|\\(.)/gs,
			(_, double?: string, single?: string, escaped?: string) =>
				double === undefined ? (single ?? escaped ?? '') : double.replaceAll(/\\(["\\$`])/g, '$1'),
		),
	);
}

/**
 * Nothing longer is the name of a file. The patterns repeat by runs of letters, and not more often than this: the engine remembers every
 * repetition of a group, and one for each letter of a prompt of 10 MB is more than it has room for.
 */
const longestName = 4096;
const mention = /(?<=^|[\s(])@((?:[^\s@`'"<>()\\]+|\\[^\w\r\n]?){1,4096})/g;

/** The files that a text names with an at sign. A mail address is none; what would end a name has a backslash before it. */
export function mentionedFiles(text: string): readonly string[] {
	const found = matches(text, mention).map(([, path = '']) =>
		path.replaceAll(/\\([^\w\r\n])|[.,;:!?]+$/g, (_, sign = '') => sign),
	);
	return [...new Set(found)].filter((path) => path !== '');
}

/** The file as a text names it. A name of several lines cannot be written so. */
export function mentionOf(path: string): string {
	return `@${path.replaceAll(/[\s@`'"<>()\\]|[.,;:!?](?=[.,;:!?]*$)/g, '\\$&')}`;
}

/** A path in quotes, or one in which blanks are escaped, as terminals write the name of a file that is dropped on them. */
const paths = /(?<![^\s(])(?:'([^'\n]+)'|"([^"\n]+)")(?=$|[\s,.;:!?)])|((?:[^\s\\'"]+|\\.){1,4096})/g;

/** The pictures that a text names, with or without an at sign. Taking the path out of the text takes the picture away. */
export function namedPictures(text: string, isPicture: (name: string) => boolean): readonly string[] {
	const found = matches(text, paths).map(
		([, single, double, bare = '']) =>
			single ?? double ?? bare.replace(/^[(@]+|[.,;:!?)]+$/g, '').replaceAll(/\\(.)/g, '$1'),
	);
	return [...new Set(found)].filter(isPicture);
}

function matches(text: string, names: RegExp): readonly RegExpExecArray[] {
	return [...text.matchAll(names)].filter(([whole]) => whole.length <= longestName);
}
