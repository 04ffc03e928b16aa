/** Writing files of pi, or the bare messages of the document. */
import type { WritePart } from '../../codec.ts';
import { isPlainId, uuidOf } from '../../shared/write/new-id.ts';
import { encode, encodeInPieces } from './encode.ts';
import { fork } from './fork.ts';

export const write: WritePart = {
	encode,
	encodeInPieces,
	fork,
	newId: (random, time) => uuidOf(random, 7, time),
	takesId: isPlainId,
	newEntryId: (random) => Buffer.from(random).toString('hex').slice(0, 8),
	wholeReplies: true,
};
