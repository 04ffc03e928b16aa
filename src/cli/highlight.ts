/** Colours for code in the terminal, by the same grammars as everywhere else. Loaded only when a person looks at code. */
import type { BundledLanguage, ThemedToken } from 'shiki';

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
				if (name in shiki.bundledLanguages) await shiki.highlighter.loadLanguage(name as BundledLanguage);
				ready.add(name);
			}
		},
		colour(code, language) {
			if (!shiki || !ready.has(language) || !(language in shiki.bundledLanguages)) return code;
			const { tokens, fg } = shiki.highlighter.codeToTokens(code, { lang: language as BundledLanguage, theme });
			return tokens.map((line) => line.map((token) => coloured(token, fg)).join('')).join('\n');
		},
	};
}

async function loadShiki() {
	const { bundledLanguages, createHighlighter: create, createJavaScriptRegexEngine } = await import('shiki');
	const engine = createJavaScriptRegexEngine({ forgiving: true });
	return { bundledLanguages, highlighter: await create({ themes: [theme], langs: [], engine }) };
}

/** Plain text keeps the terminal's own colour: the theme's would not be seen on a light ground. */
function coloured({ content, color }: ThemedToken, plain: string | undefined): string {
	const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(color ?? '');
	if (!parts || color?.toLowerCase() === plain?.toLowerCase()) return content;
	const [red, green, blue] = parts.slice(1).map((part) => Number.parseInt(part, 16));
	return `\u001b[38;2;${red};${green};${blue}m${content}\u001b[39m`;
}

function* fencedLanguages(text: string): Iterable<string> {
	for (const match of text.matchAll(/^[ >\t]*(?:[-*+] |\d+[.)] )?(?:`{3,}|~{3,})([\w+-]+)/gm)) yield match[1] as string;
}
