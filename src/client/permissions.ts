/** The settings and permissions that hold here, of flags, user and project together; and the wording of what an untrusted folder's settings wait for. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Rule, type RuleKind, type Rules, readRule, splitRules } from '../agent/permissions/rule.ts';
import { savedRules } from '../host/settings/save-rule.ts';
import { readSettings, type Settings } from '../host/settings/settings.ts';
import { keepTrust, trustOf } from '../host/settings/trust.ts';
import { InputError } from '../store/errors.ts';
import { thisMachine } from '../store/find/folders.ts';
import { folderAt } from './folder-at.ts';
import { claudeHome } from './session.ts';

export interface RuleFlags {
	readonly allowedTools?: readonly string[];
	readonly disallowedTools?: readonly string[];
	readonly addDir?: readonly string[];
	/** Settings of this run: files, or JSON. */
	readonly settings?: string | readonly string[];
	/** The settings files that count: user, project, local, with commas between them. */
	readonly settingSources?: string | boolean;
	/** All settings of the project count in this run. */
	readonly trust?: boolean;
}

export interface PermissionsHere extends Settings {
	/** The project's folder. */
	readonly cwd: string;
	/** All that the project brings counts. */
	readonly trusted: boolean;
	/** The user has been asked whether the folder is trusted, or has no reason to be. */
	readonly decided: boolean;
}

export function permissionsHere(flags: RuleFlags, cwd: string): PermissionsHere {
	const given = flagRules(flags);
	const { answer, notes } = trustOf(cwd, claudeJson(), thisMachine());
	const trusted = flags.trust === true || answer === true;
	const settings = readSettings({
		cwd,
		claudeHome: claudeHome(),
		trusted,
		saved: savedRules(cwd, thisMachine()),
		...(flags.settings === undefined ? {} : { given: flags.settings }),
		...sourcesOf(flags),
	});
	const { rules, dirs } = settings;
	return {
		...settings,
		cwd,
		rules: { allow: [...rules.allow, ...given.allow], ask: rules.ask, deny: [...rules.deny, ...given.deny] },
		dirs: [...dirs, ...addedFolders(flags)],
		notes: [...notes, ...settings.notes],
		trusted,
		decided: answer !== undefined || settings.waiting.length === 0,
	};
}

/** Remembers whether the user trusts the folder. */
export async function decideTrust(cwd: string, trusted: boolean): Promise<void> {
	await keepTrust(cwd, trusted, thisMachine());
}

const mostNamed = 5;

/** What waits for trust, in one line; undefined where nothing does. */
export function waitingNote({ waiting }: PermissionsHere, cwd: string): string | undefined {
	if (waiting.length === 0) return undefined;
	const parts = waiting.map(({ what, items }) => {
		const named = items.slice(0, mostNamed).map((item) => oneLine(item));
		return `${what} (${named.join(', ')}${items.length > mostNamed ? ', …' : ''})`;
	});
	return `${cwd} is not trusted, so what it brings does not count: ${parts.join('; ')}. --trust makes it count`;
}

const longestNamed = 60;

function oneLine(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ');
	if (line.length <= longestNamed) return line;
	const cut = line.slice(0, longestNamed);
	// A rule that is cut keeps its closing bracket: the bracket of the list would be taken for it.
	return `${cut}…${')'.repeat(Math.max(0, cut.split('(').length - cut.split(')').length))}`;
}

/** The settings files that count; absent: all. */
export function sourcesOf({ settingSources }: RuleFlags): { readonly sources?: readonly string[] } {
	if (settingSources === undefined) return {};
	const names =
		settingSources === true
			? []
			: String(settingSources)
					.split(/[\s,]+/)
					.filter((name) => name !== '');
	return { sources: names };
}

/** False where the flag leaves files of that kind out: what they tell the model is left out with the settings. */
export function isTold(source: 'user' | 'project' | 'local', flags: RuleFlags): boolean {
	return sourcesOf(flags).sources?.includes(source) ?? true;
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
			if ('rule' in found) return { ...found.rule, where: flag };
			throw new InputError('usage', `${flag}: ${text} is not a rule: ${found.problem}`);
		});
	return {
		allow: read(allowedTools, '--allowedTools', 'allow'),
		ask: [],
		deny: read(disallowedTools, '--disallowedTools', 'deny'),
	};
}
