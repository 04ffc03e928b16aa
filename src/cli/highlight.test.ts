/** Laws of coloured code. */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { createHighlighter } from './highlight.ts';

it('code keeps every character, and what nobody knows stays plain', async () => {
	const highlighter = createHighlighter();
	const code = 'export function parse(text: string) {\n    return text.split("\\n"); // naïve\n}';
	expect(highlighter.colour(code, 'ts')).toBe(code);
	await highlighter.prepare(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\n- \`\`\`nosuchlanguage\n  x\n  \`\`\``);
	const coloured = highlighter.colour(code, 'ts');
	expect(coloured).not.toBe(code);
	expect(stripVTControlCharacters(coloured)).toBe(code);
	expect(highlighter.colour(code, 'nosuchlanguage')).toBe(code);
	// The theme's own white would not be seen on a light ground.
	expect(coloured).not.toContain('230;237;243');
});
