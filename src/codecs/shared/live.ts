/** How a client writes while a run goes on, as far as that differs between the formats. */

import type { CollapseEvent, JsonObject, Profile, Usage } from '../../model/index.ts';
import type { FileEdit } from '../codec.ts';

export interface LivePart {
	/** The profile in which only the last reply of a turn says what was used: all of the turn. */
	readonly turnUsage?: Profile;
	/**
	 * Tool calls of a reply that was interrupted. `answer`: each gets a result that says so. `keep`: they stay without one, because
	 * the client leaves such a reply out anyway. `drop`: they are not written.
	 */
	readonly abortedCalls: 'answer' | 'keep' | 'drop';
	/** True: a reply that was interrupted before anything arrived is written all the same. */
	readonly emptyAborted: boolean;
	/** What the client says in the user's name after an interruption, if anything. */
	interrupted(during: 'reply' | 'tool'): string | undefined;
	/** Fields of its own that the client writes with a prompt. */
	promptFields?(facts: PromptFacts): JsonObject;
	/** The permission mode that a prompt's own fields tell: what `promptFields` wrote, and what the client itself writes there. */
	promptMode?(extra: JsonObject): string | undefined;
	/** Fields of its own in which the client keeps, with a result, how it came about that the call was run or not. */
	permissionFields?(facts: PermissionFacts, of: { readonly call: string; readonly tool: string }): JsonObject;
	/** The same, read again. */
	permissionOf?(extra: JsonObject): PermissionFacts | undefined;
	/** What of a reply's usage, in the shape of the published messages, only the format's own fields can say. */
	usageFields?(usage: JsonObject): JsonObject;
	/** What a copy of a file is called that is kept in a checkpoint's place. Absent: checkpoints hold the text itself. */
	backupName?(cwd: string | undefined, path: string, version: number): string;
	/** How a file beside the session says that a run has ended. */
	readonly ended?: FileEdit<RunEnd>;
	/** The client's log of what happens, for those who watch it. */
	readonly hookLog?: HookLogRules;
	/** A step of context collapse as the client records it. Absent: it has none. */
	collapse?(session: string, data: JsonObject): CollapseEvent;
}

export interface PromptFacts {
	readonly permissionMode: string;
}

/** Who let a call run, or not, and why. */
export interface PermissionFacts {
	readonly decision: 'accept' | 'reject';
	/** Settings, flags and modes; a hook; or whoever was asked. */
	readonly source: 'config' | 'hook' | 'user';
	readonly reasonType?: string;
	/** The rule that decided, as it was written. */
	readonly rule?: string;
	readonly reason?: string;
	/** How long the user's answer holds. */
	readonly scope?: 'once' | 'session';
}

export interface RunEnd {
	/** In the words of Clido's document: `success`, `max_turns`, `max_budget`, `error`, `interrupted`. */
	readonly outcome: string;
	/** ISO. */
	readonly time: string;
	/** What this run has used. */
	readonly usage: Usage;
	readonly costUsd: number;
}

/** What a run tells those who watch it. */
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
	/** Where it is, relative to the folder of the session at `path`. */
	place(path: string, profile: Profile): string;
	line(session: string, time: string, observed: Observed): JsonObject;
}
