/** The JSON of a settings file, how large it may be, or why it cannot be read. */
import { isMissing } from '../../log/errors.ts';
import { readRegular } from '../../log/regular-file.ts';
import type { Json } from '../../model/index.ts';

const usual = 1024 * 1024;
/** Claude Code keeps a lot beside what matters here in the user's `.claude.json`. */
export const largestOfUser = 16 * 1024 * 1024;

/** Undefined where there is no such file, and where it is empty. */
export function jsonOf(path: string, largest = usual): Json | undefined {
	const bytes = bytesOf(path, largest);
	if (bytes === undefined) return undefined;
	if (bytes.length > largest) throw new Error(`it is larger than ${largest} bytes`);
	const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
	if (text.trim() === '') return undefined;
	try {
		return JSON.parse(text) as Json;
	} catch {
		throw new Error('it is not JSON, and nothing of it counts');
	}
}

function bytesOf(path: string, largest: number): Buffer | undefined {
	try {
		return readRegular(path, largest + 1);
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
