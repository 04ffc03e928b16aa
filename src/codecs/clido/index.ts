/** The codec of Clido's session files: its parts and the profiles of its dialects. */
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

/** Reads, writes and checks sessions of Clido. */
export const clido: Codec = defineCodec({
	id: 'clido',
	name: 'Clido',
	agents,
	capabilities,
	profiles: { dialects: { client: ['client'], published: ['published'] } },
	toolCalls,
	read,
	write,
	context,
	check,
	places,
	live,
});

export { type ClidoMessage, contextMessages, type Resumed } from './context/messages.ts';
export type * from './lines.ts';
export { clientFolder, dataDir, publishedFolder } from './places/locate.ts';
export { type TypedLine, typedLines } from './read/typed-lines.ts';
