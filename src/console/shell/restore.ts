/** Which modes of the terminal are switched off when the program ends, however it ends. */
import { writeSync } from 'node:fs';

/** Bracketed paste, both keyboard protocols and a frame that was begun are switched off, the cursor is shown, the text is plain. */
const modesOff = '\u001b[?2026l\u001b[?2004l\u001b[<u\u001b[>4;0m\u001b[?25h\u001b[0m';
/** The mouse, focus and rows that are cut are those of the full screen. */
const alternateOff = '\u001b[?1006l\u001b[?1004l\u001b[?1003l\u001b[?1002l\u001b[?1000l\u001b[?7h\u001b[?1049l';

let isAlternate = false;

/** The alternate screen is shown. Leaving it where it is not shown would move the cursor. */
export function noteAlternate(shown: boolean): void {
	isAlternate = shown;
}

/** Restores the terminal when the process ends before this is disposed of. */
export function restoringAtExit(): Disposable {
	process.on('exit', restoreTerminal);
	return {
		[Symbol.dispose]() {
			process.off('exit', restoreTerminal);
		},
	};
}

export function restoreTerminal(): void {
	try {
		writeSync(1, isAlternate ? modesOff + alternateOff : modesOff);
		if (process.stdin.isTTY) process.stdin.setRawMode(false);
	} catch (error) {
		// A terminal that is gone needs nothing any more.
		if (!(error instanceof Error && 'code' in error)) throw error;
	}
}
