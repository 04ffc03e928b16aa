/** Keys that servers and logs must not repeat: the values of variables that hold such. */
import type { Env } from './service.ts';

const named = /key|token|secret|password|credential/i;

/** Shorter ones are words that occur in any text. */
const shortest = 8;

/** The variables whose values are nobody's business but the server's. */
export function secretNames(env: Env): readonly string[] {
	return Object.keys(env).filter((name) => named.test(name));
}

/** The text with the name of the variable wherever a server, or an error of its SDK, has repeated what is in it. */
export function withoutSecrets(text: string, env: Env): string {
	let hidden = text;
	for (const name of secretNames(env)) {
		const value = env[name]?.trim() ?? '';
		if (value.length < shortest) continue;
		for (const spelled of new Set([value, encodeURIComponent(value)])) hidden = hidden.replaceAll(spelled, `<${name}>`);
	}
	return hidden;
}
