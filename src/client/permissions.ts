/** The permissions that hold here: what the flags and the user's and the project's settings say together. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { PermissionMode } from '../agent/contracts.ts';
import { type Rule, type RuleKind, type Rules, readRule, splitRules } from '../agent/permissions/rule.ts';
import { readSettings } from '../host/settings.ts';
import { InputError } from '../store/errors.ts';
import { claudeHome, folderAt } from './session.ts';

export interface RuleFlags {
	readonly allowedTools?: readonly string[];
	readonly disallowedTools?: readonly string[];
	readonly addDir?: readonly string[];
}

export interface PermissionsHere {
	readonly rules: Rules;
	readonly dirs: readonly string[];
	/** What the settings ask for; a flag comes before it. */
	readonly mode?: PermissionMode;
	/** What was left out of the settings, and why. */
	readonly notes: readonly string[];
}

export function permissionsHere(flags: RuleFlags, cwd: string): PermissionsHere {
	const given = flagRules(flags);
	const { rules, dirs, ...rest } = readSettings({ cwd, claudeHome: claudeHome(), claudeJson: claudeJson() });
	return {
		...rest,
		rules: { allow: [...rules.allow, ...given.allow], ask: rules.ask, deny: [...rules.deny, ...given.deny] },
		dirs: [...dirs, ...addedFolders(flags)],
	};
}

/** A folder that is missing is a slip of the hand: whoever named it would wonder why nothing is allowed there. */
export function addedFolders({ addDir = [] }: RuleFlags): readonly string[] {
	return addDir.map((folder) => folderAt(folder, '--add-dir'));
}

/** Where Claude Code keeps which folders its user trusts. */
export function claudeJson(): string {
	return join(process.env.CLAUDE_CONFIG_DIR || homedir(), '.claude.json');
}

/** A rule that is none is a mistake of whoever typed it: nothing is run under other rules than were meant. */
export function flagRules({ allowedTools, disallowedTools }: RuleFlags): Rules {
	const read = (given: readonly string[] = [], flag: string, kind: RuleKind): readonly Rule[] =>
		given.flatMap(splitRules).map((text) => {
			const found = readRule(text, kind);
			if ('rule' in found) return found.rule;
			throw new InputError('usage', `${flag}: ${text} is not a rule: ${found.problem}`);
		});
	return {
		allow: read(allowedTools, '--allowedTools', 'allow'),
		ask: [],
		deny: read(disallowedTools, '--disallowedTools', 'deny'),
	};
}
