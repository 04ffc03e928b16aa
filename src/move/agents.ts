/** The agents that a session can be handed to: those whose sessions some codec writes. */
import { resolve } from 'node:path';
import { type Agent as CodecAgent, codecOf, codecs } from '../codecs/index.ts';
import type { FormatId } from '../model/index.ts';

export interface Agent extends CodecAgent {
	readonly format: FormatId;
}

export const agents: readonly Agent[] = codecs.flatMap(({ id, agents }) =>
	agents.map((agent) => ({ ...agent, format: id })),
);

/** The agent in whose place a main file is; undefined for a file anywhere else. */
export function agentAt(format: FormatId, main: string): Agent | undefined {
	const name = codecOf(format)?.places.agentOf?.(resolve(main));
	return agents.find((agent) => agent.name === name);
}
