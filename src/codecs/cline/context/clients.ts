/** The versions of Cline whose resume rules are known, how they differ, and which of them apply to a session. */

export interface ClientRules {
	readonly version: string;
	/** True where the client checks ids and names of tools, and fails every turn when one is missing. */
	readonly checksTools: boolean;
	/** True where a reply of which nothing is left is sent empty; false where it is left out. */
	readonly emptyReplies: boolean;
	/** True where a tool input that is a text with JSON in it is sent as that JSON. */
	readonly parsesInput: boolean;
}

/** The library `@cline/core`. */
const library: ClientRules = { version: '0.0.86', checksTools: false, emptyReplies: false, parsesInput: true };
/** The command line client, with the same core and an older provider layer built in. */
const commandLine: ClientRules = { version: '3.0.65', checksTools: true, emptyReplies: true, parsesInput: false };

export const clients: readonly string[] = [library.version, commandLine.version];

/** The rules for a version: the library counts from 0, all clients with a user interface from 3. */
export function rulesOf(client: string | undefined): ClientRules {
	return client !== undefined && /^v?0\./.test(client) ? library : commandLine;
}
