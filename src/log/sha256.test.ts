/** A sum that was kept is never told for other bytes. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256Of } from './sha256.ts';

const sum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('a sum is that of the bytes, whatever was summed before', () => {
	for (const size of [0, 10, 100_000]) {
		const one = Buffer.alloc(size, 'a');
		const other = Buffer.from(one);
		if (size > 0) other[size - 1] = 1;
		const longer = Buffer.concat([one, Buffer.from('b')]);
		for (const bytes of [one, Buffer.from(one), other, one, longer, one, other, other])
			expect(sha256Of(bytes)).toBe(sum(bytes));
		const parts = [one.subarray(0, size / 2), Buffer.from('between'), one.subarray(size / 2)];
		expect(sha256Of(...parts)).toBe(sum(Buffer.concat(parts)));
		expect(sha256Of(Buffer.concat(parts))).toBe(sum(Buffer.concat(parts)));
		for (const bytes of [one, longer, Buffer.concat([...parts, Buffer.from('b')])]) {
			sha256Of(...parts);
			expect(sha256Of(bytes)).toBe(sum(bytes));
		}
	}
});
