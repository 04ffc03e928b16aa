/** A file counts as only appended to exactly when it still begins with the same bytes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { memorySource } from '../model/index.ts';
import { loadSums } from './sum.ts';

const sums = await loadSums();

it('more at the end changes nothing, any other change does', () => {
	const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
	fc.assert(
		fc.property(
			bytes,
			fc.uint8Array({ maxLength: 50 }),
			fc.nat(299),
			fc.integer({ min: 1, max: 255 }),
			(old, more, at, by) => {
				const summing = sums.start();
				expect([...summing.through([old.subarray(0, at), old.subarray(at)])].length).toBe(2);
				const sum = summing.sum();
				const now = Buffer.concat([old, more]);
				expect(sums.stillBegins(memorySource(now), sum)).toBe(true);
				expect(sums.stillBegins(memorySource(old.subarray(0, -1)), sum)).toBe(false);
				const place = at % old.length;
				now[place] = (now[place] ?? 0) ^ by;
				expect(sums.stillBegins(memorySource(now), sum)).toBe(false);
			},
		),
		{ seed, numRuns: 300 },
	);
});

it('is XXH64 of all bytes, however they are cut', () => {
	const known: readonly (readonly [string, string])[] = [
		['', 'ef46db3751d8e999'],
		['a', 'd24ec4f1a98c6e5b'],
		['abc', '44bc2cf5ad770999'],
	];
	for (const [text, xxh64] of known) {
		expect(sums.of(memorySource(Buffer.from(text)))).toEqual({ length: text.length, xxh64 });
	}
});

it('a source that goes by need not be gone through again, unless some of it was not seen', () => {
	const bytes = Buffer.from('what somebody said, and somebody else');
	const told = (to: number): number => {
		let reads = 0;
		const source = {
			size: bytes.length,
			read: (at: number, length: number) => {
				reads += 1;
				return bytes.subarray(at, at + length);
			},
		};
		const passed = sums.start();
		passed.take(bytes.subarray(0, 9));
		passed.take(bytes.subarray(9, to));
		sums.settle(source, passed);
		expect(sums.of(source)).toEqual(sums.of(memorySource(bytes)));
		return reads;
	};
	expect(told(bytes.length)).toBe(0);
	expect(told(20)).toBe(1);
});
