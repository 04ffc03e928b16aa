/** What /help, /model, /context, /cost, /permissions, /agents, /tasks, /mcp and /hooks show at the console: the data that each of these screens is given. */
import { existsSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { contextParts } from '../../client/commands/builtin-views.ts';
import { heldUntil } from '../../client/commands/lent-rules.ts';
import { modelsHere } from '../../client/models-here.ts';
import { permissionsHere } from '../../client/permissions.ts';
import { compact } from '../../model/index.ts';
import type { Dialogs } from '../dialogs.ts';
import type { Bindings } from '../keys.ts';
import type { Instead } from '../own-commands.ts';
import { contextScreen } from '../screens/context.ts';
import { costScreen } from '../screens/cost.ts';
import { type HelpCommand, helpScreen } from '../screens/help.ts';
import { hooksScreen } from '../screens/hooks.ts';
import { mcpScreen } from '../screens/mcp.ts';
import { ModelsScreen } from '../screens/models.ts';
import { permissionsScreen } from '../screens/permissions-view.ts';

export interface ViewsAt {
	readonly dialogs: Dialogs;
	readonly client: Client;
	readonly keys: () => Bindings;
	readonly commands: () => readonly HelpCommand[];
	/** Writes a command into the line of input. */
	write(text: string): void;
	/** Says something that the session does not keep. */
	tell(text: string): void;
}

export type View = (at: ViewsAt) => Promise<Instead | undefined>;

/** By the name of the command. `instead`: what is sent in place of what was typed. */
export const views: { readonly [name: string]: View } = {
	...{ help, model, context, cost, permissions, agents, mcp, hooks, tasks },
	// As users of Claude Code know it.
	bashes: tasks,
};

async function help({ dialogs, keys, commands, write }: ViewsAt) {
	const chosen = await dialogs.open(() => helpScreen(keys(), commands()));
	if (chosen !== undefined) write(`${chosen} `);
	return undefined;
}

async function model({ dialogs, client }: ViewsAt) {
	const { model: now, permissions: here } = client.station();
	const { loadPrices } = await import('../../catalog/cost/prices.ts');
	const models = modelsHere({ ...process.env, ...here.env }, await loadPrices());
	const chosen = await dialogs.open(() => new ModelsScreen(models, `${now.provider.id}/${now.name}`));
	return chosen === undefined ? undefined : { instead: `/model ${chosen}` };
}

async function context({ dialogs, client }: ViewsAt) {
	const at = client.station();
	const shown = {
		model: at.model.name,
		parts: await contextParts(at),
		...compact({ window: (await at.model.window())() }),
	};
	await dialogs.open(() => contextScreen(shown));
	return undefined;
}

async function cost({ dialogs, client }: ViewsAt) {
	const { handle } = client.station().session;
	if (handle.leaf === null && !existsSync(handle.path)) return { instead: '/cost' };
	const { costOfSession } = await import('../../catalog/cost-of-session.ts');
	const { id, format } = handle.session;
	const found = costOfSession({ path: handle.path, id, format });
	await dialogs.open(() => costScreen(found));
	return undefined;
}

async function permissions({ dialogs, client }: ViewsAt) {
	const { permissions: here, mode, session } = client.station();
	const { rules, dirs, trusted, waiting } = here;
	const saved = permissionsHere({}, session.cwd).rules.allow;
	// A rule that was kept for good is in a file by now, which is read anew when the next session begins.
	const granted = session.conversation.granted.map(
		(rule) => saved.find(({ text }) => text === rule.text) ?? { ...rule, where: rule.where ?? heldUntil(rule) },
	);
	await dialogs.open(() =>
		permissionsScreen({ mode, rules, granted, folders: [session.cwd, ...dirs], trusted, waiting }),
	);
	return undefined;
}

async function agents({ dialogs, client, tell }: ViewsAt) {
	await (await import('./agents.ts')).lookAtAgents(dialogs, client, tell);
	return undefined;
}

async function tasks({ dialogs, client, tell }: ViewsAt) {
	await (await import('./tasks.ts')).lookAtTasks(dialogs, client, tell);
	return undefined;
}

async function mcp({ dialogs, client }: ViewsAt) {
	const { servers } = client.station();
	await dialogs.open(() => mcpScreen(servers?.status ?? [], servers?.prompts ?? []));
	return undefined;
}

async function hooks({ dialogs, client }: ViewsAt) {
	await dialogs.open(() => hooksScreen(client.station().permissions.hooks));
	return undefined;
}
