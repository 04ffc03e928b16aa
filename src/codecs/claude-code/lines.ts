/** The native records of a Claude Code session file, as versions 2.0 to 2.1.325 write them, and which line types the document and the clients know. */
import type { Json, JsonObject } from '../../model/index.ts';

/** The fields of every line of the conversation graph, and of most lines beside it. */
export interface Envelope {
	readonly uuid: string;
	/** The line it follows; `null` for the first line and for a compaction boundary. */
	readonly parentUuid: string | null;
	readonly sessionId: string;
	readonly timestamp: string;
	/** True for the lines of a sub-agent. */
	readonly isSidechain: boolean;
	readonly userType: string;
	readonly cwd: string;
	readonly version: string;
	readonly gitBranch?: string;
	/** The session's made-up name; newer versions write it only where a plan or a compaction needed one. */
	readonly slug?: string;
	readonly agentId?: string;
	/** How the client was started: `cli`, `sdk-cli` … */
	readonly entrypoint?: string;
}

/** A prompt, a text that the client added, or the result of a tool. */
export interface UserLine extends Envelope {
	readonly type: 'user';
	readonly message: { readonly role: 'user'; readonly content: string | readonly ContentBlock[] };
	/** True for a text that is sent to the model but was typed by nobody. */
	readonly isMeta?: boolean;
	/** True for the summary of everything before a compaction boundary. */
	readonly isCompactSummary?: boolean;
	readonly isVisibleInTranscriptOnly?: boolean;
	readonly permissionMode?: string;
	readonly toolUseResult?: ToolUseResult | string;
	/** The assistant line with the call that this answers. */
	readonly sourceToolAssistantUUID?: string;
	readonly promptId?: string;
}

/** One content block of a reply. The lines of one reply share `message.id` and `requestId`. */
export interface AssistantLine extends Envelope {
	readonly type: 'assistant';
	readonly requestId?: string;
	readonly message: ApiMessage;
	/** True for a text that the client wrote in place of a reply; it is never sent. */
	readonly isApiErrorMessage?: boolean;
	readonly isAbortedMidStream?: boolean;
	readonly error?: string;
	/** The price of the reply, which old versions wrote. */
	readonly costUSD?: number;
}

export interface ApiMessage {
	readonly id: string;
	readonly type: 'message';
	readonly role: 'assistant';
	readonly model: string;
	readonly content: readonly ContentBlock[];
	readonly stop_reason: string | null;
	readonly stop_sequence: string | null;
	readonly usage: ApiUsage;
}

export interface ApiUsage {
	readonly input_tokens: number;
	readonly output_tokens: number;
	readonly cache_creation_input_tokens?: number;
	readonly cache_read_input_tokens?: number;
	readonly cache_creation?: {
		readonly ephemeral_5m_input_tokens: number;
		readonly ephemeral_1h_input_tokens: number;
	};
	readonly output_tokens_details?: { readonly thinking_tokens?: number };
	readonly service_tier?: string;
}

export type ContentBlock =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
	| { readonly type: 'redacted_thinking'; readonly data: string }
	| { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject }
	| ToolResultContent
	| { readonly type: 'image' | 'document'; readonly source: ApiMediaSource };

export interface ToolResultContent {
	readonly type: 'tool_result';
	readonly tool_use_id: string;
	readonly content: string | readonly ContentBlock[];
	readonly is_error?: boolean;
}

export type ApiMediaSource =
	| { readonly type: 'base64'; readonly media_type: string; readonly data: string }
	| { readonly type: 'url'; readonly url: string };

/** What the client shows of a tool's result; never sent to the model. A string where the tool failed. */
export type ToolUseResult =
	| ReadResult
	| GlobResult
	| BashResult
	| WriteResult
	| EditResult
	| TodoWriteResult
	| TaskResult
	| JsonObject;

export interface ReadResult {
	readonly type: 'text';
	readonly file: {
		readonly filePath: string;
		readonly content: string;
		readonly numLines: number;
		readonly startLine: number;
		readonly totalLines: number;
	};
}

