/** What counts in the folder of a session: its settings and permissions, and its commands. */
import { commandsHere } from './commands/commands-here.ts';
import type { Definitions } from './commands/definitions.ts';
import type { ClientOptions } from './options.ts';
import { type PermissionsHere, permissionsHere } from './permissions.ts';

/** Found before a model is chosen: it decides whether one is needed at all. */
export interface Place {
	readonly permissions: PermissionsHere;
	readonly commands: Definitions;
}

/** `trust` is asked about a folder that nobody has decided about, and may leave it undecided. */
export async function placeHere(
	options: ClientOptions,
	cwd: string,
	trust?: (found: PermissionsHere) => Promise<PermissionsHere>,
): Promise<Place> {
	const found = permissionsHere(options, cwd);
	const permissions = found.decided || !trust ? found : await trust(found);
	return { permissions, commands: await commandsHere(cwd, permissions.trusted) };
}
