/** Settings as Claude Code's users have them in files and flags: their order, which of an untrusted project's count, and the wording for what is left out. */
import { dirname, join, resolve } from 'node:path';
import type { PermissionMode } from '../../agent/contracts.ts';
import { type Rule, type RuleKind, type Rules, readRule, toolMeant } from '../../agent/permissions/rule.ts';
import { compact, errorText, isObject, type Json, type JsonObject, jsonText, parsedJson } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { repositoryOf } from '../../store/find/project.ts';
import { type HookSetting, handlerText, readHooks } from '../hooks/hook-settings.ts';
import { projectOffers, type Waiting } from './project-offers.ts';
import { withoutSandbox } from './sandbox.ts';
import { jsonOf } from './settings-file.ts';

export interface Settings {
	readonly rules: Rules;
	/** Folders beside the project that may be worked in, absolute. */
	readonly dirs: readonly string[];
	readonly mode?: PermissionMode;
	/** Nobody may choose the mode that asks nothing. */
	readonly bypassDisabled: boolean;
	readonly hooks: readonly HookSetting[];
	/** Hooks are switched off, whoever brings them. */
	readonly hooksOff: boolean;
	/** Variables for the model's provider, tools and hooks; they count more than the environment's. */
	readonly env: { readonly [name: string]: string };
	readonly model?: string;
	/** The command that prints the key for the model's provider. */
	readonly apiKeyHelper?: string;
	/** A conversation that becomes too long is compacted by itself. */
	readonly autoCompact?: boolean;
	/** How many characters of the user's own words a compaction keeps. */
	readonly compactWords?: number;
	/** Patterns of files that git ignores, and whose changes are kept for a rewind all the same. */
	readonly keepIgnored: readonly string[];
	/** What waits for the user to trust the folder. */
	readonly waiting: readonly Waiting[];
	/** What was left out and why, one line each. */
	readonly notes: readonly string[];
}

export type SettingSource = 'user' | 'project' | 'local';

export interface SettingsPlace {
	readonly cwd: string;
	/** Where Claude Code keeps what belongs to its user. */
	readonly claudeHome: string;
	/** The user trusts the folder: all of its settings count. */
	readonly trusted: boolean;
	/** Allow rules of its local settings that the user has saved there: they count whether it is trusted or not. */
	readonly saved?: readonly string[];
	/** Files or JSON that the user names; later ones come before earlier ones. */
	readonly given?: string | readonly string[];
	/** The files that count; of the others, what denies and asks. Absent: all. */
	readonly sources?: readonly string[];
}

const kinds: readonly RuleKind[] = ['deny', 'ask', 'allow'];
/** From the strictest to the loosest. */
const modes: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'bypassPermissions'];

/** Later ones come before earlier ones, as in Claude Code: the user's, the project's, its local ones, those that a flag names. */
export function readSettings({ cwd, claudeHome, trusted, saved = [], given, sources }: SettingsPlace): Settings {
	const reader = new Reader(cwd);
	const counts = (source: SettingSource): boolean => sources === undefined || sources.includes(source);
	const users = join(claudeHome, 'settings.json');
	reader.addFile(users, { anchor: claudeHome, trusted: counts('user'), users: true });
	for (const folder of foldersAbove(cwd)) {
		const paths = projectFiles.map(([, name]) => join(folder, '.claude', name));
		for (const path of paths) if (path !== users) reader.addStrict(path, folder);
	}
	for (const [source, name] of projectFiles) {
		const path = join(cwd, '.claude', name);
		const waits = !trusted && counts(source);
		const own = source === 'local' && waits ? saved : [];
		if (path !== users)
			reader.addFile(path, { anchor: cwd, trusted: trusted && counts(source), users: false, waits, own });
	}
	if (!trusted && join(cwd, '.claude') !== claudeHome) reader.wait(...projectOffers(cwd));
	for (const one of [given ?? []].flat()) reader.addGiven(one);
	return reader.settings();
}

const projectFiles = [
	['project', 'settings.json'],
	['local', 'settings.local.json'],
] as const;

