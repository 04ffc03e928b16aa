/** How the console writes ages in few signs: `now`, `5m`, `3h`, `12d`, and from when on the date. */
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** `now`, `5m`, `3h`, `12d`, and the day for what is older. A clock that was set back gives `now`. */
export function ageText(time: number, now: number): string {
	const age = now - time;
	if (age < minute) return 'now';
	if (age < hour) return `${Math.floor(age / minute)}m`;
	if (age < day) return `${Math.floor(age / hour)}h`;
	if (age < 60 * day) return `${Math.floor(age / day)}d`;
	return new Date(time).toISOString().slice(0, 10);
}
