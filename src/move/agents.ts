/** The agents that a session can be handed to: their format, where they look, and how they are asked to go on. */
import type { FormatId } from '../model/index.ts';

export interface Agent {
	readonly name: string;
	readonly format: FormatId;
	/** OpenClaw shares pi's format and has a folder of its own, the one that the document names. */
	readonly ownFolder: boolean;
	/** False for an agent that starts in whatever folder it is called. */
	readonly needsFolder: boolean;
	/** What a person types to go on. */
	resume(session: { readonly id: string; readonly cwd: string; readonly path: string }): string;
}

export const agents: readonly Agent[] = [
	{
		name: 'claude-code',
		format: 'claude-code',
		ownFolder: false,
		needsFolder: true,
		resume: ({ id, cwd }) => `cd ${quoted(cwd)} && claude --resume ${quoted(id)}`,
	},
	{
		name: 'cline',
		format: 'cline',
		ownFolder: false,
		needsFolder: true,
		resume: ({ id, cwd }) => `cd ${quoted(cwd)} && cline --id ${quoted(id)}`,
	},
	{
		name: 'clido',
		format: 'clido',
		ownFolder: false,
		needsFolder: true,
		resume: ({ id, cwd }) => `cd ${quoted(cwd)} && clido --resume ${quoted(id)}`,
	},
	{
		name: 'pi',
		format: 'openclaw',
		ownFolder: false,
		needsFolder: true,
		resume: ({ cwd, path }) => `cd ${quoted(cwd)} && pi --session ${quoted(path)}`,
	},
	{
		name: 'openclaw',
		format: 'openclaw',
		ownFolder: true,
		needsFolder: false,
		resume: ({ id }) => `openclaw agent --agent main --session-id ${quoted(id)} --message 'Go on.'`,
	},
];

/** For a shell, as it is or in quotes. */
function quoted(text: string): string {
	return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
