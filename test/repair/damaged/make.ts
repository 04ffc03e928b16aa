/** Small helpers for making damaged sessions. */
import type { RepairOptions } from '../../../src/codecs/index.ts';

export type Fields = { [key: string]: unknown };

export interface Damaged {
	readonly name: string;
	readonly wrong: string;
	readonly bytes: Uint8Array;
	readonly options?: Partial<RepairOptions>;
}

/** Records, or lines that are written already, one per line. */
export const text = (lines: readonly (Fields | string)[]): Uint8Array =>
	Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));

export const one = (name: string, wrong: string, bytes: Uint8Array, options?: Damaged['options']): Damaged => ({
	name,
	wrong,
	bytes,
	...(options ? { options } : {}),
});
