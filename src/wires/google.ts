/** The wire of Google's Generative Language API: the `contents` of a request, without instructions. */
import { compact, type Json, type JsonObject, stringAt } from '../model/index.ts';
import { anthropicId } from './anthropic.ts';
import {
	blocksOf,
	imagesIn,
	isBlank,
	prepare,
	refusal,
	resultText,
	Sent,
	sound,
	type Target,
	type Turn,
	type Wire,
	type WireRules,
} from './prepare.ts';

/** Messages as the Gemini API takes them. */
export const toGoogle: Wire = (messages, target, rules) => {
	const needsIds = takesIds(target.model, rules);
	const { turns, refused } = prepare(messages, target, rules, (id) => (needsIds ? anthropicId(id) : id));
	if (refused !== undefined) return refusal(refused);
	const sent = new Sent();
	for (const turn of turns) {
		const { message, from } = turn;
		if (message.role === 'toolResult') {
			addResult(turn, target, needsIds, sent);
			continue;
		}
		const reply = message.role === 'assistant';
		const parts = reply ? replyParts(message, target, needsIds, rules) : blocksOf(message).map(userPart);
		if (parts.length > 0) sent.add({ role: reply ? 'model' : 'user', parts }, from);
	}
	return { messages: sent.messages, from: sent.from };
};

/** The generation of a Gemini model; undefined for models of other families on Google's API. */
export function namedGeneration(model: string): number | undefined {
	const found = /^gemini(?:-live)?-(\d+)/.exec(model.toLowerCase());
	return found ? Number(found[1]) : undefined;
}

function takesIds(model: string, rules: WireRules): boolean {
	if (model.startsWith('claude-') || model.startsWith('gpt-oss-')) return true;
	return rules.modern && (namedGeneration(model) ?? 0) >= 3;
}

function userPart(block: JsonObject): JsonObject {
	return block.type === 'text' ? { text: sound(block.text) } : imagePart(block);
}

function imagePart(block: JsonObject): JsonObject {
	return { inlineData: compact({ mimeType: block.mimeType, data: block.data }) as JsonObject };
}

function replyParts(message: JsonObject, target: Target, needsIds: boolean, rules: WireRules): readonly JsonObject[] {
	// The API is not compared here, unlike elsewhere: a model behind two of Google's APIs is the same.
	const same = message.provider === target.provider && message.model === target.model;
	const parts: JsonObject[] = [];
	for (const block of blocksOf(message)) {
		if (block.type === 'text') {
			const signed = signature(same, block.textSignature);
			// The signature of an empty text must be sent back, or the model loses its line of thought.
			if (isBlank(block.text) && !(rules.modern && signed.thoughtSignature)) continue;
			parts.push({ text: sound(block.text), ...signed });
		} else if (block.type === 'thinking') {
			const signed = signature(same, block.thinkingSignature);
			if (isBlank(block.thinking) && !(rules.modern && signed.thoughtSignature)) continue;
			parts.push(same ? { thought: true, text: sound(block.thinking), ...signed } : { text: sound(block.thinking) });
		} else if (block.type === 'toolCall') {
			const id = needsIds ? { id: block.id } : {};
			const functionCall = { name: block.name, args: block.arguments ?? {}, ...id };
			parts.push({ functionCall, ...signature(same, block.thoughtSignature) });
		}
	}
	return parts;
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

function signature(same: boolean, value: Json | undefined): { readonly thoughtSignature?: string } {
	if (!same || typeof value !== 'string' || value.length % 4 !== 0 || !base64.test(value)) return {};
	return { thoughtSignature: value };
}

/** Adds a result to the turn of the results before it; images have a place in it only from Gemini 3 on. */
function addResult({ message, from }: Turn, target: Target, needsIds: boolean, sent: Sent): void {
	const blocks = blocksOf(message);
	const images = target.images === false ? [] : imagesIn(blocks).map(imagePart);
	const text = resultText(blocks);
	const value = text !== '' ? sound(text) : images.length > 0 ? '(see attached image)' : '';
	const nested = (namedGeneration(target.model) ?? 3) >= 3;
	const part = {
		functionResponse: compact({
			name: stringAt(message, 'toolName'),
			response: message.isError ? { error: value } : { output: value },
			parts: images.length > 0 && nested ? images : undefined,
			id: needsIds ? message.toolCallId : undefined,
		}) as JsonObject,
	};
	const last = sent.messages.at(-1);
	const parts = last?.role === 'user' && Array.isArray(last.parts) ? (last.parts as readonly JsonObject[]) : [];
	if (last && parts.some((one) => one.functionResponse !== undefined)) {
		sent.messages[sent.messages.length - 1] = { ...last, parts: [...parts, part] };
		sent.from[sent.from.length - 1] = [...(sent.from.at(-1) ?? []), ...from];
	} else sent.add({ role: 'user', parts: [part] }, from);
	if (images.length > 0 && !nested)
		sent.add({ role: 'user', parts: [{ text: 'Tool result image:' }, ...images] }, from);
}
