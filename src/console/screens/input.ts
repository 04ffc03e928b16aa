/** One line of input within a dialog (a filter, a reason, a rule): its editing keys, and what is shown of a long one. The prompt's own line: ../shell/signed-editor.ts. */
import { textWidth } from '../../terminal/width.ts';
import { cleaned } from '../../terminal/writer.ts';
import type { Theme } from '../theme.ts';
import { type Key, typed } from './screen.ts';

let graphemes: Intl.Segmenter | undefined;

/** The signs of a text as a person counts them: a caret never stands within one. */
function signsOf(text: string): readonly string[] {
	graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

export class Input {
	readonly #signs: readonly string[];
	readonly #at: number;

	constructor(text = '', at?: number) {
		this.#signs = signsOf(text);
		this.#at = Math.min(at ?? this.#signs.length, this.#signs.length);
	}

	get text(): string {
		return this.#signs.join('');
	}

	/** Undefined for a key that means nothing here. */
	press(key: Key): Input | undefined {
		const [before, after] = [this.#signs.slice(0, this.#at), this.#signs.slice(this.#at)];
		const more = typed(key);
		if (more !== undefined) return joined(before.join('') + more, after);
		switch (key.name) {
			case 'backspace':
				return joined(before.slice(0, -1).join(''), after);
			case 'delete':
				return joined(before.join(''), after.slice(1));
			case 'ctrl+w':
				return joined(before.join('').replace(/\S*\s*$/, ''), after);
			case 'ctrl+u':
				return joined('', after);
			case 'ctrl+k':
				return joined(before.join(''), []);
			case 'left':
				return new Input(this.text, Math.max(0, this.#at - 1));
			case 'right':
				return new Input(this.text, this.#at + 1);
			case 'home':
				return new Input(this.text, 0);
			case 'end':
				return new Input(this.text);
			default:
				return undefined;
		}
	}

	/** The part around the caret that fits, behind a label of ours. */
	row(label: string, width: number, theme: Theme): string {
		const room = Math.max(2, width - textWidth(label));
		const signs = this.#signs.map((sign) => cleaned(sign).replace(/\s/g, ' '));
		const under = signs[this.#at] ?? ' ';
		let before = '';
		let used = Math.min(textWidth(under), room);
		let from = this.#at;
		for (; from > 0; from -= 1) {
			const sign = signs[from - 1] ?? '';
			// A sign that is left out at the left is told by an ellipsis, which takes a column itself.
			if (used + textWidth(sign) + (from > 1 ? 1 : 0) > room) break;
			before = sign + before;
			used += textWidth(sign);
		}
		if (from > 0) used += 1;
		let after = '';
		for (const sign of signs.slice(this.#at + 1)) {
			used += textWidth(sign);
			if (used > room) break;
			after += sign;
		}
		const caret = textWidth(under) > room ? ' ' : under;
		return theme.dim(label) + (from > 0 ? theme.dim('…') : '') + before + theme.cursor(caret) + after;
	}
}

function joined(before: string, after: readonly string[]): Input {
	return new Input(before + after.join(''), signsOf(before).length);
}
