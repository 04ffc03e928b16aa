/** The reading part of the codec for pi and OpenClaw. */
import type { Block } from '../../../model/index.ts';
import type { ReadPart } from '../../codec.ts';
import { lineReader } from '../../shared/read/line-reader.ts';
import { callsByResult } from '../../shared/read/subagent-calls.ts';
import { claimsRecord } from '../lines.ts';
import { decoder } from './decode.ts';
import { seenFiles } from './seen-files.ts';

const blockNames: { readonly [type: string]: string } = { tool_call: 'toolCall', tool_result: 'toolResult' };

export const read: ReadPart = {
	claims: claimsRecord,
	blockName: (block: Block) => blockNames[block.type],
	reader: lineReader,
	decoder,
	subagentCalls: ({ entries }) => callsByResult(entries),
	seenFiles,
};
