/** Days, weeks and months in the user's time zone: when a week begins, and which words name a period (`today`, `7d`, `2w`, `3m`, `2026-03`). */

/** A time's day, as `2026-03-09`. */
export function dayOf(time: number): string {
	const date = new Date(time);
	return `${monthText(date)}-${two(date.getDate())}`;
}

/** A time of day, as `14:05` or `14:05:09`. */
export function clockOf(time: number, seconds = false): string {
	const date = new Date(time);
	const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
	return seconds ? `${minutes}:${two(date.getSeconds())}` : minutes;
}

/** A time's month, as `2026-03`. */
export function monthOf(time: number): string {
	return monthText(new Date(time));
}

/** A time's week, as `2026-W11`: weeks begin on Monday, and a year's first week has its first Thursday. */
export function weekOf(time: number): string {
	const date = new Date(time);
	const thursday = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 3 - ((date.getDay() + 6) % 7), 12);
	const newYear = Date.UTC(thursday.getFullYear(), 0, 1);
	const days = (Date.UTC(thursday.getFullYear(), thursday.getMonth(), thursday.getDate()) - newYear) / dayMs;
	const week = 1 + Math.floor(days / 7);
	return `${thursday.getFullYear()}-W${two(week)}`;
}

/** A day in universal time, where all days have 24 hours. */
const dayMs = 24 * 3_600_000;

function monthText(date: Date): string {
	return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const monthPattern = /^(\d{4})-(\d{2})$/;
const agoPattern = /^(\d{1,5})([dwm])$/;

/**
 * When a period begins and ends that is given as a day (`2026-03-09`, `today`, `yesterday`), a month (`2026-03`), a time
 * (ISO 8601), or as so many days, weeks or months ago (`7d`, `2w`, `3m`). Undefined when it is none of these.
 */
export function periodOf(text: string, now = new Date()): { readonly from: number; readonly to: number } | undefined {
	const day = (year: number, month: number, date: number) => ({
		from: new Date(year, month, date).getTime(),
		to: new Date(year, month, date + 1).getTime(),
	});
	const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()];
	if (text === 'today') return day(year, month, date);
	if (text === 'yesterday') return day(year, month, date - 1);
	const ago = agoPattern.exec(text);
	if (ago) {
		const count = Number(ago[1]);
		if (ago[2] === 'm') return day(year, month - count, Math.min(date, lastDate(year, month - count)));
		return day(year, month, date - count * (ago[2] === 'w' ? 7 : 1));
	}
	const named = dayPattern.exec(text);
	if (named) {
		const found = day(Number(named[1]), Number(named[2]) - 1, Number(named[3]));
		return dayOf(found.from) === text ? found : undefined;
	}
	const months = monthPattern.exec(text);
	if (months && Number(months[2]) >= 1 && Number(months[2]) <= 12) {
		const [y, m] = [Number(months[1]), Number(months[2]) - 1];
		return { from: new Date(y, m, 1).getTime(), to: new Date(y, m + 1, 1).getTime() };
	}
	const time = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(time) ? undefined : { from: time, to: time };
}

/** A month may be shorter than this one: a month before 31 March is the last day of February. */
function lastDate(year: number, month: number): number {
	return new Date(year, month + 1, 0).getDate();
}
