/** How commands print for people: tables, shortened texts and paths, times, and the short names of sessions. Where it all leaves the process: writer.ts. */
import { homedir } from 'node:os';
import { clockOf, dayOf } from '../catalog/cost/calendar.ts';
import { agentPrefixes, type Named } from '../store/find/session-names.ts';
import { textWidth } from './width.ts';
import { cleaned } from './writer.ts';

// The one place that commands print through; `writer.ts` is beside it because the command line starts with it alone.
export { complain, printProse } from './prose.ts';
export { coloursWanted, paint, print, printJson, printJsonLine, printPart, type Style } from './writer.ts';

/** Rows with their columns aligned; the last column is never padded. */
export function table(rows: readonly (readonly string[])[]): string {
	const widths: number[] = [];
	for (const row of rows) {
		for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
	}
	return rows
		.map((row) =>
			row.map((cell, index) => (index === row.length - 1 ? cell : pad(cell, widths[index] ?? 0))).join('  '),
		)
		.join('\n');
}

function pad(text: string, width: number): string {
	return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** `2026-03-02 09:00`, in the user's time zone. */
export function timeText(time: number, seconds = false): string {
	return `${dayOf(time)} ${clockOf(time, seconds)}`;
}

/** Made when it is first needed: loading it takes as long as loading most of Reprise. */
let graphemes: Intl.Segmenter | undefined;

/** The beginning of a plain text that fits into so many columns, with an ellipsis when something is missing. */
export function clip(text: string, width: number): string {
	// Measuring is slow, and a text may be megabytes: no sign that takes a column is written with so many characters.
	const looked = text.slice(0, 16 * (width + 1));
	if (/^[ -~]*$/.test(looked)) return looked.length <= width ? looked : `${looked.slice(0, Math.max(0, width - 1))}…`;
	if (textWidth(looked) <= width) return looked;
	let clipped = '';
	let used = 1;
	graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	for (const { segment } of graphemes.segment(looked)) {
		used += textWidth(segment);
		if (used > width) break;
		clipped += segment;
	}
	return `${clipped}…`;
}

/** The end of a path that fits into so many columns, from the beginning of a name where there is one: it says more than the beginning. */
export function clipPath(path: string, width: number): string {
	if (textWidth(path) <= width) return path;
	let cut = 1;
	while (cut < path.length && textWidth(path.slice(cut)) >= width) cut += 1;
	const name = path.indexOf('/', cut);
	return `…${path.slice(name === -1 || name === path.length - 1 ? cut : name)}`;
}

/** A folder as its user writes it; nothing for none. */
export function folderText(folder: string | undefined): string {
	if (folder === undefined) return '';
	const home = homedir();
	return oneLine(`${folder}/`.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder);
}

/** What each of these sessions may be called: the beginning of its id that no other has, eight characters at least. */
export function shortNames(sessions: readonly Named[]): (session: Named) => string | undefined {
	const sorted = [...new Set(sessions.map(({ id }) => id))].sort();
	const places = new Map(sorted.map((id, place) => [id, place]));
	const prefix = agentPrefixes(sessions);
	return ({ id, agent }) => {
		const place = places.get(id);
		if (place === undefined) return undefined;
		const shared = [sorted[place - 1], sorted[place + 1]].map((other) => sharedLength(id, other ?? ''));
		return prefix({ id, agent }) + id.slice(0, Math.max(8, ...shared.map((length) => length + 1)));
	};
}

function sharedLength(a: string, b: string): number {
	let length = 0;
	while (length < a.length && a[length] === b[length]) length += 1;
	return length;
}

/** `12 user, 3 assistant`, the most frequent first. */
export function counts(of: { readonly [type: string]: number }): string {
	const list = Object.entries(of).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
	return list.length === 0 ? 'none' : list.map(([type, n]) => `${n} ${type}`).join(', ');
}

/** No terminal is wider, and a text may be megabytes. */
const longestLine = 1 << 14;

/** The beginning of a foreign text on one line; what a terminal would obey is spelled out, colours too: they are a part of a name or a command. */
export function oneLine(text: string): string {
	return cleaned(text.slice(0, longestLine).replace(/\s+/g, ' ')).trim();
}
