/** A screen of several lists, one at a time (/help, /agents, /permissions, /mcp, /hooks): the keys that switch, filter and close. */
import { textWidth } from '../../terminal/width.ts';
import type { Theme } from '../theme.ts';
import { List, type ListItem, listRows } from './list.ts';
import { shown, wrapped } from './parts.ts';
import type { Key, Pressed, Screen, Size, Want } from './screen.ts';

export interface Tab<T> {
	readonly name: string;
	readonly items: readonly ListItem<T>[];
	/** What stands there instead of an empty list. */
	readonly none: string;
}

export interface TabsOptions {
	readonly title: string;
	/** A sentence below the title. */
	readonly about?: string;
	/** What Enter does with an item; absent where it only closes, as it does with one without a value. */
	readonly enter?: string;
	/** Where the lists may change while they are looked at. */
	readonly wants?: Want;
}

/** The value of the chosen item; undefined where nothing was chosen, or nothing can be. */
export class TabsScreen<T> implements Screen<T | undefined> {
	readonly #options: TabsOptions;
	readonly #tabs: readonly Tab<T>[];
	readonly #at: number;
	readonly #list: List<T>;

	constructor(options: TabsOptions, tabs: readonly Tab<T>[], at = 0, list?: List<T>) {
		this.#options = options;
		this.#tabs = tabs;
		this.#at = at;
		this.#list = list ?? new List(tabs[at]?.items ?? [], { filters: true, aligned: true });
	}

	get wants(): Want | undefined {
		return this.#options.wants;
	}

	/** Other items in the same tabs; what is selected and typed stays. */
	withTabs(tabs: readonly Tab<T>[], wants: Want): TabsScreen<T> {
		const list = this.#list.withItems(tabs[this.#at]?.items ?? []);
		return new TabsScreen({ ...this.#options, wants }, tabs, this.#at, list);
	}

	press(key: Key): Pressed<T | undefined> {
		const count = Math.max(1, this.#tabs.length);
		switch (key.name) {
			case 'escape':
				return { answer: undefined };
			case 'right':
			case 'tab':
				return this.#tab((this.#at + 1) % count);
			case 'left':
			case 'shift+tab':
				return this.#tab((this.#at + count - 1) % count);
			default: {
				const pressed = this.#list.press(key);
				if (pressed === undefined) return this;
				if (!('chosen' in pressed)) return new TabsScreen(this.#options, this.#tabs, this.#at, pressed);
				return { answer: this.#options.enter === undefined ? undefined : pressed.chosen };
			}
		}
	}

	/** What was typed holds for every tab. */
	#tab(at: number): TabsScreen<T> {
		const list = new List(this.#tabs[at]?.items ?? [], { filters: true, aligned: true, typed: this.#list.filter });
		return new TabsScreen(this.#options, this.#tabs, at, list);
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { title, about, enter } = this.#options;
		const { width } = size;
		const rows = [
			...(this.#tabs.length > 1 ? [this.#names(width, theme)] : []),
			...(about === undefined ? [] : wrapped(about, width, theme.dim)),
		];
		const none = this.#tabs[this.#at]?.none ?? '';
		return listRows({ title, about: rows, none }, this.#list, size, theme, [
			enter === undefined || this.#list.selected?.value === undefined ? 'Enter to close' : `Enter to ${enter}`,
			...(this.#tabs.length > 1 ? ['←→ to switch'] : []),
			'type to filter',
			'Esc to close',
		]);
	}

	/** All names where there is room, else the one that is shown and how many there are. */
	#names(width: number, theme: Theme): string {
		const names = this.#tabs.map(({ name, items }) => `${name} ${items.length}`);
		const all = names.map((name, at) => (at === this.#at ? `[${name}]` : ` ${name} `)).join(' ');
		if (textWidth(all) > width)
			return theme.accent(shown(`[${names[this.#at]}] ${this.#at + 1}/${names.length}`, width));
		return names.map((name, at) => (at === this.#at ? theme.accent(`[${name}]`) : theme.dim(` ${name} `))).join(' ');
	}
}
