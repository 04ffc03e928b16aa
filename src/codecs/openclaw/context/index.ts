/** What pi and OpenClaw send when they resume a session. */
import { unanswered } from '../../../wires/texts.ts';
import type { ContextPart } from '../../codec.ts';
import { build, clients, envelope } from './context.ts';
import { resumePath } from './resume-path.ts';

export const context: ContextPart = {
	unanswered: () => unanswered,
	resumePath,
	clients,
	build,
	envelope,
	fromTail: true,
};
