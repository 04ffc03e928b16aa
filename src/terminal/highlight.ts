/** Colours of code in the terminal: which token has which colour, and that code in a language nobody knows stays plain. Loaded only when a person looks at code. */
import type { BundledLanguage, ThemedToken } from 'shiki';
import { paint, type Style } from './print.ts';

const theme = 'github-dark-default';

export interface Highlighter {
	/** Loads what the fenced code in a text needs. */
	prepare(text: string): Promise<void>;
	/** Code in a language that was not loaded, or that nobody knows, stays plain. */
	colour(code: string, language: string): string;
}

type Shiki = Awaited<ReturnType<typeof loadShiki>>;

export function createHighlighter(): Highlighter {
	const ready = new Set<string>();
	let shiki: Shiki | undefined;
	return {
		async prepare(text) {
			const wanted = [...new Set(fencedLanguages(text))].filter((name) => !ready.has(name));
			if (wanted.length === 0) return;
			shiki ??= await loadShiki();
			for (const name of wanted) {
				if (Object.hasOwn(shiki.bundledLanguages, name)) await shiki.highlighter.loadLanguage(name as BundledLanguage);
				ready.add(name);
			}
		},
		colour(code, language) {
			if (!shiki || !ready.has(language) || !Object.hasOwn(shiki.bundledLanguages, language)) return code;
			const { tokens } = shiki.highlighter.codeToTokens(code, { lang: language as BundledLanguage, theme });
			return tokens.map((line) => line.map(coloured).join('')).join('\n');
		},
	};
}

async function loadShiki() {
	const { bundledLanguages, createHighlighter: create, createJavaScriptRegexEngine } = await import('shiki');
	const engine = createJavaScriptRegexEngine({ forgiving: true });
	return { bundledLanguages, highlighter: await create({ themes: [theme], langs: [], engine }) };
}

/**
 * The theme's colours by what it gives them to, as colours of the terminal: those its user has chosen to be seen on whatever
 * ground, which the theme's own would not be on a light one. Names stay plain.
 */
const ofTheme: { readonly [colour: string]: Style } = {
	'#8b949e': 'dim', // comments
	'#ff7b72': 'magenta', // keywords
	'#a5d6ff': 'green', // texts
	'#7ee787': 'green', // tags
	'#79c0ff': 'cyan', // constants
	'#d2a8ff': 'blue', // functions
};

function coloured({ content, color }: ThemedToken): string {
	const style = ofTheme[color?.toLowerCase() ?? ''];
	return style === undefined || content.trim() === '' ? content : paint(style, content);
}

function* fencedLanguages(text: string): Iterable<string> {
	for (const match of text.matchAll(/^[ >\t]*(?:[-*+] |\d+[.)] )?(?:`{3,}|~{3,})([\w+-]+)/gm)) yield match[1] as string;
}
