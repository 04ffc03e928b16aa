/** What every dialog and picker is: an immutable state that draws itself and takes keys; the types of keys, sizes and answers, and what Esc has to do. */
import type { Theme } from '../theme.ts';

/**
 * A key by its name: `up`, `down`, `left`, `right`, `enter`, `escape`, `tab`, `shift+tab`, `backspace`, `delete`, `pageup`, `pagedown`,
 * `home`, `end`, `space`, `ctrl+a` … What can be printed is `text` with its characters, typed or pasted (a pasted text may have many,
 * also newlines). A typed blank may come as `space` or as `text`: see `typed`.
 */
export interface Key {
	readonly name: string;
	readonly text?: string;
}

export interface Size {
	readonly width: number;
	readonly height: number;
	/** There is text in the line of input, for which digits may be meant: no key is named but the one that leaves. */
	readonly typing?: boolean;
}

/** What a screen waits for; the controller loads it and gives it in with a `with…` method of that screen. */
export interface Want {
	readonly what: string;
	readonly of: string;
}

/**
 * No promise, no clock and no file is inside: what comes later is named in `wants` and given in by `with…` methods, which give a new
 * screen. Rows hold only codes that `rendered` of `terminal/writer.ts` lets pass, and are sent through it.
 */
export interface Screen<A> {
	/** Never wider than the width, never more than the height; the hint row is the last. */
	rows(size: Size, theme: Theme): readonly string[];
	/**
	 * `escape` ends with the safe answer, at once in a picker; in a question it goes back by a step first where words are typed, and in the
	 * settings where a key is waited for. `size` is that of the last rows, for what scrolls.
	 */
	press(key: Key, size?: Size): Pressed<A>;
	readonly wants?: Want | undefined;
}

/** Where nobody says how large the screen is. */
export const usualSize: Size = { width: 80, height: 24 };

export type Pressed<A> = Screen<A> | Answered<A>;

export interface Answered<A> {
	readonly answer: A;
}

export function isAnswered<A>(pressed: object | Answered<A>): pressed is Answered<A> {
	return 'answer' in pressed;
}

/** What a key adds to a text, undefined for one that adds nothing: a paste into one line loses its newlines. */
export function typed({ name, text }: Key): string | undefined {
	if (name === 'space') return ' ';
	return name === 'text' && text !== undefined ? text.replace(/\s*\n\s*/g, ' ').replaceAll('\t', ' ') : undefined;
}
