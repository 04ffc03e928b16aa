/** A foreign text in Markdown within a question: drawn as such, and before every row the mark that no row of ours has. */
import { mark, questionWidth, visible } from './question-frame.ts';
import { markdownText } from './terminal-markdown.ts';
import { widestText } from './width.ts';
import { wrap } from './wrap.ts';

/** Comments of HTML, which a browser would hide, are shown as they were written. */
export function framedMarkdown(text: string, columns = questionWidth()): string[] {
	// The last column stays empty: some terminals break a line that fills it.
	const width = Math.max(2, Math.min(widestText, columns - mark.length - 1));
	return markdownText(visible(text), { width })
		.split('\n')
		.flatMap((line) => wrap(line, width).split('\n'))
		.map((row) => (mark + row).trimEnd());
}
