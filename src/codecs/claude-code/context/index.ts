/** The context part of Claude Code's codec. */
import type { ContextPart } from '../../codec.ts';
import { build, clients, envelope } from './context.ts';
import { resumePath } from './resume-path.ts';
import { loadSession } from './seed.ts';
import { unanswered } from './unanswered.ts';

export const context: ContextPart = {
	unanswered: () => unanswered,
	resumePath,
	clients,
	build,
	envelope,
	fromTail: true,
	seed: loadSession,
};
