/** Laws of text in a terminal. */
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it, vi } from 'vitest';
import { folded, harmless } from './terminal-text.ts';
import { narrowSigns, wideSigns, wrap } from './wrap.ts';
import { paint } from './writer.ts';

vi.stubEnv('FORCE_COLOR', '1');
vi.stubEnv('NO_COLOR', '');
const coloured = paint('bold', '|').split('|');

const word = fc.oneof(
	fc.string({ unit: fc.constantFrom(...'abcxyz/.-()') }),
	fc.string({ unit: fc.constantFrom(...'проверить') }),
	fc.string({ unit: fc.constantFrom(...'的一是在、。カナ한국어') }),
	fc.string({ unit: fc.constantFrom('e\u0301', '👨‍👩‍👧', '🚀', '…', 'ﾊﾟ', ...coloured) }),
);
const text = fc.array(fc.tuple(word, fc.constantFrom(' ', '  ', '\n', '\t'))).map((parts) => parts.flat().join(''));

describe('wrapped text', () => {
	it('keeps to its width and loses nothing but spaces', () => {
		fc.assert(
			fc.property(text, fc.integer({ min: 20, max: 100 }), (one, width) => {
				const wrapped = wrap(one, width);
				for (const line of wrapped.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
				const signs = (of: string) => stripVTControlCharacters(of).replace(/\s/g, '').normalize();
				expect(signs(wrapped)).toBe(signs(one));
			}),
		);
	});

	it('measures the signs that it does not ask the library about as the library does', () => {
		const signs = (ranges: string) => {
			const one = new RegExp(`^[${ranges}]$`);
			return Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((sign) => one.test(sign));
		};
		for (const sign of signs(narrowSigns)) expect(stringWidth(`x${sign}x`), sign.charCodeAt(0).toString(16)).toBe(3);
		for (const sign of signs(wideSigns)) expect(stringWidth(`x${sign}x`), sign.charCodeAt(0).toString(16)).toBe(4);
	});

	it('breaks at spaces, and in the midst of a word only where it is longer than a line', () => {
		expect(wrap('one two three four five', 20)).toBe('one two three four\nfive');
		expect(wrap(`  indented ${'x'.repeat(30)}`, 20)).toBe(`  indented\n${'x'.repeat(20)}\n${'x'.repeat(10)}`);
		expect(wrap('的'.repeat(15), 20)).toBe(`${'的'.repeat(10)}\n${'的'.repeat(5)}`);
	});
});

describe('folded text', () => {
	it('has its first lines and says how many are missing', () => {
		const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
		expect(folded(lines.join('\n'), 80, 5)).toBe(
			[...lines.slice(0, 5), '… 25 more lines (--full shows them)'].join('\n'),
		);
		expect(folded(lines.slice(0, 6).join('\n'), 80, 5)).toBe(lines.slice(0, 6).join('\n'));
		expect(folded(lines.join('\n'), 80, Number.POSITIVE_INFINITY)).toBe(lines.join('\n'));
	});

	it('of a line of megabytes is made at once', () => {
		const before = performance.now();
		expect(folded('x'.repeat(5e7), 80, 5)).toMatch(/^(x{80}\n){5}… \S+ more lines/);
		expect(performance.now() - before).toBeLessThan(1000);
	});
});

describe('a foreign text', () => {
	it('cannot move the cursor, colour the screen or turn the direction of writing', () => {
		expect(harmless('\u001b[31mred\u001b[0m \u001b]0;title\u0007x\u001b[2J\u202eabc\u0008')).toBe(
			String.raw`red \x1b]0;title\x07x\x1b[2J\u202eabc\x08`,
		);
		fc.assert(
			fc.property(
				fc.string({ unit: fc.constantFrom('\u001b', '[', '2', 'J', ']', '\u0007', '\r', '\n', 'a', '\u009b') }),
				(one) => {
					// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left.
					expect(harmless(one)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
				},
			),
		);
	});

	it('that wrote over its line shows what one would see, and that it did', () => {
		expect(harmless('10 %\r50 %\r100 %\r\nnext\r\n')).toBe('…\\x0d100 %\nnext\n');
	});

	it('keeps the joiners of emoji and scripts', () => {
		expect(harmless('👨‍👩‍👧 می‌خواهم')).toBe('👨‍👩‍👧 می‌خواهم');
	});
});
