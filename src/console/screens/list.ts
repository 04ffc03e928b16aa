/** The list that pickers and dialogs are made of: how a row is chosen (arrows, digits, typing), filtered, wrapped and cut, and how far a page key goes. */
import { oneLine } from '../../terminal/print.ts';
import { textWidth } from '../../terminal/width.ts';
import type { Meaning, Theme } from '../theme.ts';
import { Input } from './input.ts';
import { fitted, hintRows, shown, titleRow, wrapped } from './parts.ts';
import type { Key, Pressed, Screen, Size } from './screen.ts';

export interface ListItem<T> {
	readonly value: T;
	readonly label: string;
	/** Behind the label, as far as there is room. */
	readonly detail?: string;
	/** A row of its own below. */
	readonly below?: string;
	/** The digit that chooses it; only in lists without a filter. */
	readonly key?: string;
	/** Narrow signs of ours before the label: `✔`, `◻`, `├─`. */
	readonly mark?: string;
	/** What a filter finds, beside all that is shown. */
	readonly words?: string;
	readonly paint?: Meaning;
}

/** Those that can be chosen, with the digits from 1 on before them. */
export function numbered<T>(items: readonly (ListItem<T> | undefined)[]): readonly ListItem<T>[] {
	return items.filter((item) => item !== undefined).map((item, at) => ({ ...item, key: String(at + 1) }));
}

export interface ListOptions {
	/** What is typed narrows the list; without it digits choose. */
	readonly filters?: boolean;
	/** Labels and the rows below are shown whole, over several rows. */
	readonly wraps?: boolean;
	/** What stands behind the labels begins in one column. */
	readonly aligned?: boolean;
	/** The position of the selected item. */
	readonly at?: number;
	readonly typed?: Input;
}

/** How far a page key goes: what the list shows is not known to it. */
const page = 10;

export class List<T> {
	readonly items: readonly ListItem<T>[];
	/** Those that the filter leaves. */
	readonly left: readonly ListItem<T>[];
	readonly at: number;
	readonly #options: ListOptions;

	constructor(items: readonly ListItem<T>[], options: ListOptions = {}) {
		const { at = 0, typed } = options;
		this.items = items;
		this.left = typed === undefined || typed.text.trim() === '' ? items : matching(items, typed.text);
		this.at = Math.max(0, Math.min(at, this.left.length - 1));
		this.#options = options;
	}

	get selected(): ListItem<T> | undefined {
		return this.left[this.at];
	}

	/** The selected item, then those around it, the nearest first, and as many on either side. */
	around(most: number): readonly ListItem<T>[] {
		const places = Array.from(
			{ length: 2 * most + 1 },
			(_, at) => this.at + (at % 2 === 1 ? 1 : -1) * Math.ceil(at / 2),
		);
		return places.flatMap((at) => this.left[at] ?? []);
	}

	get filter(): Input {
		return this.#options.typed ?? new Input();
	}

	/** Other items, with the filter as it is; the selected value stays selected where it is still there. */
	withItems(items: readonly ListItem<T>[], same: (a: T, b: T) => boolean = Object.is): List<T> {
		const before = this.selected;
		const next = new List(items, this.#options);
		const at = before ? next.left.findIndex(({ value }) => same(value, before.value)) : -1;
		return at === -1 ? next : next.#with({ at });
	}

	moved(at: number): List<T> {
		return this.#with({ at });
	}

	withFilter(typed: Input): List<T> {
		return this.#with({ typed, at: 0 });
	}

	/** The item that was chosen, the list as it is then, or undefined for a key that is none of a list's. */
	press(key: Key): List<T> | { readonly chosen: T } | undefined {
		const last = this.left.length - 1;
		switch (key.name) {
			case 'up':
				return this.#with({ at: this.at === 0 ? last : this.at - 1 });
			case 'down':
				return this.#with({ at: this.at === last ? 0 : this.at + 1 });
			case 'pageup':
				return this.#with({ at: Math.max(0, this.at - page) });
			case 'pagedown':
				return this.#with({ at: Math.min(last, this.at + page) });
			case 'enter':
				return this.selected ? { chosen: this.selected.value } : this;
			default:
				return this.#options.filters ? this.#typed(key) : this.#byDigit(key);
		}
	}

	#typed(key: Key): List<T> | undefined {
		// Nothing is left of the caret that a person would move over: these keys are for the screen around the list.
		if (key.name === 'left' || key.name === 'right') return undefined;
		if (key.name === 'home' || key.name === 'end')
			return this.#with({ at: key.name === 'home' ? 0 : this.left.length });
		const typed = this.filter.press(key);
		return typed && this.withFilter(typed);
	}

