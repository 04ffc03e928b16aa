/** The codec of Clido sessions. */

import { isObject } from '../../model/index.ts';
import type { Codec } from '../codec.ts';
import { lineReader } from '../line-reader.ts';
import { isPlainId, uuidOf } from '../new-id.ts';
import { quoted } from '../quoted.ts';
import { clients, context } from './context.ts';
import { decoder } from './decode.ts';
import { encode, encodeInPieces } from './encode.ts';
import { files } from './files.ts';
import { fork } from './fork.ts';
import { claims } from './lines.ts';
import { live } from './live.ts';
import { locate } from './locate.ts';
import { manage } from './manage.ts';
import { repair } from './repair.ts';
import { rules } from './rules.ts';
import { toolCalls } from './tool-calls.ts';
import { unanswered } from './unanswered.ts';
import { usage } from './usage.ts';
import { validator } from './validate.ts';
import { publishedId } from './words.ts';

export const clido: Codec = {
	id: 'clido',
	name: 'Clido',
	agents: [{ name: 'clido', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && clido --resume ${quoted(id)}` }],
	toolCalls,
	// The line that a session begins with says how it ended.
	inPassing: (entry) => (entry.kind === 'outcome' ? 'first' : undefined),
	capabilities: {
		container: 'lines',
		graph: 'line',
		subagents: 'none',
		// Its compaction line is a remark: a resume replays the whole history.
		compaction: false,
		thinking: true,
		thinkingSignatures: false,
		redactedThinking: false,
		images: true,
		imagesInResults: false,
		documents: false,
		times: false,
		ids: false,
		model: false,
		usage: false,
		// Per reply; a run's total is in its result line.
		cost: false,
		stopReasons: false,
		toolResultDetails: false,
		checkpoints: false,
		labels: false,
		titles: true,
		systemPrompt: false,
		events: false,
		gitBranch: false,
	},
	rules,
	claims: (value) => (isObject(value) ? claims(value) : undefined),
	blockName: (block) => (block.type === 'tool_call' ? 'tool_use' : undefined),
	reader: lineReader,
	decoder,
	validator,
	encode,
	encodeInPieces,
	fork,
	files,
	newId: (random, _time, profile) => (profile === 'published' ? publishedId(uuidOf(random, 4)) : uuidOf(random, 4)),
	takesId: isPlainId,
	wholeReplies: true,
	newEntryId: (random) => uuidOf(random, 4),
	unanswered: () => unanswered,
	live,
	profiles: { dialects: { client: ['client'], published: ['published'] } },
	listing: { titles: ['{"type":"title"'] },
	usage,
	locate,
	manage,
	repair,
	clients,
	// No envelope: one bad line anywhere makes the client refuse the file, so every line has to be read.
	context,
};

export { type ClidoMessage, contextMessages, type Resumed } from './context-messages.ts';
export type * from './lines.ts';
export { clientFolder, dataDir, publishedFolder } from './locate.ts';
export { type TypedLine, typedLines } from './typed.ts';
