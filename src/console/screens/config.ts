/** The /config screen: which settings can be changed and by which keys, and which keys can be bound. Defaults and the file: ../settings.ts. */
import { type Action, actionNames, actions, bindings, isBindable, keyLabel, keyName, rebound } from '../keys.ts';
import { type ConsoleSettings, notifyWays, type StatusPart, statusParts } from '../settings.ts';
import { type Theme, themeNames } from '../theme.ts';
import { List, type ListItem, listRows } from './list.ts';
import { shown, wrapped } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, typed } from './screen.ts';

/** The settings to save; undefined where nothing changes. */
export type ConfigAnswer = ConsoleSettings | undefined;

type Row =
	| { readonly is: 'theme' | 'notify' | 'accessible' | 'save' }
	| { readonly is: 'status'; readonly part: StatusPart }
	| { readonly is: 'key'; readonly action: Action };

const sameRow = (a: Row, b: Row): boolean => JSON.stringify(a) === JSON.stringify(b);

interface State {
	readonly settings: ConsoleSettings;
	readonly list: List<Row>;
	/** The action whose next key is waited for. */
	readonly binding?: Action;
	/** The key that was pressed last for it, and is none that can be bound. */
	readonly refused?: string;
}

export class ConfigScreen implements Screen<ConfigAnswer> {
	/** Where the settings are saved. */
	readonly #file: string;
	readonly #state: State;

	constructor(settings: ConsoleSettings, file: string, state?: State) {
		this.#file = file;
		this.#state = state ?? { settings, list: new List(itemsOf(settings), { filters: true, aligned: true }) };
	}

	/** As they would be saved: a theme can be shown before that. */
	get settings(): ConsoleSettings {
		return this.#state.settings;
	}

	press(key: Key): Pressed<ConfigAnswer> {
		const { list, binding, settings } = this.#state;
		if (binding !== undefined) return this.#bind(binding, key);
		if (key.name === 'escape') return { answer: undefined };
		const row = list.selected?.value;
		if (key.name === 'ctrl+s') return { answer: settings };
		const isChange = key.name === 'enter' || key.name === 'right' || (typed(key) === ' ' && list.filter.text === '');
		if (row && (isChange || key.name === 'left')) return this.#change(row, key.name);
		if (row?.is === 'key' && key.name === 'delete') return this.#keys(row.action, []);
		const pressed = list.press(key);
		return pressed && !('chosen' in pressed) ? this.#with({ list: pressed }) : this;
	}

	#change(row: Row, key: string): Pressed<ConfigAnswer> {
		const { settings } = this.#state;
		const step = key === 'left' ? -1 : 1;
		switch (row.is) {
			case 'theme':
				return this.#changed({ theme: next(themeNames, settings.theme, step) });
			case 'notify':
				return this.#changed({ notify: next(notifyWays, settings.notify, step) });
			case 'accessible':
				return this.#changed({ accessible: !settings.accessible });
			case 'status':
				return this.#changed({ statusLine: toggled(settings.statusLine, row.part) });
			case 'save':
				return key === 'enter' ? { answer: settings } : this;
			case 'key':
				if (key === 'left') return this.#keys(row.action, undefined);
				return key === 'enter' ? this.#with({ binding: row.action }) : this;
		}
	}

	/** Esc leaves only the question for a key: what was changed before is not saved yet. */
	#bind(action: Action, key: Key): ConfigScreen {
		if (key.name === 'escape') return this.#changed({});
		const name = keyName(key.name);
		if (name === undefined || !isBindable(name)) return this.#with({ refused: typed(key) ?? keyLabel(key.name) });
		return this.#keys(action, [name]);
	}

	#keys(action: Action, keys: readonly string[] | undefined): ConfigScreen {
		return this.#changed({ keys: rebound(this.#state.settings.keys, action, keys) });
	}

	#changed(more: Partial<ConsoleSettings>): ConfigScreen {
		const settings = { ...this.#state.settings, ...more };
		const { binding: _, refused: __, ...rest } = this.#state;
		return new ConfigScreen(settings, this.#file, {
			...rest,
			settings,
			list: this.#state.list.withItems(itemsOf(settings), sameRow),
		});
	}

	#with(more: Partial<State>): ConfigScreen {
		return new ConfigScreen(this.#state.settings, this.#file, { ...this.#state, ...more });
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { list, binding, refused, settings } = this.#state;
		const { width } = size;
		const notes = bindings(settings.keys).notes.flatMap((note) => wrapped(note, width, theme.warn));
		const about = [...wrapped(`Saved in ${this.#file}`, width, theme.dim), ...notes].slice(0, mostNotes);
		const frame = { title: 'Settings', about, none: '' };
		if (binding !== undefined) {
			const asked = wrapped(`Press the key that is to ${actions[binding].about}.`, width, theme.accent);
			const told =
				refused === undefined ? [] : wrapped(`${shown(refused, 12)} cannot be bound: ${bindable}.`, width, theme.warn);
			return listRows({ ...frame, about: [...asked, ...told] }, list, size, theme, [bindable, 'Esc to go back']);
		}
		const isKey = list.selected?.value.is === 'key';
		return listRows(frame, list, size, theme, [
			...(isKey ? ['Enter for a new key', '← the default', 'Del for none'] : ['Enter or ←→ to change']),
			'Ctrl-S to save',
			'Esc to cancel',
		]);
	}
}

const bindable = 'any key with Ctrl or Alt, F1 to F12';

/** The list needs most of a small screen. */
const mostNotes = 3;

function next<T>(all: readonly T[], now: T, step: 1 | -1): T {
	return all[(all.indexOf(now) + step + all.length) % all.length] ?? now;
}

/** The order is that of the status line, whatever was switched on first. */
function toggled(parts: readonly StatusPart[], part: StatusPart): readonly StatusPart[] {
	return statusParts.filter((one) => (one === part) !== parts.includes(one));
}

function itemsOf(settings: ConsoleSettings): readonly ListItem<Row>[] {
	const bound = bindings(settings.keys);
	const { theme, notify, accessible, statusLine } = settings;
	return [
		{ value: { is: 'theme' }, label: 'Theme', detail: theme },
		{ value: { is: 'notify' }, label: 'Notification', detail: notify },
		{ value: { is: 'accessible' }, label: 'Screen reader', detail: accessible ? 'on, from the next start' : 'off' },
		...statusParts.map(
			(part): ListItem<Row> => ({
				value: { is: 'status', part },
				label: `Status line: ${part}`,
				mark: statusLine.includes(part) ? '◼' : '◻',
			}),
		),
		...actionNames
			.filter((action) => action !== 'clear')
			.map(
				(action): ListItem<Row> => ({
					value: { is: 'key', action },
					label: `Key: ${actions[action].about}`,
					detail: bound.keysOf(action).map(keyLabel).join(', ') || '(no key)',
				}),
			),
		{ value: { is: 'save' }, label: 'Save', paint: 'accent' },
	];
}
