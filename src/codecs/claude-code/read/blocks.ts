/** Reads the content blocks of Claude Code messages as neutral blocks. */
import { type Block, isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';

/** The blocks of a message: a string counts as one text. */
export function blocksOf(content: Json | undefined): readonly Block[] {
	if (typeof content === 'string') return [{ type: 'text', text: content }];
	if (!Array.isArray(content)) return [];
	return (content as readonly Json[]).map(block);
}

function block(value: Json): Block {
	if (!isObject(value)) return { type: 'opaque', of: value === null ? 'null' : typeof value, value };
	if (value.type === 'tool_result') return toolResult(value) ?? opaque(value);
	return simpleBlock(value);
}

/** Any block but a tool result, so that reading never goes deeper than one level. */
function simpleBlock(value: JsonObject): Block {
	switch (value.type) {
		case 'text':
			if (typeof value.text === 'string') return { type: 'text', text: value.text };
			break;
		case 'thinking':
			if (typeof value.thinking !== 'string') break;
			if (typeof value.signature !== 'string') return { type: 'thinking', text: value.thinking };
			return { type: 'thinking', text: value.thinking, signature: value.signature };
		case 'redacted_thinking':
			if (typeof value.data === 'string') return { type: 'thinking', text: '', redacted: value.data };
			break;
		case 'tool_use':
			if (typeof value.id === 'string' && typeof value.name === 'string')
				return { type: 'tool_call', id: value.id, name: value.name, input: value.input ?? null };
			break;
		case 'image':
		case 'document':
			return media(value.type, value.source) ?? opaque(value);
	}
	return opaque(value);
}

function opaque(value: JsonObject): Block {
	return { type: 'opaque', of: stringAt(value, 'type') ?? 'unknown', value };
}

function media(type: 'image' | 'document', source: Json | undefined): Block | undefined {
	if (!isObject(source)) return undefined;
	if (source.type === 'base64' && typeof source.data === 'string')
		return { type, mime: stringAt(source, 'media_type') ?? '', data: { base64: source.data } };
	if (source.type === 'url' && typeof source.url === 'string')
		return { type, mime: stringAt(source, 'media_type') ?? '', data: { url: source.url } };
	return undefined;
}

function toolResult(value: JsonObject): Block | undefined {
	if (typeof value.tool_use_id !== 'string') return undefined;
	return {
		type: 'tool_result',
		call: value.tool_use_id,
		content: innerBlocks(value.content),
		isError: value.is_error === true,
	};
}

function innerBlocks(content: Json | undefined): readonly Block[] {
	if (typeof content === 'string') return [{ type: 'text', text: content }];
	if (!Array.isArray(content)) return [];
	return (content as readonly Json[]).map((inner) =>
		isObject(inner) ? simpleBlock(inner) : { type: 'opaque', of: inner === null ? 'null' : typeof inner, value: inner },
	);
}
