/** HTML as Markdown, for a model to read. */
import { htmlToMarkdown } from '@mdream/js';

export function markdownOf(html: string): string {
	return htmlToMarkdown(html, {
		clean: { emptyLinks: true, emptyLinkText: true, emptyImages: true },
		plugins: {
			// Without it, the title would run into the first words of the page.
			tagOverrides: { title: 'h1' },
			// What they hold are labels of drawings and choices, which read like words of the text.
			filter: { exclude: ['svg', 'select', 'object'] },
		},
	});
}
