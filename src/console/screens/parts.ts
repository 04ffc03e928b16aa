/** Rows that all screens share: a title, foreign text on one row, scrolling text and what it says of hidden rows, and how many rows of key hints fit. */
import { clip, oneLine } from '../../terminal/print.ts';
import { textWidth } from '../../terminal/width.ts';
import { wrap } from '../../terminal/wrap.ts';
import type { Painter, Theme } from '../theme.ts';
import type { Size } from './screen.ts';

/** A foreign text as one row or a part of one: it cannot begin another row, and an ellipsis says what is missing. */
export function shown(text: string, width: number): string {
	return width <= 0 ? '' : clip(oneLine(text), width);
}

/** The end of a foreign text behind a label of ours, on one row: what was typed last is seen. */
export function endShown(label: string, text: string, width: number): string {
	// A paste may be megabytes, of which one row is shown.
	const line = oneLine(text.slice(-16 * (width + 1)));
	const room = Math.max(1, width - textWidth(label) - 1);
	let end = '';
	for (const sign of [...line].toReversed()) {
		if (textWidth(sign + end) > room) return clip(`${label}…${end}`, width);
		end = sign + end;
	}
	return clip(label + end, width);
}

/** A sentence of ours, or a foreign one that has lost its line breaks, over as many rows as it takes. */
export function wrapped(text: string, width: number, paint: Painter = (row) => row, indent = ''): readonly string[] {
	const room = width - indent.length;
	return wrap(oneLine(text), room)
		.split('\n')
		.map((row) => indent + paint(clip(row, room)));
}

/** A name at the left, and what counts at the right where there is room for it. */
export function titleRow(title: string, right: string, width: number, theme: Theme): string {
	const name = shown(title, width);
	const behind = shown(right, width - textWidth(name) - 2);
	return theme.title(name) + (behind.length < 2 ? '' : `  ${theme.dim(behind)}`);
}

/** So many rows of hints a screen of that height can spare. */
function mostHints(height: number): number {
	return height >= 20 ? 3 : height >= 12 ? 2 : 1;
}

/** Keys and what they do, as many as fit: the most important come first, and the last, which says how to leave, is never left out. */
export function hintRows(hints: readonly string[], { width, height }: Size, theme: Theme): readonly string[] {
	const between = ' · ';
	const last = hints.at(-1) ?? '';
	const most = mostHints(height);
	const rows: string[] = [];
	let row = '';
	const joined = (hint: string): string => (row === '' ? hint : row + between + hint);
	for (const hint of hints.slice(0, -1)) {
		const isEnd = rows.length + 1 === most;
		if (textWidth(joined(hint) + (isEnd ? between + last : '')) <= width) row = joined(hint);
		else if (!isEnd && row !== '') {
			rows.push(row);
			row = textWidth(hint) <= width ? hint : '';
		}
	}
	if (textWidth(joined(last)) > width && rows.length + 1 < most) {
		rows.push(row);
		row = '';
	}
	const end = textWidth(joined(last)) <= width ? joined(last) : last;
	return [...rows, end].map((one) => theme.dim(clip(one, width)));
}

/** How far a text is scrolled that takes so many rows, and has room for so many. */
export function scrollLimit(rows: number, room: number): number {
	return Math.max(0, rows - room);
}

/**
 * A part of rows that may be more than there is room for. Nothing is hidden in silence: a row at the top or bottom counts what is not
 * shown. `at` is the first row that is shown.
 */
export function scrolled(rows: readonly string[], at: number, room: number, width: number, theme: Theme): string[] {
	if (rows.length <= room) return [...rows];
	if (room <= 0) return [];
	const from = Math.min(Math.max(0, at), scrollLimit(rows.length, room));
	const part = rows.slice(from, from + room);
	const below = rows.length - from - room;
	const tell = (count: number, where: string, key: string): string =>
		theme.warn(clip(`… ${count} more ${count === 1 ? 'row' : 'rows'} ${where} (${key})`, width));
	if (below > 0) part[room - 1] = tell(below + 1, 'below', 'PgDn');
	// On a single row the text below counts: it is what nobody has seen yet.
	if (from > 0 && (room > 1 || below === 0)) part[0] = tell(from + 1, 'above', 'PgUp');
	return part;
}

/** The rows as far as there is room for them: the last line of defence of every screen. */
export function fitted(rows: readonly string[], { height }: Size): readonly string[] {
	if (rows.length <= height) return rows;
	// The hints say how to leave.
	return height <= 0 ? [] : [...rows.slice(0, height - 1), ...rows.slice(-1)];
}
