/** Messages of a conversation, as loop, providers and the public stream have them: OpenClaw's published types. */

/** The API that a reply came over, such as `anthropic-messages`. */
export type Api = string;

export interface TextContent {
	type: 'text';
	text: string;
	/** The provider's id or proof for the text: OpenAI's item id as JSON, Google's signature. */
	textSignature?: string;
}

export interface ThinkingContent {
	type: 'thinking';
	thinking: string;
	/** Anthropic's signature, OpenAI's whole reasoning item as JSON, or the name of a wire field. */
	thinkingSignature?: string;
}

export interface ImageContent {
	type: 'image';
	/** Base64. */
	data: string;
	mimeType: string;
}

export interface ToolCall {
	type: 'toolCall';
	id: string;
	name: string;
	/** Parsed JSON, as the tool defines it. */
	arguments: Record<string, unknown>;
	thoughtSignature?: string;
}

export interface UserMessage {
	role: 'user';
	content: string | (TextContent | ImageContent)[];
	/** Unix milliseconds. */
	timestamp: number;
}

export interface AssistantMessage {
	role: 'assistant';
	content: (TextContent | ThinkingContent | ToolCall)[];
	api: Api;
	/** The provider's id, such as `anthropic`. */
	provider: string;
	model: string;
	usage: MessageUsage;
	stopReason: MessageStop;
	errorMessage?: string;
	/** Unix milliseconds. */
	timestamp: number;
}

export interface ToolResultMessage<TDetails = unknown> {
	role: 'toolResult';
	/** The `id` of the tool call that it answers. */
	toolCallId: string;
	toolName: string;
	content: (TextContent | ImageContent)[];
	/** What the tool wants to show; never sent to a model. */
	details?: TDetails;
	isError: boolean;
	/** Unix milliseconds. */
	timestamp: number;
}

/** `input` never includes cached tokens; costs are in dollars. */
export interface MessageUsage {
	input: number;
	output: number;
	cacheRead: number;
	cacheWrite: number;
	totalTokens: number;
	cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

export type MessageStop = 'stop' | 'length' | 'toolUse' | 'error' | 'aborted';

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** Empty on purpose: applications add their own messages by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: declaration merging needs an interface
export interface CustomAgentMessages {}

export type AgentMessage = Message | CustomAgentMessages[keyof CustomAgentMessages];
