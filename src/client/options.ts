/** Types of the flags of the client, under the names that its users know, with what holds where one is left out. */
import type { PermissionMode, ThinkingLevel } from '../agent/contracts.ts';
import type { FormatId, FormatName, Profile } from '../model/index.ts';
import type { RootSession } from '../store/handle/subagents.ts';

export interface ClientOptions {
	/** Go on with the newest session of this project. */
	readonly continue?: boolean;
	/** Go on with this session: a file, an id, a title, or `last`. Empty: whoever sits at a terminal chooses one. */
	readonly resume?: string;
	/** Go on in a copy, and leave the session as it is. */
	readonly forkSession?: boolean;
	/** Go on from this entry. */
	readonly resumeSessionAt?: string;
	/** The id of a new session. */
	readonly sessionId?: string;
	/** The format of a new session. Default `claude-code`. */
	readonly sessionFormat?: FormatName;
	readonly sessionProfile?: Profile;
	/** Where a new session is written: a file, or `FOLDER/` laid out as a client's home. Default: where its client looks for it. */
	readonly sessionFile?: string;
	/** The folder to work in. Default: the current one. */
	readonly cwd?: string;
	/** `provider/name`. Default: the model that answered last, or the first that is set up. */
	readonly model?: string;
	/** The file of a script that is played instead of asking a model. */
	readonly script?: string;
	readonly thinking?: ThinkingLevel;
	/** Who answers where the model cannot: names with commas between them, the first that is set up counts. */
	readonly fallbackModel?: string;
	/** The kind of agent that the session itself is. */
	readonly agent?: string;
	/** JSON Schema of an answer that programs read: an object. */
	readonly jsonSchema?: string;
	/** False: the session is not kept when the client ends. */
	readonly sessionPersistence?: boolean;
	readonly permissionMode?: PermissionMode;
	readonly dangerouslySkipPermissions?: boolean;
	/** The mode that asks nothing may be chosen later. */
	readonly allowDangerouslySkipPermissions?: boolean;
	/** Rules of what is allowed without asking, such as `Bash(npm test:*)`. */
	readonly allowedTools?: readonly string[];
	readonly disallowedTools?: readonly string[];
	/** Only these of the tools that come with Reprise. */
	readonly tools?: readonly string[];
	/** At most so many requests to the model. */
	readonly maxTurns?: number;
	/** Stop asking the model once this much is spent. */
	readonly maxBudgetUsd?: number;
	readonly systemPrompt?: string;
	/** What a new session is called. */
	readonly title?: string;
	readonly appendSystemPrompt?: string;
	/** MCP servers beside those that are set up: files, or JSON texts, with `mcpServers` in them. */
	readonly mcpConfig?: readonly string[];
	/** No other MCP servers than those of `mcpConfig`. */
	readonly strictMcpConfig?: boolean;
	/** More folders that the agent may work in. */
	readonly addDir?: readonly string[];
	/** Settings of this run: files, or JSON. They come before those of the user and the project, and later ones before earlier ones. */
	readonly settings?: string | readonly string[];
	/** Which settings files count: user, project, local, with commas between them; of the others, what denies and asks. */
	readonly settingSources?: string | boolean;
	/** The session is this sub-agent's own: it goes on as that kind of agent. */
	readonly subagent?: {
		readonly id: string;
		readonly type: string;
		/** 1 for one that the session itself has started. */
		readonly depth: number;
		readonly root: RootSession;
	};
	/** All that the project brings counts in this run: allow rules, added folders, hooks, variables, commands … */
	readonly trust?: boolean;
}

/** The format of a new session where nobody says which. */
export const newFormat: FormatId = 'claude-code';

export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'] as const;
