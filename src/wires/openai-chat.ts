/** The wire of OpenAI's Chat Completions API and its many relatives (DeepSeek's `reasoning_content`, …): `messages` without instructions. */
import { isObject, type Json, type JsonObject, parsedJson, stringAt } from '../model/index.ts';
import {
	blocksOf,
	dataUrl,
	groupsOf,
	imagesIn,
	isBlank,
	prepare,
	refusal,
	resultText,
	Sent,
	shortHash,
	sound,
	type Target,
	type Turn,
	type Wire,
	type WireRules,
} from './prepare.ts';

/** Messages as Chat Completions takes them. */
export const toOpenAiChat: Wire = (messages, target, rules) => {
	const { turns, refused } = prepare(messages, target, rules, (id) => chatId(id, target, rules));
	if (refused !== undefined) return refusal(refused);
	const sent = new Sent();
	for (const group of groupsOf(turns)) {
		const [{ message, from }] = group;
		if (message.role === 'toolResult') {
			addResults(group, target, rules, sent);
			continue;
		}
		const converted = message.role === 'assistant' ? reply(message, target, rules) : prompt(message, rules);
		if (converted) sent.add(converted, from);
	}
	return { messages: sent.messages, from: sent.from };
};

const longestId = 40;

/** An id for a call. Ids of the Responses API consist of two, and several calls may share the first. */
function chatId(id: string, target: Target, rules: WireRules): string {
	const bar = id.indexOf('|');
	if (bar === -1) return target.provider === 'openai' ? id.slice(0, longestId) : id;
	const call = safe(id.slice(0, bar));
	if (!rules.modern) return call.slice(0, longestId);
	const item = safe(id.slice(bar + 1));
	const joined = item === '' ? call : `${call}_${item}`;
	if (joined.length <= longestId) return joined;
	const hash = shortHash(id).slice(0, 8);
	return `${call.slice(0, Math.max(1, longestId - hash.length - 1))}_${hash}`;
}

function safe(id: string): string {
	return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}

function prompt(message: JsonObject, rules: WireRules): JsonObject | undefined {
	if (typeof message.content === 'string') return { role: 'user', content: sound(message.content) };
	const content = blocksOf(message)
		.filter((block) => !rules.modern || block.type !== 'text' || block.text !== '')
		.map((block) => (block.type === 'text' ? { type: 'text', text: sound(block.text) } : imagePart(block)));
	return content.length === 0 ? undefined : { role: 'user', content };
}

/** A reply with one string as content: its texts, which may be pieces of a sentence, are joined without a separator. */
function reply(message: JsonObject, target: Target, rules: WireRules): JsonObject | undefined {
	const blocks = blocksOf(message);
	const texts = blocks.filter((block) => block.type === 'text' && !isBlank(block.text));
	const text = texts
		.map((block, at) => {
			const before = texts[at - 1];
			const isApart = rules.apart && before && (before.thought || block.thought);
			return (isApart ? '\n\n' : '') + sound(block.text);
		})
		.join('');
	const calls = blocks.filter((block) => block.type === 'toolCall');
	if (text === '' && calls.length === 0) return undefined;
	const converted: { [key: string]: Json } = { role: 'assistant', content: text === '' ? null : text };
	const details = rules.modern ? reasoningDetails(blocks) : callDetails(calls);
	const thoughts = blocks.filter((block) => block.type === 'thinking' && !isBlank(block.thinking));
	const field = reasoningField(thoughts[0], target, rules);
	if (field !== undefined && (details === undefined || !rules.modern)) {
		converted[field] = thoughts.map((block) => stringAt(block, 'thinking') ?? '').join('\n');
	}
	if (calls.length > 0) converted.tool_calls = calls.map(callPart);
	if (details !== undefined) converted.reasoning_details = details;
	if (target.provider === 'deepseek') converted.reasoning_content ??= '';
	return converted;
}

const reasoningFields: ReadonlySet<string> = new Set(['reasoning', 'reasoning_content', 'reasoning_text']);

