/** The console's screen as a whole: how rows are shared between blocks, what goes on, the line of input or a dialog, and the status line; and how often it is drawn. */
import {
	type AutocompleteProvider,
	isKeyRelease,
	KeybindingsManager,
	type KeyId,
	setKeybindings,
	type Terminal,
	TUI_KEYBINDINGS,
	truncateToWidth,
	visibleWidth,
} from '@earendil-works/pi-tui';
import { rendered } from '../../terminal/writer.ts';
import type { Bindings } from '../keys.ts';
import type { Key, Size } from '../screens/screen.ts';
import type { Theme } from '../theme.ts';
import { eraseBehind } from './frame-change.ts';
import { FrozenTop, Transcript } from './frozen-top.ts';
import { type Finished, FullScreen } from './full-screen.ts';
import { keyOf } from './key-names.ts';
import type { Picture } from './picture.ts';
import { SignedEditor } from './signed-editor.ts';

/** What is drawn below the finished blocks; asked with every frame. */
export interface Face {
	/** What goes on. */
	live(size: Size): readonly string[];
	/** A dialog is open. */
	isAsking(): boolean;
	/** A dialog in place of the line of input; undefined: there is none. */
	dialog(size: Size): readonly string[] | undefined;
	/** The dialog was opened by the user: it gets a screen of its own. */
	isAlone(): boolean;
	/** Below the line of input. */
	status(size: Size): readonly string[];
}

export interface ShellOptions {
	readonly terminal: Terminal;
	readonly theme: () => Theme;
	readonly face: Face;
	/** True for a key that somebody has taken: the line of input does not get it. */
	readonly key: (key: Key) => boolean;
	readonly submitted: (text: string) => void;
	readonly changed: (text: string) => void;
}

const frameMs = 40;
/** A screen of fewer rows is left to a dialog alone. */
const smallHeight = 10;

/** The library's keys of its full screen are ours: it would take them from dialogs and from the line of input as well. */
const noFullScreenKeys = Object.fromEntries(
	(['pageUp', 'pageDown', 'top', 'bottom', 'previousPrompt', 'nextPrompt', 'search'] as const).map((name) => [
		`tui.altScreen.${name}`,
		[],
	]),
);

export class Shell {
	readonly #options: ShellOptions;
	readonly #screen: FrozenTop;
	readonly #transcript = new Transcript();
	readonly #editor: SignedEditor;
	#hasBegun = false;
	#isOpen = false;
	/** The conversation has the alternate screen. */
	#full: FullScreen | undefined;
	/** The last frame shows the conversation alone. */
	#bare = false;
	#lastFrame = 0;
	#next: NodeJS.Timeout | undefined;

