/** The reading part of Claude Code's codec. */
import type { Block } from '../../../model/index.ts';
import type { ReadPart } from '../../codec.ts';
import { lineReader } from '../../shared/read/line-reader.ts';
import { claimLine } from './claims.ts';
import { decoder } from './decode.ts';
import { seenFiles } from './seen-files.ts';
import { subagentCalls } from './subagents.ts';

function blockName(block: Block): string | undefined {
	if (block.type === 'tool_call') return 'tool_use';
	return block.type === 'thinking' && block.redacted !== undefined ? 'redacted_thinking' : undefined;
}

export const read: ReadPart = {
	claims: claimLine,
	blockName,
	reader: lineReader,
	decoder,
	subagentCalls,
	seenFiles,
};
