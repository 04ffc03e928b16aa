/** Times that somebody else wrote, which may be anything. */
import { expect, test } from 'vitest';
import { writtenTime } from './times.ts';
import { uuidOf } from './write/new-id.ts';

const last = new Date(8.64e15);

test('only times in years of four digits are written on from', () => {
	expect(writtenTime('2026-01-01T00:00:00.000Z')).toBe(Date.UTC(2026));
	for (const text of [
		last.toISOString(),
		'+010000-01-01T00:00:00.000Z',
		'-000001-01-01T00:00:00.000Z',
		'soon',
		undefined,
	])
		expect(writtenTime(text)).toBeNaN();
});

test('an id is made of any time, however far away', () => {
	const random = new Uint8Array(16).fill(7);
	expect(uuidOf(random, 7, last)).toMatch(/^ffffffff-ffff-7/);
	expect(uuidOf(random, 7, new Date(-8.64e15))).toMatch(/^00000000-0000-7/);
});
