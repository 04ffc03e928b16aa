/** Titles from prompts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleFrom } from './title.ts';

/** `titleFrom` written plainly, by patterns. */
function plainly(text: string): string | undefined {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line === '') return undefined;
	return line.length <= 120 ? line : `${line.slice(0, 119)}…`;
}

describe('the title of a prompt', () => {
	it('is its text on one line, cut where it is too long', () => {
		expect(titleFrom('  paint\n\n\tthe  shed ')).toBe('paint the shed');
		expect(titleFrom('x'.repeat(120))).toBe('x'.repeat(120));
		expect(titleFrom(`${'x'.repeat(120)} \n `)).toBe('x'.repeat(120));
		expect(titleFrom('x'.repeat(121))).toBe(`${'x'.repeat(119)}…`);
		expect(titleFrom(' \n ')).toBeUndefined();
	});

	it('is what patterns make of it, whatever white space there is', () => {
		const spaces = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((c) => /\s/.test(c));
		for (const each of spaces) expect(titleFrom(`${each}a${each}${each}b${each}`)).toBe('a b');
		const piece = fc.oneof(
			fc.constantFrom(' ', '  ', '\n', ...spaces),
			fc.string({ unit: 'binary', maxLength: 12 }),
			fc.stringMatching(/^[a-z]{0,60}$/),
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
				const text = pieces.join('');
				expect(titleFrom(text)).toBe(plainly(text));
			}),
			{ numRuns: 500 },
		);
	});
});
