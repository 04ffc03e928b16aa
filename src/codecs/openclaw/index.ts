/** The codec of pi and OpenClaw: bare message lines, and header and entry trees of versions 1 to 4. */
import type { Block } from '../../model/index.ts';
import { unanswered } from '../../wires/texts.ts';
import type { Codec } from '../codec.ts';
import { lineReader } from '../line-reader.ts';
import { isPlainId, uuidOf } from '../new-id.ts';
import { quoted } from '../quoted.ts';
import { capabilities } from './capabilities.ts';
import { clients, context, envelope } from './context.ts';
import { decoder } from './decode.ts';
import { encode, encodeInPieces } from './encode.ts';
import { files } from './files.ts';
import { fork } from './fork.ts';
import { claimsRecord } from './lines.ts';
import { live } from './live.ts';
import { locate } from './locate.ts';
import { manage } from './manage.ts';
import { repair } from './repair.ts';
import { rules } from './rules.ts';
import { toolCalls } from './tool-calls.ts';
import { trail } from './trail.ts';
import { usage } from './usage.ts';
import { validator } from './validate.ts';

const blockNames: { readonly [type: string]: string } = { tool_call: 'toolCall', tool_result: 'toolResult' };

export const openclaw: Codec = {
	id: 'openclaw',
	name: 'OpenClaw and pi',
	agents: [
		{ name: 'pi', resume: ({ cwd, path }) => `cd ${quoted(cwd)} && pi --session ${quoted(path)}` },
		{
			name: 'openclaw',
			ownFolder: true,
			anyFolder: true,
			resume: ({ id }) => `openclaw agent --agent main --session-id ${quoted(id)} --message 'Go on.'`,
		},
	],
	toolCalls,
	capabilities,
	rules,
	claims: claimsRecord,
	blockName: (block: Block) => blockNames[block.type],
	reader: lineReader,
	decoder,
	validator,
	encode,
	encodeInPieces,
	fork,
	files,
	newId: (random, time) => uuidOf(random, 7, time),
	takesId: isPlainId,
	wholeReplies: true,
	newEntryId: (random) => Buffer.from(random).toString('hex').slice(0, 8),
	trail,
	unanswered: () => unanswered,
	live,
	profiles: {
		dialects: { v3: ['client'], 'openclaw-v3': ['client'], bare: ['published'] },
		readOnly: ['v4'],
	},
	listing: { titles: ['{"type":"session_info"'] },
	usage,
	locate,
	manage,
	repair,
	clients,
	envelope,
	context,
	contextFromTail: true,
};

export { type ClientVersion, type Rules, rulesOf } from './clients.ts';
export { type ContextMessages, contextMessages, type Sourced } from './context-messages.ts';
export { type Ready, readyMessages, targetOf } from './context-ready.ts';
export type * from './lines.ts';
