/** Times as clients write them. */

/** True for what `toISOString` gives, in years of four digits. */
export function isTimeText(text: string): boolean {
	const time = text.length === '2026-01-02T03:04:05.678Z'.length ? Date.parse(text) : Number.NaN;
	return !Number.isNaN(time) && new Date(time).toISOString() === text;
}
