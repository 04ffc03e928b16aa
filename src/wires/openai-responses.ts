/** The wire of OpenAI's Responses API: the items of `input`, without instructions. */
import { compact, isObject, type Json, type JsonObject, parsedJson, stringAt } from '../model/index.ts';
import {
	blocksOf,
	dataUrl,
	imagesIn,
	isSameModel,
	prepare,
	refusal,
	resultText,
	Sent,
	shortHash,
	sound,
	type Target,
	type Wire,
	type WireRules,
} from './prepare.ts';

/** Messages as OpenAI’s Responses API takes them. */
export const toOpenAiResponses: Wire = (messages, target, rules, before = 0) => {
	const { turns, refused } = prepare(messages, target, rules, (id, source) => responsesId(id, source, target));
	if (refused !== undefined) return refusal(refused);
	const sent = new Sent();
	// A text without an id gets one from the number of messages sent before it.
	let count = before;
	for (const { message, from } of turns) {
		const items = itemsOf(message, target, rules, count);
		if (typeof items === 'string') return refusal(items);
		if (items.length === 0) continue;
		for (const item of items) sent.add(item, from);
		count++;
	}
	return { messages: sent.messages, from: sent.from };
};

const longestId = 64;
/** Providers whose calls have an item id beside the call id. */
const twoIdProviders: ReadonlySet<string> = new Set(['openai', 'openai-codex', 'opencode']);

function responsesId(id: string, source: JsonObject, target: Target): string {
	const [call = '', item] = id.split('|');
	if (item === undefined || !twoIdProviders.has(target.provider)) return fitted(id);
	const foreign = source.provider !== target.provider || source.api !== target.api;
	const own = foreign ? `fc_${shortHash(item)}`.slice(0, longestId) : fitted(item);
	return `${fitted(call)}|${own.startsWith('fc_') ? own : fitted(`fc_${own}`)}`;
}

function fitted(part: string): string {
	return part
		.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
		.slice(0, longestId)
		.replace(/_+$/, '');
}

/** The items of one message, or the reason why the client would fail. */
function itemsOf(message: JsonObject, target: Target, rules: WireRules, count: number): readonly JsonObject[] | string {
	if (message.role === 'assistant') return replyItems(message, target, rules, count);
	if (message.role === 'toolResult') {
		const id = stringAt(message, 'toolCallId');
		if (id === undefined) return 'a tool result names no call, so that every request fails';
		const [call] = id.split('|');
		return [{ type: 'function_call_output', call_id: call, output: resultOutput(blocksOf(message), target, rules) }];
	}
	const content = blocksOf(message).map((block) =>
		block.type === 'text' ? { type: 'input_text', text: sound(block.text) } : imagePart(block),
	);
	return content.length === 0 ? [] : [{ role: 'user', content }];
}

function replyItems(
	message: JsonObject,
	target: Target,
	rules: WireRules,
	count: number,
): readonly JsonObject[] | string {
	const items: JsonObject[] = [];
	let texts = 0;
	for (const block of blocksOf(message)) {
		if (block.type === 'text') items.push(textItem(block, count, texts++, rules));
		else if (block.type === 'toolCall') items.push(callItem(block, message, target, rules));
		else if (block.type === 'thinking' && block.thinkingSignature) {
			const item = reasoningItem(block);
			if (item === undefined)
				return 'a thinking signature is not the JSON that this API needs, so that every request fails';
			items.push(item);
		}
	}
	return items;
}

/** The reasoning item to send: for this API the signature of thinking is the whole item. */
function reasoningItem(block: JsonObject): JsonObject | undefined {
	const item = parsedJson(String(block.thinkingSignature));
	return isObject(item) ? item : undefined;
}

function textItem(block: JsonObject, count: number, nth: number, rules: WireRules): JsonObject {
	const own = textId(stringAt(block, 'textSignature'));
	const numbered = rules.modern ? `msg_pi_${count}${nth === 0 ? '' : `_${nth}`}` : `msg_${count}`;
	const id = own.id && own.id.length > longestId ? `msg_${shortHash(own.id)}` : own.id || numbered;
	return compact({
		type: 'message',
		role: 'assistant',
		content: [{ type: 'output_text', text: sound(block.text), annotations: [] }],
		status: 'completed',
		id,
		phase: own.phase,
	}) as JsonObject;
}

const phases: ReadonlySet<Json | undefined> = new Set(['commentary', 'final_answer']);

/** Id and phase of a text: its signature is the item's id, alone or in JSON with the phase. */
function textId(signature: string | undefined): { readonly id?: string; readonly phase?: Json } {
	if (!signature) return {};
	const parsed = parsedJson(signature);
	if (!isObject(parsed) || parsed.v !== 1 || typeof parsed.id !== 'string') return { id: signature };
	return phases.has(parsed.phase) && parsed.phase ? { id: parsed.id, phase: parsed.phase } : { id: parsed.id };
}

/** The item of a call. Another model's item id is left out: the API would look for reasoning that belongs to it. */
function callItem(block: JsonObject, message: JsonObject, target: Target, rules: WireRules): JsonObject {
	const [call, item] = (stringAt(block, 'id') ?? '').split('|');
	const same = isSameModel(message, target);
	const sibling = !same && message.provider === target.provider && message.api === target.api;
	const own = item?.startsWith('fc_') ?? false;
	const id = (own && sibling) || (!own && rules.modern) ? undefined : item;
	return compact({
		type: 'function_call',
		id,
		call_id: call,
		name: block.name,
		arguments: block.arguments === undefined ? undefined : JSON.stringify(block.arguments),
		namespace: rules.modern && same ? block.namespace : undefined,
	}) as JsonObject;
}

function resultOutput(blocks: readonly JsonObject[], target: Target, rules: WireRules): string | readonly JsonObject[] {
	const text = resultText(blocks);
	const images = imagesIn(blocks);
	if (images.length === 0 || target.images === false) {
		const empty = images.length > 0 || !rules.modern ? '(see attached image)' : '(no tool output)';
		return sound(text === '' ? empty : text);
	}
	return [...(text === '' ? [] : [{ type: 'input_text', text: sound(text) }]), ...images.map(imagePart)];
}

function imagePart(block: JsonObject): JsonObject {
	return { type: 'input_image', detail: 'auto', image_url: dataUrl(block) };
}