/** The folders above this one in its repository: without their rules, a step into a sub-folder would lift what is denied there. */
function foldersAbove(cwd: string): readonly string[] {
	const { root } = repositoryOf(cwd);
	const folders: string[] = [];
	for (let folder = cwd; folder !== root && folder !== dirname(folder); ) {
		folder = dirname(folder);
		folders.unshift(folder);
	}
	return folders;
}

interface Origin {
	readonly anchor: string;
	/** Set where the file is in a folder above the project's: relative patterns start there. */
	readonly from?: string;
	/** All of it counts; else only what denies and asks. */
	readonly trusted: boolean;
	/** It is the user's own. */
	readonly users: boolean;
	/** What does not count would, if the folder were trusted. */
	readonly waits?: boolean;
	/** Allow rules that count all the same. */
	readonly own?: readonly string[];
}

/** Commands whose output Claude Code uses, and that therefore run without being asked about. */
const helpers = [
	'apiKeyHelper',
	'awsAuthRefresh',
	'awsCredentialExport',
	'otelHeadersHelper',
	'statusLine',
	'fileSuggestion',
];
/** Where settings and trust are found is not for settings to say. */
const fixedNames: ReadonlySet<string> = new Set(['REPRISE_HOME', 'CLAUDE_CONFIG_DIR']);

class Reader {
	readonly #cwd: string;
	readonly #rules: { readonly [K in RuleKind]: Rule[] } = { allow: [], ask: [], deny: [] };
	readonly #dirs: string[] = [];
	readonly #notes: string[] = [];
	readonly #waiting = new Map<string, Waiting>();
	#hooks: HookSetting[] = [];
	#hooksOff = false;
	#env: { readonly [name: string]: string } = {};
	#model: string | undefined;
	#apiKeyHelper: string | undefined;
	#autoCompact: boolean | undefined;
	#compactWords: number | undefined;
	readonly #keepIgnored: string[] = [];
	#mode: PermissionMode | undefined;
	#bypassDisabled = false;

	constructor(cwd: string) {
		this.#cwd = cwd;
	}