	#byDigit(key: Key): { readonly chosen: T } | List<T> | undefined {
		if (key.name === 'home' || key.name === 'end')
			return this.#with({ at: key.name === 'home' ? 0 : this.left.length });
		const item = key.name === 'text' ? this.left.find(({ key: digit }) => digit === key.text) : undefined;
		return item && { chosen: item.value };
	}

	#with(options: ListOptions): List<T> {
		return new List(this.items, { ...this.#options, ...options });
	}

	/** How wide the labels are that something stands behind. */
	get #column(): number {
		if (!this.#options.aligned) return 0;
		return Math.max(0, ...this.items.map(({ label, detail = '' }) => (detail === '' ? 0 : textWidth(oneLine(label)))));
	}

	/** As many items around the selected one as fit. */
	rows({ width, height }: Size, theme: Theme): readonly string[] {
		if (height <= 0 || this.left.length === 0) return [];
		const of = (at: number): readonly string[] => {
			const item = this.left[at];
			return item ? this.#itemRows(item, at === this.at, { width, height }, theme) : [];
		};
		const selected = of(this.at);
		const rows = selected.slice(0, height);
		if (selected.length > height && height > 1) rows[height - 1] = theme.warn('  … more than fits');
		let [first, last] = [this.at, this.at];
		for (let isFull = false; !isFull; ) {
			isFull = true;
			const below = last + 1 < this.left.length ? of(last + 1) : undefined;
			if (below && rows.length + below.length <= height) {
				rows.push(...below);
				last += 1;
				isFull = false;
			}
			const above = first > 0 ? of(first - 1) : undefined;
			if (above && rows.length + above.length <= height) {
				rows.unshift(...above);
				first -= 1;
				isFull = false;
			}
		}
		return rows;
	}

	#itemRows(item: ListItem<T>, isSelected: boolean, { width, height }: Size, theme: Theme): readonly string[] {
		const { label, detail = '', below, key, mark, paint } = item;
		const sign = isSelected ? '❯ ' : '  ';
		const before = `${key === undefined ? '' : `${key}. `}${mark === undefined ? '' : `${endOf(mark, width >> 1)} `}`;
		const indent = 2 + textWidth(before);
		const painter = isSelected ? theme.selected : paint ? theme[paint] : (text: string): string => text;
		const rest = ' '.repeat(indent);
		// On a single row its beginning says more than a row that says that there is more.
		if (this.#options.wraps && height > 1) {
			const [first = '', ...more] = wrapped(`${label}${detail === '' ? '' : `  ${detail}`}`, width - indent);
			return [
				painter(sign + before + first),
				...more.map((row) => rest + painter(row)),
				...(below === undefined ? [] : wrapped(below, width, theme.dim, rest)),
			];
		}
		const name = shown(label, width - indent);
		const room = width - indent - textWidth(name) - 2;
		// Nothing is cut for the sake of the column.
		const free = room - textWidth(oneLine(detail));
		const gap = Math.max(0, Math.min(this.#column - textWidth(name), free));
		const behind = detail !== '' && room >= 4 ? `  ${' '.repeat(gap)}${theme.dim(shown(detail, room - gap))}` : '';
		return [
			painter(sign + before + name) + behind,
			// Without colours, too, it is told from the next item.
			...(below === undefined ? [] : [`${rest}  ${theme.dim(shown(below, width - indent - 2))}`]),
		];
	}
}

/** Signs of ours that may be many, such as the lines of a tree: what is next to the label counts. */
function endOf(mark: string, width: number): string {
	return mark.length <= width ? mark : `…${mark.slice(1 - width)}`;
}

/** Those in which all typed words are found, in whatever order. */
function matching<T>(items: readonly ListItem<T>[], typed: string): readonly ListItem<T>[] {
	const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
	return items.filter(({ label, detail = '', below = '', words: more = '' }) => {
		const text = oneLine(`${label} ${detail} ${below} ${more}`).toLowerCase();
		return words.every((word) => text.includes(word));
	});
}

export interface PickOptions {
	readonly title: string;
	/** Rows of ours between the title and the list. */
	readonly about?: string;
	/** What stands there instead of an empty list. */
	readonly none: string;
	readonly enter?: string;
	/** The key that opened it: pressed again, it goes on to the next, as shells do. */
	readonly next?: string;
}

/** A screen that is nothing but a list: the value that was chosen, or undefined. */
export class Pick<T> implements Screen<T | undefined> {
	readonly #options: PickOptions;
	readonly #list: List<T>;

	constructor(options: PickOptions, list: List<T>) {
		this.#options = options;
		this.#list = list;
	}

	press(key: Key): Pressed<T | undefined> {
		if (key.name === 'escape') return { answer: undefined };
		const pressed = this.#list.press(key.name === this.#options.next ? { name: 'down' } : key);
		if (pressed === undefined) return this;
		return 'chosen' in pressed ? { answer: pressed.chosen } : new Pick(this.#options, pressed);
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { title, about, none, enter = 'choose' } = this.#options;
		return listRows(
			{ title, about: about === undefined ? [] : wrapped(about, size.width, theme.dim), none },
			this.#list,
			size,
			theme,
			[`Enter to ${enter}`, '↑↓', 'type to filter', 'Esc to cancel'],
		);
	}
}

export interface ListFrame {
	readonly title: string;
	readonly about?: readonly string[];
	readonly none: string;
	/** Instead of the typed filter. */
	readonly input?: string;
}

/** Title, filter, list and hints, for as high a screen as there is. */
export function listRows<T>(
	{ title, about = [], none, input }: ListFrame,
	list: List<T>,
	size: Size,
	theme: Theme,
	hints: readonly string[],
): readonly string[] {
	const { width, height } = size;
	const count = list.left.length === 0 ? '' : `${list.at + 1} of ${list.left.length}`;
	const typed = input ?? (list.filter.text === '' ? undefined : list.filter.row('Filter: ', width, theme));
	const head = [
		titleRow(title, count, width, theme),
		...(height > 8 ? about : []),
		...(typed === undefined ? [] : [typed]),
	];
	const below = hintRows(hints, size, theme);
	const room = Math.max(1, height - head.length - below.length);
	const missing = list.items.length === 0 ? none : 'Nothing fits what you typed.';
	const body =
		list.left.length === 0 ? wrapped(missing, width, theme.dim, '  ') : list.rows({ width, height: room }, theme);
	return fitted([...head, ...body.slice(0, room), ...below], size);
}
