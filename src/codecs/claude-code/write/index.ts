/** The writing part of Claude Code's codec. */
import type { Entry } from '../../../model/index.ts';
import type { Format } from '../../shared/define.ts';
import { isUuid } from '../../shared/write/derive.ts';
import { adopt } from './adopt.ts';
import { encodeInPieces } from './encode.ts';
import { fork } from './fork.ts';

export const write: Format['write'] = {
	encodeInPieces,
	fork,
	takesId: isUuid,
	adopt,
	inPassing,
};

/** A checkpoint names a message anywhere, and whether there are attachments depends on all entries. */
function inPassing(entry: Entry): 'all' | undefined {
	const looksFar = entry.kind === 'checkpoint' || (entry.kind === 'event' && entry.event.type === 'attachment');
	return looksFar ? 'all' : undefined;
}
