/** The line of input: from which length a paste becomes a marker, what of a text is drawn spelled out, and for which text a completion counts. */
import { type AutocompleteProvider, type Component, Editor, getKeybindings, type TUI } from '@earendil-works/pi-tui';
import { cleaned, rendered, withoutColours } from '../../terminal/writer.ts';
import type { Theme } from '../theme.ts';
import type { FrozenTop } from './frozen-top.ts';

const sign = '❯';
/** As many columns as the library measures it with. */
const tab = '   ';
/** What is longer stands in the line as a marker. */
const mostPastedLines = 10;
const mostPastedChars = 1000;

// biome-ignore-start lint/complexity/useLiteralKeys: the library keeps these private, and this is the way that TypeScript leaves.

/** The sign has another colour where a shell command is typed, whose own sign is the first of its text. */
export class SignedEditor extends Editor implements Component {
	readonly #theme: () => Theme;
	#provider: AutocompleteProvider | undefined;
	/** The text and the place in it that the last list was made for, and that of the list on the screen. */
	#madeFor: string | undefined;
	#shownFor: string | undefined;
	#indentation = '';

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
		// The library would make blanks of tabs, and take other signs out of what is pasted: what is sent would not be what was given.
		this['normalizeText'] = withPlainLineEnds;
		this['handlePaste'] = (pasted: string): void => this.#paste(pasted);
		// Whoever takes an earlier prompt back wants to add to it, as in a shell; the library would put the cursor before it.
		const set = this['setTextInternal'].bind(this);
		this['setTextInternal'] = (text: string): void => set(text, 'end');
		const submit = this['submitValue'].bind(this);
		this['submitValue'] = (): void => {
			this.#indentation = /^(?:[^\S\n]*\n)*([^\S\n]*)/.exec(this.getExpandedText())?.[1] ?? '';
			submit();
		};
	}

	/** With the blanks and tabs before its first word, which the library takes away: in pasted code they are a part of it. */
	whole(submitted: string): string {
		return submitted.startsWith('!') ? submitted : this.#indentation + submitted;
	}

	/** What comes from elsewhere may end its lines as other systems do. */
	override addToHistory(text: string): void {
		super.addToHistory(withPlainLineEnds(text));
	}

	/** A long text is kept beside the line, in which a marker stands for it. */
	#paste(pasted: string): void {
		const text = withPlainLineEnds(
			pasted.replace(reencoded, (_, code: string) => String.fromCharCode(Number(code) & 31)),
		);
		const lines = text.split('\n').length;
		if (lines <= mostPastedLines && text.length <= mostPastedChars) {
			this.insertTextAtCursor(text);
			return;
		}
		this['pasteCounter'] += 1;
		const id = this['pasteCounter'];
		this['pastes'].set(id, text);
		const size = lines > mostPastedLines ? `+${lines} lines` : `${text.length} chars`;
		this.insertTextAtCursor(`[paste #${id} ${size}]`);
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
		const isTaken = takes && this.isShowingAutocomplete();
		super.handleInput(isTaken && this.#isGuessed() ? '\t' : data);
		if (this.isShowingAutocomplete() && this.getText() === '') this.#closeList();
		// What is in a folder is listed next.
		if (isTaken && this.#before.endsWith('/')) this['tryTriggerAutocomplete']();
	}

	get #before(): string {
		const { line, col } = this.getCursor();
		return (this.getLines()[line] ?? '').slice(0, col);
	}

	#isListed(): boolean {
		const { line, col } = this.getCursor();
		const now = placeIn(this.getText(), line, col);
		return this.#madeFor === now && this.#shownFor === now;
	}

	/** A command that fits loosely what was typed (`/ls`: /fullscreen) is written into the line, as with Tab: nobody has called it yet. */
	#isGuessed(): boolean {
		const [, typed] = /^\/(.+)$/.exec(this['autocompletePrefix']) ?? [];
		const chosen = this['autocompleteList']?.getSelectedItem();
		return (
			typed !== undefined &&
			chosen !== undefined &&
			!`:${chosen.value}`.toLowerCase().includes(`:${typed.toLowerCase()}`)
		);
	}

	#closeList(): void {
		if (this.#provider) this.setAutocompleteProvider(this.#provider);
	}

	/** Whatever way a text came in, nothing in it that a terminal would obey is drawn: rows are laid out from what is spelled out. */
	override render(width: number): string[] {
		const state = this['state'];
		const { lines, cursorLine, cursorCol } = state;
		this['state'] = {
			lines: lines.map(spelledOut),
			cursorLine,
			cursorCol: spelledOut((lines[cursorLine] ?? '').slice(0, cursorCol)).length,
		};
		const rows = super.render(width);
		this['state'] = state;
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

// biome-ignore-end lint/complexity/useLiteralKeys: see above.

function placeIn(text: string, line: number, column: number): string {
	return `${line}:${column}:${text}`;
}

/** tmux sends control characters of a text that is pasted into a popup as keys that are held with Ctrl. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these codes are what is looked for.
const reencoded = /\u001b\[(6[5-9]|[78]\d|90|9[7-9]|1[01]\d|12[0-2]);5u/g;

function withPlainLineEnds(text: string): string {
	return text.replace(/\r\n?/g, '\n');
}

function spelledOut(line: string): string {
	return cleaned(line).replaceAll('\t', tab);
}
