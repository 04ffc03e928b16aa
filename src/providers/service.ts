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
