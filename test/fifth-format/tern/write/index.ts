/** Writing Tern's files. */
import type { Format } from '../../shared/define.ts';
import { encodeInPieces } from './encode.ts';

export const write: Format['write'] = { encodeInPieces, wholeReplies: true };
