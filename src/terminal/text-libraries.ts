/** Libraries that know how wide every sign is, loaded for the first text that needs them: their tables take as long as a small command. */
import { createRequire } from 'node:module';

type StringWidth = typeof import('string-width').default;
type WrapAnsi = typeof import('wrap-ansi').default;

const load = createRequire(import.meta.url);

let width: StringWidth | undefined;
let wrap: WrapAnsi | undefined;

export function stringWidth(text: string): number {
	width ??= (load('string-width') as { readonly default: StringWidth }).default;
	return width(text);
}

export const wrapAnsi: WrapAnsi = (text, columns, options) => {
	wrap ??= (load('wrap-ansi') as { readonly default: WrapAnsi }).default;
	return wrap(text, columns, options);
};
