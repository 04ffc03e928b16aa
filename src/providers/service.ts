/** Who is asked: what requests and the words about their failures need to know of a server. */
import type { Api } from '../model/index.ts';

/** The variables that matter, as the program was given them. Nothing here reads the process's own. */
export type Env = { readonly [name: string]: string | undefined };

export interface Service {
	/** As sessions name it. */
	readonly id: string;
	readonly api: Api;
	/** For people. */
	readonly name: string;
	readonly url: string;
	/** The variable that the key came from. */
	readonly keyName?: string | undefined;
	/** What the program was given; absent where there is nothing to hide. */
	readonly env?: Env;
	/** Variables that a key can be put in. */
	readonly keyNames: readonly string[];
	/** The command that starts it, where it is a server of the user's own. */
	readonly start?: string;
	/** Unix milliseconds. */
	readonly now: () => number;
}

export interface ProviderOptions {
	readonly env: Env;
	/** A clock, where the machine's own is not wanted. */
	readonly now?: () => number;
}

/** A server that the environment may be set up for. */
export interface Setup {
	/** As sessions name it. */
	readonly id: string;
	/** For people. */
	readonly name: string;
	/** Any of these variables is a key, the first one that is set. None: no key is needed. */
	readonly keys: readonly string[];
	/** The variable that names another address than the usual one. */
	readonly urlName: string;
	url(env: Env): string;
	/** The command that starts it, where it is a server of the user's own. */
	readonly start?: string;
}

/** The address that a variable names, or the usual one. */
export function urlOf(name: string, usual: string): Setup['url'] {
	return (env) => firstOf(env, [name])?.value ?? usual;
}

export function serviceOf(setup: Setup, api: Api, { env, now = Date.now }: ProviderOptions): Service {
	const { id, name, keys: keyNames, start } = setup;
	const keyName = firstOf(env, keyNames)?.name;
	return { id, api, name, url: setup.url(env), keyName, keyNames, env, now, ...(start === undefined ? {} : { start }) };
}

/** The first of these variables that says something. */
export function firstOf(
	env: Env,
	names: readonly string[],
): { readonly name: string; readonly value: string } | undefined {
	for (const name of names) {
		const value = env[name]?.trim();
		if (value) return { name, value };
	}
	return undefined;
}
