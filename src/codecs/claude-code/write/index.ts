/** Writing Claude Code's files. */
import type { Entry } from '../../../model/index.ts';
import type { WritePart } from '../../codec.ts';
import { isUuid } from '../../shared/write/derive.ts';
import { uuidOf } from '../../shared/write/new-id.ts';
import { adopt } from './adopt.ts';
import { encode, encodeInPieces } from './encode.ts';
import { fork } from './fork.ts';

export const write: WritePart = {
	encode,
	encodeInPieces,
	fork,
	newId: (random) => uuidOf(random, 4),
	takesId: isUuid,
	newEntryId: (random) => uuidOf(random, 4),
	adopt,
	inPassing,
};

/** A checkpoint names a message that may be anywhere, and whether there are attachments is asked of all entries. */
function inPassing(entry: Entry): 'all' | undefined {
	const looksFar = entry.kind === 'checkpoint' || (entry.kind === 'event' && entry.event.type === 'attachment');
	return looksFar ? 'all' : undefined;
}
