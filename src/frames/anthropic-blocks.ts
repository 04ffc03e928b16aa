/** Blocks in the form of Anthropic's Messages API, in which frames carry them. */
import { type Block, compact, type JsonObject } from '../model/index.ts';

export function neutralToAnthropic(block: Block): JsonObject {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: block.text };
		case 'thinking':
			if (block.redacted !== undefined) return { type: 'redacted_thinking', data: block.redacted };
			return { type: 'thinking', thinking: block.text, signature: block.signature ?? '' };
		case 'tool_call':
			return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
		case 'tool_result':
			return compact({
				type: 'tool_result',
				tool_use_id: block.call,
				content: contentOf(block.content),
				is_error: block.isError ? true : undefined,
			});
		case 'image':
		case 'document':
			return { type: block.type, source: sourceOf(block) };
		case 'file':
			return { type: 'text', text: block.text };
		case 'data':
			return { type: 'text', text: JSON.stringify(block.value) };
		case 'opaque':
			return typeof block.value === 'object' && block.value !== null && !Array.isArray(block.value)
				? (block.value as JsonObject)
				: { type: block.of };
	}
}

/** The content as one string where it is only text. */
function contentOf(blocks: readonly Block[]): string | readonly JsonObject[] {
	const [only] = blocks;
	if (blocks.length === 1 && only?.type === 'text') return only.text;
	return blocks.map(neutralToAnthropic);
}

function sourceOf({ mime, data }: Extract<Block, { type: 'image' | 'document' }>): JsonObject {
	if ('base64' in data) return { type: 'base64', media_type: mime, data: data.base64 };
	return 'url' in data ? { type: 'url', url: data.url } : { type: 'file', file_id: data.file };
}
