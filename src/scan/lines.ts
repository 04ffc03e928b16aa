/** A batch of scanned lines, and questions about one of them. */
import type { Columns, Packed } from './engine.ts';
import { scanFlag } from './flags.ts';

/**
 * Some lines of the input. Rows 0 to `count` of the columns describe them; the columns may be longer. Everything here
 * is reused by the scanner: copy what shall outlive the visit.
 */
export interface ScannedLines extends Columns {
	readonly count: number;
	/** The bytes of the lines, and the offset of its first byte in the whole input. */
	readonly window: Uint8Array;
	readonly base: number;
	/**
	 * Copies the values of rows [row, end) together, as far as they leave no doubt and there is room. Bytes are counted on from `used`,
	 * which grows from call to call by as many as were copied: what was copied before is not copied again. Not every engine can.
	 */
	readonly pack?: (row: number, end: number, used: number) => Packed;
}

/** The bytes of a line, its newline included; undefined for a line that is too long to be held. */
export function lineBytes(lines: ScannedLines, row: number): Uint8Array | undefined {
	if (((lines.flags[row] as number) & scanFlag.tooLong) !== 0) return undefined;
	return lines.window.subarray((lines.at[row] as number) - lines.base, (lines.end[row] as number) - lines.base);
}

/** The raw value of a path (`"user"` with its quotes, `{…}`, `null`); undefined where it is absent. */
export function valueBytes(lines: ScannedLines, row: number, field: number): Uint8Array | undefined {
	const to = lines.to[field]?.[row] ?? 0;
	if (to === 0) return undefined;
	const start = (lines.at[row] as number) - lines.base;
	return lines.window.subarray(start + (lines.from[field]?.[row] as number), start + to);
}

/** Whether the bytes from `at` on are these. */
export function bytesAre(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
	for (let i = 0; i < wanted.length; i += 1) if (bytes[at + i] !== wanted[i]) return false;
	return true;
}

const quote = 0x22;
const backslash = 0x5c;

/** The text of a raw value that is a JSON string; undefined where it is absent, something else, or broken. */
export function stringValue(raw: Uint8Array | undefined): string | undefined {
	if (raw?.[0] !== quote) return undefined;
	const buffer = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
	if (!raw.includes(backslash)) return buffer.toString('utf8', 1, raw.length - 1);
	try {
		return JSON.parse(buffer.toString('utf8')) as string;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined; // an escape that JSON does not know
		throw error;
	}
}