	settings(): Settings {
		return {
			rules: this.#rules,
			dirs: this.#dirs,
			...(this.#mode === undefined ? {} : { mode: this.#mode }),
			bypassDisabled: this.#bypassDisabled,
			hooks: this.#hooksOff ? [] : this.#hooks,
			hooksOff: this.#hooksOff,
			env: this.#env,
			...compact({ model: this.#model, apiKeyHelper: this.#apiKeyHelper }),
			...compact({ autoCompact: this.#autoCompact, compactWords: this.#compactWords }),
			keepIgnored: this.#keepIgnored,
			waiting: [...this.#waiting.values()],
			notes: this.#notes,
		};
	}

	wait(...more: readonly Waiting[]): void {
		for (const { what, items, shown = items } of more) {
			const known: Waiting = this.#waiting.get(what) ?? { what, items: [] };
			const all = { items: [...known.items, ...items], shown: [...(known.shown ?? known.items), ...shown] };
			if (items.length > 0) this.#waiting.set(what, { what, ...all });
		}
	}

	/** What a file in a folder above the project's denies and asks about. Everything else in it is for those who work there. */
	addStrict(path: string, folder: string): void {
		const settings = this.#read(path);
		const { permissions = {} } = isObject(settings) ? settings : {};
		if ((settings !== undefined && !isObject(settings)) || !isObject(permissions)) {
			this.#notes.push(`${path}: its permissions cannot be read`);
			return;
		}
		const origin = { anchor: folder, from: folder, trusted: false, users: false };
		for (const kind of ['deny', 'ask'] as const)
			for (const text of this.#texts(path, kind, permissions[kind])) this.#rule(path, kind, text, origin);
	}

	#read(path: string): Json | undefined {
		try {
			return jsonOf(path);
		} catch (error) {
			this.#notes.push(`${path}: ${errorText(error)}`);
			return undefined;
		}
	}

	addFile(path: string, origin: Origin): void {
		const known = this.#notes.length;
		const settings = this.#read(path);
		this.#add(path, settings, origin);
		const [problem] = this.#notes.slice(known);
		// Nothing may run without the rules that its user counts on.
		if (origin.users && problem !== undefined && !wereRead(settings))
			throw new InputError('settings', `${problem}; mend it, or move the file away, because its rules cannot be kept`);
	}

	/** What a flag names has to be there: whoever typed it counts on it. */
	addGiven(given: string): void {
		const known = this.#notes.length;
		const inline = given.trimStart().startsWith('{');
		const path = resolve(given);
		const settings = inline ? parsedJson(given) : jsonOfGiven(path);
		if (!isObject(settings)) {
			const what = inline
				? 'the text is no JSON object'
				: `${path} ${settings === undefined ? 'is missing or empty' : 'is not an object'}`;
			throw new InputError('usage', `--settings: ${what}`);
		}
		this.#add('--settings', settings, { anchor: inline ? this.#cwd : dirname(path), trusted: true, users: true });
		const [problem] = this.#notes.slice(known);
		if (problem !== undefined && !wereRead(settings)) throw new InputError('usage', problem);
	}

	#add(path: string, settings: Json | undefined, origin: Origin): void {
		if (!isObject(settings)) {
			if (settings !== undefined) this.#notes.push(`${path}: it is not an object`);
			return;
		}
		const { permissions = {} } = settings;
		if (isObject(permissions)) this.#permissions(path, permissions, origin);
		else this.#notes.push(`${path}: permissions is not an object`);
		const { notes, deny } = withoutSandbox(path, settings.sandbox);
		this.#notes.push(...notes);
		this.#rules.deny.push(...deny);
		this.#addHooks(path, settings, origin);
		this.#addEnv(path, settings.env, origin);
		this.#addModel(path, settings.model, origin);
		this.#addHelper(path, settings.apiKeyHelper, origin);
		const switches = ['autoCompactEnabled', 'compactWords', 'keepIgnored'].filter(
			(name) => settings[name] !== undefined,
		);
		if (origin.trusted) this.#addCompaction(path, settings);
		else this.#wait(origin, 'switches', switches);
		if (origin.trusted) this.#addIgnored(path, settings.keepIgnored);
		const named = helpers.filter((name) => settings[name] !== undefined);
		const shown = named.map((name) => `${name}: ${jsonText(settings[name] ?? null)}`);
		this.#wait(origin, 'helpers', named, shown);
	}

	#wait({ waits }: Origin, what: string, items: readonly string[], shown = items): void {
		if (waits) this.wait({ what, items, shown });
	}

	#permissions(path: string, permissions: JsonObject, origin: Origin): void {
		for (const kind of kinds) {
			const texts = this.#texts(path, kind, permissions[kind]);
			const isCounted = (text: string): boolean =>
				kind !== 'allow' || origin.trusted || origin.own?.includes(text) === true;
			for (const text of texts.filter(isCounted)) this.#rule(path, kind, text, origin);
			this.#wait(origin, 'allow rules', kind === 'allow' ? texts.filter((text) => !isCounted(text)) : []);
		}
		const folders = this.#texts(path, 'additionalDirectories', permissions.additionalDirectories);
		if (origin.trusted) this.#dirs.push(...folders.map((folder) => resolve(this.#cwd, folder)));
		else this.#wait(origin, 'added folders', folders);
		this.#defaultMode(path, permissions.defaultMode, origin);
		this.#bypassDisabled ||= permissions.disableBypassPermissionsMode === 'disable';
	}

	/** What is no rule allows nothing. Where it was to deny or ask, it takes nothing away from what its author counts on either. */
	#rule(path: string, kind: RuleKind, text: string, { anchor, from, users }: Origin): void {
		const read = readRule(text, kind, anchor);
		if ('rule' in read) {
			this.#rules[kind].push({ ...read.rule, where: path, ...compact({ from }) });
			return;
		}
		const tool = kind === 'allow' ? undefined : toolMeant(text);
		const where = `${path}: permissions.${kind}: ${text}`;
		if (tool !== undefined && users)
			throw new InputError(
				'settings',
				`${where} is not a rule: ${read.problem}; mend it, because nothing runs without it`,
			);
		if (tool === undefined || tool === '*') this.#notes.push(`${where} is left out: ${read.problem}`);
		else {
			this.#rules[kind].push({ text, tool, where: path });
			this.#notes.push(`${where} counts for every call of ${tool} until it is mended: ${read.problem}`);
		}
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

	/** Whoever may not add a hook may not switch one off either. */
	#addHooks(path: string, { hooks, disableAllHooks }: JsonObject, origin: Origin): void {
		const read = readHooks(hooks, (problem) => this.#notes.push(`${path}: ${problem}`));
		if (origin.trusted) this.#hooks.push(...read);
		else
			this.#wait(
				origin,
				'hooks',
				read.map(({ event, handler }) => `${event} ${handlerText(handler)}`),
			);
		if (disableAllHooks === undefined) return;
		if (typeof disableAllHooks !== 'boolean') this.#notes.push(`${path}: disableAllHooks is neither true nor false`);
		else if (origin.trusted) this.#hooksOff = disableAllHooks;
		else if (disableAllHooks) this.#wait(origin, 'switches', ['disableAllHooks']);
	}

	#addEnv(path: string, given: Json | undefined, origin: Origin): void {
		if (given === undefined) return;
		if (!isObject(given)) {
			this.#notes.push(`${path}: env is not an object`);
			return;
		}
		if (!origin.trusted) {
			const shown = Object.entries(given).map(([name, value]) => `${name}=${shortened(jsonText(value ?? null))}`);
			this.#wait(origin, 'variables', Object.keys(given), shown);
			return;
		}
		for (const [name, value] of Object.entries(given)) {
			if (!/^[A-Za-z_]\w*$/.test(name) || value === null || typeof value === 'object')
				this.#notes.push(`${path}: env.${name} is left out: it is no variable with a text`);
			else if (fixedNames.has(name))
				this.#notes.push(`${path}: env.${name} is left out: settings cannot say where settings are`);
			else this.#env = { ...this.#env, [name]: String(value) };
		}
	}

	/** What waits for trust is told with the other helpers. */
	#addHelper(path: string, given: Json | undefined, { trusted }: Origin): void {
		if (given === undefined) return;
		if (typeof given !== 'string') this.#notes.push(`${path}: apiKeyHelper is not a text`);
		else if (trusted) this.#apiKeyHelper = given.trim() === '' ? undefined : given;
	}

