/** What a format may say of how its client writes during a run: interruptions, permissions, hook logs, sub-agents' files. Types only. */

import type { CollapseEvent, JsonObject, ModelResponse, Profile, Usage } from '../../model/index.ts';
import type { FileEdit } from '../codec.ts';

export interface LivePart {
	/** The profile in which only the last reply of a turn states usage, for the whole turn. */
	readonly turnUsage?: Profile;
	/**
	 * What to do with tool calls of an interrupted reply. `answer`: each gets a result that says so. `keep`: they stay
	 * without one, because the client leaves such a reply out anyway. `drop`: they are not written.
	 */
	readonly abortedCalls: 'answer' | 'keep' | 'drop';
	/** True when a reply that was interrupted before anything arrived is written as well. */
	readonly emptyAborted: boolean;
	/** The message that the client writes in the user's name after an interruption, if any. */
	interrupted(during: 'reply' | 'tool'): string | undefined;
	/** The format's own fields for a prompt. */
	promptFields?(facts: PromptFacts): JsonObject;
	/** A prompt that calls a command, in the client's own words. Absent: it is written as it was typed. */
	commandText?(command: { readonly name: string; readonly args: string }): string;
	/** The permission mode in a prompt's own fields, whether `promptFields` or the client wrote them. */
	promptMode?(extra: JsonObject): string | undefined;
	/** Fields of its own in which the client keeps, with a result, how it came about that the call was run or not. */
	permissionFields?(facts: PermissionFacts, of: { readonly call: string; readonly tool: string }): JsonObject;
	/** Reads again what `permissionFields`, or the client itself, has written. */
	permissionOf?(extra: JsonObject): PermissionFacts | undefined;
	/** Ids of entries are UUIDs, and a host that names its prompt may give it one. */
	readonly givenIds?: boolean;
	/** Hooks and pull requests have lines of their own. */
	readonly hookLines?: boolean;
	/** The profile in which the file takes data of applications, which its client keeps and passes over. */
	readonly applicationData?: Profile;
	/** The format's own fields for a part of a reply's usage that the neutral fields cannot express. */
	usageFields?(usage: JsonObject): JsonObject;
	/** The name for a file's copy that a checkpoint refers to. Absent: checkpoints hold the text itself. */
	backupName?(cwd: string | undefined, path: string, version: number): string;
	/** How a side file records that a run has ended. */
	readonly ended?: FileEdit<RunEnd>;
	/** The client's log of events, for programs that watch it. */
	readonly hookLog?: HookLogRules;
	/** A step of context collapse as the client records it. Absent: the client has none. */
	collapse?(
		session: string,
		step: 'commit' | 'snapshot',
		data: JsonObject,
		/** What brought the summary: the record says what it used. */
		response?: ModelResponse,
	): CollapseEvent;
	/** How a sub-agent's own file is written. Absent: the client keeps nothing of a sub-agent but its report. */
	readonly subagents?: SubagentRules;
}

export interface SubagentRules {
	/** The id of a new one, from 16 random bytes and the time, as the client (or the format's document) makes them. */
	newId(random: Uint8Array, time: Date, profile: Profile, about: SubagentTask): string;
	/** Where its file is, and what that file says of itself. The agent's id may be anybody's word. */
	place(of: SubagentOf): SubagentPlace;
	/** The bytes of such a file as those of a copy, whose session has a copy of it. */
	copied(bytes: Uint8Array, to: SubagentPlace): Uint8Array;
	/** The client's own note beside the file, at its path; in other formats only the call tells what the agent is. */
	note?(of: SubagentOf, facts: SubagentFacts): { readonly path: string; readonly note: JsonObject };
}

/** What is known of a sub-agent before it has an id. */
export interface SubagentTask {
	readonly type: string;
	/** True for one that works in the background: nobody waits for it. */
	readonly background: boolean;
}

export interface SubagentOf {
	/** The session's main file; `session` is the session's id. */
	readonly main: string;
	readonly session: string;
	readonly profile: Profile;
	/** The sub-agent's id. */
	readonly agent: string;
	/** When it was started. */
	readonly time?: Date;
}

export interface SubagentPlace {
	readonly path: string;
	/** The session id that its lines or its header state. */
	readonly id: string;
	/** What its header says of the session that it belongs to, as the format records it. */
	readonly session: string;
}

export interface SubagentFacts {
	readonly type: string;
	readonly description: string;
	/** The tool call that started it. */
	readonly call: string;
	/** 1 for one that the session itself has started. */
	readonly depth: number;
	readonly background: boolean;
	/** False for a kind that is defined in a file. */
	readonly builtIn: boolean;
	readonly model: string;
	readonly finished: boolean;
	/** The tokens of its last request and reply, once it has ended. */
	readonly tokens?: number;
}

export interface PromptFacts {
	readonly permissionMode: string;
}

/** Who let a call run, or not, and why. */
export interface PermissionFacts {
	readonly decision: 'accept' | 'reject';
	/** Settings, flags and modes; a hook; or whoever was asked. */
	readonly source: 'config' | 'hook' | 'user';
	/** The point at which a hook has decided. */
	readonly hook?: 'PreToolUse' | 'PermissionRequest';
	readonly reasonType?: string;
	/** The rule that decided, as it was written. */
	readonly rule?: string;
	readonly reason?: string;
	/** How long the user's answer holds. */
	readonly scope?: 'once' | 'session';
	/** The sub-agent whose call it is. */
	readonly agent?: string;
	/** What was run instead of what the model wanted, where whoever was asked has changed it. */
	readonly input?: JsonObject;
}

export interface RunEnd {
	/** The outcome in the words of Clido's document: `success`, `max_turns`, `max_budget`, `error`, `interrupted`. */
	readonly outcome: string;
	/** The time in ISO form. */
	readonly time: string;
	/** The usage of this run. */
	readonly usage: Usage;
	readonly costUsd: number;
}

/** What a run reports to programs that watch it. */
export type Observed =
	| { readonly what: 'prompt' }
	| { readonly what: 'call'; readonly call: string; readonly tool: string }
	| { readonly what: 'result'; readonly call: string; readonly tool: string; readonly isError: boolean }
	| {
			readonly what: 'end';
			readonly outcome: string;
			readonly costUsd: number;
			readonly turns: number;
			readonly durationMs: number;
	  };

export interface HookLogRules {
	/** The log's path, relative to the folder of the session at `path`. */
	place(path: string, profile: Profile): string;
	line(session: string, time: string, observed: Observed): JsonObject;
}
