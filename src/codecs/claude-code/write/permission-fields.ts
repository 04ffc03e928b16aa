/** Who let a call run, in Claude Code's words on the line of the result (`permissionDecision`, `toolDenialKind`). */
import { compact, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import type { PermissionFacts } from '../../shared/live.ts';

/** The client's word for who decided; for a person who was asked, also whether the answer was for once, for the session, or no. */
function sourceOf({ source, decision, scope }: PermissionFacts): string {
	if (source !== 'user') return source;
	if (decision === 'reject') return 'user_reject';
	return scope === 'session' ? 'user_permanent' : 'user_temporary';
}

export function permissionFields(
	facts: PermissionFacts,
	{ call, tool }: { readonly call: string; readonly tool: string },
): JsonObject {
	const { decision, reasonType, rule, reason, scope, agent, input } = facts;
	const permissionDecision = compact({
		decision,
		source: sourceOf(facts),
		reasonType,
		grantScope: scope,
		reasonCode: codeOf(facts),
		rule,
		message: reason,
		toolName: tool,
		toolUseID: call,
		agentId: agent,
		updatedInput: input,
	});
	if (decision === 'accept') return { permissionDecision };
	return { permissionDecision, toolDenialKind: facts.source === 'user' ? 'user-rejected' : 'permission-rule' };
}

function codeOf({ decision, source, reasonType, hook = 'PreToolUse' }: PermissionFacts): string | undefined {
	if (decision === 'accept') return undefined;
	if (source === 'hook') return `hook:${hook}`;
	return source === 'user' ? undefined : reasonType;
}

export function permissionOf(extra: JsonObject): PermissionFacts | undefined {
	const found = objectAt(extra, 'permissionDecision');
	const decision = found && stringAt(found, 'decision');
	if (!found || (decision !== 'accept' && decision !== 'reject')) return undefined;
	const source = stringAt(found, 'source') ?? 'config';
	return {
		decision,
		source: source === 'hook' ? 'hook' : source.startsWith('user') ? 'user' : 'config',
		...compact({
			reasonType: stringAt(found, 'reasonType'),
			rule: stringAt(found, 'rule'),
			reason: stringAt(found, 'message') ?? stringAt(found, 'reasonCode'),
			scope: source === 'user_permanent' ? ('session' as const) : undefined,
			agent: stringAt(found, 'agentId'),
			input: objectAt(found, 'updatedInput'),
		}),
	};
}
