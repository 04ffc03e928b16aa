/** What flags, settings and session make of a run: its tools, permission mode, instructions and limits; and the notes that its user reads at the start. */
import type { RequestHead } from '../agent/compaction/compact-when.ts';
import type { AgentConfig, Prompt } from '../agent/config.ts';
import type { Ask, ChangeKeeper, Host, PermissionMode, Tool } from '../agent/contracts.ts';
import { isRemoved } from '../agent/permissions/decide.ts';
import { isStricter } from '../agent/recording/settle.ts';
import { type Surroundings, systemPrompt } from '../agent/replies/system-prompt.ts';
import { hooksOf } from '../host/hooks/hooks.ts';
import { keepChanges } from '../host/keep-changes.ts';
import { nodeHost } from '../host/node-host.ts';
import { gitBranchOf } from '../host/project/git-branch.ts';
import { recallFor } from '../host/project/recall.ts';
import type { McpServers } from '../mcp/servers.ts';
import { compact, type FormatId } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { thisMachine } from '../store/find/folders.ts';
import { builtinTools } from '../tools/index.ts';
import { coveredBy, namedAsBy } from '../tools/named-as.ts';
import { searxngSearch } from '../tools/searxng.ts';
import { agentOffers, agentsHere, skillNotes, withAgentKinds } from './agents.ts';
import { builtinNames } from './commands/builtins.ts';
import { commandsHere, definitionFor, expander, withSkills } from './commands/commands-here.ts';
import type { Definitions } from './commands/definitions.ts';
import { compactionRules } from './compaction.ts';
import { instructionsHere } from './instructions.ts';
import { type ChosenModel, modelNamed } from './model.ts';
import { type ClientOptions, permissionModes as modes } from './options.ts';
import { isTold, type PermissionsHere, waitingNote } from './permissions.ts';
import type { ClientSession } from './session.ts';

export interface ClientConfig extends Omit<AgentConfig, 'mode' | 'setMode' | 'observe'> {
	/** The names of all commands and skills that can be called. */
	readonly commands: readonly string[];
	readonly skills: readonly string[];
}

/** Read anew for every prompt: instructions and commands may have been edited in between, and a command may name who answers. */
export async function configOf(
	options: ClientOptions,
	session: ClientSession,
	model: ChosenModel,
	ask: Ask | undefined,
	settings: PermissionsHere,
	servers: McpServers | undefined,
	prompt: Prompt = '',
): Promise<ClientConfig> {
	const { cwd } = session;
	const { rules, dirs, env, hooks, trusted } = settings;
	const host = withEnv(nodeHost(), env);
	const { list } = await commandsHere(cwd, trusted);
	const wanted = definitionFor(prompt, list)?.model;
	const answering = (wanted === undefined ? undefined : await modelNamed(wanted, model, settings)) ?? model;
	const price = await answering.price();
	const { types } = await agentsHere(cwd, settings);
	const head = await requestHead(options, inSession(session), settings, ask !== undefined);
	const { system, tools } = head;
	const forks = tools.some(({ name }) => name === 'Task');
	return {
		provider: answering.provider,
		model: answering.name,
		system: withServers(system, options, servers),
		tools,
		agents: agentOffers(types, answering, settings, {
			surroundings: (text, instructions) =>
				systemPrompt(surroundings(cwd, dirs, host.now(), instructions ? head.instructions : []), { replace: text }),
		}),
		cwd,
		dirs,
		trusted,
		gitBranch: () => gitBranchOf(cwd),
		...(isTold('project', options) && { recall: (path: string, known: Set<string>) => recallFor(path, cwd, known) }),
		rules,
		hooks: hooksOf(hooks, { cwd, env }),
		host,
		// What is kept of a session that is not kept would outlive it.
		...(session.passing === undefined
			? { changes: keeperOf(session, [cwd, ...dirs], options, settings.keepIgnored) }
			: {}),
		...searchOf(process.env.REPRISE_SEARCH_URL, host),
		compaction: compactionRules(settings, await answering.window()),
		limits: compact({ turns: options.maxTurns, costUsd: options.maxBudgetUsd }),
		...compact({ thinking: options.thinking, ask, price }),
		skillGrants: (name) => (list.find((one) => one.name === name)?.allow ?? []).length > 0,
		expand: expander(list, session.conversation, servers, { cwd, dirs, sessionId: session.handle.session.id, forks }),
		commands: [...builtinNames, ...list.map(({ name }) => name), ...(servers?.prompts ?? [])],
		skills: list.filter(({ kind }) => kind === 'skill').map(({ name }) => name),
	};
}

