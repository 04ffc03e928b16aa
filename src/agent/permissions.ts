/** Who may do what without being asked: the modes, and rules such as `Bash(npm test:*)`. */
import type { Decision, PendingCall, PermissionPolicy, Situation } from './contracts.ts';

/** The rules of a permission mode: the last word, after all other policies. */
export const modePolicy: PermissionPolicy = {
	decide(call, situation) {
		const { mode } = situation;
		if (mode === 'bypassPermissions') return { is: 'allow' };
		const { effect } = call.tool;
		if (effect === 'read') return isInside(call, situation) ? { is: 'allow' } : asking(situation);
		if (mode === 'plan') return { is: 'deny', reason: 'in plan mode nothing is written or run' };
		if (mode === 'acceptEdits' && effect === 'write' && isInside(call, situation)) return { is: 'allow' };
		return asking(situation);
	},
};

function asking({ mode }: Situation): Decision {
	if (mode === 'dontAsk') return { is: 'deny', reason: 'it is not among what this session may do without asking' };
	return { is: 'ask' };
}

/** Every path that the call names is in a folder that the session works in. */
function isInside({ subjects }: PendingCall, { cwd, dirs }: Situation): boolean {
	return subjects.every((path) => [cwd, ...dirs].some((folder) => isBelow(path, folder)));
}

function isBelow(path: string, folder: string): boolean {
	if (!path.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(path)) return true;
	const base = folder.replace(/[\\/]+$/, '');
	return path === base || path.startsWith(`${base}/`) || path.startsWith(`${base}\\`);
}

export interface Rule {
	readonly tool: string;
	/** Matched against what the call is about; absent: any call of the tool. */
	readonly subject?: string;
}

/** `Read`, `Bash(npm test:*)`, `Edit(/src/**)`. */
export function parseRule(text: string): Rule | undefined {
	const found = /^([A-Za-z_][\w-]*)(?:\((.*)\))?$/s.exec(text.trim());
	if (!found?.[1]) return undefined;
	const subject = found[2]?.trim();
	return subject === undefined || subject === '' || subject === '*' ? { tool: found[1] } : { tool: found[1], subject };
}

/** A list as the command line takes it: separated by commas or blanks, but not inside brackets. */
export function splitRules(text: string): readonly string[] {
	return text.match(/[A-Za-z_][\w-]*(?:\([^)]*\))?/g) ?? [];
}

/** What is denied stays denied, whatever else is allowed. */
export function rulePolicy(allowed: readonly Rule[], denied: readonly Rule[]): PermissionPolicy {
	return {
		decide(call, { cwd }) {
			const rule = denied.find((one) => fits(one, call, cwd, 'some'));
			if (rule) return { is: 'deny', reason: `${spelled(rule)} is not allowed in this session` };
			if (allowed.some((one) => fits(one, call, cwd, 'every'))) return { is: 'allow' };
			return { is: 'pass' };
		},
	};
}

function spelled({ tool, subject }: Rule): string {
	return subject === undefined ? tool : `${tool}(${subject})`;
}

function fits(rule: Rule, call: PendingCall, cwd: string, how: 'some' | 'every'): boolean {
	if (rule.tool !== call.tool.name) return false;
	const { subject } = rule;
	if (subject === undefined) return true;
	const commands = call.tool.effect === 'exec';
	const matches = (text: string) => (commands ? fitsCommand(subject, text) : fitsPath(subject, text, cwd));
	return call.subjects.length > 0 && call.subjects[how](matches);
}

/** `npm test:*` is the command with any arguments; several commands in one line are never matched by a prefix. */
function fitsCommand(pattern: string, command: string): boolean {
	const prefix = pattern.endsWith(':*') ? pattern.slice(0, -2) : undefined;
	if (prefix === undefined) return command === pattern;
	if (/[;&|`\n<>]|\$\(/.test(command)) return false;
	return command === prefix || command.startsWith(`${prefix} `);
}

function fitsPath(pattern: string, path: string, cwd: string): boolean {
	const base = cwd.replace(/[\\/]+$/, '');
	const absolute = pattern.startsWith('//') ? pattern.slice(1) : `${base}/${pattern.replace(/^\.?\//, '')}`;
	return globToRegExp(absolute).test(path) || globToRegExp(pattern).test(path);
}

/** `*` within a folder, `**` across folders, `?` for one character. */
function globToRegExp(glob: string): RegExp {
	const source = glob.replaceAll(/\*\*\/?|\*|\?|[.+^${}()|[\]\\]/g, (found) => {
		if (found.startsWith('**')) return found.endsWith('/') ? '(?:.*/)?' : '.*';
		if (found === '*') return '[^/]*';
		return found === '?' ? '[^/]' : `\\${found}`;
	});
	return new RegExp(`^${source}$`);
}
