/** The context part of Cline's codec. */
import type { ContextPart } from '../../codec.ts';
import { clients } from './clients.ts';
import { build, envelope } from './context.ts';
import { unanswered } from './unanswered.ts';

export const context: ContextPart = {
	unanswered,
	clients,
	build,
	envelope,
	sideFiles: ['compaction', 'index'],
};
