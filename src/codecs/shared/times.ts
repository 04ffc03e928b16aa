/** ISO times of milliseconds, whether a text is such a time, and between which years (0 to 9999) a time can be written on from. */
import type { Json } from '../../model/index.ts';

/** The furthest date from 1970 that exists, in milliseconds. */
const furthest = 8.64e15;

/** ISO 8601 for milliseconds since 1970; undefined for anything else. */
export function isoTime(milliseconds: Json | undefined): string | undefined {
	if (typeof milliseconds !== 'number' || !(Math.abs(milliseconds) <= furthest)) return undefined;
	return new Date(milliseconds).toISOString();
}

/** True for a text as `toISOString` gives it, in years of four digits. */
export function isTimeText(text: string): boolean {
	const time = text.length === '2026-01-02T03:04:05.678Z'.length ? Date.parse(text) : Number.NaN;
	return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

const firstYear = Date.parse('0000-01-01T00:00:00.000Z');
const lastYear = Date.parse('9999-12-31T00:00:00.000Z');

/** Milliseconds of a time in years of four digits; NaN for anything else. Behind the last date that exists none could follow. */
export function writtenTime(text: string | undefined): number {
	const time = text === undefined ? Number.NaN : Date.parse(text);
	return time >= firstYear && time <= lastYear ? time : Number.NaN;
}
