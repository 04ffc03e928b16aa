/** The agents that a session can be handed to: those whose sessions some codec writes. */
import { type Agent as CodecAgent, codecs } from '../codecs/index.ts';
import type { FormatId } from '../model/index.ts';

export interface Agent extends CodecAgent {
	readonly format: FormatId;
}

export const agents: readonly Agent[] = codecs.flatMap(({ id, agents }) =>
	agents.map((agent) => ({ ...agent, format: id })),
);
