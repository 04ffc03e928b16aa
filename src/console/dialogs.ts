/** Which dialog is open and in which order others wait; for how long after it opened no key answers, and how long a digit waits for more typing, so that nobody answers by accident. */
import { clip } from '../terminal/print.ts';
import { endShown } from './screens/parts.ts';
import { isAnswered, type Key, type Pressed, type Screen, type Size, usualSize, type Want } from './screens/screen.ts';
import type { Theme } from './theme.ts';

/** Whoever was typing when a dialog opened has not read it yet: for so many milliseconds no key answers. */
const guardMs = 400;
/** A number answers when nothing was typed for so long after it: `2 files …` is a prompt, of whoever did not look up. */
export const holdMs = 300;

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
	/** A key that answers unless it turns out to be the first of a text. */
	#held: { readonly key: Key; readonly size: Size; readonly timer: NodeJS.Timeout } | undefined;
	/** Takes a text into the line of input, which was empty. */
	readonly #keep: (text: string) => void;
	/** Hears why what a screen waits for did not come; the screen stays as it is. */
	readonly #failed: (error: unknown) => void;

	constructor(
		changed: () => void,
		now: () => number = Date.now,
		draft: () => string = () => '',
		keep: (text: string) => void = () => undefined,
		failed: (error: unknown) => void = () => undefined,
	) {
		this.#changed = changed;
		this.#now = now;
		this.#draft = draft;
		this.#keep = keep;
		this.#failed = failed;
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
		// On a small screen all choices are worth more than the draft, which is back afterwards.
		const typed = height < crowded ? [] : [theme.dim(endShown('Typed, not sent: ', draft, width))];
		const told = draft === '' || height < smallest ? [] : [...typed, ...(this.#isChosen ? [] : hintRow(width, theme))];
		const drawn = { width, height: height - told.length, typing: draft !== '' && !this.#isChosen };
		this.#drawn = drawn;
		return [...screen.rows(drawn, theme), ...told];
	}

	/**
	 * True where the dialog has taken the key. What is typed in the first moments, and later what is no answer, belongs to the line of input,
	 * which keeps it. As long as it has text, Enter or a number may have been meant for that: they answer only after a key of the dialog.
	 */
	press(key: Key, size: Size): boolean {
		const now = this.#now();
		if (this.#isText(key)) {
			this.#lastKeyAt = now;
			return false;
		}
		const screen = this.#screen;
		const isGuarded = this.#waiting[0]?.options.guarded === true;
		const since = Math.max(this.#openedAt, this.#lastKeyAt);
		this.#lastKeyAt = isGuarded && screen && now - since >= guardMs ? 0 : now;
		if (!screen) return false;
		if (isGuarded && now - since < guardMs) return !isTyped(key);
		const drawn = this.#drawn ?? size;
		if (!isGuarded) return this.#apply(key, drawn);
		const isMeant = this.#isChosen || this.#draft().trim() === '';
		if (key.name === 'enter' && !isMeant) return true;
		if (!isTyped(key) || takesText(screen, drawn)) return this.#apply(key, drawn);
		if (isMeant && screen.press(key, drawn) !== screen) {
			this.#held = { key, size: drawn, timer: setTimeout(() => this.#release(), holdMs) };
			return true;
		}
		// It would answer if the screen were large enough to show what: nobody sees it become a text, either.
		if (isMeant && screen.press(key, usualSize) !== screen) return true;
		this.#lastKeyAt = now;
		this.#isChosen = false;
		return false;
	}

	#apply(key: Key, size: Size): boolean {
		const screen = this.#screen;
		if (!screen) return false;
		const pressed = key.name === 'ctrl+c' ? left(screen, size) : screen.press(key, size);
		if (isAnswered(pressed)) {
			this.#waiting[0]?.answer(pressed.answer);
			return true;
		}
		if (arrows.has(key.name) || (pressed !== screen && !key.name.startsWith('page'))) this.#isChosen = true;
		this.#set(pressed);
		return true;
	}

	/** What was held counts now: nothing was typed after it. */
	#release(): void {
		const held = this.#held;
		this.#drop();
		if (held) this.#apply(held.key, held.size);
	}

	#drop(): void {
		clearTimeout(this.#held?.timer);
		this.#held = undefined;
	}

	/** True where this key goes on with a text whose first sign is held: both are typed. */
	#isText(key: Key): boolean {
		const held = this.#held;
		if (!held) return false;
		if (key.name === 'escape' || key.name === 'ctrl+c') this.#drop();
		else if (!isTyped(key)) this.#release();
		else {
			this.#drop();
			this.#isChosen = false;
			this.#keep(held.key.text ?? ' ');
			return true;
		}
		return false;
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
		const served = serve(wants, screen).then((next) => {
			// Keys may have changed the screen meanwhile: then what it waits for now is loaded, and this is forgotten.
			if (this.#screen === screen) this.#set(next);
			else if (this.#screen?.wants === undefined || this.#served === wants) this.#again();
		});
		served.catch(this.#failed);
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
		this.#drop();
		this.#served = undefined;
		this.#openedAt = this.#now();
		this.#isChosen = false;
		this.#drawn = undefined;
		const questions = this.#waiting.filter(({ options }) => options.guarded === true).length;
		this.#set(next?.kept ?? next?.make(questions));
		if (next) next.kept = undefined;
	}
}

/** A question has so many steps at most. */
const mostSteps = 4;

/** Ctrl-C is Esc, at every step at once. */
function left(screen: Screen<unknown>, size: Size): Pressed<unknown> {
	let pressed: Pressed<unknown> = screen;
	for (let step = 0; step < mostSteps && !isAnswered(pressed); step += 1)
		pressed = (pressed as Screen<unknown>).press({ name: 'escape' }, size);
	return pressed;
}

/** A screen of fewer rows has none for the line of input. */
const smallest = 8;
const crowded = 12;
const arrows: ReadonlySet<string> = new Set(['up', 'down', 'left', 'right']);

function hintRow(width: number, theme: Theme): readonly string[] {
	return [theme.warn(clip('An arrow and Enter answer', width))];
}

/** A sign that is the key of no choice. */
const anySign: Key = { name: 'text', text: '…' };

/** Words are typed into it, which its own Enter sends. */
function takesText(screen: Screen<unknown>, size: Size): boolean {
	return screen.press(anySign, size) !== screen;
}

function isTyped({ name, text }: Key): boolean {
	return (name === 'text' && text !== undefined) || name === 'space' || name === 'backspace';
}
