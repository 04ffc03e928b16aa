/** Which key the bytes of a terminal are, by the names that bindings have; a paste is a text without control characters. */
import { decodeKittyPrintable, isKeyRelease, parseKey } from '@earendil-works/pi-tui';
import type { Key } from '../screens/screen.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these marks are what is looked for.
const pasted = /^\u001b\[200~([\s\S]*)\u001b\[201~$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey is taken out of what was pasted.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Undefined for what is no key that anybody pressed. */
export function keyOf(data: string): Key | undefined {
	const [, text] = pasted.exec(data) ?? [];
	if (text !== undefined) return { name: 'text', text: text.replace(/\r\n?/g, '\n').replace(controls, '') };
	if (isKeyRelease(data)) return undefined;
	const printable = decodeKittyPrintable(data) ?? (isPlain(data) ? data : undefined);
	if (printable !== undefined)
		return printable === ' ' ? { name: 'space', text: ' ' } : { name: 'text', text: printable };
	const name = parseKey(data)?.toLowerCase();
	return name === undefined ? undefined : { name };
}

function isPlain(data: string): boolean {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: a text that has none of these was typed.
	return data !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(data);
}
