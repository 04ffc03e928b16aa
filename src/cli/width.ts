/** How many columns a text takes in a terminal. */
import { stringWidth } from './text-libraries.ts';

/** What takes one column each, without control characters. */
const plain = /^[ -~]*$/;

export function textWidth(text: string): number {
	return plain.test(text) ? text.length : stringWidth(text);
}
