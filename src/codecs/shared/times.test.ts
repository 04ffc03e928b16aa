/** What counts as a time that a client wrote. */
import { expect, it } from 'vitest';
import { isTimeText } from './times.ts';

it.each(['2026-01-02T03:04:05.678Z', '1970-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'])('%s is one', (text) => {
	expect(isTimeText(text)).toBe(true);
});

it.each([
	'',
	'2026-01-02',
	'2026-01-02T03:04:05Z',
	'2026-01-02T03:04:05.678+00:00',
	'2026-01-01T24:00:00.000Z',
	'2023-02-29T00:00:00.000Z',
	'+012026-01-02T03:04:05.678Z',
	'2026-01-02T03:04:05.678é',
])('%j is none', (text) => {
	expect(isTimeText(text)).toBe(false);
});
