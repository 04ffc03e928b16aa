/** Whether a prompt is written under the id that its sender gave it, whether one of that id was answered before, and up to which size a session is searched for it. */
import { statSync } from 'node:fs';
import { codecOf } from '../codecs/index.ts';
import { readRegular } from '../log/regular-file.ts';
import { history } from '../model/index.ts';
import type { SessionHandle } from '../store/handle/handle.ts';
import { openSession } from '../store/reader/session-reader.ts';

const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A larger file is not searched for a name: that would take longer than it is worth. */
const largestSearched = 1 << 26;

/** Only where the format's own ids look so, and no entry of the session has it yet. */
export function mayName(uuid: string, handle: SessionHandle): boolean {
	return isId(uuid, handle) && standsIn(uuid, handle) === false;
}

/**
 * Whether the session has a prompt of that name, and at least the beginning of its answer: who sends it again after a crash, unsure
 * whether it has come, must not have its work done twice.
 */
export async function isAnswered(uuid: string, handle: SessionHandle): Promise<boolean> {
	if (!isId(uuid, handle) || standsIn(uuid, handle) !== true) return false;
	const entries = history(await openSession(handle.path, { subagents: false }));
	const at = entries.findIndex(({ id }) => id === uuid);
	return at !== -1 && entries.slice(at).some((entry) => entry.kind === 'message' && entry.role === 'assistant');
}

function isId(uuid: string, { session }: SessionHandle): boolean {
	return codecOf(session.format)?.live.givenIds === true && isUuid.test(uuid);
}

/** Undefined for a session that is too large to be searched. */
function standsIn(uuid: string, { path, leaf }: SessionHandle): boolean | undefined {
	const size = leaf === null ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
	if (size > largestSearched) return undefined;
	return size > 0 && readRegular(path).includes(uuid);
}
