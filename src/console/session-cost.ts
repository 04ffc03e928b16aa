/** The cost of the session and the size of its conversation in the status line: counted as `/cost` does, and up to which file size. */
import { statSync } from 'node:fs';
import { setImmediate as pause } from 'node:timers/promises';
import { lastCounted } from '../agent/compaction/compact-when.ts';
import type { ClientSession } from '../client/session.ts';
import type { SessionHandle } from '../store/handle/handle.ts';
import type { Status } from './state.ts';

/** Counting a larger session after each turn would hold up the keys. */
const largestCounted = 1 << 26;

/** How long the conversation is, its last reply has said, whoever was asked for it. */
export async function usedSoFar({ handle, conversation }: ClientSession): Promise<Partial<Status>> {
	const costUsd = await costSoFar(handle);
	return { costUsd, tokens: lastCounted(conversation.messages)?.usage.totalTokens ?? 0 };
}

/** Null: it cannot be known, or would take too long. */
async function costSoFar({ path, leaf, session: { id, format } }: SessionHandle): Promise<number | null> {
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
