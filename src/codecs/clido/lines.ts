/** The lines and blocks of a Clido session file, as its document and its client have them. */
import type { Json, JsonObject } from '../../model/index.ts';

/** The only schema that exists; the client refuses a file with a higher number. */
export const schemaVersion = 1;

/** The first line of every session. A fork has a second one, from the session it was copied from. */
export interface MetaLine {
	readonly type: 'meta';
	readonly session_id: string;
	readonly schema_version: number;
	readonly start_time: string;
	readonly project_path: string;
}

/** A prompt. */
export interface UserMessageLine {
	readonly type: 'user_message';
	/** Always `user`; the client wants the field and ignores its value. */
	readonly role: string;
	readonly content: readonly ContentBlock[];
}

/** A reply; written before its tools run. */
export interface AssistantMessageLine {
	readonly type: 'assistant_message';
	readonly content: readonly ContentBlock[];
}

/** An index of the calls in the assistant message before it. A resume ignores it. */
export interface ToolCallLine {
	readonly type: 'tool_call';
	readonly tool_use_id: string;
	readonly tool_name: string;
	readonly input: Json;
}

/** The result of a tool. Consecutive ones become one user message on resume. */
export interface ToolResultLine {
	readonly type: 'tool_result';
	readonly tool_use_id: string;
	readonly content: string;
	readonly is_error: boolean;
	readonly duration_ms?: number;
	/** The file that the tool worked on, to notice later changes by others. */
	readonly path?: string;
	/** SHA-256 of that file: bare hex from the client, `sha256:<hex>` by the document. */
	readonly content_hash?: string;
	/** The modification time of that file; too large for a double. */
	readonly mtime_nanos?: bigint;
	/** Not in the file: the name of the call that it answers, if that came before. */
	readonly tool_name?: string;
}

/** An event of the session: `compaction`, `error`, `warning`, `info`. */
export interface SystemLine {
	readonly type: 'system';
	readonly subtype: string;
	readonly message?: string;
	/** Ours, of a compaction; Clido ignores it. `kept`: the last reply and its results stayed in the model's context. */
	readonly reprise?: {
		readonly trigger?: string;
		readonly tokens_before?: number;
		readonly tokens_after?: number;
		readonly kept: boolean;
	};
}

/** The end of a run. The document has one at the end; the terminal interface writes one per prompt. */
export interface ResultLine {
	readonly type: 'result';
	readonly exit_status: string;
	readonly total_cost_usd: number;
	readonly num_turns: number;
	readonly duration_ms: number;
}

/** The session's name in lists; the last one counts. Not in the document. */
export interface TitleLine {
	readonly type: 'title';
	readonly title: string;
}

export type SessionLine =
	| MetaLine
	| UserMessageLine
	| AssistantMessageLine
	| ToolCallLine
	| ToolResultLine
	| SystemLine
	| ResultLine
	| TitleLine;

export type LineType = SessionLine['type'];

export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | ThinkingBlock | ImageBlock;

export interface TextBlock {
	readonly type: 'text';
	readonly text: string;
}

/** Only in assistant messages. */
export interface ToolUseBlock {
	readonly type: 'tool_use';
	readonly id: string;
	readonly name: string;
	readonly input: Json;
}

/** Only in user messages; the client writes `tool_result` lines instead. */
export interface ToolResultBlock {
	readonly type: 'tool_result';
	readonly tool_use_id: string;
	readonly content: string;
	readonly is_error: boolean;
}

/** Not in the document. Without a signature it cannot be sent back to a provider that wants one. */
export interface ThinkingBlock {
	readonly type: 'thinking';
	readonly thinking: string;
}

/** Not in the document. */
export interface ImageBlock {
	readonly type: 'image';
	readonly media_type: string;
	readonly base64_data: string;
}

const fieldsOf: { readonly [T in LineType]: readonly string[] } = {
	meta: ['type', 'session_id', 'schema_version', 'start_time', 'project_path'],
	user_message: ['type', 'role', 'content'],
	assistant_message: ['type', 'content'],
	tool_call: ['type', 'tool_use_id', 'tool_name', 'input'],
	tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'duration_ms', 'path', 'content_hash', 'mtime_nanos'],
	system: ['type', 'subtype', 'message', 'reprise'],
	result: ['type', 'exit_status', 'total_cost_usd', 'num_turns', 'duration_ms'],
	title: ['type', 'title'],
};

export const lineFields: { readonly [T in LineType]: ReadonlySet<string> } = {
	meta: new Set(fieldsOf.meta),
	user_message: new Set(fieldsOf.user_message),
	assistant_message: new Set(fieldsOf.assistant_message),
	tool_call: new Set(fieldsOf.tool_call),
	tool_result: new Set(fieldsOf.tool_result),
	system: new Set(fieldsOf.system),
	result: new Set(fieldsOf.result),
	title: new Set(fieldsOf.title),
};

export function isLineType(type: unknown): type is LineType {
	return typeof type === 'string' && Object.hasOwn(fieldsOf, type);
}

/** The dialect by the session id: `client` ids have hyphens, those of the document are 32 hex digits. */
export function dialectOf(meta: JsonObject): 'client' | 'published' {
	return typeof meta.session_id === 'string' && /^[0-9a-f]{32}$/.test(meta.session_id) ? 'published' : 'client';
}

/** The dialect that a record belongs to; undefined when it is not a line of Clido. */
export function claims(value: JsonObject): 'client' | 'published' | undefined {
	switch (value.type) {
		case 'meta':
			return 'session_id' in value || 'schema_version' in value ? dialectOf(value) : undefined;
		case 'user_message':
		case 'assistant_message':
			return 'client';
		case 'tool_call':
		case 'tool_result':
			return 'tool_use_id' in value ? 'client' : undefined;
		case 'system':
			return typeof value.subtype === 'string' && !namesSession(value) ? 'client' : undefined;
		case 'result':
			return 'exit_status' in value ? 'client' : undefined;
		case 'title':
			return typeof value.title === 'string' && !namesSession(value) ? 'client' : undefined;
		default:
			return undefined;
	}
}

/** True for lines and frames of other clients, each of which names its session and message. */
function namesSession(value: JsonObject): boolean {
	return 'uuid' in value || 'sessionId' in value || 'session_id' in value || 'id' in value || 'role' in value;
}
