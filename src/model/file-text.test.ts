/** Texts of files. */
import { expect, test } from 'vitest';
import { withoutTrailingBlanks } from './file-text.ts';

test('blanks at line ends go, blanks inside lines and in Markdown stay', () => {
	expect(withoutTrailingBlanks('a \t\r\n  b  c \n\n \rd  ', 'x.ts')).toBe('a\r\n  b  c\n\n\rd');
	expect(withoutTrailingBlanks('a  \nb', 'x.md')).toBe('a  \nb');
});

test('a long run of blanks inside a line is looked through once', () => {
	const text = `x${' '.repeat(500_000)}y`;
	expect(withoutTrailingBlanks(text, 'x.ts')).toBe(text);
});
