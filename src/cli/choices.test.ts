/** Laws of the values that options of the command line take. */
import { expect, it } from 'vitest';
import { amount } from './choices.ts';

it('an amount in dollars is a number that limits something', () => {
	expect(['0.50', '5', '.5', '1e-7'].map(amount)).toEqual([0.5, 5, 0.5, 1e-7]);
	for (const given of ['Infinity', '1e400', '0x10', '0', '-1', '', ' ', '1,5', 'e', 'NaN'])
		expect(() => amount(given), given).toThrow('Use an amount in dollars');
});
