/** Markdown that is drawn on a terminal, of any length and nesting. */
import { expect, it } from 'vitest';
import { markdownText } from './terminal-markdown.ts';

it('a text that the parser has no stack for is shown as it stands', () => {
	const long = 'word '.repeat(1_800_000);
	expect(markdownText(long, { width: 80 }).split('\n')).toHaveLength(112_500);
	expect(markdownText(`${'>'.repeat(100_000)} deep`, { width: 80 })).toContain('deep');
});
