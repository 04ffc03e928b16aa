/** A screen of rows to read (/context, /cost): the keys that scroll and close it. */
import { plainTheme, type Theme } from '../theme.ts';
import { fitted, hintRows, scrolled, scrollLimit, titleRow } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, usualSize } from './screen.ts';

export interface TextParts {
	readonly title: string;
	/** Behind the title. */
	readonly right?: string;
	/** No wider than the width, and cleaned. */
	readonly body: (width: number, theme: Theme) => readonly string[];
}

export class TextScreen implements Screen<undefined> {
	readonly #parts: TextParts;
	readonly #at: number;

	constructor(parts: TextParts, at = 0) {
		this.#parts = parts;
		this.#at = at;
	}

	press({ name }: Key, size: Size = usualSize): Pressed<undefined> {
		if (name === 'escape' || name === 'enter') return { answer: undefined };
		const room = roomIn(size);
		// What is drawn without colours has as many rows.
		const limit = scrollLimit(this.#parts.body(size.width, plainTheme).length, room);
		const step = { up: -1, down: 1, pageup: 2 - room, pagedown: room - 2, home: -limit, end: limit }[name];
		if (step === undefined) return this;
		return new TextScreen(this.#parts, Math.max(0, Math.min(limit, Math.min(this.#at, limit) + step)));
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { title, right = '', body } = this.#parts;
		const rows = body(size.width, theme);
		const isLong = rows.length > roomIn(size);
		return fitted(
			[
				titleRow(title, right, size.width, theme),
				...scrolled(rows, this.#at, roomIn(size), size.width, theme),
				...hintRows([...(isLong ? ['↑↓ PgUp/PgDn'] : []), 'Esc to close'], size, theme).slice(-1),
			],
			size,
		);
	}
}

/** Without the title and the hints. */
function roomIn({ height }: Size): number {
	return Math.max(1, height - 2);
}