	#addModel(path: string, given: Json | undefined, origin: Origin): void {
		if (given === undefined) return;
		if (typeof given !== 'string') this.#notes.push(`${path}: model is not a text`);
		else if (origin.trusted) this.#model = given;
		else this.#wait(origin, 'models', [given]);
	}

	#addCompaction(path: string, { autoCompactEnabled: auto, compactWords: words }: JsonObject): void {
		if (typeof auto === 'boolean') this.#autoCompact = auto;
		else if (auto !== undefined) this.#notes.push(`${path}: autoCompactEnabled is neither true nor false`);
		if (typeof words === 'number' && words >= 0) this.#compactWords = words;
		else if (words !== undefined) this.#notes.push(`${path}: compactWords is not a number of characters`);
	}

	#addIgnored(path: string, given: Json | undefined): void {
		if (Array.isArray(given) && given.every((one) => typeof one === 'string')) this.#keepIgnored.push(...given);
		else if (given !== undefined) this.#notes.push(`${path}: keepIgnored is not a list of names`);
	}
}

const longestValue = 200;

/** The beginning of a variable's value, and how much more there is. */
function shortened(value: string): string {
	const more = value.length - longestValue;
	return more <= 0 ? value : `${value.slice(0, longestValue)}… (${more} characters more)`;
}

/** Whatever else is wrong with a file, its lists of what is denied and asked about could be read. */
function wereRead(settings: Json | undefined): boolean {
	if (!isObject(settings)) return false;
	const { permissions = {} } = settings;
	if (!isObject(permissions)) return false;
	return [permissions.deny ?? [], permissions.ask ?? []].every(
		(list) => Array.isArray(list) && list.every((one) => typeof one === 'string'),
	);
}

function jsonOfGiven(path: string): Json | undefined {
	try {
		return jsonOf(path);
	} catch (error) {
		throw new InputError('usage', `--settings: ${path}: ${errorText(error)}`);
	}
}
