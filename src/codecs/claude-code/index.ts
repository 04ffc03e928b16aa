/** The codec of Claude Code's session files: its parts, its dialects and the profiles that these fit. */
import type { Codec } from '../codec.ts';
import { defineCodec } from '../shared/define.ts';
import { agents } from './agents.ts';
import { capabilities } from './capabilities.ts';
import { check } from './check/index.ts';
import { context } from './context/index.ts';
import { live } from './live.ts';
import { places } from './places/index.ts';
import { tellProfile } from './profile.ts';
import { read } from './read/index.ts';
import { toolCalls } from './tool-calls.ts';
import { write } from './write/index.ts';

/** Reads, writes and checks sessions of Claude Code. */
export const claudeCode: Codec = defineCodec({
	id: 'claude-code',
	name: 'Claude Code',
	agents,
	capabilities,
	profiles: { dialects: { classic: ['client', 'published'], extended: ['client'] }, tell: tellProfile },
	toolCalls,
	provider: 'anthropic',
	read,
	write,
	context,
	check,
	places,
	live,
});

export { loadSession } from './context/seed.ts';
export type * from './lines.ts';
export { projectSlug, publishedSlug } from './places/locate.ts';
