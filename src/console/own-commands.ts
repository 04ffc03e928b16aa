/** Slash commands that only the console has (/config, /exit, /fullscreen, /keys, /tasks, /tree), and which commands open at once, while an answer is still written. */
import type { Client } from '../client/client.ts';
import type { Controller } from './controller.ts';
import { type Bindings, bindings, keyList } from './keys.ts';
import type { HelpCommand } from './screens/help.ts';

export interface OwnCommands {
	readonly controller: Controller;
	readonly client: Client;
	exit(): void;
	configure(): Promise<void>;
	/** The alternate screen, or the main one again. */
	fullscreen(): Promise<void>;
	keys(): Bindings;
	commands(): readonly HelpCommand[];
}

/** What only shows something is opened at once, also while an answer is written. What is chosen in it is done after the turn. */
export const opensAtOnce: ReadonlySet<string> = new Set([
	...[
		'agents',
		'bashes',
		'config',
		'context',
		'cost',
		'fullscreen',
		'help',
		'hooks',
		'keys',
		'mcp',
		'model',
		'permissions',
		'tasks',
		'tree',
	],
]);

export interface Instead {
	/** What is sent instead of what was typed, one after the other. */
	readonly instead: string | readonly string[];
	/** True: the conversation's end is shown behind all of them. False: it is on the screen already. Absent: with each that changes the session. */
	readonly shows?: boolean;
}

/** Undefined for a command of somebody else. */
export type OwnCommand = (name: string, args: string) => Promise<'handled' | Instead | undefined>;

/** Commands that the console alone has, for completion and help. */
export const ownNames = [
	{ name: 'config', summary: 'colours, keys, status line, notifications' },
	{ name: 'exit', summary: 'leave; the session can be resumed' },
	{
		name: 'fullscreen',
		summary: 'the whole screen, which scrolls and is searched by itself; again: the terminal’s own',
	},
	{ name: 'keys', summary: 'what the keys do' },
	{ name: 'tasks', summary: 'what runs in the background: its output, and its end; also /bashes' },
	{
		name: 'tree',
		summary: 'the conversation with all its branches, forks and copies: jump to any place, give it a name',
	},
];

/** Plain lines have no dialogs: there the client's own commands print lists. */
export function plainCommands({
	controller,
	exit,
	keys = bindings,
}: Pick<OwnCommands, 'controller' | 'exit'> & Partial<Pick<OwnCommands, 'keys'>>): OwnCommand {
	return async (name) => {
		if (name === 'exit' || name === 'quit') return handled(exit());
		if (name === 'tasks' || name === 'bashes') {
			const { taskLines } = await import('./pickers/tasks.ts');
			return handled(controller.dispatch({ type: 'said', text: taskLines(controller.client) }));
		}
		if (name !== 'keys') return undefined;
		const text = keyList(keys()).map(([key, about]) => `${key}: ${about}`);
		return handled(controller.dispatch({ type: 'said', text: text.join('\n') }));
	};
}

export function ownCommands(at: OwnCommands): OwnCommand {
	const { controller, configure, fullscreen } = at;
	const { dialogs } = controller;
	const plain = plainCommands(at);
	return async (name, args) => {
		if (args !== '') return undefined;
		if (name === 'config') return handled(await configure());
		if (name === 'fullscreen') return handled(await fullscreen());
		const [{ views }, { moves }] = await Promise.all([import('./pickers/views.ts'), import('./pickers/moves.ts')]);
		const all = { ...views, ...moves };
		const view = Object.hasOwn(all, name) ? all[name] : undefined;
		const write = (text: string): void => controller.putBack(text);
		const tell = (text: string): void => controller.dispatch({ type: 'said', text });
		if (view) return (await view({ ...at, dialogs, write, tell })) ?? 'handled';
		return await plain(name, args);
	};
}

/** Whatever came of it. */
function handled(_: unknown): 'handled' {
	return 'handled';
}
