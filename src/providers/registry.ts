/** Finds the provider that `--model` means: which model is the default, what `opus`, `sonnet` and `haiku` stand for, and in which order configured providers are tried. */
import { readFile } from 'node:fs/promises';
import type { Provider } from '../agent/contracts.ts';
import { codeOf } from '../log/errors.ts';
import { compact, errorText } from '../model/index.ts';
import { anthropic, anthropicSetup } from './anthropic.ts';
import { google, googleSetup } from './google.ts';
import { ollama, ollamaSetup } from './ollama.ts';
import { openAiChat } from './openai-chat.ts';
import { isOpenAi, openAiSetup } from './openai-client.ts';
import { openAiResponses } from './openai-responses.ts';
import { addressTrouble, type Env, firstOf, type ProviderOptions, type Setup } from './service.ts';

export type FoundModel =
	| {
			readonly ok: true;
			readonly provider: Provider;
			/** The model's name at its provider. */
			readonly model: string;
			/** The variable that holds the key. */
			readonly keyName?: string;
	  }
	| { readonly ok: false; readonly problem: string };

/** A provider whose models are named `name/model`. */
interface Entry extends Setup {
	make(options: ProviderOptions): Provider;
	/** True where the server needs no key: it is the user's own, or not the vendor's. */
	readonly keyless?: (env: Env) => boolean;
	/** The model to ask when nobody names one. */
	defaultModel(env: Env): string | undefined;
}

const isOpenAiHere = (env: Env): boolean => isOpenAi(openAiSetup.url(env));

const openAi: Omit<Entry, 'make'> = {
	...openAiSetup,
	keyless: (env) => !isOpenAiHere(env),
	defaultModel: (env) => env.OPENAI_MODEL || (isOpenAiHere(env) ? 'gpt-5.5' : undefined),
};

/** Claude's kinds by the names that Claude Code gives them, each with the newest model that is known here. A newer one is written here, and only here. */
const claudes = {
	opus: { newest: 'claude-opus-5-5', variable: 'ANTHROPIC_DEFAULT_OPUS_MODEL' },
	sonnet: { newest: 'claude-sonnet-5-5', variable: 'ANTHROPIC_DEFAULT_SONNET_MODEL' },
	haiku: { newest: 'claude-haiku-4-5', variable: 'ANTHROPIC_DEFAULT_HAIKU_MODEL' },
} as const;

export interface ClaudeKind {
	/** The variable that says which model it is, as in Claude Code. */
	readonly variable: string;
	readonly said: string | undefined;
	readonly newest: string;
}

/** What `opus`, `sonnet` or `haiku` stands for; undefined for any other name. */
export function claudeKind(name: string, env: Env): ClaudeKind | undefined {
	const kind = Object.hasOwn(claudes, name) ? claudes[name as keyof typeof claudes] : undefined;
	return kind && { ...kind, said: env[kind.variable] || undefined };
}

const providers: { readonly [name: string]: Entry } = {
	anthropic: {
		...anthropicSetup,
		make: anthropic,
		defaultModel: (env) => env.ANTHROPIC_MODEL || claudes.sonnet.newest,
	},
	openai: {
		...openAi,
		// Nearly all servers that speak like OpenAI speak the older API.
		make: (options) => (isOpenAiHere(options.env) ? openAiResponses(options) : openAiChat(options)),
	},
	'openai-responses': { ...openAi, make: openAiResponses },
	'openai-chat': { ...openAi, make: openAiChat },
	google: { ...googleSetup, make: google, defaultModel: (env) => env.GEMINI_MODEL || 'gemini-flash-latest' },
	ollama: {
		...ollamaSetup,
		keys: [], // a key would not say where the server is
		make: ollama,
		keyless: () => true,
		defaultModel: (env) => env.OLLAMA_MODEL || undefined,
	},
};

/** The model for `provider/name`, or for a name that tells its provider. */
export async function findModel(wanted: string, options: ProviderOptions): Promise<FoundModel> {
	const { env } = options;
	const name = providerIn(wanted, env);
	const model = wanted.slice(wanted.indexOf('/') + 1);
	if (name === 'offline') return await offline(model, options);
	const entry = name === undefined || !Object.hasOwn(providers, name) ? undefined : providers[name];
	if (entry === undefined) return { ok: false, problem: unknownProvider(wanted, !wanted.includes('/')) };
	if (model === '') return { ok: false, problem: `"${wanted}" does not name a model: write ${name}/NAME` };
	const key = firstOf(env, entry.keys);
	if (!key && !entry.keyless?.(env)) {
		return { ok: false, problem: `${wanted} needs a key: set ${entry.keys.join(' or ')}` };
	}
	const problem = addressTrouble({ url: entry.url(env), urlName: entry.urlName });
	if (problem !== undefined) return { ok: false, problem };
	return { ok: true, provider: entry.make(options), model, ...(key ? { keyName: key.name } : {}) };
}

const plainName = /^[A-Za-z0-9][\w.:@+-]*(?:\/[\w.:@+-]+)*$/;

/**
 * The model that a session names. A session is not trusted: it may choose among the user's own providers, but it plays
 * no script, and its names never become a part of an address that leads elsewhere.
 */
