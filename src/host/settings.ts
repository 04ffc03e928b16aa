/** Permissions as Claude Code's users have them in their settings files, and which of a project's count. */
import { join, resolve } from 'node:path';
import type { PermissionMode } from '../agent/contracts.ts';
import { type Rule, type RuleKind, type Rules, readRule } from '../agent/permissions/rule.ts';
import { readRegular } from '../log/regular-file.ts';
import { isObject, type Json, type JsonObject, plural } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { isMissing } from './missing.ts';

export interface Settings {
	readonly rules: Rules;
	/** Folders beside the project that may be worked in, absolute. */
	readonly dirs: readonly string[];
	readonly mode?: PermissionMode;
	/** What was left out and why, one line each. */
	readonly notes: readonly string[];
}

export interface SettingsPlace {
	readonly cwd: string;
	/** Where Claude Code keeps what belongs to its user. */
	readonly claudeHome: string;
	/** The user's `.claude.json`, which knows the trusted folders. */
	readonly claudeJson: string;
}

const kinds: readonly RuleKind[] = ['deny', 'ask', 'allow'];
/** From the strictest to the loosest. */
const modes: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'bypassPermissions'];
const largest = 1024 * 1024;

export function readSettings({ cwd, claudeHome, claudeJson }: SettingsPlace): Settings {
	const reader = new Reader(cwd);
	const users = join(claudeHome, 'settings.json');
	reader.add(users, { anchor: claudeHome, trusted: true, users: true });
	const trusted = reader.isTrusted(claudeJson);
	for (const name of ['settings.json', 'settings.local.json']) {
		const path = join(cwd, '.claude', name);
		if (path !== users) reader.add(path, { anchor: cwd, trusted, users: false });
	}
	return reader.settings();
}

/** Whether the user has told Claude Code that the folder is trusted. */
export function isTrusted({ cwd, claudeJson }: Pick<SettingsPlace, 'cwd' | 'claudeJson'>): boolean {
	return new Reader(cwd).isTrusted(claudeJson);
}

interface Origin {
	readonly anchor: string;
	/** What it allows counts. */
	readonly trusted: boolean;
	/** It is the user's own. */
	readonly users: boolean;
}

class Reader {
	readonly #cwd: string;
	readonly #rules: { readonly [K in RuleKind]: Rule[] } = { allow: [], ask: [], deny: [] };
	readonly #dirs: string[] = [];
	readonly #notes: string[] = [];
	#mode: PermissionMode | undefined;

	constructor(cwd: string) {
		this.#cwd = cwd;
	}

	/** The user has said so to Claude Code. */
	isTrusted(claudeJson: string): boolean {
		const known = this.#read(claudeJson);
		const projects = isObject(known) && isObject(known.projects) ? known.projects : {};
		const project = Object.hasOwn(projects, this.#cwd) ? projects[this.#cwd] : undefined;
		return isObject(project) && project.hasTrustDialogAccepted === true;
	}

	settings(): Settings {
		const mode = this.#mode === undefined ? {} : { mode: this.#mode };
		return { rules: this.#rules, dirs: this.#dirs, ...mode, notes: this.#notes };
	}

	add(path: string, origin: Origin): void {
		const known = this.#notes.length;
		const settings = this.#read(path);
		const permissions = isObject(settings) ? (settings.permissions ?? {}) : settings;
		if (isObject(permissions)) this.#permissions(path, permissions, origin);
		else if (permissions !== undefined)
			this.#notes.push(`${path}: ${isObject(settings) ? 'permissions is' : 'it is'} not an object`);
		const [problem] = this.#notes.slice(known);
		// Nothing may run without the rules that its user counts on.
		if (origin.users && problem !== undefined && !this.#wereRead(permissions))
			throw new InputError('settings', `${problem}; mend it, or move the file away, because its rules cannot be kept`);
	}

	/** Whatever else is wrong, its lists of what is denied and asked about could be read. */
	#wereRead(permissions: Json | undefined): boolean {
		if (!isObject(permissions)) return false;
		return [permissions.deny ?? [], permissions.ask ?? []].every(
			(list) => Array.isArray(list) && list.every((one) => typeof one === 'string'),
		);
	}

	#read(path: string): Json | undefined {
		try {
			return jsonOf(path);
		} catch (error) {
			this.#notes.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
			return undefined;
		}
	}

	#permissions(path: string, permissions: JsonObject, origin: Origin): void {
		const waiting: string[] = [];
		let count = 0;
		const wait = (texts: readonly string[], what: string): void => {
			waiting.push(counted(texts.length, what));
			count += texts.length;
		};
		for (const kind of kinds) {
			const texts = this.#texts(path, kind, permissions[kind]);
			if (kind === 'allow' && !origin.trusted && texts.length > 0) wait(texts, 'allow rule');
			else for (const text of texts) this.#rule(path, kind, text, origin);
		}
		const folders = this.#texts(path, 'additionalDirectories', permissions.additionalDirectories);
		if (origin.trusted) this.#dirs.push(...folders.map((folder) => resolve(this.#cwd, folder)));
		else if (folders.length > 0) wait(folders, 'added folder');
		if (waiting.length > 0) {
			this.#notes.push(
				`${path}: ${waiting.join(' and ')} left out, because this folder is not trusted; trust it in Claude Code, or give ${plural(count, 'it as a flag', 'them as flags')}`,
			);
		}
		this.#defaultMode(path, permissions.defaultMode, origin);
	}

	#rule(path: string, kind: RuleKind, text: string, { anchor }: Origin): void {
		const read = readRule(text, kind, anchor);
		if ('rule' in read) this.#rules[kind].push(read.rule);
		else this.#notes.push(`${path}: permissions.${kind}: ${text} is left out: ${read.problem}`);
	}

	#texts(path: string, field: string, given: Json | undefined): readonly string[] {
		if (given === undefined) return [];
		if (!Array.isArray(given)) {
			this.#notes.push(`${path}: permissions.${field} is not a list`);
			return [];
		}
		const texts = given.filter((one): one is string => typeof one === 'string');
		if (texts.length < given.length)
			this.#notes.push(`${path}: permissions.${field} holds something that is not a text`);
		return texts;
	}

	/** A project makes the mode stricter, never looser. */
	#defaultMode(path: string, given: Json | undefined, { users }: Origin): void {
		if (given === undefined) return;
		const mode = modes.find((one) => one === given);
		if (mode === undefined) this.#notes.push(`${path}: permissions.defaultMode is not one of ${modes.join(', ')}`);
		else if (users || modes.indexOf(mode) < modes.indexOf(this.#mode ?? 'default')) this.#mode = mode;
		else if (modes.indexOf(mode) > modes.indexOf(this.#mode ?? 'default')) {
			this.#notes.push(`${path}: permissions.defaultMode is left out: a project cannot ask for ${mode}`);
		}
	}
}

function counted(count: number, what: string): string {
	return count === 1 ? `1 ${what} is` : `${count} ${what}s are`;
}

/** Undefined where there is no such file. */
function jsonOf(path: string): Json | undefined {
	const bytes = bytesOf(path);
	if (bytes === undefined) return undefined;
	if (bytes.length > largest) throw new Error(`it is larger than ${largest} bytes`);
	const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
	if (text.trim() === '') return undefined;
	try {
		return JSON.parse(text) as Json;
	} catch {
		throw new Error('it is not JSON, and nothing of it counts');
	}
}

function bytesOf(path: string): Buffer | undefined {
	try {
		return readRegular(path, largest + 1);
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
