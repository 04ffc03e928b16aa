/** The writing part of Cline's codec. */
import type { WritePart } from '../../codec.ts';
import { isPlainId } from '../../shared/write/new-id.ts';
import { adopt } from './adopt.ts';
import { encode, encodeInPieces } from './encode.ts';
import { fork } from './fork.ts';

export const write: WritePart = {
	encode,
	encodeInPieces,
	fork,
	newId: (random, time) => `${time.getTime()}_${Buffer.from(random).toString('hex').slice(0, 5)}`,
	// Cline takes an id with two underscores for a sub-agent's.
	takesId: (id) => isPlainId(id) && !id.includes('__'),
	newEntryId: (random) => `msg_${Buffer.from(random).toString('hex').slice(0, 16)}`,
	wholeReplies: true,
	adopt,
};
