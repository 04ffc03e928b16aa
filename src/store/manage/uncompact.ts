/** Undoes compactions: a copy of a session that goes on from all that was said, or from a part of it. */
import { type Codec, codecOf } from '../../codecs/index.ts';
import { byId, compactionsOf, type EntryId, type Session, withoutCompactions } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { openState } from '../handle/open-state.ts';
import { openSession } from '../reader/session-reader.ts';
import { withSidecar } from '../reader/sidecar.ts';
import { type ForkedSession, type ForkOptions, forkSession } from './fork.ts';

export interface UncompactedSession extends ForkedSession {
	/** How many compactions were left out. */
	readonly undone: number;
}

/**
 * Copies the session at `path` without its compactions, up to the entry `to` (default: where its conversation goes on). A copy,
 * because clients read nothing behind a compaction, and because what was said after it follows its summary.
 */
export async function uncompactSession(
	path: string,
	to?: EntryId,
	options: Omit<ForkOptions, 'uncompacted'> = {},
): Promise<UncompactedSession> {
	const session = await openSession(path, { subagents: false });
	const codec = codecOf(session.format);
	if (!codec) throw new Error(`no codec for ${session.format}`);
	const undone = compactionsOf(withSidecar(session, path, [])).length;
	if (undone === 0) throw notCompacted(codec, path);
	const at = to ?? lastSaid(session, openState(path).held.leaf);
	return { ...(await forkSession(path, at, { ...options, uncompacted: true })), undone };
}

/** The leaf; right after a compaction what came before that. */
function lastSaid(session: Session, leaf: EntryId | null): EntryId | undefined {
	const { dropped } = withoutCompactions(session);
	const known = byId(session);
	let at = leaf;
	while (at !== null && dropped.has(at)) {
		const entry = known.get(at);
		at = entry?.parent ?? entry?.logicalParent ?? null;
	}
	return at ?? undefined;
}

function notCompacted({ name, capabilities }: Codec, path: string): InputError {
	const why = capabilities.compaction ? 'nothing was compacted in it' : `${name} sends all of it whenever it goes on`;
	return new InputError('not-compacted', `${path} goes on from the whole conversation already: ${why}`);
}
