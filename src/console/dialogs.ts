/** The dialogs that wait for an answer, one at a time, and the pause in which a key cannot answer by accident. */
import { clip } from '../terminal/print.ts';
import { endShown } from './screens/parts.ts';
import { isAnswered, type Key, type Screen, type Size, type Want } from './screens/screen.ts';
import type { Theme } from './theme.ts';

/** Whoever was typing when a dialog opened has not read it yet: for so many milliseconds no key answers. */
export const guardMs = 400;

export interface DialogOptions<A> {
	/** The dialog is closed without an answer when this fires. */
	readonly signal?: AbortSignal;
	/** It was not the user who opened it. */
	readonly guarded?: boolean;
	/** Loads what a screen waits for. */
	readonly serve?: (want: Want, screen: Screen<A>) => Promise<Screen<A>>;
}

interface Waiting {
	readonly make: (of: number) => Screen<unknown>;
	/** As it was when a question came before it. */
	kept?: Screen<unknown> | undefined;
	readonly options: DialogOptions<unknown>;
	readonly answer: (answer: unknown) => void;
}

export class Dialogs {
	readonly #changed: () => void;
	readonly #now: () => number;
	/** What stands in the line of input, not sent yet. */
	readonly #draft: () => string;
	readonly #waiting: Waiting[] = [];
	#screen: Screen<unknown> | undefined;
	#served: Want | undefined;
	#openedAt = 0;
	#lastKeyAt = 0;
	/** A key has chosen something in this dialog since text was typed. */
	#isChosen = false;
	/** The size that the open dialog was drawn with. */
	#drawn: Size | undefined;

	constructor(changed: () => void, now: () => number = Date.now, draft: () => string = () => '') {
		this.#changed = changed;
		this.#now = now;
		this.#draft = draft;
	}

	get isOpen(): boolean {
		return this.#screen !== undefined;
	}

	/** The open dialog is one that the user has asked for. */
	get isWanted(): boolean {
		return this.#screen !== undefined && this.#waiting[0]?.options.guarded !== true;
	}

	/** `make` is given how many questions wait, this one included. Undefined: it was closed without an answer. */
	async open<A>(make: (of: number) => Screen<A>, options: DialogOptions<A> = {}): Promise<A | undefined> {
		const { signal } = options;
		if (signal?.aborted) return undefined;
		return await new Promise<A | undefined>((resolve) => {
			const one: Waiting = {
				make,
				options: options as DialogOptions<unknown>,
				answer: (answer) => {
					signal?.removeEventListener('abort', leave);
					this.#leave(one);
					resolve(answer as A | undefined);
				},
			};
			const leave = (): void => one.answer(undefined);
			signal?.addEventListener('abort', leave);
			this.#add(one);
		});
	}

	rows(size: Size, theme: Theme): readonly string[] | undefined {
		const screen = this.#screen;
		if (!screen) return undefined;
		const { width, height } = size;
		const draft = this.isWanted ? '' : this.#draft().trim();
		const told =
			draft === '' || height < smallest
				? []
				: [theme.dim(endShown('Typed, not sent: ', draft, width)), ...(this.#isChosen ? [] : hintRow(width, theme))];
		const drawn = { width, height: height - told.length };
		this.#drawn = drawn;
		return [...screen.rows(drawn, theme), ...told];
	}

	/**
	 * True where the dialog has taken the key. What is typed in the first moments, and later what is no answer, belongs to the line of input,
	 * which keeps it. As long as it has text, Enter may have been meant for that: it answers only what a key has chosen before.
	 */
	press(key: Key, size: Size): boolean {
		const now = this.#now();
		const screen = this.#screen;
		const isGuarded = this.#waiting[0]?.options.guarded === true;
		const since = Math.max(this.#openedAt, this.#lastKeyAt);
		this.#lastKeyAt = isGuarded && screen && now - since >= guardMs ? 0 : now;
		if (!screen) return false;
		if (isGuarded && now - since < guardMs) return !isTyped(key);
		if (isGuarded && key.name === 'enter' && !this.#isChosen && this.#draft().trim() !== '') return true;
		// Whoever wants to be out of here presses either.
		const pressed = screen.press(key.name === 'ctrl+c' ? { name: 'escape' } : key, this.#drawn ?? size);
		if (isAnswered(pressed)) {
			this.#waiting[0]?.answer(pressed.answer);
			return true;
		}
		if (isGuarded && pressed === screen && isTyped(key)) {
			this.#lastKeyAt = now;
			this.#isChosen = false;
			return false;
		}
		if (arrows.has(key.name) || (pressed !== screen && !key.name.startsWith('page'))) this.#isChosen = true;
		this.#set(pressed);
		return true;
	}

	/** Puts another state of the open dialog in its place. */
	#set(screen: Screen<unknown> | undefined): void {
		this.#screen = screen;
		this.#changed();
		const { wants } = screen ?? {};
		const serve = this.#waiting[0]?.options.serve;
		// What is waited for again later is loaded again.
		if (!wants) this.#served = undefined;
		if (!screen || !wants || !serve || (this.#served?.what === wants.what && this.#served.of === wants.of)) return;
		this.#served = wants;
		void serve(wants, screen).then((next) => {
			// Keys may have changed the screen meanwhile: then what it waits for now is loaded, and this is forgotten.
			if (this.#screen === screen) this.#set(next);
			else if (this.#screen?.wants === undefined || this.#served === wants) this.#again();
		});
	}

	#again(): void {
		this.#served = undefined;
		if (this.#screen) this.#set(this.#screen);
	}

	/** A question comes before a screen that its user has opened to look at something, which comes back as it was. */
	#add(one: Waiting): void {
		const [first] = this.#waiting;
		const isUrgent = one.options.guarded === true && first !== undefined && first.options.guarded !== true;
		if (isUrgent) {
			first.kept = this.#screen;
			this.#waiting.unshift(one);
		} else this.#waiting.push(one);
		if (isUrgent || this.#waiting.length === 1) this.#show();
	}

	#leave(one: Waiting): void {
		const at = this.#waiting.indexOf(one);
		if (at === -1) return;
		this.#waiting.splice(at, 1);
		if (at === 0) this.#show();
	}

	#show(): void {
		const [next] = this.#waiting;
		this.#served = undefined;
		this.#openedAt = this.#now();
		this.#isChosen = false;
		this.#drawn = undefined;
		const questions = this.#waiting.filter(({ options }) => options.guarded === true).length;
		this.#set(next?.kept ?? next?.make(questions));
		if (next) next.kept = undefined;
	}
}

/** A screen of fewer rows has none for the line of input. */
const smallest = 8;
const arrows: ReadonlySet<string> = new Set(['up', 'down', 'left', 'right']);

function hintRow(width: number, theme: Theme): readonly string[] {
	return [theme.warn(clip('A number answers, or an arrow and Enter', width))];
}

function isTyped({ name, text }: Key): boolean {
	return (name === 'text' && text !== undefined) || name === 'space' || name === 'backspace';
}