/** What is known of a session before it is opened to go on with it. */
export interface InSession extends Pick<ClientSession, 'cwd' | 'resumed'> {
	readonly format: FormatId;
}

function inSession({ cwd, resumed, handle }: ClientSession): InSession {
	return { cwd, format: handle.session.format, ...compact({ resumed }) };
}

/** What every request begins with, whoever answers, but for what MCP servers add. `attended`: somebody can be asked. */
export async function requestHead(
	options: ClientOptions,
	session: InSession,
	settings: PermissionsHere,
	attended: boolean,
): Promise<RequestHead & { readonly instructions: Surroundings['instructions'] }> {
	const { cwd } = session;
	const { rules, dirs, trusted } = settings;
	const [{ list }, { types }, { files }] = await Promise.all([
		commandsHere(cwd, trusted),
		agentsHere(cwd, settings),
		instructionsHere(options, cwd, settings),
	]);
	const more = compact({ replace: options.systemPrompt, append: options.appendSystemPrompt });
	const tools = toolsOf(options, session).filter(
		(tool) => !isRemoved(tool.name, rules) && (attended || !(tool.asks || tool.attended)),
	);
	return {
		system: systemPrompt(surroundings(cwd, dirs, nodeHost().now(), files), more),
		tools: withSkills(withAgentKinds(tools, types), list),
		instructions: files,
	};
}

const keepers = new WeakMap<ClientSession, ChangeKeeper>();

/** One for all prompts of a session: it remembers how the project looked. What a sub-agent changes, its session can undo. */
function keeperOf(
	session: ClientSession,
	folders: readonly string[],
	{ subagent }: Pick<ClientOptions, 'subagent'>,
	ignored: readonly string[],
): ChangeKeeper {
	const known = keepers.get(session);
	if (known) return known;
	const { format, id } = subagent?.root ?? session.handle.session;
	const made = keepChanges({ machine: thisMachine(), session: { format, id }, folders, ignored });
	keepers.set(session, made);
	return made;
}

/** Whoever replaces the system prompt means all of it. */
function withServers(system: string, { systemPrompt }: ClientOptions, servers: McpServers | undefined): string {
	const told = systemPrompt === undefined ? (servers?.instructions ?? '') : '';
	return told === '' ? system : `${system}\n\n${told}`;
}

/** Shell commands see the variables of the settings. */
function withEnv(host: Host, env: PermissionsHere['env']): Host {
	if (Object.keys(env).length === 0) return host;
	return { ...host, run: (command, signal) => host.run({ ...command, env: { ...env, ...command.env } }, signal) };
}

/** A server of the user's own searches the web in place of the provider's. */
function searchOf(endpoint: string | undefined, host: AgentConfig['host']): Pick<AgentConfig, 'search'> {
	return endpoint ? { search: searxngSearch(endpoint, host) } : {};
}

function surroundings(
	cwd: string,
	dirs: readonly string[],
	now: number,
	told: Surroundings['instructions'],
): Surroundings {
	return {
		cwd,
		dirs,
		platform: process.platform,
		today: new Date(now).toISOString().slice(0, 10),
		...compact({ gitBranch: gitBranchOf(cwd) }),
		instructions: told,
	};
}

/** Those that the flag names, else those that the session was left with and are here, else all. */
function toolsOf({ tools }: ClientOptions, session: InSession): AgentConfig['tools'] {
	const here = toolsHere(session);
	if (tools === undefined) {
		const left = session.resumed?.settings.tools?.map((name) => name.toLowerCase());
		return left ? here.filter(({ name }) => left.includes(name.toLowerCase())) : here;
	}
	const names = tools.flatMap((given) => given.split(/[\s,]+/)).filter((name) => name !== '');
	if (names.includes('default')) return here;
	const unknown = names.find((name) => !here.some((tool) => tool.name === name));
	if (unknown !== undefined) {
		const known = here.map(({ name }) => name).join(', ');
		throw new InputError('usage', `--tools: there is no tool ${unknown}; the tools are ${known}`);
	}
	return here.filter(({ name }) => names.includes(name)).map(listed);
}

/** Our own; where the session has called tools by its own agent's names, under those. */
function toolsHere({ format, resumed }: InSession): AgentConfig['tools'] {
	const used = new Set(resumed?.tools ?? []);
	const own = builtinTools.map((tool) => (used.has(tool.name) ? listed(tool) : tool));
	const theirs = namedAsBy(format, used);
	if (!theirs.some(({ name }) => used.has(name))) return own;
	const covered = coveredBy(format);
	return [...own.filter(({ name }) => !covered.has(name) || used.has(name)), ...theirs];
}

