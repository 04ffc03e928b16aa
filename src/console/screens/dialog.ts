/** The layout of every dialog: how rows are shared between foreign text, question and choices, when a screen is too small to answer, and how far a page scrolls. */
import { plainTheme, type Theme } from '../theme.ts';
import type { List } from './list.ts';
import { fitted, hintRows, scrolled, scrollLimit, wrapped } from './parts.ts';
import type { Key, Size } from './screen.ts';

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

/** A screen of fewer rows has no room for titles: the four choices of a permission come first. */
const small = 10;

interface Shares {
	readonly head: readonly string[];
	readonly hints: readonly string[];
	readonly choices: readonly string[];
	/** Rows that are left for the body. */
	readonly room: number;
	/** There is no room for what is asked about and for a choice: it is not seen what a key would answer. */
	readonly isTooSmall: boolean;
}

function sharesOf(parts: DialogParts, size: Size, theme: Theme): Shares {
	const keys = size.typing && parts.input === undefined ? parts.hints.slice(-1) : parts.hints;
	const usual = sharesWith(parts, keys, size, theme);
	if (parts.body.length <= usual.room) return usual;
	const scrolls = sharesWith(parts, ['PgUp/PgDn to read all', ...keys], size, theme);
	return scrolls.isTooSmall ? sharesOfSmall(parts, size, theme) : scrolls;
}

/** Only what is asked about, and how to leave. */
function sharesOfSmall({ hints: keys }: DialogParts, size: Size, theme: Theme): Shares {
	const [told = ''] = wrapped('Too small: enlarge the window to answer', size.width, theme.warn);
	const hints = hintRows(keys.slice(-1), size, theme);
	const choices = size.height > 2 ? [told] : [];
	const room = Math.max(0, size.height - hints.length - choices.length);
	return { head: [], hints, choices, room, isTooSmall: true };
}

function sharesWith(parts: DialogParts, keys: readonly string[], size: Size, theme: Theme): Shares {
	const { body, question, list, input } = parts;
	const { width, height } = size;
	const head = height < small ? parts.head.slice(-1) : parts.head;
	const hints = hintRows(keys, size, theme);
	const fixed = head.length + question.length + hints.length;
	const most = Math.max(1, height - fixed - Math.min(leastBody, body.length));
	const choices = input === undefined ? (list?.rows({ width, height: most }, theme) ?? []) : [input];
	const room = height - fixed - choices.length;
	return { head, hints, choices, room: Math.max(0, room), isTooSmall: room < Math.min(leastBody, body.length) };
}

export function dialogRows(parts: DialogParts, scroll: number, size: Size, theme: Theme): readonly string[] {
	const { head, hints, choices, room, isTooSmall } = sharesOf(parts, size, theme);
	const body = scrolled(parts.body, scroll, room, size.width, theme);
	return fitted([...head, ...body, ...(isTooSmall ? [] : parts.question), ...choices, ...hints], size);
}

/** How far the body is scrolled after a key; undefined for a key that does not scroll. On a screen that is too small no key does more. */
export function dialogScroll(parts: DialogParts, scroll: number, { name }: Key, size: Size): number | undefined {
	const { room, isTooSmall } = sharesOf(parts, size, plainTheme);
	const limit = scrollLimit(parts.body.length, room);
	// The rows that count what is hidden take the place of text: a page is shorter by both of them.
	const step = Math.max(1, room - 2);
	const now = Math.min(scroll, limit);
	if (name === 'pagedown') return Math.min(limit, now + step);
	if (name === 'pageup') return Math.max(0, now - step);
	if (!isTooSmall) return undefined;
	return name === 'down' ? Math.min(limit, now + 1) : name === 'up' ? Math.max(0, now - 1) : now;
}
