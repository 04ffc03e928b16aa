/** Times of lines: they come in order, so most are in the minute of the one before, and need not be looked up in a calendar. */

const length = '2026-01-02T03:04:05.678Z'.length;
const upToMinute = '2026-01-02T03:04:'.length;
const minuteMs = 60_000;

/** The last minute that was asked for: how its times begin, and when it does. */
let minute = '?';
let start = 0;

/** What Date.parse gives. */
export function parseTime(text: string): number {
	if (text.length === length && text.startsWith(minute)) {
		const inside = millisIn(text);
		if (inside >= 0) return start + inside;
	}
	const time = Date.parse(text);
	if (text.length === length && !Number.isNaN(time)) remember(time);
	return time;
}

/** What toISOString gives. */
export function timeText(time: number): string {
	const inside = time - start;
	if (minute === '?' || !(inside >= 0 && inside < minuteMs) || !Number.isInteger(inside)) return remember(time);
	const seconds = Math.floor(inside / 1000);
	const millis = inside - seconds * 1000;
	return `${minute}${seconds < 10 ? '0' : ''}${seconds}.${millis < 10 ? '00' : millis < 100 ? '0' : ''}${millis}Z`;
}

function remember(time: number): string {
	const text = new Date(time).toISOString();
	// Years of more than four digits are written in another way.
	if (text.length !== length) return text;
	minute = text.slice(0, upToMinute);
	start = Math.floor(time / minuteMs) * minuteMs;
	return text;
}

const zero = 0x30;

/** The milliseconds of `SS.mmmZ` at the end; negative for anything else. */
function millisIn(text: string): number {
	const tens = digit(text, upToMinute);
	const ones = digit(text, upToMinute + 1);
	if (tens > 5 || text[upToMinute + 2] !== '.' || text[length - 1] !== 'Z') return -1;
	const a = digit(text, length - 4);
	const b = digit(text, length - 3);
	const c = digit(text, length - 2);
	return Math.max(ones, a, b, c) > 9 ? -1 : tens * 10_000 + ones * 1000 + a * 100 + b * 10 + c;
}

/** More than 9 for what is none. */
function digit(text: string, at: number): number {
	const value = text.charCodeAt(at) - zero;
	return value < 0 ? 10 : value;
}
