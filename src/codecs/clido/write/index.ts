/** The writing part of Clido's codec. */
import type { Format } from '../../shared/define.ts';
import { uuidOf } from '../../shared/write/new-id.ts';
import { encodeInPieces } from './encode.ts';
import { fork } from './fork.ts';
import { publishedId } from './words.ts';

export const write: Format['write'] = {
	encodeInPieces,
	fork,
	newId: (random, _time, profile) => (profile === 'published' ? publishedId(uuidOf(random, 4)) : uuidOf(random, 4)),
	wholeReplies: true,
	// The first line of a session says how it ended.
	inPassing: (entry) => (entry.kind === 'outcome' ? 'first' : undefined),
};
