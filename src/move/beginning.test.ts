/** A file is taken for one that was only added to exactly when it still begins with the same bytes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { memorySource } from '../model/index.ts';
import { Beginning, stillBegins } from './beginning.ts';

it('more at the end changes nothing, any other change does', () => {
	const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
	fc.assert(
		fc.property(
			bytes,
			fc.uint8Array({ maxLength: 50 }),
			fc.nat(299),
			fc.integer({ min: 1, max: 255 }),
			(old, more, at, by) => {
				const sum = new Beginning();
				expect([...sum.through([old.subarray(0, at), old.subarray(at)])].length).toBe(2);
				const now = Buffer.concat([old, more]);
				expect(stillBegins(memorySource(now), sum)).toBe(true);
				expect(stillBegins(memorySource(old.subarray(0, -1)), sum)).toBe(false);
				const place = at % old.length;
				now[place] = (now[place] ?? 0) ^ by;
				expect(stillBegins(memorySource(now), sum)).toBe(false);
			},
		),
		{ seed, numRuns: 300 },
	);
});
