/** What a dialog draws: foreign text that scrolls, a question of ours below it, and choices or a line of input. */
import type { Theme } from '../theme.ts';
import type { List } from './list.ts';
import { fitted, hintRows, scrolled, scrollLimit } from './parts.ts';
import { type Key, type Size, usualSize } from './screen.ts';

export interface DialogParts {
	/** Always shown: who asks, and which question of how many it is. */
	readonly head: readonly string[];
	/** What it is about, however long. */
	readonly body: readonly string[];
	/** The question itself. */
	readonly question: readonly string[];
	readonly list?: List<unknown>;
	/** A row of input, instead of the list. */
	readonly input?: string;
	readonly hints: readonly string[];
}

/** The body keeps this much of a small screen, before choices are shown in part. */
const leastBody = 2;

/** A screen of fewer rows has no room for titles. */
const small = 8;

interface Shares {
	readonly head: readonly string[];
	readonly hints: readonly string[];
	readonly choices: readonly string[];
	/** Rows that are left for the body. */
	readonly room: number;
}

function sharesOf(parts: DialogParts, size: Size, theme: Theme): Shares {
	const usual = sharesWith(parts, parts.hints, size, theme);
	if (parts.body.length <= usual.room) return usual;
	return sharesWith(parts, ['PgUp/PgDn to read all', ...parts.hints], size, theme);
}

function sharesWith(parts: DialogParts, keys: readonly string[], size: Size, theme: Theme): Shares {
	const { body, question, list, input } = parts;
	const { width, height } = size;
	const head = height < small ? parts.head.slice(-1) : parts.head;
	const hints = hintRows(keys, size, theme);
	const fixed = head.length + question.length + hints.length;
	const most = Math.max(1, height - fixed - Math.min(leastBody, body.length));
	const choices = input === undefined ? (list?.rows({ width, height: most }, theme) ?? []) : [input];
	return { head, hints, choices, room: Math.max(0, height - fixed - choices.length) };
}

export function dialogRows(parts: DialogParts, scroll: number, size: Size, theme: Theme): readonly string[] {
	const { head, hints, choices, room } = sharesOf(parts, size, theme);
	const body = scrolled(parts.body, scroll, room, size.width, theme);
	return fitted([...head, ...body, ...parts.question, ...choices, ...hints], size);
}

/** How far the body is scrolled after a key; undefined for a key that does not scroll. */
export function dialogScroll(
	parts: DialogParts,
	scroll: number,
	{ name }: Key,
	theme: Theme,
	size: Size = usualSize,
): number | undefined {
	const { room } = sharesOf(parts, size, theme);
	const limit = scrollLimit(parts.body.length, room);
	// The rows that count what is hidden take the place of text: a page is shorter by both of them.
	const step = Math.max(1, room - 2);
	const now = Math.min(scroll, limit);
	if (name === 'pagedown') return Math.min(limit, now + step);
	if (name === 'pageup') return Math.max(0, now - step);
	return undefined;
}
