/** Who answers: what the flags say, who answered before, or the first that is set up. */
import { neutralUsage } from '../agent/blocks.ts';
import type { AgentConfig } from '../agent/config.ts';
import type { Provider } from '../agent/contracts.ts';
import type { Resumed } from '../agent/resume.ts';
import { configuredModel, type FoundModel, findModel, findRecordedModel } from '../providers/registry.ts';
import type { Env } from '../providers/service.ts';
import { InputError } from '../store/errors.ts';
import type { ClientOptions } from './options.ts';

export interface ChosenModel {
	readonly provider: Provider;
	readonly name: string;
	/** The variable that holds the key. */
	readonly keySource?: string;
	/** What the user should know about the choice. */
	readonly notes: readonly string[];
	/** Loaded when there is something to price: the table is large. */
	price(): Promise<AgentConfig['price']>;
}

/** What the settings say of models: a name, and variables that come before those of the environment. */
export interface ModelSettings {
	readonly model?: string;
	readonly env: { readonly [name: string]: string };
}

export async function chooseModel(
	options: ClientOptions,
	resumed: Resumed | undefined,
	settings: ModelSettings,
): Promise<ChosenModel> {
	const env: Env = { ...process.env, ...settings.env };
	if (options.script !== undefined) return await named(`offline/script:${options.script}`, env);
	const wanted = options.model ?? env.REPRISE_MODEL;
	if (wanted !== undefined) return await named(wanted, env);
	const before = recorded(resumed);
	const again = before === undefined ? undefined : await findRecordedModel(before, { env });
	if (again?.ok) return chosen(again);
	const notes: string[] =
		before === undefined || again?.ok ? [] : [`${before} answered before and is not available now: ${again?.problem}`];
	const set = await modelOfSettings(settings.model, env, notes);
	const other = configuredModel(env);
	if (set) return { ...set, notes: notes.map((why) => `${why}. Using ${set.name} instead`) };
	if (other === undefined) throw new InputError('no-model', [...notes, noModel].join('.\n'));
	return { ...(await named(other, env)), notes: notes.map((why) => `${why}. Using ${other} instead`) };
}

/** Claude Code's short names, and the variables that say which model one of them means. */
export const shortNames: { readonly [name: string]: string } = {
	opus: 'ANTHROPIC_DEFAULT_OPUS_MODEL',
	sonnet: 'ANTHROPIC_DEFAULT_SONNET_MODEL',
	haiku: 'ANTHROPIC_DEFAULT_HAIKU_MODEL',
};

/** A name that cannot be asked is said, and stops nobody. The variable that names a model comes before it, as in Claude Code. */
async function modelOfSettings(given: string | undefined, env: Env, notes: string[]): Promise<ChosenModel | undefined> {
	if (given === undefined || given === 'default' || env.ANTHROPIC_MODEL) return undefined;
	const variable = Object.hasOwn(shortNames, given) ? shortNames[given] : undefined;
	const meant = variable === undefined ? given : env[variable];
	const found = meant ? await findRecordedModel(meant, { env }) : undefined;
	if (found?.ok) return chosen(found);
	notes.push(`the settings name the model ${given}: ${found?.problem ?? `set ${variable} to say which one that is`}`);
	return undefined;
}

/** The model that a command wants to be answered by; `now` where nobody knows which one that is. A script answers whoever asks. */
export async function modelForCommand(given: string, now: ChosenModel, settings: ModelSettings): Promise<ChosenModel> {
	const env: Env = { ...process.env, ...settings.env };
	const variable = Object.hasOwn(shortNames, given) ? shortNames[given] : undefined;
	const meant = variable === undefined ? given : env[variable];
	if (!meant || now.provider.id === 'offline') return now;
	if (!meant.includes('/')) return { ...now, name: meant };
	const found = await findModel(meant, { env });
	return found.ok ? chosen(found) : now;
}

const noModel =
	'no model is set up: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OLLAMA_HOST, or name a model with ' +
	'--model provider/name.\nWithout any key: --model offline/script:FILE plays a script, reprise replay SESSION plays a ' +
	'recorded session with real tools, and reprise demo shows both';

/** Only where it can be asked again: a session by a provider that is not set up here needs another model. */
function recorded(resumed: Resumed | undefined): string | undefined {
	if (resumed?.model === undefined) return undefined;
	return resumed.provider === undefined ? resumed.model : `${resumed.provider}/${resumed.model}`;
}

async function named(wanted: string, env: Env): Promise<ChosenModel> {
	const found = await findModel(wanted, { env });
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
	return { provider, name, notes: [], price: async () => undefined };
}

function chosen({ provider, model, keyName }: Extract<FoundModel, { ok: true }>): ChosenModel {
	const price = provider.id === 'offline' ? async () => undefined : pricing;
	return { provider, name: model, ...(keyName === undefined ? {} : { keySource: keyName }), notes: [], price };
}

async function pricing(): Promise<AgentConfig['price']> {
	const { loadPrices } = await import('../catalog/cost/prices.ts');
	const prices = loadPrices();
	return (model, provider, usage) => {
		const neutral = neutralUsage(usage);
		const part = (of: Partial<typeof neutral>) => prices.cost({ ...nothing, ...of }, model, provider, undefined) ?? 0;
		const total = prices.cost(neutral, model, provider, undefined);
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
