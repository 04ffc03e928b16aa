/** The cost of the session in the status line: counted as `/cost` does, and up to which file size. */
import { statSync } from 'node:fs';
import { setImmediate as pause } from 'node:timers/promises';
import type { SessionHandle } from '../store/handle/handle.ts';

/** Counting a larger session after each turn would hold up the keys. */
const largestCounted = 1 << 26;

/** Null: it cannot be known, or would take too long. */
export async function costSoFar({ path, leaf, session: { id, format } }: SessionHandle): Promise<number | null> {
	const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
	// Gone back to its beginning, a session has a file, and has cost what it has cost.
	if (leaf === null && size === 0) return 0;
	if (size > largestCounted) return null;
	const { costOfSession } = await import('../catalog/cost-of-session.ts');
	// What is to be drawn is drawn first.
	await pause();
	try {
		return costOfSession({ path, id, format }).totals.costUsd;
	} catch {
		// Whoever goes on with a session that cannot be read any more is told why then.
		return null;
	}
}
