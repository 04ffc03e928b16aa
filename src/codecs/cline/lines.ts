/** The native shapes of Cline: the messages document, its blocks, its side files; and how session ids of sub-agents are made up (`ROOT__AGENT`). */
import { type Json, type JsonObject, objectAt } from '../../model/index.ts';

/** The file `<id>.messages.json`, with its keys in this order. */
export interface ClineDocument {
	readonly version: number;
	/** When the file was last written. */
	readonly updated_at: string;
	readonly agent: ClineAgent;
	readonly sessionId: string;
	/** Only for runs of sub-agents and teams: `subagent_task` or `team`. */
	readonly taskType?: string;
	/** Not in the contract, but in every real file. */
	readonly origin?: ClineOrigin;
	readonly messages: readonly ClineMessage[];
	/** Absent in files of sub-agents. */
	readonly system_prompt?: string;
}

export type ClineAgent = 'lead' | 'subagent' | 'teammate';

/** Who started the session, and what it belongs to. */
export interface ClineOrigin {
	readonly source: string;
	readonly mode: string;
	readonly sessionId: string;
	/** The root session of a sub-agent or team run. */
	readonly parentThreadId?: string;
	readonly subagent?: string;
	/** The client's version. */
	readonly version?: string;
	readonly trigger?: string;
}

export interface ClineMessage {
	readonly id?: string;
	readonly role: 'user' | 'assistant';
	/** The contract allows only arrays; the client reads a string as one text. */
	readonly content: string | readonly ClineBlock[];
	/** Milliseconds since the epoch. */
	readonly ts?: number;
	readonly metadata?: ClineMetadata;
	readonly modelInfo?: ClineModelInfo;
	readonly metrics?: ClineMetrics;
}

/** The client's own notes about a message. */
export interface ClineMetadata extends JsonObject {
	/** True for a message that is shown and never sent. */
	readonly displayOnly?: boolean;
	/** `error`: the text of a failed turn. `system`: a note of the client. */
	readonly displayRole?: string;
	/** `compaction_summary`, or `compaction` in the basic mode. */
	readonly kind?: string;
}

export interface ClineModelInfo {
	readonly id: string;
	readonly provider: string;
	readonly family?: string;
}

export interface ClineMetrics {
	/** Includes tokens read from and written to a cache. */
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cacheReadTokens: number;
	readonly cacheWriteTokens: number;
	/** US dollars. Absent for a model without a price. */
	readonly cost?: number;
}

export type ClineBlock =
	| ClineText
	| ClineThinking
	| ClineRedactedThinking
	| ClineToolUse
	| ClineToolResult
	| ClineImage
	| ClineFile
	| ClineMedia;

export interface ClineText {
	readonly type: 'text';
	readonly text: string;
	readonly signature?: string;
}

export interface ClineThinking {
	readonly type: 'thinking';
	readonly thinking: string;
	readonly signature?: string;
	/** The provider's own reasoning items. */
	readonly details?: Json;
}

export interface ClineRedactedThinking {
	readonly type: 'redacted_thinking';
	readonly data: string;
	readonly call_id?: string;
}

export interface ClineToolUse {
	readonly type: 'tool_use';
	readonly id: string;
	readonly name: string;
	readonly input: Json;
	readonly signature?: string;
	readonly call_id?: string;
}

export interface ClineToolResult {
	readonly type: 'tool_result';
	readonly tool_use_id: string;
	/** Not in the contract, but without it the command line client fails the next turn. */
	readonly name?: string;
	/** Text, blocks, or the list of queries that native tools return. */
	readonly content: string | readonly (ClineBlock | ClineQueryResult)[];
	readonly is_error?: boolean;
}

/** One part of a native tool's result. A failure shows here, not in `is_error`. */
export interface ClineQueryResult {
	readonly query: string;
	readonly result: string;
	readonly success: boolean;
	readonly error?: string;
}

export interface ClineImage {
	readonly type: 'image';
	/** Base64. */
	readonly data: string;
	readonly mediaType: string;
}

export interface ClineFile {
	readonly type: 'file';
	readonly path: string;
	readonly content: string;
}

/** Media that the model made. */
export interface ClineMedia {
	readonly type: 'media';
	readonly media: {
		readonly id: string;
		readonly modality: 'image' | 'audio' | 'video' | 'file';
		readonly mediaType: string;
		readonly source:
			| { readonly type: 'base64'; readonly data: string }
			| { readonly type: 'url'; readonly url: string }
			| { readonly type: 'artifact'; readonly artifactId: string };
		readonly name?: string;
		readonly sizeBytes?: number;
	};
}

/** The file `<id>.json`, by which the client finds and lists a session. */
export interface ClineManifest {
	readonly version: 1;
	readonly session_id: string;
	readonly source: string;
	readonly pid: number;
	readonly started_at: string;
	readonly ended_at?: string;
	readonly exit_code?: number | null;
	readonly status: ClineStatus;
	readonly interactive: boolean;
	readonly provider: string;
	readonly model: string;
	readonly cwd: string;
	readonly workspace_root: string;
	readonly team_name?: string;
	readonly enable_tools: boolean;
	readonly enable_spawn: boolean;
	readonly enable_teams: boolean;
	readonly prompt?: string;
	/** Title, git branch, checkpoints, usage, fork and import origins. */
	readonly metadata?: JsonObject;
	/** Absolute. Without it the client loads an empty session and overwrites the file. */
	readonly messages_path?: string;
	readonly compaction_path?: string;
}

export const clineStatuses = ['idle', 'running', 'pending', 'completed', 'failed', 'cancelled'] as const;
export type ClineStatus = (typeof clineStatuses)[number];

/** The file `<id>.compaction.json`: what the client sends instead of the first `source_message_count` messages. */
export interface ClineCompaction {
	readonly version: 1;
	readonly updated_at: string;
	readonly conversation_id?: string;
	readonly source_message_count: number;
	readonly source_prefix_hash?: string;
	readonly source_last_message_key?: string;
	readonly messages: readonly ClineMessage[];
	readonly system_prompt?: string;
}

export const agents: readonly string[] = ['lead', 'subagent', 'teammate'] satisfies readonly ClineAgent[];

export interface ChildId {
	readonly root: string;
	/** The name of the child's file: `<agentId>` or `<agentId>__<task>`. */
	readonly agent: string;
	readonly team: boolean;
}

/** The parts of a sub-agent's session id; undefined for any other id. */
export function childId(id: string): ChildId | undefined {
	const team = split(id, '__teamtask__');
	if (team && team.agent.lastIndexOf('__') > 0) return { ...team, team: true };
	const child = split(id, '__');
	return child ? { ...child, team: false } : undefined;
}

/** The session id of a child, by the name of its file. */
export function childSession(root: string, agent: string): string {
	return agent.lastIndexOf('__') > 0 ? `${root}__teamtask__${agent}` : `${root}__${agent}`;
}

/** The teammate that a file of a team task is of; a sub-agent's own name. */
export function memberOf(agent: string): string {
	const at = agent.lastIndexOf('__');
	return at > 0 ? agent.slice(0, at) : agent;
}

function split(id: string, by: string): { readonly root: string; readonly agent: string } | undefined {
	const at = id.indexOf(by);
	if (at <= 0 || at + by.length >= id.length) return undefined;
	return { root: id.slice(0, at), agent: id.slice(at + by.length) };
}

/** True for a message that is shown and never sent. */
export function isDisplayOnly(message: JsonObject): boolean {
	return objectAt(message, 'metadata')?.displayOnly === true;
}
