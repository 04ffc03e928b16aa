/** The wire of Anthropic's Messages API: the `messages` of a request, without system prompt and cache marks; blank texts, unsigned thinking, call ids. */
import { compact, type Json, type JsonObject, stringAt } from '../model/index.ts';
import {
	blocksOf,
	groupsOf,
	imagesIn,
	isBlank,
	prepare,
	refusal,
	Sent,
	sound,
	type Wire,
	type WireMessage,
	type WireRules,
} from './prepare.ts';

/** Messages as Anthropic’s Messages API takes them. */
export const toAnthropic: Wire<WireMessage> = (messages, target, rules) => {
	const { turns, refused } = prepare(messages, target, rules, anthropicId);
	if (refused !== undefined) return refusal(refused);
	const sent = new Sent<WireMessage>();
	for (const group of groupsOf(turns)) {
		const [{ message, from }] = group;
		if (message.role === 'toolResult') {
			const content = group.map((one) => resultBlock(one.message, rules));
			sent.add({ role: 'user', content }, [...new Set(group.flatMap((one) => one.from))]);
			continue;
		}
		const content = message.role === 'assistant' ? replyBlocks(message, rules) : userContent(message);
		if (content.length > 0) sent.add({ role: String(message.role), content }, from);
	}
	return { messages: sent.messages, from: sent.from };
};

/** An id that the API accepts: at most 64 letters, digits, underscores and hyphens. */
export function anthropicId(id: string): string {
	return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
}

/** The content of a user's message. The API refuses blank texts, so they and messages of nothing else are left out. */
function userContent(message: JsonObject): string | readonly JsonObject[] {
	if (typeof message.content === 'string') return isBlank(message.content) ? '' : sound(message.content);
	return blocksOf(message)
		.map((block) => (block.type === 'text' ? textBlock(block.text) : imageBlock(block)))
		.filter((block) => block.type !== 'text' || !isBlank(block.text));
}

function replyBlocks(message: JsonObject, rules: WireRules): readonly JsonObject[] {
	const blocks: JsonObject[] = [];
	for (const block of blocksOf(message)) {
		if (block.type === 'text' && !isBlank(block.text)) blocks.push(textBlock(block.text));
		else if (block.type === 'thinking') {
			const kept = thinkingBlock(block, rules);
			if (kept) blocks.push(kept);
		} else if (block.type === 'toolCall') {
			blocks.push(
				compact({ type: 'tool_use', id: block.id, name: block.name, input: block.arguments ?? {} }) as JsonObject,
			);
		}
	}
	return blocks;
}

/** Thinking for the API. Without a signature it would be refused, so it becomes text. */
function thinkingBlock(block: JsonObject, rules: WireRules): JsonObject | undefined {
	const signature = stringAt(block, 'thinkingSignature');
	if (block.redacted) return compact({ type: 'redacted_thinking', data: signature }) as JsonObject;
	if (isBlank(block.thinking) && (isBlank(signature) || !rules.modern)) return undefined;
	if (signature === undefined || isBlank(signature)) return textBlock(block.thinking);
	// OpenClaw sends signed thinking unchanged, or the signature would not fit.
	const thinking = rules.openclaw ? (block.thinking ?? '') : sound(block.thinking);
	return { type: 'thinking', thinking, signature };
}

function resultBlock(message: JsonObject, rules: WireRules): JsonObject {
	return compact({
		type: 'tool_result',
		tool_use_id: message.toolCallId,
		content: resultContent(blocksOf(message), rules),
		is_error: message.isError,
	}) as JsonObject;
}

/** The content of a result: one string where there are only texts. */
function resultContent(blocks: readonly JsonObject[], rules: WireRules): string | readonly JsonObject[] {
	if (imagesIn(blocks).length === 0) {
		const text = sound(blocks.map((block) => (typeof block.text === 'string' ? block.text : '')).join('\n'));
		return rules.openclaw && isBlank(text) ? '(no output)' : text;
	}
	const content = blocks.map((block) => (block.type === 'text' ? textBlock(block.text) : imageBlock(block)));
	const hasText = content.some((block) => block.type === 'text');
	return hasText ? content : [textBlock('(see attached image)'), ...content];
}

function textBlock(text: Json | undefined): JsonObject {
	return { type: 'text', text: sound(text) };
}

/** An image block; pi takes every block that is not text for an image. */
function imageBlock(block: JsonObject): JsonObject {
	return {
		type: 'image',
		source: compact({ type: 'base64', media_type: block.mimeType, data: block.data }) as JsonObject,
	};
}
