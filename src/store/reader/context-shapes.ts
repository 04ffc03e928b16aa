/** Gives a context the shape of another provider's API (`reprise context --as`): the names of the shapes, and what becomes of thinking and results. */
import type { Context } from '../../codecs/index.ts';
import {
	type AgentMessage,
	isObject,
	type Json,
	type JsonObject,
	type MessageUsage,
	stringAt,
} from '../../model/index.ts';
import { apiOf, newestRules, providerOf, type Target, type WireApi, wires } from '../../wires/index.ts';

/** The shapes by the names that users know, each with its API. */
export const contextShapes = {
	anthropic: 'anthropic-messages',
	'openai-chat': 'openai-completions',
	'openai-responses': 'openai-responses',
	google: 'google-generative-ai',
	ollama: 'ollama',
} as const satisfies { readonly [shape: string]: WireApi | 'anthropic-messages' };

export type ContextShape = keyof typeof contextShapes;

const providers: { readonly [S in ContextShape]: string } = {
	anthropic: 'anthropic',
	'openai-chat': 'openai',
	'openai-responses': 'openai',
	google: 'google',
	ollama: 'ollama',
};

/**
 * The messages of a context as another API takes them. What only the model that wrote it can use (thinking with its
 * signature, ids of its own form) becomes something that any model takes. Contexts are kept in Anthropic's shape, so
 * that one changes nothing.
 */
export function shapeMessages(context: Context, shape: ContextShape): readonly JsonObject[] {
	if (shape === 'anthropic') return context.messages as unknown as readonly JsonObject[];
	const api = contextShapes[shape];
	const target: Target = { provider: providers[shape], api, model: context.model ?? '' };
	return wires[api](agentMessages(context), target, newestRules).messages;
}

/** Who gave a reply: provider, API and model, as far as they are known. */
export interface Replier {
	readonly provider?: string;
	readonly api?: string;
	readonly model?: string;
	/** What the reply reported, where that still says how long the conversation is. */
	readonly usage?: MessageUsage;
}

/** The messages of a context in the shape in which a run holds them. `by` tells who gave the reply at an index. */
export function agentMessages(context: Context, by?: (index: number) => Replier): readonly AgentMessage[] {
	const names = new Map<string, string>();
	return context.messages.flatMap((message, index): readonly AgentMessage[] => {
		const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
		const made =
			message.role === 'assistant' ? [reply(blocks, context, names, by?.(index))] : userMessages(blocks, names);
		// All parts were built here by the published types, whatever the content of the context was.
		return made as unknown as readonly AgentMessage[];
	});
}

function reply(
	blocks: readonly JsonObject[],
	context: Context,
	names: Map<string, string>,
	by: Replier = { provider: context.provider ?? 'anthropic', api: 'anthropic-messages' },
): JsonObject {
	const content = blocks.map((block): JsonObject => {
		switch (block.type) {
			case 'tool_use':
				names.set(String(block.id), String(block.name));
				return { type: 'toolCall', id: block.id, name: block.name, arguments: block.input };
			case 'thinking':
				return {
					type: 'thinking',
					thinking: block.thinking,
					...(block.signature ? { thinkingSignature: block.signature } : {}),
				};
			case 'redacted_thinking':
				return { type: 'thinking', thinking: '', thinkingSignature: block.data, redacted: true };
			default:
				return block;
		}
	});
	const provider = by.provider ?? providerOf(by.model) ?? context.provider ?? 'anthropic';
	const api = by.api ?? apiOf(provider);
	const model = by.model ?? context.model ?? '';
	const usage = { ...(by.usage ?? noTokens()) };
	return { role: 'assistant', content, api, provider, model, usage, stopReason: 'stop', timestamp: 0 };
}

function noTokens(): MessageUsage {
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
}

/** Splits a user message: each tool result becomes a message of its own, and the rest follows. */
function userMessages(blocks: readonly JsonObject[], names: ReadonlyMap<string, string>): readonly JsonObject[] {
	const results = blocks.filter((block) => block.type === 'tool_result').map((block) => resultMessage(block, names));
	const said = blocks.filter((block) => block.type !== 'tool_result').map(plainBlock);
	return said.length === 0 ? results : [...results, { role: 'user', content: said, timestamp: 0 }];
}

function resultMessage(block: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
	const call = stringAt(block, 'tool_use_id') ?? '';
	return {
		role: 'toolResult',
		toolCallId: call,
		toolName: names.get(call) ?? '',
		content: contentBlocks(block.content),
		isError: block.is_error === true,
		timestamp: 0,
	};
}

function contentBlocks(content: Json | undefined): readonly JsonObject[] {
	if (typeof content === 'string') return [{ type: 'text', text: content }];
	return Array.isArray(content) ? content.filter(isObject).map(plainBlock) : [];
}

function plainBlock(block: JsonObject): JsonObject {
	if (block.type !== 'image' || !isObject(block.source)) return block;
	return { type: 'image', data: block.source.data, mimeType: block.source.media_type };
}
