/** A terminal in memory that the console draws on: every byte is kept, and every row can be looked at. */
import type { Terminal } from '@earendil-works/pi-tui';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import xterm from '@xterm/headless';
import { asWritten } from '../../src/console/shell/console-terminal.ts';

export class HeadlessTerminal implements Terminal {
	readonly #screen: InstanceType<typeof xterm.Terminal>;
	/** Everything that was written. */
	raw = '';
	readonly kittyProtocolActive = false;
	readonly modifyOtherKeysActive = false;
	#input: (data: string) => void = () => undefined;
	#resized: () => void = () => undefined;
	/** The size that the console knows of, where it is another one by now. */
	#told: { readonly columns: number; readonly rows: number } | undefined;

	constructor(columns: number, rows: number) {
		this.#screen = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
		this.#screen.loadAddon(new UnicodeGraphemesAddon());
	}

	start(onInput: (data: string) => void, onResize: () => void): void {
		this.#input = onInput;
		this.#resized = onResize;
	}

	stop(): void {
		this.#input = () => undefined;
	}

	async drainInput(): Promise<void> {
		// nothing waits here
	}

	/** As the console's own terminal does it. */
	write(data: string): void {
		const kept = asWritten(data);
		this.raw += kept;
		this.#screen.write(kept);
	}

	/** One key, or one paste. */
	press(data: string): void {
		this.#input(data);
	}

	resize(columns: number, rows: number): void {
		this.#screen.resize(columns, rows);
		this.tellSize();
	}

	/** As tmux does it: the screen is another size, and nobody is told yet. Everything that was written has come through before. */
	async resizeUntold(columns: number, rows: number): Promise<void> {
		this.#told ??= { columns: this.columns, rows: this.rows };
		await new Promise<void>((resolve) => this.#screen.write('', resolve));
		this.#screen.resize(columns, rows);
	}

	tellSize(): void {
		this.#told = undefined;
		this.#resized();
	}

	/** All rows, those that have scrolled away first, once all that was written has come through. */
	async lines(): Promise<readonly string[]> {
		await new Promise<void>((resolve) => this.#screen.write('', resolve));
		const { active } = this.#screen.buffer;
		return Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '');
	}

	async shown(): Promise<readonly string[]> {
		return (await this.lines()).slice(-this.rows);
	}

	/** Where the cursor stands, from the left. */
	async column(): Promise<number> {
		await this.lines();
		return this.#screen.buffer.active.cursorX;
	}

	get columns(): number {
		return this.#told?.columns ?? this.#screen.cols;
	}

	get rows(): number {
		return this.#told?.rows ?? this.#screen.rows;
	}

	moveBy(lines: number): void {
		if (lines !== 0) this.write(lines > 0 ? `\u001b[${lines}B` : `\u001b[${-lines}A`);
	}

	hideCursor(): void {
		this.write('\u001b[?25l');
	}

	showCursor(): void {
		this.write('\u001b[?25h');
	}

	clearLine(): void {
		this.write('\u001b[K');
	}

	clearFromCursor(): void {
		this.write('\u001b[J');
	}

	clearScreen(): void {
		this.write('\u001b[H\u001b[J');
	}

	setTitle(): void {
		// nobody looks at it
	}

	setProgress(): void {
		// nobody looks at it
	}
}
