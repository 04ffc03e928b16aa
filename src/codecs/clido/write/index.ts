/** Writing Clido's files. */
import type { WritePart } from '../../codec.ts';
import { isPlainId, uuidOf } from '../../shared/write/new-id.ts';
import { encode, encodeInPieces } from './encode.ts';
import { fork } from './fork.ts';
import { publishedId } from './words.ts';

export const write: WritePart = {
	encode,
	encodeInPieces,
	fork,
	newId: (random, _time, profile) => (profile === 'published' ? publishedId(uuidOf(random, 4)) : uuidOf(random, 4)),
	takesId: isPlainId,
	newEntryId: (random) => uuidOf(random, 4),
	wholeReplies: true,
	// The line that a session begins with says how it ended.
	inPassing: (entry) => (entry.kind === 'outcome' ? 'first' : undefined),
};
