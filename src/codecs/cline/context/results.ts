/** Makes tool results as they are sent: texts, blocks with images, or JSON. */
import { compact, isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { imageBlock, type MediaBudget, omitted } from './media.ts';
import { isImage } from './truncate.ts';

/** The text with U+FFFD for half surrogate pairs, which cannot be sent. */
export function sound(text: string): string {
	return text.toWellFormed();
}

export function resultOf(block: JsonObject, budget: MediaBudget): JsonObject {
	const failed = Boolean(block.is_error);
	return {
		type: 'tool_result',
		...compact({ tool_use_id: block.tool_use_id }),
		content: contentOf(block.content, failed, budget),
		...(failed ? { is_error: true } : {}),
	};
}

function contentOf(content: Json | undefined, failed: boolean, budget: MediaBudget): Json {
	if (typeof content === 'string') return sound(content);
	const parts: readonly Json[] = Array.isArray(content) ? content : [];
	if (!failed && parts.length > 0 && parts.every(isSendable)) return parts.map((part) => sendable(part, budget));
	const images: JsonObject[] = [];
	const rest = withoutImages(parts, { budget, images, hoist: !failed });
	if (images.length > 0) return [{ type: 'text', text: JSON.stringify(soundTexts(rest.value)) }, ...images];
	// Texts lose their block only where an image was taken out as well.
	return JSON.stringify(soundTexts(rest.media ? rest.value : parts));
}

function isSendable(part: Json): part is JsonObject {
	if (!isObject(part)) return false;
	return part.type === 'text' ? typeof part.text === 'string' : isImage(part);
}

function sendable(part: JsonObject, budget: MediaBudget): JsonObject {
	if (part.type === 'text') return { type: 'text', text: sound(String(part.text)) };
	return granted(part, budget) ?? { type: 'text', text: omitted };
}

function granted(image: JsonObject, budget: MediaBudget): JsonObject | undefined {
	const found = budget.image(String(image.mediaType), String(image.data));
	return found && imageBlock(found);
}

interface Hoisting {
	readonly budget: MediaBudget;
	/** The images found so far, which follow the rest of the result. */
	readonly images: JsonObject[];
	/** False for a failed call, whose result may hold no images. */
	readonly hoist: boolean;
}

interface Stripped {
	readonly value: Json;
	/** True when it contained an image. */
	readonly media: boolean;
}

function withoutImages(value: Json, to: Hoisting): Stripped {
	if (Array.isArray(value)) return listWithoutImages(value, to);
	if (!isObject(value)) return { value, media: false };
	if (value.type === 'image') return { value: takeImage(value, to) ?? '[image attached]', media: true };
	let media = false;
	const entries = Object.entries(value).map(([key, item]) => {
		const stripped = withoutImages(item ?? null, to);
		media ||= stripped.media;
		return [key, stripped.value] as const;
	});
	return { value: Object.fromEntries(entries), media };
}

function listWithoutImages(list: readonly Json[], to: Hoisting): Stripped {
	const kept: Json[] = [];
	let media = false;
	for (const item of list) {
		if (isObject(item) && item.type === 'image') {
			media = true;
			const instead = takeImage(item, to);
			if (instead !== undefined) kept.push(instead);
		} else if (isObject(item) && item.type === 'text' && typeof item.text === 'string') kept.push(item.text);
		else {
			const stripped = withoutImages(item, to);
			media ||= stripped.media;
			kept.push(stripped.value);
		}
	}
	return { value: kept, media };
}

/** Takes the image out, or returns the text that replaces it. */
function takeImage(image: JsonObject, to: Hoisting): string | undefined {
	const block = to.hoist && isImage(image) ? granted(image, to.budget) : undefined;
	if (!block) return omitted;
	to.images.push(block);
	return undefined;
}

function soundTexts(value: Json): Json {
	if (typeof value === 'string') return sound(value);
	if (Array.isArray(value)) return value.map(soundTexts);
	if (!isObject(value)) return value;
	// In the client an assignment to this key would set the copy's prototype and be lost.
	const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
	return Object.fromEntries(entries.map(([key, item]) => [key, soundTexts(item ?? null)]));
}
