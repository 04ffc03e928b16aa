/** The providers: Anthropic, OpenAI and servers that speak like it, Google, Ollama, and scripts. */
export { anthropic } from './anthropic.ts';
export { google } from './google.ts';
export { type MadeScript, scriptProvider } from './offline-script.ts';
export { ollama } from './ollama.ts';
export { openAiChat } from './openai-chat.ts';
export { openAiResponses } from './openai-responses.ts';
export {
	type ConfiguredProvider,
	configuredModel,
	configuredProviders,
	type FoundModel,
	findModel,
} from './registry.ts';
export type { ScriptInput, ScriptTurnInput } from './script.ts';
export type { Env, ProviderOptions } from './service.ts';
