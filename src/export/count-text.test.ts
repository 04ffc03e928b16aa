/** Numbers read as the runtime would write them in English. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countText, dollarText } from './count-text.ts';

it('counts have commas where English puts them', () => {
	fc.assert(
		fc.property(fc.maxSafeNat(), (count) => {
			expect(countText(count)).toBe(count.toLocaleString('en'));
		}),
	);
});

it('dollars have two digits behind the point', () => {
	const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
	// Half cents are rounded by the digits shown or by the exact number: both are right.
	const isHalf = (sum: number) => /\.\d\d5$/.test(String(sum));
	const amounts = fc.double({ min: 0.005, max: 1e12, noNaN: true }).filter((sum) => !isHalf(sum));
	fc.assert(
		fc.property(amounts, (sum) => {
			expect(dollarText(sum)).toBe(`$${sum.toLocaleString('en', two)}`);
		}),
	);
	expect(dollarText(1234.5)).toBe('$1,234.50');
	expect(dollarText(0)).toBe('$0.00');
});

it('less than a cent is not nothing', () => {
	const amounts = fc.double({ min: Number.MIN_VALUE, max: 0.00499, noNaN: true });
	fc.assert(
		fc.property(amounts, (sum) => {
			expect(dollarText(sum)).toBe('<$0.01');
		}),
	);
});
