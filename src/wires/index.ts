/** The wires, by the names that sessions have for APIs. Our providers and `context` for other clients use them. */
import { toAnthropic } from './anthropic.ts';
import { namedGeneration, toGoogle } from './google.ts';
import { toOllama } from './ollama.ts';
import { toOpenAiChat } from './openai-chat.ts';
import { toOpenAiResponses } from './openai-responses.ts';

/** Each wire by the name of its API. */
export const wires = {
	'anthropic-messages': toAnthropic,
	'openai-completions': toOpenAiChat,
	'openai-responses': toOpenAiResponses,
	'google-generative-ai': toGoogle,
	ollama: toOllama,
} as const;

export type WireApi = keyof typeof wires;

export { apiOf, providerOf } from './apis.ts';
export {
	isSameModel,
	newestRules,
	plainMessage,
	sound,
	type Target,
	type Turn,
	type Wire,
	type Wired,
	type WireInput,
	type WireMessage,
	type WireRules,
} from './prepare.ts';
export { unanswered } from './texts.ts';
export { namedGeneration, toAnthropic, toGoogle, toOllama, toOpenAiChat, toOpenAiResponses };
