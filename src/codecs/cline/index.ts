/** The codec of Cline: one JSON document of messages per session, beside a manifest; its parts and the profiles of its dialects. */
import type { Codec } from '../codec.ts';
import { defineCodec } from '../shared/define.ts';
import { agents } from './agents.ts';
import { capabilities } from './capabilities.ts';
import { check } from './check/index.ts';
import { context } from './context/index.ts';
import { live } from './live.ts';
import { places } from './places/index.ts';
import { read } from './read/index.ts';
import { toolCalls } from './tool-calls.ts';
import { write } from './write/index.ts';

/** Reads, writes and checks sessions of Cline. */
export const cline: Codec = defineCodec({
	id: 'cline',
	name: 'Cline',
	agents,
	capabilities,
	profiles: {
		dialects: { client: ['client'], contract: ['published'] },
		readOnly: ['vscode'],
		clientFile: 'manifest',
	},
	toolCalls,
	read,
	write,
	context,
	check,
	places,
	live,
});

export type * from './lines.ts';
export { childId } from './lines.ts';
export { checkCompaction, compactionFits, isCompaction, parseCompaction, prefixHash } from './read/compaction.ts';
export { checkManifest, isManifest, parseManifest } from './read/manifest.ts';
export type { HistoryItem } from './read/vscode.ts';
