/** How many columns a text takes, how wide the terminal is (COLUMNS, the least, the default), and the widest text that is good to read. */
import { stringWidth } from './text-libraries.ts';

/** What takes one column each, without control characters. */
const plain = /^[ -~]*$/;

export function textWidth(text: string): number {
	return plain.test(text) ? text.length : stringWidth(text);
}

/** Wider than any table: what goes into a file or to another program is not cut. */
export const noLimit = 1 << 14;

/** Wider text is not good to read. */
export const widestText = 120;

/** Narrower terminals are not provided for. */
const narrowest = 20;
/** The width of a terminal that does not know its own. */
const usual = 80;

/** The columns of the terminal. Whoever sets COLUMNS wants that width in a pipe, too. */
export function terminalWidth(): number {
	const { columns, isTTY } = process.stdout;
	return Math.max(narrowest, columns || Number(process.env.COLUMNS) || (isTTY ? usual : noLimit));
}
