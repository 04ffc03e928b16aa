/** The reading part of Clido's codec. */
import { isObject } from '../../../model/index.ts';
import type { ReadPart } from '../../codec.ts';
import { lineReader } from '../../shared/read/line-reader.ts';
import { claims } from '../lines.ts';
import { decoder } from './decode.ts';
import { seenFiles } from './seen-files.ts';

export const read: ReadPart = {
	claims: (value) => (isObject(value) ? claims(value) : undefined),
	blockName: (block) => (block.type === 'tool_call' ? 'tool_use' : undefined),
	reader: lineReader,
	decoder,
	seenFiles,
};
