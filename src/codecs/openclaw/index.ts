/** The codec of pi and OpenClaw: bare message lines, and files with header and tree of versions 1 to 4; the profiles of these dialects. */
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

/** Reads, writes and checks sessions of pi and OpenClaw. */
export const openclaw: Codec = defineCodec({
	id: 'openclaw',
	name: 'OpenClaw and pi',
	agents,
	capabilities,
	profiles: {
		dialects: { v3: ['client'], 'openclaw-v3': ['client'], bare: ['published'] },
		readOnly: ['v4'],
	},
	toolCalls,
	read,
	write,
	context,
	check,
	places,
	live,
});

export { type Rules, rulesOf } from './context/clients.ts';
export { type ContextMessages, contextMessages, type Sourced } from './context/messages.ts';
export { readyMessages, targetOf } from './context/ready.ts';
export type * from './lines.ts';
