/** What OpenAI's two APIs share: address and key, which models count as reasoning, the words for each level of thinking, and the role of instructions. */
import type OpenAI from 'openai';
import type { ModelRequest, ThinkingLevel } from '../agent/contracts.ts';
import type { Api } from '../model/index.ts';
import { fetchApi } from './http.ts';
import { firstOf, type ProviderOptions, type Service, type Setup, serviceOf, urlOf } from './service.ts';

export const openAiSetup: Setup = {
	id: 'openai',
	name: 'OpenAI',
	keys: ['OPENAI_API_KEY'],
	urlName: 'OPENAI_BASE_URL',
	url: urlOf('OPENAI_BASE_URL', 'https://api.openai.com/v1'),
};

export function openAiService(options: ProviderOptions, api: Api): Service {
	const service = serviceOf(openAiSetup, api, options);
	// What is no address fails with the first request, as at every other provider.
	if (isOpenAi(service.url) || !URL.canParse(service.url)) return service;
	return { ...service, name: new URL(service.url).host };
}

/** True for OpenAI itself, and not for a server that speaks like it. */
export function isOpenAi(url: string): boolean {
	return URL.canParse(url) && /(^|\.)openai\.com$/.test(new URL(url).hostname);
}

export async function connectOpenAi({ env }: ProviderOptions, { url }: Service): Promise<OpenAI> {
	const { default: Client } = await import('openai');
	return new Client({
		// Local servers need no key, but the SDK insists on one.
		apiKey: firstOf(env, openAiSetup.keys)?.value ?? 'none',
		baseURL: url,
		organization: env.OPENAI_ORG_ID ?? null,
		project: env.OPENAI_PROJECT_ID ?? null,
		adminAPIKey: null,
		webhookSecret: null,
		maxRetries: 0,
		logLevel: 'off',
		fetch: fetchApi,
	});
}

/** True for models that think before they answer. They get their instructions in the role `developer`. */
export function isReasoning(model: string): boolean {
	return /^(o[1-9]|gpt-([5-9]|\d\d)|codex)/.test(model) && !/chat/.test(model);
}

/** The effort for a level of thinking; each generation of models has other words for a low one. */
export function effortOf(level: ThinkingLevel, model: string): OpenAI.ReasoningEffort {
	if (level !== 'off' && level !== 'minimal') return level;
	if (/^gpt-5(-|$)/.test(model)) return 'minimal';
	return level === 'off' && /^gpt-/.test(model) ? 'none' : 'low';
}

export function instructions(
	{ system, model }: ModelRequest,
	{ url }: Service,
): readonly [] | readonly [{ readonly role: 'developer' | 'system'; readonly content: string }] {
	if (system.trim() === '') return [];
	const role = isOpenAi(url) && isReasoning(model) ? 'developer' : 'system';
	return [{ role, content: system.toWellFormed() }];
}
