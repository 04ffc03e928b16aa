/** What requests and messages about failures need to know of a server: its name, its address and the variables of its key, of which the first that is set counts. */
import type { Api } from '../model/index.ts';

/** The environment variables as the program was given them. No provider reads those of the process. */
export type Env = { readonly [name: string]: string | undefined };

export interface Service {
	/** The provider's id in sessions. */
	readonly id: string;
	readonly api: Api;
	/** The provider's name for people. */
	readonly name: string;
	readonly url: string;
	/** The variable that names another address. */
	readonly urlName?: string;
	/** The variable that the key came from. */
	readonly keyName?: string | undefined;
	/** The variables that the program was given; absent where there is nothing to hide. */
	readonly env?: Env;
	/** Variables that can hold a key. */
	readonly keyNames: readonly string[];
	/** The command that starts the server, where it is the user's own. */
	readonly start?: string;
	/** The clock, in Unix milliseconds. */
	readonly now: () => number;
}

export interface ProviderOptions {
	readonly env: Env;
	/** Called before each request: it may put another key into `env`. Throws where there is none. `refused`: the last one was. */
	readonly renew?: (refused?: boolean) => Promise<void>;
	/** A clock to use instead of the machine's. */
	readonly now?: () => number;
}

/** A server that the environment may be set up for. */
export interface Setup {
	/** The provider's id in sessions. */
	readonly id: string;
	/** The provider's name for people. */
	readonly name: string;
	/** Variables that can hold a key, of which the first that is set counts. Empty: no key is needed. */
	readonly keys: readonly string[];
	/** The variable that names another address than the usual one. */
	readonly urlName: string;
	url(env: Env): string;
	/** The command that starts the server, where it is the user's own. */
	readonly start?: string;
}

/** The address that a variable names, or the usual one. */
export function urlOf(name: string, usual: string): Setup['url'] {
	return (env) => firstOf(env, [name])?.value ?? usual;
}

export function serviceOf(setup: Setup, api: Api, { env, now = Date.now }: ProviderOptions): Service {
	const { id, name, keys: keyNames, start, urlName } = setup;
	const keyName = firstOf(env, keyNames)?.name;
	const url = setup.url(env);
	return { id, api, name, url, urlName, keyName, keyNames, env, now, ...(start === undefined ? {} : { start }) };
}

/** What to say of an address that is none; undefined for one that can be called. */
export function addressTrouble({ url, urlName }: Pick<Service, 'url' | 'urlName'>): string | undefined {
	if (URL.canParse(url)) return undefined;
	return `${urlName ?? 'the address'} is not an address: "${url}". Write it as http://HOST:PORT`;
}

/** The first of these variables that is set. */
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
