/** How many columns a text takes in a terminal. */
import { createRequire } from 'node:module';

/** What takes one column each, without control characters. */
const plain = /^[ -~]*$/;

type Measure = (text: string) => number;

let measured: Measure | undefined;

/** The library that knows all other characters is loaded for the first text that has one: its tables take as long as a small command. */
export function textWidth(text: string): number {
	if (plain.test(text)) return text.length;
	measured ??= (createRequire(import.meta.url)('string-width') as { readonly default: Measure }).default;
	return measured(text);
}
