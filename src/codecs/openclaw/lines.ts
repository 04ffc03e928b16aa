/** The records of pi and OpenClaw as types: the published messages, and the lines that the clients put around them. */
import {
	type AgentMessage,
	type ImageContent,
	isObject,
	type Json,
	type JsonObject,
	type TextContent,
	type MessageUsage as Usage,
} from '../../model/index.ts';

export type {
	AgentMessage,
	Api,
	AssistantMessage,
	CustomAgentMessages,
	ImageContent,
	Message,
	MessageStop as StopReason,
	MessageUsage as Usage,
	TextContent,
	ThinkingContent,
	ToolCall,
	ToolResultMessage,
	UserMessage,
} from '../../model/index.ts';
/** The provider's name, such as `anthropic`. */
export type Provider = string;

/** Line 1 of a client's file. Its version decides how the lines below are linked. */
export interface SessionHeader {
	type: 'session';
	/** Absent in version 1. */
	version?: number;
	id: string;
	timestamp: string;
	cwd: string;
	/** The file that it was forked from. */
	parentSession?: string;
}

/** The fields of every line after the header, from version 2 on. */
export interface LineBase {
	type: string;
	id: string;
	parentId: string | null;
	timestamp: string;
}

export interface MessageLine extends LineBase {
	type: 'message';
	message: AgentMessage;
}

export interface ModelChangeLine extends LineBase {
	type: 'model_change';
	provider: string;
	modelId: string;
}

export interface ThinkingLevelChangeLine extends LineBase {
	type: 'thinking_level_change';
	/** `off`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`. */
	thinkingLevel: string;
}

export interface ActiveToolsChangeLine extends LineBase {
	type: 'active_tools_change';
	activeToolNames: string[];
}

/** The context is the summary, the lines from `firstKeptEntryId` up to here, and what comes after. */
export interface CompactionLine extends LineBase {
	type: 'compaction';
	summary: string;
	firstKeptEntryId: string;
	tokensBefore: number;
	details?: Json;
	usage?: Usage;
	fromHook?: boolean;
}

export interface BranchSummaryLine extends LineBase {
	type: 'branch_summary';
	/** The end of the abandoned branch, or `root`. */
	fromId: string;
	summary: string;
	details?: Json;
	usage?: Usage;
	fromHook?: boolean;
}

/** State of an extension; never sent to a model. */
export interface CustomLine extends LineBase {
	type: 'custom';
	customType: string;
	data?: Json;
}

/** A message of an extension; sent as a user message, shown only when `display` is true. */
export interface CustomMessageLine extends LineBase {
	type: 'custom_message';
	customType: string;
	content: string | (TextContent | ImageContent)[];
	display: boolean;
	details?: Json;
}

export interface LabelLine extends LineBase {
	type: 'label';
	targetId: string;
	/** Absent: the label is removed. */
	label?: string;
}

export interface SessionInfoLine extends LineBase {
	type: 'session_info';
	/** Empty: the name is removed. */
	name: string;
}

/** Tokens spent beside the conversation, such as for keeping a cache warm. */
export interface UsageLine extends LineBase {
	type: 'usage';
	kind: string;
	provider: string;
	model: string;
	usage: Usage;
	note?: string;
}

/** Changes what the model gets of an earlier message; `null` removes it. */
export interface ContextEditLine extends LineBase {
	type: 'context_edit';
	targetId: string;
	replacement: { content: string | Json[] } | null;
}

/** OpenClaw: makes `targetId` the leaf. */
export interface LeafLine extends LineBase {
	type: 'leaf';
	targetId: string | null;
	appendParentId?: string | null;
	appendMode?: 'side';
}

/** OpenClaw, with its database: the history starts anew here. */
export interface ResetLine extends LineBase {
	type: 'reset';
}

export type SessionLine =
	| MessageLine
	| ModelChangeLine
	| ThinkingLevelChangeLine
	| ActiveToolsChangeLine
	| CompactionLine
	| BranchSummaryLine
	| CustomLine
	| CustomMessageLine
	| LabelLine
	| SessionInfoLine
	| UsageLine
	| ContextEditLine
	| LeafLine
	| ResetLine;

/** The dialects that this codec reads. */
export type Dialect = 'bare' | 'v1' | 'v2' | 'v3' | 'openclaw-v3' | 'v4' | 'future';

const lineTypes: ReadonlySet<string> = new Set([
	'message',
	'model_change',
	'thinking_level_change',
	'active_tools_change',
	'compaction',
	'branch_summary',
	'custom',
	'custom_message',
	'label',
	'session_info',
	'usage',
	'context_edit',
	'leaf',
	'reset',
]);

export function isLineType(type: string): type is SessionLine['type'] {
	return lineTypes.has(type);
}

const roles: ReadonlySet<string> = new Set([
	'user',
	'assistant',
	'toolResult',
	'system',
	'bashExecution',
	'custom',
	'hookMessage',
	'branchSummary',
	'compactionSummary',
]);

export function isKnownRole(role: string): boolean {
	return roles.has(role);
}

/** True for a message that is a whole line, as in the published document. */
export function isBareLine(value: JsonObject): boolean {
	return value.type === undefined && typeof value.role === 'string';
}

export function dialectOf(version: Json | undefined): Dialect {
	if (typeof version !== 'number' || !(version >= 2)) return 'v1';
	if (version < 3) return 'v2';
	if (version < 4) return 'v3';
	return version < 5 ? 'v4' : 'future';
}

/** Keys that lines of other clients have and ours never do. */
const foreignKeys = ['uuid', 'sessionId', 'messageId', 'leafUuid', 'parentUuid', 'session_id', 'tool_use_id'];

/** The dialect of a file whose first known record is this one. */
export function claimsRecord(value: Json): Dialect | undefined {
	if (!isObject(value) || foreignKeys.some((key) => Object.hasOwn(value, key))) return undefined;
	const type = value.type;
	if (type === undefined) return claimsBare(value) ? 'bare' : undefined;
	if (typeof type !== 'string') return undefined;
	if (type === 'session') return dialectOf(value.version);
	if (typeof value.id === 'string' && (value.parentId === null || typeof value.parentId === 'string')) return 'v3';
	if (type === 'message' && isObject(value.message) && typeof value.message.role === 'string') return 'v1';
	return undefined;
}

function claimsBare(value: JsonObject): boolean {
	if (typeof value.role !== 'string' || Object.hasOwn(value, 'messages')) return false;
	return isKnownRole(value.role) || typeof value.timestamp === 'number';
}
