/** Prepares the blocks of a message: known kinds, no blank texts, no half characters, images the API takes. */

import { isObject, type Json, type JsonObject, stringAt } from '../model/index.ts';
import { isSameModel, sound, type Target } from '../wires/index.ts';
import type { ApiLimits } from './api-limits.ts';
import { parseArguments } from './open-blocks.ts';

export type Block = JsonObject & { readonly type: 'text' | 'image' | 'thinking' | 'toolCall' };

export function cleanBlocks(message: JsonObject, target: Target, limits: ApiLimits): readonly Block[] {
	const content = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
	const blocks = Array.isArray(content) ? (content as readonly Json[]).filter(isObject) : [];
	if (message.role !== 'assistant') return blocks.flatMap((block) => spokenBlock(block, limits));
	const same = isSameModel(message, target);
	const kept = blocks.flatMap((block) => replyBlock(block, same, limits));
	const ended = limits.noLastThought
		? kept.slice(0, kept.findLastIndex((block) => block.type !== 'thinking') + 1)
		: kept;
	return limits.oneText ? withOneText(ended) : ended;
}

function spokenBlock(block: JsonObject, limits: ApiLimits): readonly Block[] {
	if (block.type === 'text') return textBlock(block.text);
	if (block.type !== 'image') return [];
	const { data, mimeType } = block;
	if (typeof data !== 'string' || data === '' || typeof mimeType !== 'string')
		return textBlock('(image omitted: it is empty)');
	if (limits.imageTypes.has(mimeType)) return [{ type: 'image', data, mimeType }];
	return textBlock(`(image omitted: the model takes no ${mimeType})`);
}

function replyBlock(block: JsonObject, same: boolean, limits: ApiLimits): readonly Block[] {
	switch (block.type) {
		case 'text': {
			const signed = same && typeof block.textSignature === 'string' ? { textSignature: block.textSignature } : {};
			if (isBlank(block.text) && signed.textSignature && limits.emptySigned) {
				return [{ type: 'text', text: '', ...signed }];
			}
			return textBlock(block.text).map((text) => ({ ...text, ...signed }));
		}
		case 'thinking':
			return thought(block, same, limits);
		case 'toolCall': {
			const name = stringAt(block, 'name')?.trim() ?? '';
			if (name === '') return [];
			const { thoughtSignature: signature } = block;
			return [
				{
					type: 'toolCall',
					id: stringAt(block, 'id') ?? '',
					name: name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, limits.longestName),
					arguments: argumentsOf(block.arguments),
					...(same && typeof signature === 'string' ? { thoughtSignature: signature } : {}),
				},
			];
		}
		default:
			return [];
	}
}

/** Thinking stays what it is for the model that can check it; any other model gets its text. */
function thought(block: JsonObject, same: boolean, limits: ApiLimits): readonly Block[] {
	const signature = stringAt(block, 'thinkingSignature') ?? '';
	const hidden = block.redacted === true;
	if (same && isSigned(signature, hidden, limits)) {
		const thinking = sound(stringAt(block, 'thinking') ?? '');
		return [
			{
				type: 'thinking',
				thinking,
				...(signature === '' ? {} : { thinkingSignature: signature }),
				...(hidden ? { redacted: true } : {}),
			},
		];
	}
	return hidden ? [] : textBlock(block.thinking);
}

function isSigned(signature: string, hidden: boolean, limits: ApiLimits): boolean {
	if (limits.signature === 'reasoning item') return isReasoningItem(signature);
	return signature !== '' || (limits.signature === 'any' && !hidden);
}

/** True for an item with its encrypted content: without that the server would look for it and find nothing. */
function isReasoningItem(signature: string): boolean {
	const item = parseArguments(signature);
	return item?.type === 'reasoning' && typeof item.id === 'string' && Boolean(item.encrypted_content);
}

function textBlock(text: Json | undefined): readonly Block[] {
	return typeof text !== 'string' || isBlank(text) ? [] : [{ type: 'text', text: sound(text) }];
}

function withOneText(blocks: readonly Block[]): readonly Block[] {
	const texts = blocks.filter((block) => block.type === 'text');
	const [first] = texts;
	if (first === undefined || texts.length === 1) return blocks;
	const text = texts.map((block) => String(block.text)).join('\n\n');
	return blocks.flatMap((block) => (block.type !== 'text' ? [block] : block === first ? [{ type: 'text', text }] : []));
}

/** True for a blank text. Servers count more characters as blank than JavaScript does. */
function isBlank(text: Json | undefined): boolean {
	return typeof text !== 'string' || /^[\s\p{Cc}\p{Surrogate}]*$/u.test(text);
}

function argumentsOf(value: Json | undefined): JsonObject {
	const given = typeof value === 'string' ? parseArguments(value) : value;
	return isObject(given) ? (soundJson(given) as JsonObject) : {};
}

/** The value without half surrogate pairs, which make a whole request unreadable for many servers. */
function soundJson(value: Json | undefined): Json {
	if (typeof value === 'string') return sound(value);
	if (Array.isArray(value)) return (value as readonly Json[]).map(soundJson);
	if (!isObject(value)) return value ?? null;
	const entries = Object.entries(value).filter(([, one]) => one !== undefined);
	return Object.fromEntries(entries.map(([key, one]) => [sound(key), soundJson(one)]));
}
