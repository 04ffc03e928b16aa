/** What a run tells those who watch it: the event unions of OpenClaw's published message format, word for word. */
import type { AgentMessage, AssistantMessage, MessageStop, ToolCall, ToolResultMessage } from '../model/index.ts';

/** One reply of a model as it streams. `done` or `error` is always the last. */
export type AssistantMessageEvent =
	| { type: 'start'; partial: AssistantMessage }
	| { type: 'done'; reason: MessageStop; message: AssistantMessage }
	| { type: 'error'; reason: 'aborted' | 'error'; error: AssistantMessage }
	| { type: 'text_start'; contentIndex: number; partial: AssistantMessage }
	| { type: 'text_delta'; contentIndex: number; delta: string; partial: AssistantMessage }
	| { type: 'text_end'; contentIndex: number; content: string; partial: AssistantMessage }
	| { type: 'thinking_start'; contentIndex: number; partial: AssistantMessage }
	| { type: 'thinking_delta'; contentIndex: number; delta: string; partial: AssistantMessage }
	| { type: 'thinking_end'; contentIndex: number; content: string; partial: AssistantMessage }
	| { type: 'toolcall_start'; contentIndex: number; partial: AssistantMessage }
	| { type: 'toolcall_delta'; contentIndex: number; delta: string; partial: AssistantMessage }
	| { type: 'toolcall_end'; contentIndex: number; toolCall: ToolCall; partial: AssistantMessage };

/** A whole run: prompts in, replies and tool results out. */
export type AgentEvent =
	| { type: 'agent_start' }
	| { type: 'agent_end'; messages: AgentMessage[] }
	| { type: 'turn_start' }
	| { type: 'turn_end'; message: AgentMessage; toolResults: ToolResultMessage[] }
	| { type: 'message_start'; message: AgentMessage }
	| { type: 'message_update'; message: AgentMessage; assistantMessageEvent: AssistantMessageEvent }
	| { type: 'message_end'; message: AgentMessage }
	| { type: 'tool_execution_start'; toolCallId: string; toolName: string; args: unknown }
	| { type: 'tool_execution_update'; toolCallId: string; toolName: string; args: unknown; partialResult: unknown }
	| { type: 'tool_execution_end'; toolCallId: string; toolName: string; result: unknown; isError: boolean };

/** What a channel gets when a run is over. */
export type ReplyPayload = {
	/** Markdown. */
	text?: string;
	mediaUrl?: string;
	mediaUrls?: string[];
	replyToId?: string;
	isError?: boolean;
};
