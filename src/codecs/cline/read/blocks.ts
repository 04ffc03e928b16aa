/** Reads Cline's content blocks as neutral blocks, with the fields that those have no name for. */
import {
	type Block,
	isObject,
	type Json,
	type JsonObject,
	type MediaBlock,
	objectAt,
	stringAt,
	type ToolResultBlock,
} from '../../../model/index.ts';
import { leftovers } from '../../shared/read/leftovers.ts';
import { withoutPictures } from './pictures.ts';

/** Fields of a block that its neutral form has no name for, by the block's index. */
export type Leftovers = { [index: string]: JsonObject };

const named: { readonly [type: string]: ReadonlySet<string> } = {
	text: new Set(['type', 'text', 'signature']),
	thinking: new Set(['type', 'thinking', 'signature']),
	redacted_thinking: new Set(['type', 'data']),
	tool_use: new Set(['type', 'id', 'name', 'input', 'signature']),
	tool_result: new Set(['type', 'tool_use_id', 'name', 'content', 'is_error']),
	image: new Set(['type', 'data', 'mediaType', 'source']),
	file: new Set(['type', 'path', 'content']),
	media: new Set(['type']),
};

export function decodeBlock(value: Json): Block {
	if (!isObject(value)) return { type: 'opaque', of: typeof value, value };
	const type = stringAt(value, 'type') ?? '';
	return known(type, value) ?? { type: 'opaque', of: type, value };
}

/** The fields of a typed block that `decodeBlock` leaves out; undefined when there are none. */
export function unnamed(value: Json, block: Block): JsonObject | undefined {
	if (!isObject(value) || block.type === 'opaque') return undefined;
	const names = named[stringAt(value, 'type') ?? ''];
	return names && leftovers(value, names);
}

function known(type: string, value: JsonObject): Block | undefined {
	switch (type) {
		case 'text': {
			const text = stringAt(value, 'text');
			return text === undefined ? undefined : { type: 'text', text, ...signature(value) };
		}
		case 'thinking': {
			const text = stringAt(value, 'thinking');
			return text === undefined ? undefined : { type: 'thinking', text, ...signature(value) };
		}
		case 'redacted_thinking': {
			const redacted = stringAt(value, 'data');
			return redacted === undefined ? undefined : { type: 'thinking', text: '', redacted };
		}
		case 'tool_use':
			return toolUse(value);
		case 'tool_result':
			return toolResult(value);
		case 'image':
			return image(value);
		case 'file': {
			const path = stringAt(value, 'path');
			const text = stringAt(value, 'content');
			return path === undefined || text === undefined ? undefined : { type: 'file', path, text };
		}
		case 'media':
			return media(value);
		default:
			return undefined;
	}
}

function signature(value: JsonObject): { readonly signature?: string } {
	const text = stringAt(value, 'signature');
	return text === undefined ? {} : { signature: text };
}

function toolUse(value: JsonObject): Block | undefined {
	const id = stringAt(value, 'id');
	const name = stringAt(value, 'name');
	if (id === undefined || name === undefined) return undefined;
	return { type: 'tool_call', id, name, input: value.input ?? {}, ...signature(value) };
}

function toolResult(value: JsonObject): ToolResultBlock | undefined {
	const call = stringAt(value, 'tool_use_id');
	if (call === undefined) return undefined;
	const name = stringAt(value, 'name');
	return {
		type: 'tool_result',
		call,
		...(name === undefined ? {} : { name }),
		content: resultContent(value.content),
		isError: value.is_error === true,
	};
}

function resultContent(content: Json | undefined): readonly Block[] {
	if (content === undefined || content === null) return [];
	if (typeof content === 'string') return [{ type: 'text', text: content }];
	const pictures: MediaBlock[] = [];
	const data = (value: Json): Block => ({ type: 'data', value: withoutPictures(value, pictures, image) });
	const parts: readonly Json[] = Array.isArray(content) ? content : [];
	const whole = !Array.isArray(content) || (parts.length > 0 && !parts.some(isTyped));
	const said = whole ? [data(content)] : parts.map((part) => (isTyped(part) ? resultPart(part) : data(part)));
	return pictures.length === 0 ? said : [...said, ...pictures];
}

function isTyped(part: Json): part is JsonObject {
	return isObject(part) && typeof part.type === 'string';
}

/** A part of a result: text, image or file. A tool result inside another could nest without end. */
function resultPart(part: JsonObject): Block {
	const type = stringAt(part, 'type') ?? '';
	const block = ['text', 'image', 'file', 'media'].includes(type) ? known(type, part) : undefined;
	return block ?? { type: 'opaque', of: type, value: part };
}

/** An image in Cline's own form, or in that of Anthropic's API, which Cline itself drops. */
function image(value: JsonObject): MediaBlock | undefined {
	const data = stringAt(value, 'data');
	if (data !== undefined) {
		return { type: 'image', mime: stringAt(value, 'mediaType') ?? 'image/png', data: { base64: data } };
	}
	const source = objectAt(value, 'source');
	return source && sourced('image', stringAt(source, 'media_type'), source);
}

function media(value: JsonObject): MediaBlock | undefined {
	const made = objectAt(value, 'media');
	const source = made && objectAt(made, 'source');
	if (!source) return undefined;
	const mime = stringAt(made, 'mediaType');
	if (made.modality === 'image') return sourced('image', mime, source);
	return made.modality === 'file' && mime !== undefined ? sourced('document', mime, source) : undefined;
}

function sourced(type: MediaBlock['type'], mime = 'image/png', source: JsonObject): MediaBlock | undefined {
	const base64 = stringAt(source, 'data');
	if (base64 !== undefined) return { type, mime, data: { base64 } };
	const url = stringAt(source, 'url');
	return url === undefined ? undefined : { type, mime, data: { url } };
}
