/** Reading Tern's files. */
import type { ReadPart } from '../../codec.ts';
import { lineReader } from '../../shared/read/line-reader.ts';
import { claims } from '../lines.ts';
import { decoder } from './decode.ts';

export const read: ReadPart = { claims, reader: lineReader, decoder };