export async function findRecordedModel(wanted: string, options: ProviderOptions): Promise<FoundModel> {
	const name = providerIn(wanted, options.env);
	if (name === 'offline') return { ok: false, problem: 'a script is played only when you name it: --script FILE' };
	if (!plainName.test(wanted) || wanted.includes('..'))
		return { ok: false, problem: 'that is not the name of a model' };
	const known = name !== undefined && Object.hasOwn(providers, name);
	if (known && !isSetUp(name, options.env)) return { ok: false, problem: `${familyOf(name)} is not set up here` };
	return await findModel(wanted, options);
}

/**
 * The name as it is asked for where `REPRISE_MODEL` says who answers. Hosts name Claude's models whoever answers: where Claude's own
 * provider is not set up, such a name is asked of the one that was chosen. Gateways have models of all vendors.
 */
export function hostedName(wanted: string, env: Env): string {
	const own = providerIn(wanted, env);
	if (wanted.includes('/') || !env.REPRISE_MODEL || (own !== undefined && isSetUp(own, env))) return wanted;
	const chosen = providerIn(env.REPRISE_MODEL, env);
	return chosen !== undefined && Object.hasOwn(providers, chosen) ? `${chosen}/${wanted}` : wanted;
}

/** The provider that a name says, or tells by itself. */
function providerIn(name: string, env: Env): string | undefined {
	const slash = name.indexOf('/');
	return slash === -1 ? guess(name, env) : name.slice(0, slash);
}

const familyOf = (provider: string): string => provider.replace(/^openai-.*/, 'openai');

function isSetUp(provider: string, env: Env): boolean {
	return configuredProviders(env).some(({ name }) => name === familyOf(provider));
}

function guess(name: string, env: Env): string | undefined {
	if (/^claude-/.test(name)) return 'anthropic';
	if (/^(gpt-(?!oss)|chatgpt-|codex-|o\d)/.test(name)) return 'openai';
	if (/^(gemini|gemma)-/.test(name)) return 'google';
	if (firstOf(env, ['OLLAMA_HOST'])) return 'ollama';
	return isOpenAiHere(env) ? undefined : 'openai';
}

function unknownProvider(wanted: string, bare: boolean): string {
	const names = [...Object.keys(providers), 'offline'].join(', ');
	return bare
		? `which provider has the model "${wanted}"? Write PROVIDER/${wanted}; the providers are ${names}`
		: `"${wanted}" does not name a known provider; the providers are ${names}`;
}

/** Plays `offline/script:FILE`, or the script that REPRISE_SCRIPT names. `reprise replay` plays recordings. */
async function offline(model: string, { env, now }: ProviderOptions): Promise<FoundModel> {
	const [kind, named] = [/^[^:]*/.exec(model)?.[0] ?? '', /:(.+)$/s.exec(model)?.[1]];
	if (kind === 'replay') {
		return {
			ok: false,
			problem: 'offline/replay answers only in the session that it plays: use reprise replay SESSION',
		};
	}
	if (kind !== 'script') {
		return { ok: false, problem: `offline/${model} is not a model: offline/script:FILE plays a script` };
	}
	const file = named ?? firstOf(env, ['REPRISE_SCRIPT'])?.value;
	if (file === undefined) {
		return { ok: false, problem: 'offline/script needs a script: write offline/script:FILE, or set REPRISE_SCRIPT' };
	}
	const { scriptLooks, scriptProvider } = await import('./offline-script.ts');
	let text: string;
	try {
		text = await readFile(file, 'utf8');
	} catch (error) {
		const isMissing = codeOf(error) === 'ENOENT';
		const why = errorText(error);
		const what = isMissing ? 'does not exist' : `cannot be read (${why})`;
		return { ok: false, problem: `the script ${file} ${what}; ${scriptLooks}` };
	}
	const made = scriptProvider(text, now);
	return made.ok
		? { ok: true, provider: made.provider, model: kind }
		: { ok: false, problem: `${file}: ${made.problem}` };
}

export interface ConfiguredProvider {
	readonly name: string;
	readonly url: string;
	/** The model to ask when nobody names one, with its provider. */
	readonly model?: string;
}

/** Providers that can be asked now, in the order in which they are tried. */
export function configuredProviders(env: Env): readonly ConfiguredProvider[] {
	return ['anthropic', 'openai', 'google', 'ollama'].flatMap((name) => {
		const entry = providers[name];
		if (entry === undefined) return [];
		const key = firstOf(env, entry.keys);
		// Without a key, a variable has to name the server.
		if (!key && !(entry.keyless?.(env) && firstOf(env, [entry.urlName]))) return [];
		const model = entry.defaultModel(env);
		return [{ name, url: entry.url(env), ...compact({ model: model && `${name}/${model}` }) }];
	});
}

/** Models that can be asked now, with their providers: for each the one to ask when nobody names one, and the kinds of Claude. */
export function offeredModels(env: Env): readonly string[] {
	const kinds = Object.keys(claudes).map((name) => {
		const kind = claudeKind(name, env);
		const meant = kind?.said ?? kind?.newest ?? name;
		return meant.includes('/') ? meant : `anthropic/${meant}`;
	});
	const all = configuredProviders(env).flatMap(({ name, model }) => [
		...(model === undefined ? [] : [model]),
		...(name === 'anthropic' ? kinds : []),
	]);
	return [...new Set(all)];
}

/** The model to ask when nobody names one; undefined when nothing is set up. */
export function configuredModel(env: Env): string | undefined {
	return configuredProviders(env).find((one) => one.model !== undefined)?.model;
}