/** The field to send thinking in: for this API the signature of thinking is the name of its field. */
function reasoningField(thought: JsonObject | undefined, target: Target, rules: WireRules): string | undefined {
	const name = thought ? stringAt(thought, 'thinkingSignature') : undefined;
	if (name === undefined || name === '' || name === '__proto__') return undefined;
	if (!rules.modern) return name;
	if (target.provider === 'opencode-go' && name === 'reasoning') return 'reasoning_content';
	return reasoningFields.has(name) ? name : undefined;
}

function callPart(block: JsonObject): JsonObject {
	const args = block.arguments === undefined ? undefined : JSON.stringify(block.arguments);
	return {
		id: block.id,
		type: 'function',
		function: { name: block.name, ...(args === undefined ? {} : { arguments: args }) },
	};
}

/** Reasoning in parts, as OpenRouter sends it: all in one signature, or one part with each call. */
function reasoningDetails(blocks: readonly JsonObject[]): readonly Json[] | undefined {
	for (const block of blocks) {
		if (block.type !== 'thinking') continue;
		const parsed = parse(block.thinkingSignature);
		if (Array.isArray(parsed) && parsed.length > 0 && parsed.every(isDetail)) return parsed;
	}
	const legacy = blocks
		.filter((block) => block.type === 'toolCall')
		.map((block) => parse(block.thoughtSignature))
		.filter((detail) => isDetail(detail) && isObject(detail) && isEncrypted(detail));
	return legacy.length === 0 ? undefined : (legacy as readonly Json[]);
}

function isEncrypted(detail: JsonObject): boolean {
	return detail.type === 'reasoning.encrypted' && Boolean(detail.id) && detail.data !== '';
}

/** The reasoning parts that calls carry; pi 0.73.1 takes any JSON that a call is signed with. */
function callDetails(calls: readonly JsonObject[]): readonly Json[] | undefined {
	const details = calls.map((call) => parse(call.thoughtSignature)).filter((detail) => Boolean(detail));
	return details.length === 0 ? undefined : (details as readonly Json[]);
}

function isDetail(detail: Json | undefined): boolean {
	if (!isObject(detail)) return false;
	const { id, format, index, signature } = detail;
	if (!isOptional(id, 'string', true) || !isOptional(format, 'string') || !isOptional(index, 'number')) return false;
	if (detail.type === 'reasoning.summary') return typeof detail.summary === 'string';
	if (detail.type === 'reasoning.encrypted') return typeof detail.data === 'string';
	return detail.type === 'reasoning.text' && typeof detail.text === 'string' && isOptional(signature, 'string', true);
}

function isOptional(value: Json | undefined, type: 'string' | 'number', nullable = false): boolean {
	return value === undefined || (nullable && value === null) || typeof value === type;
}

function parse(text: Json | undefined): Json | undefined {
	return typeof text === 'string' ? parsedJson(text) : undefined;
}

/** Adds results. The API takes no images in them, so the images follow as a user's message. */
function addResults(run: readonly Turn[], target: Target, rules: WireRules, sent: Sent): void {
	const images: JsonObject[] = [];
	const from: number[] = [];
	for (const turn of run) {
		const blocks = blocksOf(turn.message);
		const own = imagesIn(blocks);
		const text = resultText(blocks);
		const empty = own.length > 0 || !rules.modern ? '(see attached image)' : '(no tool output)';
		sent.add(
			{ role: 'tool', content: sound(text === '' ? empty : text), tool_call_id: turn.message.toolCallId },
			turn.from,
		);
		if (own.length === 0 || target.images === false) continue;
		images.push(...own.map(imagePart));
		from.push(...turn.from);
	}
	if (images.length === 0) return;
	const lead = { type: 'text', text: 'Attached image(s) from tool result:' };
	sent.add({ role: 'user', content: [lead, ...images] }, from);
}

function imagePart(block: JsonObject): JsonObject {
	return { type: 'image_url', image_url: { url: dataUrl(block) } };
}
