/** Widths are those of the library, with and without it. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { textWidth } from './width.ts';

it('every text is as wide as the library says', () => {
	const text = fc.oneof(
		fc.string(),
		fc.string({ unit: 'binary' }),
		fc.string({
			unit: fc.constantFrom(
				'a',
				' ',
				'日',
				'😀',
				'é',
				'\u0301',
				'\t',
				'\u001b[31m',
				'\u001b[0m',
				'\u200b',
				'~',
				'\u007f',
			),
		}),
	);
	fc.assert(
		fc.property(text, (some) => {
			expect(textWidth(some)).toBe(stringWidth(some));
		}),
		{ seed, numRuns: 2000 },
	);
});
