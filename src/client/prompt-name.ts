/** Whether a prompt is written under the id that its sender gave it, and up to which size a session is searched for that id. */
import { statSync } from 'node:fs';
import { codecOf } from '../codecs/index.ts';
import { readRegular } from '../log/regular-file.ts';
import type { SessionHandle } from '../store/handle/handle.ts';

const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A larger file is not searched for a name: that would take longer than it is worth. */
const largestSearched = 1 << 26;

/** Only where the format's own ids look so, and no entry of the session has it yet. */
export function mayName(uuid: string, { session, path, leaf }: SessionHandle): boolean {
	if (!codecOf(session.format)?.live.givenIds || !isUuid.test(uuid)) return false;
	const size = leaf === null ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
	return size <= largestSearched && (size === 0 || !readRegular(path).includes(uuid));
}
