/** Times are what the calendar says, whatever was asked before. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seed } from '../../../test/support/mutate.ts';
import { isTimeText, parseTime, timeText } from './times.ts';

const near = 1_767_312_000_000;
const time = fc.oneof(
	fc.integer({ min: near, max: near + 200_000 }),
	fc.integer({ min: near, max: near + 3 * 86_400_000 }),
	fc.integer({ min: -8.64e15, max: 8.64e15 }),
	fc.integer({ min: -70_000, max: 70_000 }),
);
const iso = time.map((at) => new Date(at).toISOString());
/** Nearly a time: one character is another. */
const damaged = fc
	.tuple(iso, fc.nat(30), fc.constantFrom('0', '6', '9', ':', '/', ' ', 'Z', '+', 'é'))
	.map(([text, at, character]) => text.slice(0, at) + character + text.slice(at + 1));
const other = fc.constantFrom(
	'',
	'?',
	'2026-01-02',
	'2026-01-01T24:00:00.000Z',
	'2026-01-01T24:00:01.000Z',
	'?'.repeat(24),
);

it('a text is the time that Date.parse sees in it', () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(iso, damaged, other), { maxLength: 20 }), (texts) => {
			for (const text of texts) {
				const parsed = parseTime(text);
				expect([text, parsed]).toEqual([text, Date.parse(text)]);
				const usual = text.length === 24 && !Number.isNaN(parsed) && new Date(parsed).toISOString() === text;
				expect([text, isTimeText(text)]).toEqual([text, usual]);
			}
		}),
		{ seed, numRuns: 2000 },
	);
});

it('a time is the text that toISOString makes of it', () => {
	fc.assert(
		fc.property(fc.array(time, { maxLength: 20 }), (times) => {
			for (const at of times) {
				expect(timeText(at)).toBe(new Date(at).toISOString());
				parseTime(new Date(at).toISOString());
			}
		}),
		{ seed, numRuns: 1000 },
	);
});