export interface GlobResult {
	readonly filenames: readonly string[];
	readonly durationMs: number;
	readonly numFiles: number;
	readonly truncated: boolean;
}

export interface BashResult {
	readonly stdout: string;
	readonly stderr: string;
	readonly interrupted: boolean;
	readonly isImage: boolean;
}

export interface PatchHunk {
	readonly oldStart: number;
	readonly oldLines: number;
	readonly newStart: number;
	readonly newLines: number;
	readonly lines: readonly string[];
}

export interface WriteResult {
	readonly type: 'create' | 'update';
	readonly filePath: string;
	readonly content: string;
	readonly structuredPatch: readonly PatchHunk[];
	readonly originalFile: string | null;
}

export interface EditResult {
	readonly filePath: string;
	readonly oldString: string;
	readonly newString: string;
	readonly originalFile: string;
	readonly structuredPatch: readonly PatchHunk[];
	/** True when the user changed the edit before accepting it. */
	readonly userModified: boolean;
	readonly replaceAll: boolean;
}

export interface Todo {
	readonly content: string;
	readonly status: 'pending' | 'in_progress' | 'completed';
	readonly activeForm: string;
}

export interface TodoWriteResult {
	readonly oldTodos: readonly Todo[];
	readonly newTodos: readonly Todo[];
}

/** The result of the tool `Task` (`Agent` in newer versions). `agentId` names the sub-agent's file. */
export interface TaskResult {
	readonly status: string;
	readonly prompt: string;
	readonly agentId: string;
	readonly content: readonly ContentBlock[];
	readonly totalDurationMs: number;
	readonly totalTokens: number;
	readonly totalToolUseCount: number;
	readonly usage: ApiUsage;
}

export type SystemLine = Envelope & { readonly type: 'system'; readonly isMeta?: boolean; readonly level?: string } & (
		| {
				readonly subtype: 'compact_boundary';
				readonly logicalParentUuid: string;
				readonly content: string;
				readonly compactMetadata: CompactMetadata;
		  }
		| { readonly subtype: 'turn_duration'; readonly durationMs: number; readonly messageCount?: number }
		| {
				readonly subtype: 'local_command';
				readonly content: string;
				readonly commandRun?: { readonly command: string; readonly args: string };
		  }
		| {
				readonly subtype: 'api_error';
				readonly error: JsonObject;
				readonly retryAttempt: number;
				readonly maxRetries: number;
				readonly retryInMs: number;
		  }
		| {
				readonly subtype: 'stop_hook_summary';
				readonly hookCount: number;
				readonly hookInfos: readonly JsonObject[];
				readonly hookErrors: readonly string[];
		  }
		| { readonly subtype: 'informational'; readonly content: string }
	);

export interface CompactMetadata {
	readonly trigger: 'auto' | 'manual';
	readonly preTokens: number;
	readonly postTokens?: number;
	/** The last messages before the boundary, which stay in the model's context after the summary. */
	readonly preservedSegment?: { readonly headUuid: string; readonly anchorUuid: string; readonly tailUuid: string };
	readonly preservedMessages?: { readonly anchorUuid: string; readonly uuids: readonly string[] };
}

/** A title for the picker, or (in the published style) the text of a compaction. */
export interface SummaryLine {
	readonly type: 'summary';
	readonly summary: string;
	readonly leafUuid: string;
}

export interface ProgressLine extends Partial<Envelope> {
	readonly type: 'progress';
	readonly data: ProgressData;
	readonly toolUseID?: string;
	readonly parentToolUseID?: string;
}

export type ProgressData =
	| { readonly type: 'bash_progress'; readonly output: string; readonly fullOutput: string }
	| { readonly type: 'agent_progress'; readonly message: JsonObject }
	| {
			readonly type: 'hook_progress';
			readonly hookEvent: string;
			readonly hookName: string;
			readonly command: string;
	  }
	| { readonly type: 'query_update'; readonly query: string }
	| { readonly type: 'search_results_received'; readonly resultCount: number; readonly query: string }
	| { readonly type: 'waiting_for_task'; readonly taskDescription: string; readonly taskType: string };

