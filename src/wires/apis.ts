/** Guesses who answered where a session that was read does not say: the provider by a model's name, the API by a provider's. */
const families: readonly (readonly [RegExp, string])[] = [
	[/claude/i, 'anthropic'],
	[/^(gpt|o\d|codex|chatgpt)/i, 'openai'],
	[/gemini|gemma/i, 'google'],
	[/grok/i, 'xai'],
	[/mistral|codestral|devstral/i, 'mistral'],
];

/** The provider of a model with this name. */
export function providerOf(model: string | undefined): string | undefined {
	return model === undefined ? undefined : families.find(([name]) => name.test(model))?.[1];
}

/** A provider's usual API, for sessions that name none. */
export function apiOf(provider: string): string {
	if (provider === 'anthropic') return 'anthropic-messages';
	if (provider === 'google') return 'google-generative-ai';
	return 'openai-completions';
}
