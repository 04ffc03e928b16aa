/** Draws into the normal screen so that what has scrolled away is never written again; what is drawn after a resize, and for how long a new size is not trusted. */
import {
	type Component,
	Container,
	type Terminal,
	TuiMainScreen,
	type TuiMainScreenRenderState,
	type TuiStopOptions,
	visibleWidth,
} from '@earendil-works/pi-tui';
import { clearBelow, frameChange } from './frame-change.ts';
import { KeptRows } from './kept-rows.ts';
import { type Picture, PictureRows } from './picture.ts';
import { Pulse } from './pulse.ts';
import { noteAlternate } from './restore.ts';

const noState = {
	previousLines: [],
	previousWidth: 0,
	previousHeight: 0,
	cursorRow: 0,
	hardwareCursorRow: 0,
	maxLinesRendered: 0,
	previousViewportTop: 0,
};

/** A terminal may be another size for so many milliseconds before it says so (tmux waits for 250): what was drawn then may stand in a wrong row. */
const unsureMs = process.env.TMUX !== undefined || /^(screen|tmux)/.test(process.env.TERM ?? '') ? 500 : 50;

/** After a resize more of them are expected for so long. */
const restlessMs = 2000;

/** Whether rows that became too wide go on in the next row, as in most terminals; in the others their end is gone. */
function reflows({ TERM = '', XTERM_VERSION, STY }: NodeJS.ProcessEnv): boolean {
	return XTERM_VERSION === undefined && STY === undefined && !/^(rxvt|linux)/.test(TERM);
}

export class FrozenTop extends TuiMainScreen {
	/** Rows of the components that are above the screen, and not compared any more. */
	#frozen = 0;
	/** The next frame writes the whole screen. */
	#anew = false;
	readonly #pulse = new Pulse(unsureMs);
	/** Until then the cursor rests in the last row: terminals that become lower take away rows below it, and all moves are relative to it. */
	#restless = 0;
	/** The column that the caret was last seen in. */
	#column = 0;
	/** From when on frames may stand in wrong rows, whatever size was told last: several resizes follow each other. */
	#stormSince: number | undefined;
	#calm: NodeJS.Timeout | undefined;
	/** The storm is over: what was drawn in it is drawn once more. */
	#isOver = false;

	/** What has the screen to itself; undefined: nothing. */
	readonly #wanted: () => ((width: number) => readonly string[]) | undefined;
	/** It has the screen, and this is the state of the drawing that it interrupts. */
	#alone:
		| { readonly rows: (width: number) => readonly string[]; readonly before: TuiMainScreenRenderState }
		| undefined;

	constructor(terminal: Terminal, alone: () => ((width: number) => readonly string[]) | undefined) {
		super(terminal);
		this.#wanted = alone;
	}

