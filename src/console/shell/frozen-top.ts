/** Draws into the normal screen so that what has scrolled away is never written again, and is forgotten. */
import { Container, TuiMainScreen, type TuiMainScreenRenderState, type TuiStopOptions } from '@earendil-works/pi-tui';
import { frameChange } from './frame-change.ts';
import { KeptRows } from './kept-rows.ts';
import { type Picture, PictureRows } from './picture.ts';
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

/** Fewer rows than this are never left of what was drawn: the region below the conversation has at least so many. */
const fewestRows = 3;

export class FrozenTop extends TuiMainScreen {
	/** Rows of the components that are above the screen, and not compared any more. */
	#frozen = 0;
	/** The column that the caret was last seen in. */
	#column = 0;

	/** What has the screen to itself, and the state of the drawing that it interrupts. */
	#alone:
		| { readonly rows: (width: number) => readonly string[]; readonly before: TuiMainScreenRenderState }
		| undefined;

	/**
	 * Gives the alternate screen to something tall that is closed again: it would push the conversation into the scrollback, and leave
	 * blank rows behind. Undefined gives the conversation back as it stood.
	 */
	showAlone(rows: ((width: number) => readonly string[]) | undefined): void {
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
		if (this.#alone) {
			super.doRender();
			return;
		}
		const state = this.captureRenderState();
		const { rows, columns } = this.terminal;
		const isResized = state.previousWidth !== 0 && (state.previousWidth !== columns || state.previousHeight !== rows);
		if (isResized) this.#frozen = Math.max(0, super.render(columns).length - rows);
		else if (state.previousViewportTop > 0) {
			const gone = state.previousViewportTop;
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
		if (isResized || !this.#drawChange()) super.doRender();
		for (const child of this.children) {
			if (!(child instanceof Transcript)) continue;
			this.#drawPictures(child, columns);
			this.#forget(child, columns);
		}
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
		const caret = this.extractCursorPosition(rows, height);
		const after = this.applyLineResets(rows);
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
		if (rows.length < this.#frozen + fewestRows) this.#frozen = Math.max(0, rows.length - this.terminal.rows);
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
		this.restoreRenderState({ ...this.captureRenderState(), previousWidth: -1 });
	}

	/** Everything that was drawn stays where it is, and the next frame begins below. */
	leaveDrawn(transcript: Transcript): void {
		transcript.clear();
		this.#frozen = 0;
		this.restoreRenderState(noState);
	}

	#forget(transcript: Transcript, width: number): void {
		let count = 0;
		for (const child of transcript.children) {
			const { length } = child.render(width);
			if (length > this.#frozen) break;
			this.#frozen -= length;
			count += 1;
		}
		transcript.children.splice(0, count);
	}
}

/** The finished blocks that are still on the screen. */
export class Transcript extends Container {
	append(rows: (width: number) => readonly string[], picture?: Picture): void {
		this.addChild(picture ? new PictureRows(rows, picture) : new KeptRows(rows));
	}
}
