/** Events: what happened beside the conversation and was recorded with it. */
import type { Json, JsonObject } from './json.ts';
import type { Usage } from './usage.ts';

export type SessionEvent =
	| ClientProgressEvent
	| QueueEvent
	| TimingEvent
	| SlashCommandEvent
	| HookEvent
	| PrLinkEvent
	| ClientErrorEvent
	| NoticeEvent
	| AttachmentEvent
	| CostEvent
	| UsageEvent
	| CallEvent
	| RequestEvent
	| CollapseEvent
	| ApplicationEvent;

/** Live output of something that takes long: a shell command, a sub-agent, a hook, a web search, a background task. */
export interface ClientProgressEvent {
	readonly type: 'progress';
	/** The client's own word: `bash_progress`, `agent_progress`, `hook_progress`, `query_update` … */
	readonly of: string;
	readonly call?: string;
	readonly parentCall?: string;
	readonly data: JsonObject;
}

/** A prompt that was queued, taken from the queue, or removed from it. */
export interface QueueEvent {
	readonly type: 'queue';
	readonly operation: string;
	readonly content?: string;
	readonly reason?: string;
}

/** How long a turn took. */
export interface TimingEvent {
	readonly type: 'timing';
	readonly durationMs: number;
}

/** A slash command that the client handled itself. */
export interface SlashCommandEvent {
	readonly type: 'command';
	readonly name?: string;
	readonly args?: string;
	/** The whole text as recorded. */
	readonly content: string;
	readonly level?: string;
}

/** A hook that ran, and what it said. */
export interface HookEvent {
	readonly type: 'hook';
	readonly event?: string;
	readonly name?: string;
	readonly output?: string;
	readonly data: JsonObject;
}

export interface PrLinkEvent {
	readonly type: 'pr_link';
	readonly number: number;
	readonly url: string;
	readonly repository?: string;
}

/** A failed request or another error that the client survived. */
export interface ClientErrorEvent {
	readonly type: 'error';
	readonly message: string;
	readonly attempt?: number;
	readonly data?: Json;
}

/** A message of the client to its user. */
export interface NoticeEvent {
	readonly type: 'notice';
	readonly level: string;
	readonly message?: string;
}

/** Context that the client added by itself: an environment description, a file, a reminder. */
export interface AttachmentEvent {
	readonly type: 'attachment';
	readonly of: string;
	readonly data: JsonObject;
	/** The texts that were sent to the model for it, where the client recorded them. */
	readonly rendered?: readonly string[];
}

/** The client's own running total of costs; the last one counts. */
export interface CostEvent {
	readonly type: 'cost';
	readonly costUsd?: number;
	readonly data: JsonObject;
}

/** Tokens spent outside a message. */
export interface UsageEvent {
	readonly type: 'usage';
	readonly of?: string;
	readonly provider?: string;
	readonly model?: string;
	readonly usage: Usage;
	readonly costUsd?: number;
}

/** An index line that repeats a tool call of a message. */
export interface CallEvent {
	readonly type: 'call';
	readonly call: string;
	readonly name: string;
	readonly input: Json;
}

/** A part of the client's own recording of its requests. */
export interface RequestEvent {
	readonly type: 'request';
	readonly of: string;
	readonly data: JsonObject;
}

/** A step of context collapse: a commit or a snapshot of what was replaced. */
export interface CollapseEvent {
	readonly type: 'collapse';
	readonly of: string;
	readonly data: JsonObject;
}

/** An application's own data; `of` is the name it chose. */
export interface ApplicationEvent {
	readonly type: 'custom';
	readonly of: string;
	readonly data?: Json;
}
