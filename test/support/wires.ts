/** The five wire protocols, each with a provider that speaks it to a server of our own. */
import type { Provider } from '../../src/agent/contracts.ts';
import { anthropic, google, ollama, openAiChat, openAiResponses } from '../../src/providers/index.ts';

export interface WireCase {
	readonly name: string;
	readonly model: string;
	provider(url: string): Provider;
}

export const wireCases: readonly WireCase[] = [
	{
		name: 'anthropic',
		model: 'claude-sonnet-4-5',
		provider: (url) => anthropic({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' } }),
	},
	{
		name: 'openai-responses',
		model: 'gpt-5.5',
		provider: (url) => openAiResponses({ env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' } }),
	},
	{
		name: 'openai-chat',
		model: 'gpt-4.1',
		provider: (url) => openAiChat({ env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' } }),
	},
	{
		name: 'google',
		model: 'gemini-2.5-pro',
		provider: (url) => google({ env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'k' } }),
	},
	{ name: 'ollama', model: 'qwen3', provider: (url) => ollama({ env: { OLLAMA_HOST: url } }) },
];
