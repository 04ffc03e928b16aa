/** Times of lines: they come in order, so most are on the day of the one before, and need not be looked up in a calendar. */

const length = '2026-01-02T03:04:05.678Z'.length;
const upToDay = '2026-01-02T'.length;
const dayMs = 86_400_000;

/** The last day that was asked for: how its times begin, and when it does. */
let day = '?';
let start = 0;

/** What Date.parse gives. */
export function parseTime(text: string): number {
	const inside = millisToday(text);
	if (inside >= 0) return start + inside;
	const time = Date.parse(text);
	if (text.length === length && !Number.isNaN(time)) remember(time);
	return time;
}

/** True for what toISOString gives, on the day of the time that was parsed last. */
export function isTimeText(text: string): boolean {
	return millisToday(text) >= 0;
}

function millisToday(text: string): number {
	return text.length === length && text.startsWith(day) ? millisIn(text) : -1;
}

const padded = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** What toISOString gives. */
export function timeText(time: number): string {
	const inside = time - start;
	if (day === '?' || !(inside >= 0 && inside < dayMs) || !Number.isInteger(inside)) return remember(time);
	const millis = inside % 1000;
	const seconds = (inside - millis) / 1000;
	const minutes = Math.floor(seconds / 60);
	const clock = `${padded[Math.floor(minutes / 60)]}:${padded[minutes % 60]}:${padded[seconds % 60]}`;
	return `${day}${clock}.${millis < 100 ? '0' : ''}${millis < 100 ? padded[millis] : millis}Z`;
}

function remember(time: number): string {
	const text = new Date(time).toISOString();
	// Years of more than four digits are written in another way.
	if (text.length !== length) return text;
	day = text.slice(0, upToDay);
	start = Math.floor(time / dayMs) * dayMs;
	return text;
}

const zero = 0x30;
const colon = 0x3a;
const point = 0x2e;
const letterZ = 0x5a;

/** The milliseconds of `HH:MM:SS.mmmZ` at the end; negative for anything else. */
function millisIn(text: string): number {
	const hours = number(text, 11);
	const minutes = number(text, 14);
	const seconds = number(text, 17);
	const hundreds = digit(text, 20);
	const rest = number(text, 21);
	if (hours > 23 || minutes > 59 || seconds > 59 || hundreds > 9 || rest > 99) return -1;
	if (text.charCodeAt(13) !== colon || text.charCodeAt(16) !== colon) return -1;
	if (text.charCodeAt(19) !== point || text.charCodeAt(23) !== letterZ) return -1;
	return hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + hundreds * 100 + rest;
}

/** Of two digits; more than 99 for what is none. */
function number(text: string, at: number): number {
	const ones = digit(text, at + 1);
	return ones > 9 ? 100 : digit(text, at) * 10 + ones;
}

/** More than 9 for what is none. */
function digit(text: string, at: number): number {
	const value = text.charCodeAt(at) - zero;
	return value < 0 ? 10 : value;
}
