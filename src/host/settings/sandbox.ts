/** What settings say of a sandbox: there is none here, and whoever counts on one has to know. */
import type { Rule } from '../../agent/permissions/rule.ts';
import { isObject, type Json } from '../../model/index.ts';

export interface NoSandbox {
	readonly notes: readonly string[];
	/** Commands that must not run without one do not run. */
	readonly deny: readonly Rule[];
}

export function withoutSandbox(path: string, given: Json | undefined): NoSandbox {
	if (!isObject(given) || given.enabled !== true) return { notes: [], deny: [] };
	const strict = given.failIfUnavailable === true || given.allowUnsandboxedCommands === false;
	const what = strict ? 'Bash is refused, as these settings want it then' : 'commands are not confined';
	return {
		notes: [`${path}: sandbox has no effect: there is no sandbox here, and ${what}`],
		deny: strict ? [{ text: 'Bash', tool: 'Bash', where: path }] : [],
	};
}
