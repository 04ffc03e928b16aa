/** Who answers: the order in which flags, the session, settings and keys choose a model; names such as `opus`; and what is said where none is set up. */

import type { AgentConfig } from '../agent/config.ts';
import type { Provider } from '../agent/contracts.ts';
import { neutralUsage } from '../agent/recording/blocks.ts';
import type { Resumed } from '../agent/recording/resume.ts';
import type { Prices } from '../catalog/cost/prices.ts';
import { apiKey } from '../host/settings/api-key.ts';
import type { Waiting } from '../host/settings/project-offers.ts';
import {
	claudeKind,
	configuredModel,
	type FoundModel,
	findModel,
	findRecordedModel,
	hostedName,
} from '../providers/registry.ts';
import type { ProviderOptions } from '../providers/service.ts';
import { InputError } from '../store/errors.ts';
import { providerOf } from '../wires/index.ts';
import { withFallback } from './fallback.ts';
import type { ClientOptions } from './options.ts';

export interface ChosenModel {
	readonly provider: Provider;
	readonly name: string;
	/** The variable that holds the key. */
	readonly keySource?: string;
	/** What the user should know about the choice. */
	readonly notes: readonly string[];
	/** The table is large: it is loaded when there is something to price. */
	price(): Promise<AgentConfig['price']>;
	/** The tokens that it can take, where a server or the same table says so. Asking for them is what loads the table. */
	window(): Promise<() => number | undefined>;
}

/** What the settings say of models: a name, and variables that come before those of the environment. */
export interface ModelSettings {
	/** The project's folder. */
	readonly cwd: string;
	readonly model?: string;
	/** The command that prints the key, where no variable holds one. */
	readonly apiKeyHelper?: string;
	readonly env: { readonly [name: string]: string };
	/** What counts once the folder is trusted. */
	readonly waiting?: readonly Pick<Waiting, 'items'>[];
}

/** Who answers, with the model behind it that answers where that one cannot. `known`: who is chosen already, such as a script that goes on. */
export async function chooseModel(
	options: ClientOptions,
	resumed: Resumed | undefined,
	settings: ModelSettings,
	known?: ChosenModel,
): Promise<ChosenModel> {
	const first =
		known ??
		(await firstChoice(options, resumed, settings).catch((error: unknown) => {
			throw error instanceof InputError && wantsHelper(error, settings)
				? new InputError(error.rule, `${error.message}.\n${helperWaits}`)
				: error;
		}));
	const problems: string[] = [];
	for (const name of (options.fallbackModel ?? '').split(',').filter(Boolean)) {
		const found = name.includes('/') ? await findModel(name, providerOptions(settings)) : undefined;
		const next = found?.ok ? chosen(found) : found ? undefined : await modelNamed(name, first, settings);
		if (next) return withFallback(first, next);
		problems.push(`--fallback-model: ${found?.ok === false ? found.problem : `nobody knows ${name} here`}`);
	}
	return { ...first, notes: [...first.notes, ...problems] };
}

const helperWaits =
	'The apiKeyHelper of this project would give a key, and waits until the folder is trusted: --trust, or yes on a terminal';

/** No key is here for Claude, and the project's own command would give one. */
function wantsHelper({ rule, message }: InputError, { waiting = [] }: ModelSettings): boolean {
	const isWaiting = waiting.some(({ items }) => items.includes('apiKeyHelper'));
	return rule === 'no-model' && message.includes('ANTHROPIC_API_KEY') && isWaiting;
}

async function firstChoice(
	options: ClientOptions,
	resumed: Resumed | undefined,
	settings: ModelSettings,
): Promise<ChosenModel> {
	const asking = providerOptions(settings);
	const { env } = asking;
	if (options.script !== undefined) return await named(`offline/script:${options.script}`, asking);
	const wanted = options.model ?? env.REPRISE_MODEL;
	const kind = wanted === undefined ? undefined : claudeKind(wanted, env);
	if (wanted !== undefined) return await named(kind?.said ?? kind?.newest ?? hostedName(wanted, env), asking);
	const before = recorded(resumed);
	const again = before === undefined ? undefined : await findRecordedModel(before, asking);
	if (again?.ok) return chosen(again);
	const notes: string[] =
		before === undefined || again?.ok ? [] : [`${before} answered before and is not available now: ${again?.problem}`];
	const set = await modelOfSettings(settings.model, asking, notes);
	const other = configuredModel(env);
	if (set) return { ...set, notes: notes.map((why) => `${why}. Using ${set.name} instead`) };
	if (other === undefined) throw new InputError('no-model', [...notes, noModel].join('.\n'));
	return { ...(await named(other, asking)), notes: notes.map((why) => `${why}. Using ${other} instead`) };
}

/** The variables, and the helper that stands for the key of Claude's provider: it is run when that one is asked, and only then. */
function providerOptions({ cwd, env: more, apiKeyHelper }: ModelSettings): ProviderOptions {
	const env: { [name: string]: string | undefined } = { ...process.env, ...more };
	if (apiKeyHelper === undefined || env.ANTHROPIC_API_KEY?.trim() || env.ANTHROPIC_AUTH_TOKEN?.trim()) return { env };
	const ttl = env.CLAUDE_CODE_API_KEY_HELPER_TTL_MS;
	const key = apiKey({ command: apiKeyHelper, cwd, env: more, ttl });
	env.ANTHROPIC_API_KEY = 'apiKeyHelper';
	return {
		env,
		async renew(refused) {
			env.ANTHROPIC_API_KEY = await key(refused);
		},
	};
}

