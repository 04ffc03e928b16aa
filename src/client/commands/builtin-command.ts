/** Types of a built-in command: what it is given (the `Station`), and what it leaves behind. */
import type { AgentConfig } from '../../agent/config.ts';
import type { PermissionMode } from '../../agent/contracts.ts';
import type { McpServers } from '../../mcp/servers.ts';
import type { ChosenModel } from '../model.ts';
import type { ClientOptions } from '../options.ts';
import type { PermissionsHere } from '../permissions.ts';
import type { ClientSession } from '../session.ts';
import type { Definition } from './definitions.ts';

export interface Builtin {
	readonly name: string;
	/** What is written behind its name. */
	readonly hint?: string;
	/** One line of /help. */
	readonly summary: string;
	/** A mistake of the user is an `InputError`. Absent: a model is asked for it, and `startPrompt` does that. */
	readonly run?: (args: string, at: Station) => Promise<Done>;
}

/** Where a command is carried out: what one start of the client has at hand. */
export interface Station {
	readonly options: ClientOptions;
	readonly session: ClientSession;
	readonly permissions: PermissionsHere;
	readonly servers: McpServers | undefined;
	readonly model: ChosenModel;
	readonly mode: PermissionMode;
	readonly commands: readonly Definition[];
	/** What a prompt would be answered with. */
	config(): Promise<AgentConfig>;
	/** More prompts will come. */
	readonly stays?: boolean;
	/** The prompt has waited for another one, and the session was told: it is told that its turn has come. */
	readonly waited?: boolean;
}

export interface Done {
	readonly text: string;
	/** What the session keeps of it; the text itself where it is left out and short. */
	readonly kept?: string;
	/** The session that prompts go to from now on. */
	readonly session?: ClientSession;
	/** The command that goes on with a copy elsewhere. */
	readonly goesOn?: string;
	/** Who answers from now on. */
	readonly model?: ChosenModel;
}
