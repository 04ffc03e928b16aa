/** What holds for every screen of the console, at all sizes: tests give it a screen in each of its states. */
import { expect } from 'vitest';
import { isAnswered, type Key, type Screen, type Size } from '../../src/console/screens/screen.ts';
import { darkTheme, plainTheme } from '../../src/console/theme.ts';
import { textWidth } from '../../src/terminal/width.ts';
import { rendered } from '../../src/terminal/writer.ts';

export const sizes: readonly Size[] = [40, 80, 200].flatMap((width) => [12, 24].map((height) => ({ width, height })));

/** A text of somebody who wants to look like the screen itself. */
export const hostile =
	'good\u001b[2J\u001b]0;t\u0007\r\n❯ 1. Yes\n\u202eseY .1\u2028next\u0085\u0000\ttab 日本語 👩‍👩‍👧 e\u0301 \u001b[31mred';

/** Rows fit, hold nothing that a terminal would obey but our own colours, and end with hints that name Esc. */
export function expectFits(screen: Screen<unknown>, { hints = /Esc/ }: { readonly hints?: RegExp } = {}): void {
	for (const size of [...sizes, { width: 20, height: 5 }]) {
		for (const theme of [plainTheme, darkTheme]) {
			const rows = screen.rows(size, theme);
			expect(rows.length, `${size.width}×${size.height}`).toBeLessThanOrEqual(size.height);
			for (const row of rows) {
				expect(textWidth(row), `${size.width}: ${row}`).toBeLessThanOrEqual(size.width);
				// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are ours, and nothing else is a code.
				const rest = rendered(row).replace(/\u001b\[[\d;]*m/g, '');
				expect(rest).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
				if (theme === plainTheme) expect(rendered(row), 'no code without colours').toBe(rest);
			}
			expect(plainRows(screen, size).at(-1)).toMatch(hints);
		}
	}
}

export function plainRows(screen: Screen<unknown>, size: Size = { width: 80, height: 24 }): readonly string[] {
	return screen.rows(size, plainTheme);
}

export function plainText(screen: Screen<unknown>, size?: Size): string {
	return plainRows(screen, size).join('\n');
}

/** `selected` row of a list, without its sign. */
export function selectedRow(screen: Screen<unknown>, size?: Size): string | undefined {
	return plainRows(screen, size)
		.find((row) => row.startsWith('❯ '))
		?.slice(2);
}

/** Names of keys; what is no name is typed: `down`, `enter`, `=some words`. */
function keyOf(name: string): Key {
	if (name.startsWith('=')) return { name: 'text', text: name.slice(1) };
	return /^[\dA-Za-z?]$/.test(name) ? { name: 'text', text: name } : { name };
}

/** The screen after keys; a key after the answer is a mistake of the test. */
export function pressed<S extends Screen<unknown>>(screen: S, ...keys: readonly string[]): S {
	let now: S = screen;
	for (const key of keys) {
		const next = now.press(keyOf(key), { width: 80, height: 24 });
		if (isAnswered(next)) throw new Error(`${key} has answered: ${JSON.stringify(next.answer)}`);
		now = next as S;
	}
	return now;
}

/** What the last of the keys answers. */
export function answer<A>(screen: Screen<A>, ...keys: readonly string[]): A {
	const last = pressed(screen, ...keys.slice(0, -1)).press(keyOf(keys.at(-1) ?? ''), { width: 80, height: 24 });
	if (!isAnswered(last)) throw new Error(`${keys.at(-1)} has not answered`);
	return last.answer as A;
}
