/** The context part of the codec for pi and OpenClaw. */
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
