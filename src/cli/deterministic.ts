/** A clock and a source of ids that are the same in every run, for `reprise replay`. */
import { createHash } from 'node:crypto';

/** One millisecond per question, from a given time on. */
export function steadyClock(start: string | undefined): () => number {
	const parsed = Date.parse(start ?? '');
	let now = Number.isNaN(parsed) ? 0 : parsed;
	return () => now++;
}

export function steadyRandom(seed: string): (bytes: number) => Buffer {
	let asked = 0;
	return (bytes) => {
		const parts: Buffer[] = [];
		for (let length = 0; length < bytes; length += 32) {
			parts.push(createHash('sha256').update(`${seed}\n${asked++}`).digest());
		}
		return Buffer.concat(parts).subarray(0, bytes);
	};
}
