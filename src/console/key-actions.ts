/** What keys do where no dialog is open: Esc and Ctrl-C once or twice (and within how long), `?`, ↑, Tab. Which key is bound to which action: keys.ts. */
import { type Action, type Bindings, bindings } from './keys.ts';

export interface KeyActions {
	readonly isBusy: () => boolean;
	readonly isCompleting: () => boolean;
	readonly text: () => string;
	readonly hasQueue: () => boolean;
	clear(): void;
	interrupt(): void;
	/** A dialog is left without an answer, if one is open; what asked is stopped. */
	leaveDialog(): boolean;
	/** `isSure`: its user was told what ends with it. */
	exit(isSure?: boolean): void;
	/** What leaving would end, in one line; empty where that is nothing. */
	ends(): string;
	suspend(): void;
	editOutside(): void;
	showAll(): void;
	nextMode(): void;
	toggleTasks(): void;
	toggleThinking(): void;
	pastePicture(): void;
	searchHistory(): void;
	redraw(): void;
	editQueue(): void;
	/** Sends the line after what is being answered. */
	sendLater(): void;
	/** A command of the console's own. */
	command(name: string): void;
	hint(text: string, forMs: number): void;
}

/** Within so many milliseconds a second key of the same kind means more than the first. */
const twiceMs = 1200;

const notEmpty = 'Send or clear the line first';

/** Gives what takes a key, and says whether it did. `now` is for tests. */
export function keyActions(
	at: KeyActions,
	keys: () => Bindings = () => usual,
	now: () => number = Date.now,
): (name: string, text?: string) => boolean {
	let lastStop = Number.NEGATIVE_INFINITY;
	let lastEscape = Number.NEGATIVE_INFINITY;
	const stop = (): boolean => {
		if (now() - lastStop < twiceMs) at.exit(true);
		else if (!at.leaveDialog()) {
			if (at.text() !== '') at.clear();
			else if (at.isBusy()) at.interrupt();
		}
		lastStop = now();
		const ends = at.ends();
		at.hint(`Press Ctrl-C again to exit${ends === '' ? '' : ` (ends ${ends})`}`, twiceMs);
		return true;
	};
	const back = (): boolean => {
		if (at.isCompleting()) return false;
		const twice = now() - lastEscape < twiceMs;
		lastEscape = twice ? Number.NEGATIVE_INFINITY : now();
		if (at.isBusy()) at.interrupt();
		else if (at.text() !== '') {
			if (twice) at.clear();
			else at.hint('Press Esc again to clear (↑ brings it back)', twiceMs);
		} else if (twice) at.command('rewind');
		return true;
	};
	const actions: { readonly [action in Action]?: () => boolean } = {
		clear: stop,
		interrupt: back,
		exit: () => at.text() === '' && done(at.exit()),
		suspend: () => done(at.suspend()),
		editor: () => done(at.editOutside()),
		expand: () => done(at.showAll()),
		mode: () => done(at.nextMode()),
		tasks: () => done(at.toggleTasks()),
		thinking: () => done(at.toggleThinking()),
		picture: () => done(at.pastePicture()),
		history: () => done(at.searchHistory()),
		redraw: () => done(at.redraw()),
		queued: () => at.hasQueue() && done(at.text() === '' ? at.editQueue() : at.hint(notEmpty, twiceMs)),
		later: () => isSentLater(at) && done(at.sendLater()),
		model: () => !at.isBusy() && done(at.command('model')),
	};
	return (name, text) => {
		if (name === 'text' && text === '?' && at.text() === '') return done(at.command('keys'));
		if (name === 'up' && at.text() === '' && at.hasQueue()) return done(at.editQueue());
		const action = keys().of(name);
		return action !== undefined && actions[action]?.() === true;
	};
}

/** The key also completes what can be completed. */
function isSentLater(at: KeyActions): boolean {
	const text = at.text();
	return at.isBusy() && !at.isCompleting() && text.trim() !== '' && !/(?:^|\s)@\S*$|^\/\S*$/.test(text);
}

const usual = bindings();

/** The key was taken, whatever came of it. */
function done(_: unknown): true {
	return true;
}
