/** What is denied without a question while its user plans, and in which words: whoever chose to plan is not led to change something by one key. */
import type { PendingCall, PermissionMode, Verdict } from '../agent/contracts.ts';

/** Undefined: it is to be asked about. */
export function whilePlanning({ tool }: PendingCall, mode: PermissionMode): Verdict | undefined {
	return mode === 'plan' && (tool.effect === 'write' || tool.effect === 'exec') ? planned : undefined;
}

const planned: Verdict = {
	allow: false,
	byMode: true,
	reason: 'in plan mode no file is changed, and nothing is run that no rule allows; say what you would do instead',
};
