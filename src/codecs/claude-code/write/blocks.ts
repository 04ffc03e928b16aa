/** Writes neutral blocks as Claude Code's. What the API would refuse is changed and reported. */
import { type Block, blockText, isObject, type Json, jsonText, type ThinkingBlock } from '../../../model/index.ts';
import { nativeCallId } from '../../shared/write/derive.ts';
import type { Fields } from './line-writer.ts';

export interface BlockContext {
	readonly role: 'user' | 'assistant';
	/** True when the entry was read from this format: opaque blocks may then be written as they were. */
	readonly own: boolean;
	/** True when signatures are another provider's, which mean nothing here. */
	readonly foreignSignatures: boolean;
	lose(path: string, how: 'dropped' | 'approximated' | 'invented', note: string): void;
}

/** The native block; undefined when nothing of it can be written. */
export function nativeBlock(block: Block, path: string, context: BlockContext): Fields | undefined {
	switch (block.type) {
		case 'text':
			if (block.signature !== undefined) context.lose(`${path}.signature`, 'dropped', 'texts have no signature here');
			return textBlock(block.text, path, context);
		case 'thinking':
			return thinking(block, path, context);
		case 'tool_call':
			if (block.signature !== undefined) context.lose(`${path}.signature`, 'dropped', 'calls have no signature here');
			return toolUse(block.id, block.name, block.input, path, context);
		case 'image':
		case 'document':
			return media(block, path, context);
		case 'opaque':
			if (context.own && isObject(block.value)) return { ...block.value };
			context.lose(path, 'dropped', `a block of type ${block.of} has no equivalent`);
			return undefined;
		case 'tool_result':
			context.lose(path, 'approximated', 'a result inside another is written as text');
			return textBlock(blockText(block), path, context);
		case 'file':
		case 'data':
			context.lose(path, 'approximated', `a ${block.type} block is written as text`);
			return textBlock(blockText(block), path, context);
	}
}

function textBlock(text: string, path: string, context: BlockContext): Fields | undefined {
	if (text.trim() !== '' || context.own) return { type: 'text', text };
	context.lose(path, 'dropped', 'the API takes no blank text');
	return undefined;
}

function thinking(block: ThinkingBlock, path: string, context: BlockContext): Fields | undefined {
	if (block.redacted !== undefined && !context.foreignSignatures) {
		return { type: 'redacted_thinking', data: block.redacted };
	}
	if (block.redacted === undefined && block.signature !== undefined && !context.foreignSignatures) {
		return { type: 'thinking', thinking: block.text, signature: block.signature };
	}
	if (context.own && block.redacted === undefined) return { type: 'thinking', thinking: block.text };
	if (block.text.trim() === '') {
		context.lose(path, 'dropped', "another provider's encrypted thinking means nothing to this one");
		return undefined;
	}
	context.lose(path, 'approximated', 'thinking without a signature of this provider is written as text');
	return { type: 'text', text: `<thinking>\n${block.text}\n</thinking>` };
}

function toolUse(id: string, name: string, input: Json, path: string, context: BlockContext): Fields {
	const native = nativeCallId(id);
	if (native !== id)
		context.lose(`${path}.id`, 'approximated', `the API does not take this call id; ${native} stands for it`);
	if (isObject(input)) return { type: 'tool_use', id: native, name, input };
	context.lose(`${path}.input`, 'approximated', 'the input of a call must be an object; it is put into one');
	return { type: 'tool_use', id: native, name, input: { input } };
}

function media(
	block: Extract<Block, { type: 'image' | 'document' }>,
	path: string,
	context: BlockContext,
): Fields | undefined {
	if (context.role === 'assistant' && !context.own) {
		context.lose(path, 'approximated', 'a reply cannot hold media; a note stands for it');
		return { type: 'text', text: blockText(block) };
	}
	const { data } = block;
	if ('base64' in data) {
		return { type: block.type, source: { type: 'base64', media_type: block.mime, data: data.base64 } };
	}
	if ('url' in data) return { type: block.type, source: { type: 'url', url: data.url } };
	context.lose(path, 'approximated', 'a file that the message only names is written as its path');
	return { type: 'text', text: data.file };
}

/** A result's content: a string if it is one text, as the client writes it. `path` is that of the result. */
export function resultContent(
	content: readonly Block[],
	path: string,
	context: BlockContext,
	asBlocks = false,
): string | readonly Fields[] {
	const [only] = content;
	if (content.length === 0) return '';
	if (!asBlocks && content.length === 1 && only?.type === 'text' && only.signature === undefined) return only.text;
	const made: Fields[] = [];
	content.forEach((block, index) => {
		const written = nativeBlock(block, `${path}.content[${index}]`, context);
		if (written) made.push(written);
	});
	return made;
}

/** The text for a result without its call. */
export function strayResult(content: readonly Block[], call: string): string {
	const text = content.map((block) => (block.type === 'data' ? jsonText(block.value) : blockText(block))).join('\n');
	return `[Result of the tool call ${call}]\n${text}`;
}
