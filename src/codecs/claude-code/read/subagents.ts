/** Finds which call started which sub-agent: its result names the agent, or a note beside the agent's file the call. */
import { type Session, stringAt } from '../../../model/index.ts';
import { callsByResult } from '../../shared/read/subagent-calls.ts';

export function subagentCalls(session: Pick<Session, 'entries' | 'subagents'>): ReadonlyMap<string, string> {
	const calls = callsByResult(session.entries);
	for (const { id, meta } of session.subagents) {
		const call = meta && stringAt(meta, 'toolUseId');
		if (call !== undefined) calls.set(id, call);
	}
	return calls;
}
