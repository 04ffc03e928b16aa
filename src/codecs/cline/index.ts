/** Cline: one JSON document of messages per session, beside a manifest. */

import { type Block, type Capabilities, isObject, type Json } from '../../model/index.ts';
import type { Codec } from '../codec.ts';
import { documentReader } from '../document-reader.ts';
import { isPlainId } from '../new-id.ts';
import { quoted } from '../quoted.ts';
import { adopt } from './adopt.ts';
import { context, envelope } from './context.ts';
import { clients } from './context-clients.ts';
import { cutBy } from './cut.ts';
import { decoder, looksLikeMessage } from './decode.ts';
import { encode, encodeInPieces } from './encode.ts';
import { files } from './files.ts';
import { fork } from './fork.ts';
import { sessionIndex } from './index-row.ts';
import { agents } from './lines.ts';
import { live } from './live.ts';
import { locate } from './locate.ts';
import { manage } from './manage.ts';
import { repair } from './repair.ts';
import { rules } from './rules.ts';
import { sideHeader } from './side-header.ts';
import { subagentCalls } from './subagents.ts';
import { toolCalls } from './tool-calls.ts';
import { unanswered } from './unanswered.ts';
import { usage } from './usage.ts';
import { validator } from './validate.ts';
import { looksLegacy } from './vscode.ts';

export { checkCompaction, compactionFits, isCompaction, parseCompaction, prefixHash } from './compaction.ts';
export type * from './lines.ts';
export { childId } from './lines.ts';
export { checkManifest, isManifest, parseManifest } from './manifest.ts';
export type { HistoryItem } from './vscode.ts';

const capabilities: Capabilities = {
	container: 'document',
	graph: 'line',
	subagents: 'files',
	compaction: true,
	thinking: true,
	thinkingSignatures: true,
	redactedThinking: true,
	images: true,
	imagesInResults: true,
	documents: false,
	times: true,
	ids: true,
	model: true,
	usage: true,
	cost: true,
	stopReasons: false,
	toolResultDetails: false,
	checkpoints: false,
	labels: false,
	titles: true,
	systemPrompt: true,
	events: false,
	gitBranch: true,
};

const headerKeys = new Set([
	'version',
	'updated_at',
	'agent',
	'sessionId',
	'taskType',
	'origin',
	'messages',
	'system_prompt',
]);

/** A document with messages that names its agent or session, or has nothing in it but what Cline writes. */
function claims(value: Json): string | undefined {
	if (Array.isArray(value)) {
		const some: readonly Json[] = value.slice(0, 4);
		if (some.length === 0 || !some.every(looksLikeMessage)) return undefined;
		return some.some(looksLegacy) ? 'vscode' : 'array';
	}
	if (!isObject(value) || !Array.isArray(value.messages)) return undefined;
	// Records of other formats have a type; Cline's own sidecar counts the messages it stands for.
	if (typeof value.type === 'string' || value.source_message_count !== undefined) return undefined;
	const named = agents.includes(value.agent as string) || (isVersioned(value.version) && hasText(value.sessionId));
	if (!named && !Object.keys(value).every((key) => headerKeys.has(key))) return undefined;
	return isObject(value.origin) ? 'client' : 'contract';
}

function isVersioned(version: Json | undefined): boolean {
	return typeof version === 'number';
}

function hasText(text: Json | undefined): boolean {
	return typeof text === 'string';
}

/** Cline's blocks have the names of the API it was made for. */
function blockName(block: Block): string | undefined {
	if (block.type === 'tool_call') return 'tool_use';
	return block.type === 'thinking' && block.redacted !== undefined ? 'redacted_thinking' : undefined;
}

export const cline: Codec = {
	id: 'cline',
	name: 'Cline',
	agents: [{ name: 'cline', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && cline --id ${quoted(id)}` }],
	toolCalls,
	capabilities,
	rules,
	claims,
	blockName,
	reader: () => documentReader('messages'),
	decoder,
	validator,
	encode,
	encodeInPieces,
	fork,
	files,
	newId: (random, time) => `${time.getTime()}_${Buffer.from(random).toString('hex').slice(0, 5)}`,
	// With two underscores in its id Cline takes a session for a sub-agent's.
	takesId: (id) => isPlainId(id) && !id.includes('__'),
	wholeReplies: true,
	newEntryId: (random) => `msg_${Buffer.from(random).toString('hex').slice(0, 16)}`,
	adopt,
	unanswered,
	live,
	profiles: {
		dialects: { client: ['client'], contract: ['published'] },
		readOnly: ['vscode'],
		clientFile: 'manifest',
	},
	usage,
	locate,
	manage,
	repair,
	clients,
	envelope,
	context,
	contextFiles: ['compaction', 'index'],
	sideHeader,
	cutBy,
	subagentCalls,
	index: sessionIndex,
};