	constructor(options: ShellOptions) {
		const { terminal, theme } = options;
		this.#options = options;
		// The caret is drawn; the terminal's own cursor stands there hidden, where input methods open their window.
		this.#screen = new FrozenTop(terminal, () =>
			options.face.isAlone() && !this.#full && !this.#bare ? (width) => this.#alone(width) : undefined,
		);
		this.#editor = new SignedEditor(this.#screen, theme);
		this.#editor.onSubmit = (text) => {
			// Whoever says something wants to see what comes of it.
			this.#full?.scrollToBottom();
			options.submitted(this.#editor.whole(text));
		};
		this.#editor.onChange = options.changed;
		this.#screen.addChild(this.#transcript);
		this.#screen.addChild({ render: (width) => this.#below(width), invalidate: () => this.#editor.invalidate() });
		this.#screen.addInputListener((data) => this.#heard(data));
	}

	start(): void {
		if (!this.#hasBegun) this.#options.terminal.write(eraseBehind);
		this.#hasBegun = true;
		this.#isOpen = true;
		this.#bare = false;
		this.#screen.setFocus(this.#editor);
		if (this.#full) this.#enter(this.#full);
		else this.#enterMain();
	}

	/** A finished block. It is drawn once, and never again when it has scrolled away. */
	append(rows: (width: number) => readonly string[], picture?: Picture): void {
		const block = finished(rows, picture);
		if (this.#full) this.#full.add(block);
		else this.#transcript.append(block.rows, block.picture);
	}

	get isFull(): boolean {
		return this.#full !== undefined;
	}

	/** From now on the alternate screen, in which `before` stands already. */
	enterFull(before: readonly ((width: number) => readonly string[])[]): void {
		const below = {
			render: (width: number) => (this.#options.face.isAlone() ? this.#padded(width) : this.#below(width)),
			invalidate: () => this.#editor.invalidate(),
		};
		const blocks = before.map((rows) => finished(rows));
		const full = new FullScreen(this.#options.terminal, blocks, below);
		full.addInputListener((data) => this.#heard(data));
		full.setFocus(this.#editor);
		this.#drawNow();
		this.#screen.stop({ preserveScreen: true });
		this.#full = full;
		this.#enter(full);
	}

	/** The main screen again: what was said meanwhile is written to it. */
	leaveFull(): void {
		const full = this.#full;
		if (!full) return;
		full.leave();
		this.#full = undefined;
		this.#enterMain();
		this.#printMissed(full);
		this.#screen.renderNow();
	}

	#enter(full: FullScreen): void {
		this.#editor.drawOn(full);
		full.enter();
	}

	#enterMain(): void {
		this.#editor.drawOn(this.#screen);
		this.#screen.start();
		this.#screen.renderNow();
	}

	/** Only after a frame of what stood there: a screen that was resized meanwhile is drawn anew from its end, which would leave rows out. */
	#printMissed(full: FullScreen): void {
		const { blocks, dropped } = full.takeMissed();
		if (dropped > 0)
			this.#transcript.append((width) => fitted(['', `… ${dropped} earlier blocks (/export, reprise show)`], width));
		for (const { rows, picture } of blocks) this.#transcript.append(rows, picture);
	}

	/** What is on the screen is shown in another way from now on. */
	refresh(): void {
		if (this.#full) this.#full.refresh();
		else this.#screen.refresh(this.#transcript);
		this.#drawNow();
	}

	/** Soon: a thousand deltas a second are drawn as often as an eye can follow. What a key does is drawn at once. */
	draw(): void {
		if (!this.#isOpen || this.#next) return;
		const wait = this.#lastFrame + frameMs - performance.now();
		if (wait <= 0) this.#drawNow();
		else this.#next = setTimeout(() => this.#drawNow(), wait);
	}

	#drawNow(): void {
		clearTimeout(this.#next);
		this.#next = undefined;
		if (!this.#isOpen) return;
		this.#lastFrame = performance.now();
		(this.#full ?? this.#screen).requestRender();
	}

	/** Draws the screen anew: another program has written over it. */
	redraw(): void {
		if (this.#full) this.#full.requestRender(true);
		else this.#screen.redraw();
		this.#drawNow();
	}

	/** Keys of the line of input that its user may have chosen. */
	bind(keys: Bindings): void {
		const of = (action: 'submit' | 'newline'): KeyId[] => [...keys.keysOf(action)] as KeyId[];
		setKeybindings(
			new KeybindingsManager(TUI_KEYBINDINGS, {
				...noFullScreenKeys,
				'tui.input.submit': of('submit'),
				'tui.input.newLine': of('newline'),
			}),
		);
	}

	/** Gives the terminal back: the conversation stays on it, and what comes next stands below. */
	stop(): void {
		if (!this.#isOpen) return;
		clearTimeout(this.#next);
		this.#next = undefined;
		if (this.#full) {
			this.#full.leave();
			this.#screen.drawStopped();
			this.#printMissed(this.#full);
		}
		this.#bare = true;
		this.#screen.drawStopped();
		this.#isOpen = false;
		this.#screen.stop();
		this.#screen.leaveDrawn(this.#transcript);
	}

	get size(): Size {
		const { columns, rows } = this.#options.terminal;
		return { width: Math.max(1, columns), height: Math.max(1, rows) };
	}

	get text(): string {
		return this.#editor.getExpandedText();
	}

	set text(text: string) {
		this.#editor.setText(text);
		this.draw();
	}

	insert(text: string): void {
		this.#editor.insertTextAtCursor(text);
		this.draw();
	}

	remember(text: string): void {
		this.#editor.addToHistory(text);
	}

	complete(provider: AutocompleteProvider): void {
		this.#editor.complete(provider);
	}

	get isCompleting(): boolean {
		return this.#editor.isShowingAutocomplete();
	}

	#heard(data: string): { readonly consume: true } | undefined {
		if (isKeyRelease(data)) return { consume: true };
		const key = keyOf(data);
		const isTaken = key && ((!this.#options.face.isAsking() && this.#full?.press(key.name)) || this.#options.key(key));
		if (!isTaken) return undefined;
		this.#drawNow();
		return { consume: true };
	}

	#alone(width: number): string[] {
		const { height } = this.size;
		return safe(this.#options.face.dialog({ width, height }) ?? [], width).slice(0, height);
	}

	/** The conversation is not seen above it. */
	#padded(width: number): string[] {
		const rows = this.#alone(width);
		return [...rows, ...Array.from({ length: this.size.height - rows.length }, () => '')];
	}

	#below(width: number): string[] {
		if (this.#bare) return [];
		const { face } = this.#options;
		const { height } = this.size;
		// The dialog has a rule above it and the status line below, where there is room to spare.
		const around = height < smallHeight ? 0 : 2;
		const dialog = face.dialog({ width, height: height - around });
		const rule = around === 0 ? [] : [this.#options.theme().rule('─'.repeat(width))];
		const input = dialog ? safe([...rule, ...dialog], width) : fitted(this.#editor.render(width), width);
		const status = safe(face.status({ width, height }), width).slice(0, Math.max(0, height - input.length));
		const room = Math.max(0, Math.min(Math.floor(height / 2), height - input.length - status.length));
		const live = room === 0 ? [] : safe(face.live({ width, height: room }), width).slice(-room);
		return [...live, ...input, ...status].slice(-height);
	}
}

function finished(rows: (width: number) => readonly string[], picture?: Picture): Finished {
	return { rows: (width) => safe(rows(width), width), picture };
}

/** Rows as they may be sent: only our own colours, and no row wider than the screen, at which the library would stop. */
function safe(rows: readonly string[], width: number): string[] {
	return fitted(rows.map(rendered), width);
}

function fitted(rows: readonly string[], width: number): string[] {
	return rows.map((row) => (visibleWidth(row) > width ? truncateToWidth(row, width, '') : row));
}
