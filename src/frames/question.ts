/** The question whether a call may run, as a host is asked it. */
import type { PendingCall } from '../agent/contracts.ts';
import { suggestedUpdates } from '../agent/permissions/verdict.ts';
import { compact, isObject, type JsonObject, stringAt } from '../model/index.ts';

/** `suggested`: the rule that would allow calls like this one. */
export function questionFields(call: PendingCall, suggested: string | undefined): JsonObject {
	const { tool, input, id, reason, reasonType, agent, subjects } = call;
	const server = /^mcp__(.+?)__/.exec(tool.name)?.[1];
	const why = reasonType === 'other' ? undefined : reasonType;
	const isChange = tool.effect === 'write' && subjects.length > 0;
	// A hook that wants a person to look, and a question to a person, are not there to be never asked again.
	const always = why === 'hook' || tool.asks ? [] : suggestedUpdates(suggested, isChange);
	return {
		tool_name: tool.name,
		display_name: tool.name,
		input,
		...compact({
			description: isObject(input) ? stringAt(input, 'description') : undefined,
			blocked_path: isChange ? subjects[0] : undefined,
			// That nothing allows a call is why anybody is asked at all.
			decision_reason: why === undefined ? undefined : reason,
			decision_reason_type: why,
			decision_reason_hook_event: why === 'hook' ? 'PreToolUse' : undefined,
			agent_id: agent?.id,
			mcp_server: server === undefined ? undefined : { name: server },
			requires_user_interaction: tool.asks ? true : undefined,
		}),
		...(always.length === 0 ? {} : { permission_suggestions: always }),
		tool_use_id: id,
	};
}
