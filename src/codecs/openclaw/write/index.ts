/** The writing part of the codec: files of pi, or the bare messages of the document. */
import type { Format } from '../../shared/define.ts';
import { uuidOf } from '../../shared/write/new-id.ts';
import { encodeInPieces } from './encode.ts';
import { fork } from './fork.ts';

export const write: Format['write'] = {
	encodeInPieces,
	fork,
	newId: (random, time) => uuidOf(random, 7, time),
	newEntryId: (random) => Buffer.from(random).toString('hex').slice(0, 8),
	wholeReplies: true,
};
