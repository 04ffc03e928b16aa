/** Which settings a host may change while a run goes on, how they are layered, and all that count here with where they are from. */
import { join, resolve } from 'node:path';
import type { Rule, Rules } from '../agent/permissions/rule.ts';
import { jsonOf } from '../host/settings/settings-file.ts';
import { isObject, type Json, type JsonObject, parsedJson } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { type PermissionsHere, permissionsHere, type RuleFlags, sourcesOf } from './permissions.ts';
import { claudeHome } from './session.ts';

/** The keys that change something here: to say yes to another one would be a lie. */
const applied: ReadonlySet<string> = new Set([
	...['permissions', 'model', 'hooks', 'disableAllHooks', 'env', 'apiKeyHelper', 'autoCompactEnabled'],
	...['compactWords', 'effortLevel', 'agent', 'fallbackModel'],
]);

/** What counts now: the settings of the start, those that a host has applied since, and what it rules about its own servers. */
export class LiveSettings {
	readonly #flags: () => RuleFlags;
	#here: PermissionsHere;
	#layer: JsonObject = {};
	readonly #stricter: { readonly ask: Rule[]; readonly deny: Rule[] } = { ask: [], deny: [] };
	readonly #dirs: string[] = [];
	#policies: Rules = { allow: [], ask: [], deny: [] };
	readonly #asked = new Set<string>();

	constructor(here: PermissionsHere, flags: () => RuleFlags) {
		this.#here = here;
		this.#flags = flags;
	}

	get permissions(): PermissionsHere {
		const { rules, dirs } = this.#here;
		const ask = [...rules.ask, ...this.#policies.ask, ...this.#stricter.ask];
		const deny = [...rules.deny, ...this.#policies.deny, ...this.#stricter.deny];
		return { ...this.#here, rules: { ...rules, ask, deny }, dirs: [...dirs, ...this.#dirs] };
	}

	/** What somebody has denied, or wants to be asked about, in answer to a question: until the client ends. */
	forbid(kind: 'ask' | 'deny', rule: Rule): void {
		this.#stricter[kind].push(rule);
	}

	/** Calls of this server are asked about where the mode allows everything, or not any more. As rules write it: `mcp__shed`. */
	askServer(name: string, isAsked: boolean): void {
		if (isAsked) this.#asked.add(name);
		else this.#asked.delete(name);
	}

	get askedServers(): readonly string[] {
		return [...this.#asked];
	}

	/** A folder that may be worked in from now on, until the client ends. */
	addFolder(folder: string): void {
		this.#dirs.push(folder);
	}

	/** More settings, above all others; a key with null takes it away again. */
	apply(more: JsonObject): void {
		const layer = layered(this.#layer, more);
		this.#here = permissionsWith(this.#flags(), layer, this.#here.cwd);
		this.#layer = layer;
	}

	/** What a host wants to be asked about, or never wants, of its own tools. */
	rule(policies: Rules): void {
		this.#policies = policies;
	}

	/** All settings that count, with where they are from. */
	get sources(): readonly SettingsFrom[] {
		return settingsBySource(this.#flags(), this.#layer, this.#here);
	}
}

/** Each key takes the place of what it was; null takes it away. Refused as a whole where a part of it would not count. */
function layered(before: JsonObject, more: JsonObject): JsonObject {
	const unknown = Object.keys(more).filter((key) => !applied.has(key));
	if (unknown.length > 0)
		throw new InputError(
			'unsupported-setting',
			`Reprise has no such settings, and nothing was applied: ${unknown.join(', ')}`,
		);
	const all = Object.entries({ ...before, ...more });
	return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined)) as JsonObject;
}

/** What holds with these settings above all others. Throws where a part of them cannot be read: its sender counts on it. */
function permissionsWith(flags: RuleFlags, layer: JsonObject, cwd: string): PermissionsHere {
	const settings = [flags.settings ?? [], JSON.stringify(layer)].flat();
	const known = new Set(permissionsHere(flags, cwd).notes);
	const found = permissionsHere({ ...flags, settings }, cwd);
	const problems = found.notes.filter((note) => !known.has(note));
	if (problems.length > 0) throw new InputError('bad-value', problems.join('; '));
	return found;
}

export interface SettingsFrom {
	readonly source: 'userSettings' | 'projectSettings' | 'localSettings' | 'flagSettings';
	readonly settings: JsonObject;
}

/** Later ones come before earlier ones. What a folder brings that is not trusted is not among them. */
function settingsBySource(flags: RuleFlags, layer: JsonObject, here: PermissionsHere): readonly SettingsFrom[] {
	const { sources } = sourcesOf(flags);
	const counts = (name: string): boolean => sources === undefined || sources.includes(name);
	const file = (name: string): string => join(here.cwd, '.claude', name);
	const given = [flags.settings ?? []].flat().map(readGiven);
	const all: readonly (readonly [SettingsFrom['source'], Json | undefined])[] = [
		['userSettings', counts('user') ? readable(join(claudeHome(), 'settings.json')) : undefined],
		['projectSettings', here.trusted && counts('project') ? readable(file('settings.json')) : undefined],
		['localSettings', here.trusted && counts('local') ? readable(file('settings.local.json')) : undefined],
		['flagSettings', Object.assign({}, ...given, layer) as JsonObject],
	];
	return all.flatMap(([source, settings]) =>
		isObject(settings) && Object.keys(settings).length > 0 ? [{ source, settings }] : [],
	);
}

function readGiven(given: string): Json {
	return (given.trimStart().startsWith('{') ? parsedJson(given) : readable(resolve(given))) ?? {};
}

/** A file that cannot be read was told of when the client began. */
function readable(path: string): Json | undefined {
	try {
		return jsonOf(path);
	} catch {
		return undefined;
	}
}
