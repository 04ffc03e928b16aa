/** Hides keys in what is shown and logged: which environment variables count as secret, how long a value must be, and what stands in its place. */
import type { Env } from './service.ts';

const named = /key|token|secret|password|credential/i;

/** Shorter values could be words of any text, so they are not replaced. */
const shortest = 8;

/** The variables whose values only the server may know. */
export function secretNames(env: Env): readonly string[] {
	return Object.keys(env).filter((name) => named.test(name));
}

/** The text with each secret value replaced by the name of its variable: servers and SDK errors repeat keys. */
export function withoutSecrets(text: string, env: Env): string {
	let hidden = text;
	for (const name of secretNames(env)) {
		const value = env[name]?.trim() ?? '';
		if (value.length < shortest) continue;
		for (const spelled of new Set([value, encodeURIComponent(value)])) hidden = hidden.replaceAll(spelled, `<${name}>`);
	}
	return hidden;
}
