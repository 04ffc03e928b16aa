/** The reading part of Cline's codec. */
import type { Block } from '../../../model/index.ts';
import type { ReadPart } from '../../codec.ts';
import { documentReader } from '../../shared/read/document-reader.ts';
import { claims } from './claims.ts';
import { cutBy } from './compaction-entry.ts';
import { decoder } from './decode.ts';
import { seenFiles } from './seen-files.ts';
import { sideHeader } from './side-header.ts';
import { subagentCalls } from './subagents.ts';

/** Cline's name for a block, which is that of Anthropic's API. */
function blockName(block: Block): string | undefined {
	if (block.type === 'tool_call') return 'tool_use';
	return block.type === 'thinking' && block.redacted !== undefined ? 'redacted_thinking' : undefined;
}

export const read: ReadPart = {
	claims,
	blockName,
	reader: () => documentReader('messages'),
	decoder,
	sideHeader,
	cutBy,
	subagentCalls,
	seenFiles,
};
