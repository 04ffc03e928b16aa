/** When a block of a reply that is still being written is printed by `reprise -p` on a terminal. At the console: console/reply-blocks.ts. */
import { markdownText, markdownTokens } from './terminal-markdown.ts';
import { cleaned } from './writer.ts';

export class MarkdownStream {
	readonly #width: number;
	/** What came and is not shown yet. */
	#rest = '';
	#shown = false;

	constructor(width: number) {
		this.#width = width;
	}

	/** The text that can be shown now: whole blocks, each with the line that separates it from the one before. */
	push(piece: string): string {
		this.#rest += piece.replaceAll('\r\n', '\n');
		// Only the end of a line can end a block.
		return piece.includes('\n') ? this.#take(this.#finished()) : '';
	}

	/** The rest, whole or not. */
	end(): string {
		const text = this.#take(this.#rest.length);
		this.#shown = false;
		return text;
	}

	/** How much of the rest is whole: all blocks but the last, which may go on, and nothing that an open one could still swallow. */
	#finished(): number {
		const blocks = markdownTokens(this.#rest);
		const last = blocks.findLastIndex((token) => token.type !== 'space');
		if (last <= 0) return 0;
		const raw = blocks.slice(0, last).reduce((sum, token) => sum + token.raw.length, 0);
		// Where the parser did not keep every sign, lengths say nothing: then the reply is shown when it ends.
		return blocks.map((token) => token.raw).join('') === this.#rest ? raw : 0;
	}

	#take(length: number): string {
		// Spelled out, not taken away: what a reply says must not depend on what a terminal would do with it.
		const text = markdownText(cleaned(this.#rest.slice(0, length)), { width: this.#width });
		this.#rest = this.#rest.slice(length);
		if (text === '') return '';
		const between = this.#shown ? '\n' : '';
		this.#shown = true;
		return `${between}${text}\n`;
	}
}
