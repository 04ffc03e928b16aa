/** Finds which call started which sub-agent: its result names the agent, or a note beside the agent's file the call. */
import { isObject, type Session, stringAt } from '../../../model/index.ts';

export function subagentCalls(session: Pick<Session, 'entries' | 'subagents'>): ReadonlyMap<string, string> {
	const calls = new Map<string, string>();
	for (const entry of session.entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			if (block.type !== 'tool_result' || !isObject(block.details)) continue;
			const agent = stringAt(block.details, 'agentId');
			if (agent !== undefined) calls.set(agent, block.call);
		}
	}
	for (const { id, meta } of session.subagents) {
		const call = meta && stringAt(meta, 'toolUseId');
		if (call !== undefined) calls.set(id, call);
	}
	return calls;
}
