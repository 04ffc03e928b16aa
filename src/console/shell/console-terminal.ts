/** Raw input and output of the terminal: from how many characters at once a text is a paste, how long Esc waits for more, and that scrollback is never cleared. */
import { ProcessTerminal } from '@earendil-works/pi-tui';
import { clearBelow } from './frame-change.ts';

const clearAll = '\u001b[2J\u001b[H\u001b[3J';
/** From the top of the screen down: what has scrolled away belongs to the user. */
const clearScreen = `\u001b[H${clearBelow}`;

const pasteBegins = '\u001b[200~';
const pasteEnds = '\u001b[201~';

/** The library ends every row with this; we never begin a link. */
const linkEnds = '\u001b]8;;\u0007';

/** What of the library's output reaches a terminal. */
export function asWritten(data: string): string {
	const rows = data.replaceAll(linkEnds, '');
	return rows.includes(clearAll) ? rows.replaceAll(clearAll, clearScreen) : rows;
}

/** So many plain characters in one read were not typed. */
const burst = 32;
/** How long a burst may pause, in milliseconds. */
const pause = 15;
/** How long a lone Esc waits for the rest of a sequence: 10 ms, which the library takes, turn Alt-key into Esc and a key on slow links. */
const escapeTimeout = '50';

/** Esc twice in one read is what the library takes for Alt-Esc, a key that nobody presses. */
function keysIn(data: string): readonly string[] {
	return data === '\u001b\u001b' ? ['\u001b', '\u001b'] : [data];
}

export class ConsoleTerminal extends ProcessTerminal {
	#taken: ((data: Buffer | string) => void) | undefined;

	override write(data: string): void {
		super.write(asWritten(data));
	}

	override start(onInput: (data: string) => void, onResize: () => void): void {
		const each = (data: string): void => {
			for (const key of keysIn(data)) onInput(key);
		};
		if (!process.env.SSH_CONNECTION && !process.env.SSH_TTY) process.env.PI_TUI_ESC_TIMEOUT ??= escapeTimeout;
		super.start(each, onResize);
		// biome-ignore lint/complexity/useLiteralKeys: the library keeps its reader private, and this is the way TypeScript leaves.
		const inner = this['stdinDataHandler'] as ((data: string) => void) | undefined;
		if (inner === undefined) return;
		process.stdin.off('data', inner);
		const bursts = new Bursts(inner, (text) => each(`${pasteBegins}${text}${pasteEnds}`));
		this.#taken = (data) => bursts.take(String(data));
		process.stdin.on('data', this.#taken);
	}

	override stop(): void {
		if (this.#taken) process.stdin.off('data', this.#taken);
		this.#taken = undefined;
		super.stop();
	}
}

/** Terminals without bracketed paste, some SSH clients and automation send a pasted text as if it were typed: each newline would submit. */
export class Bursts {
	readonly #keys: (data: string) => void;
	readonly #pasted: (text: string) => void;
	#held = '';
	#timer: NodeJS.Timeout | undefined;
	/** Within a bracketed paste: its pieces have no marks of their own. */
	#open = false;

	constructor(keys: (data: string) => void, pasted: (text: string) => void) {
		this.#keys = keys;
		this.#pasted = pasted;
	}

	take(data: string): void {
		const marked = data.includes('\u001b');
		if (!this.#open && !marked && (this.#held !== '' || data.length >= burst)) {
			this.#held += data;
			clearTimeout(this.#timer);
			this.#timer = setTimeout(() => this.#flush(), pause);
			return;
		}
		this.#flush();
		if (marked || this.#open) {
			const seen = this.#open ? pasteBegins + data : data;
			this.#open = seen.lastIndexOf(pasteBegins) > seen.lastIndexOf(pasteEnds);
		}
		this.#keys(data);
	}

	#flush(): void {
		clearTimeout(this.#timer);
		const text = this.#held;
		this.#held = '';
		if (text !== '') this.#pasted(text);
	}
}
