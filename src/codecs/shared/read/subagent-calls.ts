/** Finds which call started which sub-agent, where the structured result of a call names the agent. */
import { type Entry, isObject, stringAt } from '../../../model/index.ts';

/** The calls by the ids of the agents that their results name; of several, the last counts. */
export function callsByResult(entries: readonly Entry[]): Map<string, string> {
	const calls = new Map<string, string>();
	for (const entry of entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			if (block.type !== 'tool_result' || !isObject(block.details)) continue;
			const agent = stringAt(block.details, 'agentId');
			if (agent !== undefined) calls.set(agent, block.call);
		}
	}
	return calls;
}
