/** The codec of Claude Code's session files. */
import type { Block, Entry } from '../../model/index.ts';
import type { Codec } from '../codec.ts';
import { isUuid } from '../derive.ts';
import { lineReader } from '../line-reader.ts';
import { uuidOf } from '../new-id.ts';
import { quoted } from '../quoted.ts';
import { adopt } from './adopt.ts';
import { capabilities } from './capabilities.ts';
import { claimLine } from './claims.ts';
import { clients, context, envelope } from './context.ts';
import { decoder } from './decode.ts';
import { encode, encodeInPieces } from './encode.ts';
import { files } from './files.ts';
import { fork } from './fork.ts';
import { live } from './live.ts';
import { locate } from './locate.ts';
import { manage } from './manage.ts';
import { tellProfile } from './profile.ts';
import { repair } from './repair.ts';
import { rules } from './rules.ts';
import { loadSession } from './seed-context.ts';
import { subagentCalls } from './subagents.ts';
import { toolCalls } from './tool-calls.ts';
import { trail } from './trail.ts';
import { unanswered } from './unanswered.ts';
import { usage } from './usage.ts';
import { validator } from './validate.ts';

function blockName(block: Block): string | undefined {
	if (block.type === 'tool_call') return 'tool_use';
	return block.type === 'thinking' && block.redacted !== undefined ? 'redacted_thinking' : undefined;
}

export const claudeCode: Codec = {
	id: 'claude-code',
	name: 'Claude Code',
	agents: [{ name: 'claude-code', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && claude --resume ${quoted(id)}` }],
	toolCalls,
	inPassing,
	capabilities,
	rules,
	claims: claimLine,
	blockName,
	reader: lineReader,
	decoder,
	validator,
	encode,
	encodeInPieces,
	fork,
	files,
	newId: (random) => uuidOf(random, 4),
	takesId: isUuid,
	newEntryId: (random) => uuidOf(random, 4),
	trail,
	provider: 'anthropic',
	adopt,
	unanswered: () => unanswered,
	live,
	profiles: { dialects: { classic: ['client', 'published'], extended: ['client'] }, tell: tellProfile },
	listing: { titles: ['{"type":"summary"', '{"type":"ai-title"', '{"type":"custom-title"'], branch: '"gitBranch":"' },
	usage,
	locate,
	manage,
	repair,
	clients,
	envelope,
	context,
	contextFromTail: true,
	seedContext: loadSession,
	subagentCalls,
};

export type * from './lines.ts';
export { projectSlug, publishedSlug } from './locate.ts';
export { loadSession } from './seed-context.ts';

/** A checkpoint names a message that may be anywhere, and whether there are attachments is asked of all entries. */
function inPassing(entry: Entry): 'all' | undefined {
	const looksFar = entry.kind === 'checkpoint' || (entry.kind === 'event' && entry.event.type === 'attachment');
	return looksFar ? 'all' : undefined;
}
