/** Laws of coloured code. */
import { stripVTControlCharacters } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import { createHighlighter } from './highlight.ts';

afterEach(() => void vi.unstubAllEnvs());

it('code keeps every character, and what nobody knows stays plain', async () => {
	vi.stubEnv('NO_COLOR', '').stubEnv('FORCE_COLOR', '1');
	const highlighter = createHighlighter();
	const code = 'export function parse(text: string) {\n    return text.split("\\n"); // naïve\n}';
	expect(highlighter.colour(code, 'ts')).toBe(code);
	await highlighter.prepare(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\n- \`\`\`nosuchlanguage\n  x\n  \`\`\``);
	const coloured = highlighter.colour(code, 'ts');
	expect(coloured).not.toBe(code);
	expect(stripVTControlCharacters(coloured)).toBe(code);
	expect(highlighter.colour(code, 'nosuchlanguage')).toBe(code);
	// Colours of the theme would not all be seen on a light ground: those of the terminal are.
	expect(coloured).not.toContain('38;2;');
});

it('a language that is called like something every object has is one that nobody knows', async () => {
	vi.stubEnv('NO_COLOR', '').stubEnv('FORCE_COLOR', '1');
	const highlighter = createHighlighter();
	for (const name of ['constructor', 'toString', '__proto__']) {
		await highlighter.prepare(`\`\`\`${name}\nx\n\`\`\``);
		expect(highlighter.colour('x', name)).toBe('x');
	}
});