	/**
	 * Gives the alternate screen to something tall that is closed again: it would push the conversation into the scrollback, and leave
	 * blank rows behind. Then the conversation is there again as it stood. Asked with every frame, because the library draws some by itself.
	 */
	#showAlone(rows: ((width: number) => readonly string[]) | undefined): void {
		if ((rows === undefined) === (this.#alone === undefined)) return;
		if (rows) {
			this.terminal.write('\u001b[?1049h\u001b[H');
			noteAlternate(true);
			this.#alone = { rows, before: this.captureRenderState() };
			this.restoreRenderState(noState);
		} else if (this.#alone) {
			this.terminal.write('\u001b[?1049l');
			noteAlternate(false);
			this.restoreRenderState(this.#alone.before);
			this.#alone = undefined;
		}
	}

	// The library compares all rows that were ever drawn, and where one above the screen differs it clears screen and scrollback. So the
	// rows above the screen are taken out of its state before each frame.
	protected override doRender(): void {
		if (this.stopped) return;
		this.#showAlone(this.#wanted());
		if (this.#alone) {
			super.doRender();
			return;
		}
		const state = this.captureRenderState();
		const { rows, columns } = this.terminal;
		const isResized = state.previousWidth !== 0 && (state.previousWidth !== columns || state.previousHeight !== rows);
		if (this.#anew) this.#frozen = Math.max(0, super.render(columns).length - rows);
		else {
			this.#freeze(state);
			if (isResized) this.#heed();
			if (isResized || this.#isOver) this.#begin(state.previousWidth);
		}
		if (this.#anew || !this.#drawChange()) super.doRender();
		if (isResized) this.#rest();
		this.#pulse.drawn();
		this.#anew = false;
		if (this.#isOver) this.#stormSince = undefined;
		this.#isOver = false;
		for (const child of this.children) {
			if (!(child instanceof Transcript)) continue;
			child.drawn(this.#pulse.now);
			this.#drawPictures(child, columns);
			this.#forget(child, columns);
		}
	}

	/** What is above the screen is not compared any more. */
	#freeze(state: TuiMainScreenRenderState): void {
		const gone = state.previousViewportTop;
		if (gone === 0) return;
		this.#frozen += gone;
		this.restoreRenderState({
			...state,
			previousLines: state.previousLines.slice(gone),
			cursorRow: state.cursorRow - gone,
			hardwareCursorRow: state.hardwareCursorRow - gone,
			maxLinesRendered: state.maxLinesRendered - gone,
			previousViewportTop: 0,
		});
	}

	/**
	 * A terminal that changes its size several times tells some of them late, and not at all where the last is like the first: only when it
	 * is calm, rows stand where they are written.
	 */
	#heed(): void {
		if (performance.now() < this.#restless) this.#stormSince ??= this.#pulse.calmSince;
		clearTimeout(this.#calm);
		if (this.#stormSince === undefined) return;
		this.#calm = setTimeout(() => {
			this.#isOver = true;
			this.requestRender();
		}, unsureMs).unref();
	}

	/**
	 * After the screen became another size. The terminal has moved its rows, taken some back from the scrollback or wrapped them, and says
	 * nothing of it; but the cursor has stayed in its row. So finished blocks stay as the terminal shows them, and what is below them is
	 * cleared from there and drawn anew. Clearing the screen instead would lose what came back from the scrollback.
	 */
	#begin(width: number): void {
		const { previousLines, hardwareCursorRow: at } = this.captureRenderState();
		const { columns } = this.terminal;
		// A wide row that was written into a narrower screen has covered others instead of moving them: counting it as wrapped would lead too far up.
		const wraps = reflows(process.env) && this.#pulse.isCalm;
		const taken = (from: number, to: number): number =>
			previousLines
				.slice(from, to)
				.reduce((sum, row) => sum + (wraps ? Math.max(1, Math.ceil(visibleWidth(row) / columns)) : 1), 0);
		const settled = this.children.flatMap((child) =>
			child instanceof Transcript ? child.settled(this.#stormSince ?? this.#pulse.calmSince) : [],
		);
		const rowsOf = (size: number): number => settled.reduce((sum, child) => sum + child.render(size).length, 0);
		const first = Math.max(0, rowsOf(width) - this.#frozen);
		const by = at >= first ? -taken(first, at) : taken(at, first);
		this.terminal.write(`${by < 0 ? `\u001b[${-by}A` : by > 0 ? `\u001b[${by}B` : ''}${clearBelow}`);
		this.#frozen = rowsOf(columns);
		this.restoreRenderState(noState);
	}

	#rest(): void {
		const state = this.captureRenderState();
		const last = Math.max(0, state.previousLines.length - 1);
		if (last > state.hardwareCursorRow) this.terminal.write(`\u001b[${last - state.hardwareCursorRow}B`);
		this.restoreRenderState({ ...state, hardwareCursorRow: last });
		this.#restless = performance.now() + restlessMs;
	}

	/** A picture is sent once, into the rows that are kept free for it; then it scrolls with them. */
	#drawPictures(transcript: Transcript, width: number): void {
		const { hardwareCursorRow, previousViewportTop } = this.captureRenderState();
		let row = -this.#frozen;
		for (const child of transcript.children) {
			const picture = child instanceof PictureRows ? child.take(width) : undefined;
			const first = row + (picture?.below ?? 0);
			row += child.render(width).length;
			if (!picture || first < previousViewportTop) continue;
			const by = hardwareCursorRow - first;
			const move = by > 0 ? `\u001b[${by}A` : by < 0 ? `\u001b[${-by}B` : '';
			this.terminal.write(`\u001b7${move}\r\u001b[2C${picture.sequence}\u001b8`);
		}
	}

	/** Blocks that are on the screen as a whole are made anew; of what has scrolled away nothing changes any more. */
	refresh(transcript: Transcript): void {
		let above = this.#frozen + this.captureRenderState().previousViewportTop;
		for (const child of transcript.children) {
			const { length } = child.render(this.terminal.columns);
			if (above <= 0) child.invalidate();
			above -= length;
		}
	}

	/** False for the first frame: nothing is there yet that could be changed. */
	#drawChange(): boolean {
		const state = this.captureRenderState();
		const { rows: height, columns } = this.terminal;
		const before = state.previousLines;
		if (before.length === 0 || before.length > height) return false;
		const rows = this.render(columns);
		const shown = this.extractCursorPosition(rows, height);
		const after = this.applyLineResets(rows);
		const caret = performance.now() < this.#restless ? { row: Math.max(0, after.length - 1), col: 0 } : shown;
		const change = frameChange(before, after, state.hardwareCursorRow, height);
		const column = caret?.col ?? this.#column;
		const row = caret?.row ?? change.row;
		if (change.codes !== '' || column !== this.#column || row !== state.hardwareCursorRow) {
			const by = row - change.row;
			const move = `${by > 0 ? `\u001b[${by}B` : by < 0 ? `\u001b[${-by}A` : ''}\u001b[${column + 1}G`;
			// Input methods open their window where the cursor stands, hidden.
			this.terminal.write(change.codes === '' ? move : `\u001b[?2026h${change.codes}${move}\u001b[?2026l`);
		}
		this.#column = column;
		this.restoreRenderState({
			...{ previousLines: after, previousWidth: columns, previousHeight: height, hardwareCursorRow: row },
			cursorRow: Math.max(0, after.length - 1),
			maxLinesRendered: Math.max(state.maxLinesRendered, after.length),
			previousViewportTop: Math.max(0, after.length - height),
		});
		return true;
	}

	override render(width: number): string[] {
		if (this.#alone) return [...this.#alone.rows(width)];
		const rows = super.render(width);
		// Blanks at the end would make two rows of one where a terminal is narrowed, and are copied along.
		return rows.slice(this.#frozen).map((row) => row.replace(/ +$/, ''));
	}

	/** A frame although nobody listens to the terminal: the last one, or one for a screen that was covered meanwhile. */
	drawStopped(): void {
		const { stopped } = this;
		this.stopped = false;
		this.renderNow();
		this.stopped = stopped;
	}

	/** The library would write a blank where the cursor stands, which is over the first sign of the last row. */
	protected override beforeTerminalStop({ preserveScreen }: TuiStopOptions = {}): void {
		if (preserveScreen) return;
		const { previousLines, hardwareCursorRow } = this.captureRenderState();
		if (previousLines.length === 0) {
			// The caret stood here, behind its sign.
			this.terminal.write('\r');
			return;
		}
		const down = previousLines.length - 1 - hardwareCursorRow;
		if (down !== 0) this.terminal.write(down > 0 ? `\u001b[${down}B` : `\u001b[${-down}A`);
		this.terminal.write('\r\n');
	}

	/** The next frame writes the whole screen. */
	redraw(): void {
		this.#anew = true;
		this.restoreRenderState({ ...this.captureRenderState(), previousWidth: -1 });
	}

	/** Everything that was drawn stays where it is, and the next frame begins below. */
	leaveDrawn(transcript: Transcript): void {
		transcript.clear();
		this.#frozen = 0;
		this.restoreRenderState(noState);
	}

	/** Of what is above the screen, as much is kept as it takes to draw a whole one anew. */
	#forget(transcript: Transcript, width: number): void {
		let left = transcript.children.reduce((rows, child) => rows + child.render(width).length, 0);
		let count = 0;
		for (const child of transcript.children) {
			const { length } = child.render(width);
			left -= length;
			if (length > this.#frozen || left < this.terminal.rows) break;
			this.#frozen -= length;
			count += 1;
		}
		transcript.children.splice(0, count);
	}
}

/** The finished blocks that are still on the screen. */
export class Transcript extends Container {
	/** At which beat each was drawn. */
	readonly #times = new WeakMap<Component, number>();

	drawn(now: number): void {
		for (let at = this.children.length - 1; at >= 0; at -= 1) {
			const child = this.children[at];
			if (!child || this.#times.has(child)) return;
			this.#times.set(child, now);
		}
	}

	/** Those that are whole for certain. The others are drawn again: of what is out of reach some rows may stand there twice, and none is lost. */
	settled(before: number): readonly Component[] {
		const first = this.children.findIndex((child) => (this.#times.get(child) ?? Infinity) > before);
		return first === -1 ? this.children : this.children.slice(0, first);
	}

	append(rows: (width: number) => readonly string[], picture?: Picture): void {
		this.addChild(picture ? new PictureRows(rows, picture) : new KeptRows(rows));
	}
}
