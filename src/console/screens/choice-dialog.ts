/** The dialog of a foreign text and a few answers to it, one of which may ask for words: its keys. Plans, trust and addresses are asked about so. */
import { plainTheme, type Theme } from '../theme.ts';
import { type DialogParts, dialogRows, dialogScroll } from './dialog.ts';
import { Input } from './input.ts';
import { List, type ListItem } from './list.ts';
import { shown, titleRow } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, usualSize } from './screen.ts';

export interface ChoiceDialogParts<A> {
	readonly title: string;
	/** Rows that scroll: all of it can be read before somebody answers. */
	readonly body: (width: number, theme: Theme) => readonly string[];
	readonly question: string;
	readonly items: readonly ListItem<Choosable<A>>[];
	/** What Esc answers. */
	readonly safe: A;
	readonly leave: string;
}

/** An answer, or what is made of words that are typed first. */
export type Choosable<A> = { readonly answer: A } | { readonly ask: string; readonly told: (words: string) => A };

interface State<A> {
	readonly list: List<Choosable<A>>;
	readonly asking?: { readonly input: Input; readonly ask: string; readonly told: (words: string) => A };
	readonly scroll: number;
}

export class ChoiceDialog<A> implements Screen<A> {
	readonly #dialog: ChoiceDialogParts<A>;
	readonly #state: State<A>;

	constructor(dialog: ChoiceDialogParts<A>, state?: State<A>) {
		this.#dialog = dialog;
		this.#state = state ?? { list: new List(dialog.items, { wraps: true }), scroll: 0 };
	}

	press(key: Key, size: Size = usualSize): Pressed<A> {
		const { list, asking, scroll } = this.#state;
		if (key.name === 'escape')
			return asking ? new ChoiceDialog(this.#dialog, { list, scroll: 0 }) : { answer: this.#dialog.safe };
		const scrolled = dialogScroll(this.#parts(size, plainTheme), scroll, key, size);
		if (scrolled !== undefined) return scrolled === scroll ? this : this.#with({ scroll: scrolled });
		if (asking) {
			if (key.name === 'enter') return { answer: asking.told(asking.input.text.trim()) };
			const input = asking.input.press(key);
			return input ? this.#with({ asking: { ...asking, input } }) : this;
		}
		const pressed = list.press(key);
		if (pressed === undefined) return this;
		if (!('chosen' in pressed)) return this.#with({ list: pressed });
		const { chosen } = pressed;
		return 'answer' in chosen
			? { answer: chosen.answer }
			: this.#with({ asking: { input: new Input(), ...chosen }, scroll: 0 });
	}

	#with(more: Partial<State<A>>): ChoiceDialog<A> {
		return new ChoiceDialog(this.#dialog, { ...this.#state, ...more });
	}

	rows(size: Size, theme: Theme): readonly string[] {
		return dialogRows(this.#parts(size, theme), this.#state.scroll, size, theme);
	}

	#parts({ width }: Size, theme: Theme): DialogParts {
		const { title, body, question, leave } = this.#dialog;
		const { list, asking } = this.#state;
		const common = { head: [titleRow(title, '', width, theme)], body: body(width, theme) };
		if (!asking)
			return { ...common, question: [shown(question, width)], list, hints: ['↑↓ Enter or a digit', `Esc ${leave}`] };
		return {
			...common,
			question: [shown(asking.ask, width)],
			input: asking.input.row('❯ ', width, theme),
			hints: ['Enter to send', 'Esc to go back'],
		};
	}
}