/** A name that cannot be asked is said, and stops nobody. The variable that names a model comes before it, as in Claude Code. */
async function modelOfSettings(
	given: string | undefined,
	asking: ProviderOptions,
	notes: string[],
): Promise<ChosenModel | undefined> {
	const { env } = asking;
	if (given === undefined || given === 'default' || env.ANTHROPIC_MODEL) return undefined;
	const kind = claudeKind(given, env);
	const found = await findRecordedModel(kind?.said ?? kind?.newest ?? given, asking);
	if (found.ok) return chosen(found);
	notes.push(`the settings name the model ${given}: ${found.problem}`);
	return undefined;
}

/**
 * The model that a command or a kind of sub-agent names; undefined where nobody knows which one that is. A kind of Claude is what its
 * variable says, else the newest one where a Claude answers; another name is asked where it is set up, or of the provider that answers anyway.
 */
export async function modelNamed(
	given: string,
	now: ChosenModel,
	settings: ModelSettings,
): Promise<ChosenModel | undefined> {
	const asking = providerOptions(settings);
	const kind = claudeKind(given, asking.env);
	const meant = kind ? (kind.said ?? (isClaude(now) ? kind.newest : undefined)) : given;
	// A script answers whoever asks.
	if (!meant || now.provider.id === 'offline') return undefined;
	if (!meant.includes('/')) return { ...now, name: meant, window: async () => await windowOf(now.provider, meant) };
	const found = await findModel(meant, asking);
	return found.ok ? chosen(found) : undefined;
}

/** Other servers speak Anthropic's protocol too, and have no such model. */
function isClaude({ provider, name }: ChosenModel): boolean {
	return provider.id === 'anthropic' && providerOf(name) === 'anthropic';
}

const noModel =
	'no model is set up: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OLLAMA_HOST, or name a model with ' +
	'--model provider/name.\nWithout any key: --model offline/script:FILE plays a script, reprise replay SESSION plays a ' +
	'recorded session with real tools, and reprise demo shows both';

/** Only where it can be asked again: a session by a provider that is not set up here needs another model. */
/** The name of a provider that a caller brings without a name for its model, such as the console where no model is set up. */
const offlineModel = 'offline';

function recorded(resumed: Resumed | undefined): string | undefined {
	// What answers where no model is set up is nobody's choice: any model goes on from it.
	if (resumed?.model === undefined || resumed.model === offlineModel) return undefined;
	return resumed.provider === undefined ? resumed.model : `${resumed.provider}/${resumed.model}`;
}

async function named(wanted: string, asking: ProviderOptions): Promise<ChosenModel> {
	const found = await findModel(wanted, asking);
	if (!found.ok) throw new InputError('no-model', found.problem);
	return chosen(found);
}

/** Stands for a model where none is set up: commands that ask nobody work all the same. */
export function missingModel(problem: string): ChosenModel {
	const failure = { code: 'auth', message: problem, retry: false } as const;
	const provider: Provider = {
		id: 'none',
		api: 'anthropic-messages',
		async *stream() {
			yield { type: 'failure', failure };
		},
	};
	return givenModel(provider, 'none');
}

/** A provider that the caller brings. Nobody here knows what it costs. */
export function givenModel(provider: Provider, name = provider.id): ChosenModel {
	return { provider, name, notes: [], price: async () => undefined, window: async () => unknown };
}

function chosen({ provider, model, keyName }: Extract<FoundModel, { ok: true }>): ChosenModel {
	const own = { provider, name: model, ...(keyName === undefined ? {} : { keySource: keyName }), notes: [] };
	if (provider.id === 'offline') return { ...own, price: async () => undefined, window: async () => unknown };
	return { ...own, price: pricing, window: async () => await windowOf(provider, model) };
}

const unknown = (): undefined => undefined;

async function windowOf(provider: Provider, model: string): Promise<() => number | undefined> {
	const asked = await provider.window?.(model);
	if (provider.window) return () => asked;
	const table = await prices();
	return () => table().window(model, provider.id);
}

async function prices(): Promise<() => Prices> {
	return (await import('../catalog/cost/prices.ts')).loadPrices;
}

async function pricing(): Promise<AgentConfig['price']> {
	const loaded = await prices();
	return (model, provider, usage) => {
		const table = loaded();
		const neutral = neutralUsage(usage);
		const part = (of: Partial<typeof neutral>) => table.cost({ ...nothing, ...of }, model, provider, undefined) ?? 0;
		const total = table.cost(neutral, model, provider, undefined);
		if (total === undefined) return undefined;
		return {
			input: part({ input: neutral.input }),
			output: part({ output: neutral.output }),
			cacheRead: part({ cacheRead: neutral.cacheRead }),
			cacheWrite: part({ cacheWrite5m: neutral.cacheWrite5m }),
			total,
		};
	};
}

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