/** Whoever has used a tool, or names it, wants it to be offered. */
function listed(tool: Tool): Tool {
	return { ...tool, unlisted: false };
}

/** What the user should know before the first request; `asks`: a model is asked at all. */
export async function sessionNotes(
	options: ClientOptions,
	session: ClientSession,
	model: ChosenModel,
	permissions: PermissionsHere,
	servers: McpServers | undefined,
	commands: Definitions,
	asks: boolean,
): Promise<readonly string[]> {
	const agents = await agentsHere(session.cwd, permissions);
	return [
		...session.notes,
		...commands.notes,
		...permissions.notes,
		...trustNotes(permissions, session),
		...(asks ? modeNotes(options, session, permissions) : []),
		...toolNotes(options, session, servers),
		...model.notes,
		...(await budgetNotes(options, model)),
		...agents.notes,
		...skillNotes(
			agents.types,
			commands.list.map(({ name }) => name),
		),
		...(await instructionsHere(options, session.cwd, permissions)).notes,
	];
}

/** A budget that nobody can hold must not be counted on. */
async function budgetNotes(
	{ maxBudgetUsd }: ClientOptions,
	{ provider, name, price }: ChosenModel,
): Promise<readonly string[]> {
	if (maxBudgetUsd === undefined || provider.id === 'offline') return [];
	const asked = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	if ((await price())?.(name, provider.id, { ...asked, cost }) !== undefined) return [];
	return [`the price of ${provider.id}/${name} is not known: --max-budget-usd cannot be held`];
}

function trustNotes(permissions: PermissionsHere, { cwd }: ClientSession): readonly string[] {
	const waiting = waitingNote(permissions, cwd);
	return waiting === undefined ? [] : [waiting];
}

/** What of the conversation's own tools is not here: the model may ask for them as it did before. */
function toolNotes(options: ClientOptions, session: ClientSession, servers: McpServers | undefined): readonly string[] {
	// Clients spell the names of the same tools in upper and lower case.
	const tools = [...toolsOf(options, inSession(session)), ...(servers?.tools ?? [])];
	const here = new Set(tools.map(({ name }) => name.toLowerCase()));
	const missing = (session.resumed?.tools ?? []).filter((name) => !here.has(name.toLowerCase())).sort();
	if (missing.length === 0) return [];
	return [`the session has used tools that are not available here: ${missing.join(', ')}`];
}

export function knownMode(given: string): PermissionMode {
	const mode = modes.find((one) => one === given);
	if (mode === undefined)
		throw new InputError('bad-mode', `${given} is not a permission mode; use one of ${modes.join(', ')}`);
	return mode;
}

/** What the flag says, else the user's settings. A session is its author's word: it may bring a stricter mode than the default, never a looser one. */
export function modeOf(options: ClientOptions, session: ClientSession, settings: PermissionsHere): PermissionMode {
	const wanted = options.dangerouslySkipPermissions ? 'bypassPermissions' : options.permissionMode;
	if (wanted === 'bypassPermissions' && settings.bypassDisabled)
		throw new InputError(
			'settings',
			'the settings forbid bypassPermissions (permissions.disableBypassPermissionsMode)',
		);
	if (wanted) return wanted;
	const recorded = recordedMode(session);
	if (recorded !== undefined && isStricter(recorded)) return recorded;
	return settings.mode === undefined || (settings.mode === 'bypassPermissions' && settings.bypassDisabled)
		? 'default'
		: settings.mode;
}

function recordedMode({ resumed }: ClientSession): PermissionMode | undefined {
	return modes.find((mode) => mode === resumed?.settings.permissionMode);
}

/** Whoever relied on a looser mode before learns why questions come back, and whoever has forgotten a stricter one why nothing is done. */
function modeNotes(options: ClientOptions, session: ClientSession, settings: PermissionsHere): readonly string[] {
	const recorded = recordedMode(session);
	if (recorded === undefined || recorded === 'default' || options.permissionMode) return [];
	const now = modeOf(options, session, settings);
	if (recorded === now && isStricter(now))
		return [`the session is in the mode ${now}, and goes on in it: --permission-mode default leaves it`];
	if (recorded === now || isStricter(recorded)) return [];
	return [`the session was in the mode ${recorded}, which a session cannot bring back: --permission-mode ${recorded}`];
}
