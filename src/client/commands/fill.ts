/** What a command's text becomes with the words behind its name: places filled in, commands and files found in it. */

export interface Filling {
	/** Everything that was written behind the name. */
	readonly args: string;
	readonly sessionId: string;
	/** The folder of a skill's own files. */
	readonly skillFolder?: string;
}

/** A part of the text: as it is, or a shell command whose output stands in its place. */
export type Part = { readonly text: string } | { readonly command: string };

/** Only at the beginning of a line or behind a blank: `` a!`b` `` is something else, in 2.1.325 too. */
const shell = /(?<=^|\s)!`([^`\n]+)`/gm;

/**
 * The parts in order. Commands are looked for in the text of the file alone: words behind the name may become a part of a
 * command that stands there, and of nothing else.
 */
export function filledParts(template: string, filling: Filling): readonly Part[] {
	const places = new Places(filling);
	const parts: Part[] = [];
	let from = 0;
	for (const found of template.matchAll(shell)) {
		parts.push({ text: places.fill(template.slice(from, found.index)) });
		parts.push({ command: places.fill(found[1] ?? '').trim() });
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
		return text.replaceAll(place, (whole: string, listed?: string, numbered?: string, variable?: string) => {
			if (variable === 'CLAUDE_SESSION_ID') return this.#filling.sessionId;
			if (variable !== undefined) return this.#filling.skillFolder ?? whole;
			const index = listed ?? numbered;
			const value = index === undefined ? this.#filling.args : this.#words[Number(index)];
			// A place that nothing was written for stays, as in 2.1.325: the text may be about a script that has such places.
			if (value === undefined) return whole;
			this.used = true;
			return value;
		});
	}
}

/** As a shell would split them: quotes keep blanks together. */
export function words(args: string): readonly string[] {
	const found = args.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+/gs);
	return [...found].map(([word]) =>
		word.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, (_, double?: string, single?: string, escaped?: string) =>
			double === undefined ? (single ?? escaped ?? '') : double.replaceAll(/\\(["\\$`])/g, '$1'),
		),
	);
}

const mention = /(?<=^|[\s(])@((?:\\ |[^\s@`'"<>()])+)/g;
const mostFiles = 20;

/** The files that a text names with an at sign, as they are written there. A mail address is none. */
export function mentionedFiles(text: string): readonly string[] {
	const found = [...text.matchAll(mention)].map(([, path = '']) =>
		path.replaceAll('\\ ', ' ').replace(/[.,;:!?]+$/, ''),
	);
	return [...new Set(found)].filter((path) => path !== '').slice(0, mostFiles);
}
