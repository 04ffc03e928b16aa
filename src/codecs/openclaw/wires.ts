/** The wires by the name of their API, as the sessions themselves name it. */
import { toAnthropic } from './wire-anthropic.ts';
import { toGoogle } from './wire-google.ts';
import { toOllama } from './wire-ollama.ts';
import { toOpenAiChat } from './wire-openai-chat.ts';
import { toOpenAiResponses } from './wire-openai-responses.ts';

export const wires = {
	'anthropic-messages': toAnthropic,
	'openai-completions': toOpenAiChat,
	'openai-responses': toOpenAiResponses,
	'google-generative-ai': toGoogle,
	ollama: toOllama,
} as const;

export type WireApi = keyof typeof wires;
