/** `/fullscreen`, the conversation in the alternate screen: its keys for scrolling and search, and how many blocks are kept to be scrolled to. */
import { type Component, ScrollView, type Terminal, TuiAltScreen, VStack } from '@earendil-works/pi-tui';
import { Transcript } from './frozen-top.ts';
import type { Picture } from './picture.ts';
import { noteAlternate } from './restore.ts';

/** A finished block, and its picture where it has one. */
export interface Finished {
	readonly rows: (width: number) => readonly string[];
	readonly picture?: Picture | undefined;
}

/** Rows of a page that are seen again on the next. */
const overlap = 2;
/** Blocks that are kept to be scrolled to, and to be printed afterwards: nobody reads more in a terminal. */
const mostBlocks = 1000;

export class FullScreen extends TuiAltScreen {
	readonly #conversation: Transcript;
	readonly #view: ScrollView;
	#missed: Finished[] = [];
	#dropped = 0;

	/** `below` has as many rows as it wants, the conversation has the others. */
	constructor(terminal: Terminal, before: readonly Finished[], below: Component) {
		super(terminal);
		this.#conversation = new Transcript();
		for (const { rows } of before.slice(-mostBlocks)) this.#conversation.append(rows);
		this.#view = new ScrollView(this.#conversation, { follow: 'end', primary: true, scrollbar: 'auto' });
		this.setLayoutRoot(new VStack([{ component: this.#view, basis: 0, grow: 1, shrink: 1 }, { component: below }]));
	}

	enter(): void {
		noteAlternate(true);
		this.start();
		this.renderNow();
	}

	/** Gives back the main screen as it stood. The library would print the whole conversation there, of which it has the beginning. */
	leave(): void {
		this.stop({ preserveScreen: true });
		noteAlternate(false);
	}

	add(block: Finished): void {
		this.#conversation.append(block.rows);
		if (this.#conversation.children.length > mostBlocks) this.#conversation.children.shift();
		this.#missed.push(block);
		if (this.#missed.length <= mostBlocks) return;
		this.#missed.shift();
		this.#dropped += 1;
	}

	/** What the main screen does not have yet, once. */
	takeMissed(): { readonly blocks: readonly Finished[]; readonly dropped: number } {
		const taken = { blocks: this.#missed, dropped: this.#dropped };
		this.#missed = [];
		this.#dropped = 0;
		return taken;
	}

	/** All blocks are made anew. */
	refresh(): void {
		this.#conversation.invalidate();
	}

	/** True for a key that moves through the conversation. */
	press(name: string): boolean {
		const page = Math.max(1, this.#view.viewportHeight - overlap);
		if (name === 'pageup') this.scrollBy(-page);
		else if (name === 'pagedown') this.scrollBy(page);
		else if (name === 'ctrl+home') this.scrollToTop();
		else if (name === 'ctrl+end') this.scrollToBottom();
		// biome-ignore lint/complexity/useLiteralKeys: the library keeps it private; with a key of its own it would open over dialogs.
		else if (name === 'ctrl+f') this['toggleSearch']();
		else return false;
		return true;
	}
}