/** Files before a prompt's changes: the text itself (published style), or the name of a copy under `file-history/`. */
export interface SnapshotLine {
	readonly type: 'file-history-snapshot';
	readonly messageId: string;
	readonly snapshot: {
		readonly messageId: string;
		readonly trackedFileBackups: { readonly [path: string]: string | null | FileBackup };
		readonly timestamp: string;
	};
	readonly isSnapshotUpdate: boolean;
}

export interface FileBackup {
	/** `null`: the file did not exist. */
	readonly backupFileName: string | null;
	readonly version: number;
	readonly backupTime: string;
}

/** An addition of one file to an earlier snapshot. */
export interface SnapshotDeltaLine {
	readonly type: 'file-history-delta';
	readonly messageId: string;
	readonly snapshotMessageId: string;
	readonly trackingPath: string;
	readonly backup: FileBackup;
	readonly timestamp: string;
}

export interface QueueOperationLine {
	readonly type: 'queue-operation';
	readonly operation: 'enqueue' | 'dequeue' | 'remove' | (string & {});
	readonly timestamp: string;
	readonly sessionId: string;
	readonly content?: string;
	readonly reason?: string;
}

export interface PrLinkLine {
	readonly type: 'pr-link';
	readonly sessionId: string;
	readonly prNumber: number;
	readonly prUrl: string;
	readonly prRepository: string;
	readonly timestamp: string;
}

/** Context that the client added by itself; the line is in the graph. */
export interface AttachmentLine extends Envelope {
	readonly type: 'attachment';
	readonly attachment: { readonly type: string };
	readonly rendered?: readonly { readonly content: Json }[];
	readonly renderedRole?: string;
}

/** States where the conversation goes on. */
export interface LastPromptLine {
	readonly type: 'last-prompt';
	readonly lastPrompt: string;
	readonly leafUuid: string;
	readonly sessionId: string;
}

/** The client's own total of costs so far; the last line counts. */
export interface CostStateLine {
	readonly type: 'cost-state';
	readonly sessionId: string;
	readonly totalCostUSD: number;
	readonly modelUsage: { readonly [model: string]: JsonObject };
}

export type ClaudeCodeLine =
	| UserLine
	| AssistantLine
	| SystemLine
	| SummaryLine
	| ProgressLine
	| SnapshotLine
	| SnapshotDeltaLine
	| QueueOperationLine
	| PrLinkLine
	| AttachmentLine
	| LastPromptLine
	| CostStateLine;

/** Line types that the published document knows. */
export const publishedTypes: ReadonlySet<string> = new Set([
	'user',
	'assistant',
	'system',
	'summary',
	'progress',
	'file-history-snapshot',
	'queue-operation',
	'pr-link',
]);

/** Lines with one value, and the field that holds it. They are written repeatedly; the last one counts. */
export const settingFields: { readonly [type: string]: string } = {
	mode: 'mode',
	'permission-mode': 'permissionMode',
	'custom-title': 'customTitle',
	'ai-title': 'aiTitle',
	'agent-name': 'agentName',
	'agent-color': 'agentColor',
	tag: 'tag',
};

/** Line types of newer versions, beside those above. */
const newerTypes: ReadonlySet<string> = new Set([
	'attachment',
	'last-prompt',
	'cost-state',
	'tools-used',
	'atis-latch',
	'api-request-shape',
	'api-request-blob',
	'api-request',
	'file-history-delta',
	'mode',
	'permission-mode',
	'ai-title',
]);

export function isSettingType(type: string): boolean {
	return Object.hasOwn(settingFields, type);
}

export function isCollapseType(type: string): boolean {
	return type.includes('context-collapse') || type.includes('marble-origami');
}

export function isKnownType(type: string): boolean {
	return publishedTypes.has(type) || newerTypes.has(type) || isSettingType(type) || isCollapseType(type);
}

export type Dialect = 'classic' | 'extended';

/** `extended` once a line type shows that a version after 2.1.29 wrote it. */
export function dialectOf(type: string): Dialect {
	return newerTypes.has(type) || isCollapseType(type) ? 'extended' : 'classic';
}
