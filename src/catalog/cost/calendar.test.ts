/** Days, weeks and months of the user's time zone. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayOf, monthOf, periodOf, weekOf } from './calendar.ts';

it('a day is the one on the user’s own calendar', () => {
	fc.assert(
		fc.property(fc.date({ min: new Date(2000, 0, 1), max: new Date(2090, 0, 1), noInvalidDate: true }), (date) => {
			const day = dayOf(date.getTime());
			const period = periodOf(day);
			expect(period !== undefined && period.from <= date.getTime() && date.getTime() < period.to).toBe(true);
			expect(day.startsWith(monthOf(date.getTime()))).toBe(true);
		}),
	);
});

it('weeks begin on Monday, and the first of a year has its first Thursday', () => {
	const week = (year: number, month: number, date: number) => weekOf(new Date(year, month - 1, date, 12).getTime());
	expect([week(2026, 1, 1), week(2025, 12, 29), week(2025, 12, 28), week(2027, 1, 3), week(2027, 1, 4)]).toEqual([
		'2026-W01',
		'2026-W01',
		'2025-W52',
		'2026-W53',
		'2027-W01',
	]);
});

it('periods are days, months, or so long ago; anything else is refused', () => {
	const now = new Date(2026, 2, 9, 15);
	const from = (text: string) => {
		const period = periodOf(text, now);
		return period && dayOf(period.from);
	};
	expect(from('today')).toBe('2026-03-09');
	expect(from('yesterday')).toBe('2026-03-08');
	expect(from('7d')).toBe('2026-03-02');
	expect(from('2w')).toBe('2026-02-23');
	expect(from('1m')).toBe('2026-02-09');
	expect(from('2026-02')).toBe('2026-02-01');
	expect([from('2026-02-30'), from('2026-13'), from('soon'), from('')]).toEqual([
		undefined,
		undefined,
		undefined,
		undefined,
	]);
});

it('months ago are counted in months, also where the earlier one is shorter', () => {
	const from = (text: string, now: Date) => dayOf(periodOf(text, now)?.from ?? 0);
	expect(from('1m', new Date(2026, 2, 31))).toBe('2026-02-28');
	expect(from('3m', new Date(2026, 4, 31))).toBe('2026-02-28');
	expect(from('1m', new Date(2024, 2, 30))).toBe('2024-02-29');
	expect(from('12m', new Date(2026, 0, 31))).toBe('2025-01-31');
});
