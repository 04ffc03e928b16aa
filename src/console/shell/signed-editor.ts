/** The line of input: a sign before it, and completions that count only for the text that they are shown for. */
import { type AutocompleteProvider, type Component, Editor, getKeybindings, type TUI } from '@earendil-works/pi-tui';
import { rendered, withoutColours } from '../../terminal/writer.ts';
import type { Theme } from '../theme.ts';
import type { FrozenTop } from './frozen-top.ts';

const sign = '❯';

/** The sign has another colour where a shell command is typed, whose own sign is the first of its text. */
export class SignedEditor extends Editor implements Component {
	readonly #theme: () => Theme;
	#provider: AutocompleteProvider | undefined;
	/** The text and the place in it that the last list was made for, and that of the list on the screen. */
	#madeFor: string | undefined;
	#shownFor: string | undefined;

	constructor(screen: FrozenTop, theme: () => Theme) {
		const painted =
			(name: 'accent' | 'selected' | 'dim' | 'rule') =>
			// The library ends what it has cut with a code of its own, which would be shown as text.
			(text: string): string =>
				rendered(theme()[name](withoutColours(text)));
		super(
			screen,
			{
				borderColor: painted('rule'),
				selectList: {
					selectedPrefix: painted('accent'),
					selectedText: painted('selected'),
					description: painted('dim'),
					scrollInfo: painted('dim'),
					noMatch: painted('dim'),
				},
			},
			{ paddingX: 2, autocompleteMaxVisible: 6 },
		);
		this.#theme = theme;
	}

	/** Another screen has it from now on. */
	drawOn(screen: TUI): void {
		this.tui = screen;
	}

	complete(provider: AutocompleteProvider): void {
		this.#provider = {
			...provider,
			getSuggestions: async (lines, line, column, options) => {
				const at = placeIn(lines.join('\n'), line, column);
				const found = await provider.getSuggestions(lines, line, column, options);
				this.#madeFor = at;
				return found;
			},
		};
		this.setAutocompleteProvider(this.#provider);
	}

	/**
	 * Lists are made meanwhile, and stay until the next one is there. So a key that takes something from a list counts only where the list on
	 * the screen is the one for the text as it is now; else there is no list, and Enter sends what was typed.
	 */
	override handleInput(data: string): void {
		const keys = getKeybindings();
		const takes = keys.matches(data, 'tui.select.confirm') || keys.matches(data, 'tui.input.tab');
		if (takes && this.isShowingAutocomplete() && !this.#isListed()) this.#closeList();
		super.handleInput(data);
		if (this.isShowingAutocomplete() && this.getText() === '') this.#closeList();
	}

	#isListed(): boolean {
		const { line, col } = this.getCursor();
		const now = placeIn(this.getText(), line, col);
		return this.#madeFor === now && this.#shownFor === now;
	}

	#closeList(): void {
		if (this.#provider) this.setAutocompleteProvider(this.#provider);
	}

	override render(width: number): string[] {
		const rows = super.render(width);
		this.#shownFor = this.isShowingAutocomplete() ? this.#madeFor : undefined;
		const first = rows[1];
		if (first?.startsWith('  ')) {
			const isShell = this.getText().startsWith('!');
			const mark = isShell ? this.#theme().warn(sign) : this.#theme().accent(sign);
			rows[1] = `${rendered(mark)} ${first.slice(2)}`;
		}
		return rows;
	}
}

function placeIn(text: string, line: number, column: number): string {
	return `${line}:${column}:${text}`;
}
