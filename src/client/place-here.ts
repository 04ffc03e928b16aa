/** What counts in the folder of a session: its settings and permissions, and its commands. */
import { commandsHere } from './commands/commands-here.ts';
import type { Definitions } from './commands/definitions.ts';
import type { ClientOptions } from './options.ts';
import { decideTrust, type PermissionsHere, permissionsHere } from './permissions.ts';

/** Found before a model is chosen: it decides whether one is needed at all. */
export interface Place {
	readonly permissions: PermissionsHere;
	readonly commands: Definitions;
}

/** Asks its user whether a folder is trusted, and shows what waits for that. Undefined leaves it undecided. */
export type TrustQuestion = (cwd: string, waiting: PermissionsHere['waiting']) => Promise<boolean | undefined>;

/** `trusts` is asked about a folder that nobody has decided about; what it answers is remembered, and counts at once. */
export async function placeHere(options: ClientOptions, cwd: string, trusts?: TrustQuestion): Promise<Place> {
	const found = permissionsHere(options, cwd);
	const permissions = found.decided || !trusts ? found : await decided(found, options, trusts);
	return { permissions, commands: await commandsHere(cwd, permissions.trusted) };
}

async function decided(
	found: PermissionsHere,
	options: ClientOptions,
	trusts: TrustQuestion,
): Promise<PermissionsHere> {
	const answer = await trusts(found.cwd, found.waiting);
	if (answer === undefined) return found;
	await decideTrust(found.cwd, answer);
	return answer ? permissionsHere(options, found.cwd) : { ...found, waiting: [] };
}
