/** ISO times of milliseconds, and whether a text is such a time. */
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
