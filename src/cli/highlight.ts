/** Colours for code in the terminal, by the same grammars as everywhere else. Loaded only when a person looks at code. */
import type { BundledLanguage, ThemedToken } from 'shiki';

const theme = 'github-dark-default';

/** A function that colours code of these languages; a language nobody knows stays plain. */
export async function highlighter(languages: Iterable<string>): Promise<(code: string, language: string) => string> {
	const { bundledLanguages, createHighlighter, createJavaScriptRegexEngine } = await import('shiki');
	const known = [...new Set(languages)].filter((name): name is BundledLanguage => name in bundledLanguages);
	const shiki = await createHighlighter({
		themes: [theme],
		langs: known,
		engine: createJavaScriptRegexEngine({ forgiving: true }),
	});
	return (code, language) => {
		if (!known.includes(language as BundledLanguage)) return code;
		const { tokens } = shiki.codeToTokens(code, { lang: language as BundledLanguage, theme });
		return tokens.map((line) => line.map(coloured).join('')).join('\n');
	};
}

function coloured({ content, color }: ThemedToken): string {
	const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(color ?? '');
	if (!parts) return content;
	const [red, green, blue] = parts.slice(1).map((part) => Number.parseInt(part, 16));
	return `\u001b[38;2;${red};${green};${blue}m${content}\u001b[39m`;
}

/** The languages of the fenced code in a text. */
export function* fencedLanguages(text: string): Iterable<string> {
	for (const match of text.matchAll(/^ {0,3}(?:`{3,}|~{3,})([\w+-]+)/gm)) yield match[1] as string;
}
