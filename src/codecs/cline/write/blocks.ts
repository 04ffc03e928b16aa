/** Writes neutral blocks as Cline's, in either profile. What has no place becomes a loss. */
import {
	type Block,
	blockText,
	type DataBlock,
	isObject,
	type Json,
	type JsonObject,
	type Loss,
	type MediaBlock,
	type MessageEntry,
	objectAt,
	type Profile,
	type ThinkingBlock,
	type ToolCallBlock,
	type ToolResultBlock,
} from '../../../model/index.ts';
import { isDeep } from '../../shared/read/deep.ts';
import { longestFile, longestReply, longestResult } from '../context/truncate.ts';
import { areAnswers } from './tool-answers.ts';

/** What is needed to write blocks. */
export interface BlockContext {
	readonly profile: Profile;
	/** Names of called tools, by the id of the call. */
	calls: Map<string, string>;
	lose(entry: string, path: string, how: Loss['how'], note: string): void;
}

/** The block in Cline's form; undefined when it has no place at all. */
export function encodeBlock(
	block: Block,
	index: number,
	entry: MessageEntry,
	context: BlockContext,
): JsonObject | undefined {
	const at = { entry: entry.id, path: `content[${index}]`, context };
	const own = ownFields(entry, index, context);
	switch (block.type) {
		case 'text':
			if (entry.role === 'assistant') sayShort(block.text, longestReply, at);
			return { type: 'text', text: block.text, ...signed(block.signature, at), ...own };
		case 'thinking':
			return entry.role === 'assistant' ? thinking(block, at, own) : misplaced(block, at);
		case 'tool_call':
			return entry.role === 'assistant' ? toolUse(block, at, own) : misplaced(block, at);
		case 'tool_result':
			return entry.role === 'assistant' ? misplaced(block, at) : { ...toolResult(block, at), ...own };
		case 'image':
		case 'document':
			return media(block, at, own);
		case 'file':
			sayShort(block.text, longestFile, at);
			if (context.profile === 'client') return { type: 'file', path: block.path, content: block.text, ...own };
			return asText(`${block.path}\n${block.text}`, 'the contract has no files', at);
		case 'data':
			return asText(blockText(block), 'structured output outside a tool result', at);
		case 'opaque':
			return opaque(block.value, block.of, at);
	}
}

interface At {
	readonly entry: string;
	readonly path: string;
	readonly context: BlockContext;
}

function lose(at: At, how: Loss['how'], note: string, path = ''): void {
	at.context.lose(at.entry, at.path + path, how, note);
}

/** Reports a text that the client shortens whenever it sends it; the text itself is written whole. */
function sayShort(text: string, longest: number, at: At): void {
	if (at.context.profile === 'published' || text.length <= longest) return;
	lose(at, 'approximated', `Cline sends the model ${longest} characters of it, from both ends`);
}

/** Fields of Cline's own block that the neutral one has no name for. */
function ownFields(entry: MessageEntry, index: number, context: BlockContext): JsonObject {
	const blocks = entry.extra && objectAt(entry.extra, 'blocks');
	const fields = blocks && objectAt(blocks, String(index));
	if (!fields) return {};
	if (context.profile === 'client' && !isDeep(fields)) return fields;
	context.lose(entry.id, `content[${index}]`, 'dropped', `not in the contract: ${Object.keys(fields).join(', ')}`);
	return {};
}

function signed(signature: string | undefined, at: At): { readonly signature?: string } {
	if (signature === undefined) return {};
	if (at.context.profile === 'client') return { signature };
	lose(at, 'dropped', 'the contract has no signatures', '.signature');
	return {};
}

function thinking(block: ThinkingBlock, at: At, own: JsonObject): JsonObject | undefined {
	if (block.redacted === undefined) {
		return { type: 'thinking', thinking: block.text, ...signed(block.signature, at), ...own };
	}
	if (at.context.profile === 'client') return { type: 'redacted_thinking', data: block.redacted, ...own };
	lose(at, 'dropped', 'the contract has no redacted thinking');
	return undefined;
}

function toolUse(block: ToolCallBlock, at: At, own: JsonObject): JsonObject {
	at.context.calls.set(block.id, block.name);
	const base = { type: 'tool_use', id: block.id, name: block.name };
	return { ...base, input: inputOf(block.input, at), ...signed(block.signature, at), ...own };
}

/** A call's input: the contract allows any value, the client and every API want an object. */
function inputOf(input: Json, at: At): Json {
	if (isDeep(input)) {
		lose(at, 'dropped', 'nested too deeply to be written', '.input');
		return {};
	}
	if (isObject(input)) return input;
	lose(at, 'approximated', 'Cline takes only objects as input', '.input');
	return { value: input };
}

function toolResult(block: ToolResultBlock, at: At): JsonObject {
	const answers = at.context.profile === 'client' && areAnswers(block.details) ? block.details : undefined;
	if (block.details !== undefined && !answers)
		lose(at, 'dropped', 'Cline has no place for details of a result', '.details');
	if (block.durationMs !== undefined) lose(at, 'dropped', 'Cline has no place for durations', '.durationMs');
	if (block.file !== undefined) lose(at, 'dropped', 'Cline has no place for states of files', '.file');
	if (block.isError && block.content.some((part) => part.type === 'image')) {
		lose(at, 'approximated', 'Cline does not send the images of a failed call', '.content');
	}
	for (const [index, part] of block.content.entries()) {
		if (part.type === 'text') sayShort(part.text, longestResult, { ...at, path: `${at.path}.content[${index}]` });
	}
	return {
		type: 'tool_result',
		tool_use_id: block.call,
		...(at.context.profile === 'client' ? { name: toolName(block, at) } : {}),
		content: answers ?? resultContent(block, at),
		...(block.isError || at.context.profile === 'published' ? { is_error: block.isError } : {}),
	};
}

function toolName(block: ToolResultBlock, at: At): string {
	const name = block.name ?? at.context.calls.get(block.call);
	if (name !== undefined) return name;
	lose(at, 'invented', 'the name of the tool is not known', '.name');
	return 'unknown';
}

/**
 * A result's content. A single text or piece of data stays as it is, as native tools write it. Cline sends an empty
 * list, and every list of a failed call, as JSON, and blank texts in a list unchanged, which no API accepts.
 */
function resultContent({ content: all, isError }: ToolResultBlock, at: At): Json {
	const client = at.context.profile === 'client';
	const content = client && all.length > 1 ? all.filter((part) => !isBlank(part)) : all;
	if (client && content.length === 0) return '';
	const only = content.length === 1 ? content[0] : undefined;
	if (only?.type === 'text') return only.text;
	if (only?.type === 'data') return held(only, at);
	if (client && isError && content.every((part) => part.type === 'text')) {
		lose(at, 'approximated', 'the texts of a failed call are one: Cline would send their JSON', '.content');
		return content.map(blockText).join('\n');
	}
	return content.flatMap((block, index): Json[] => {
		const inner = { ...at, path: `${at.path}.content[${index}]` };
		const part = resultPart(block, inner);
		return part === undefined ? [] : [part];
	});
}

function isBlank(part: Block): boolean {
	return part.type === 'text' && part.text.trim() === '';
}

function resultPart(block: Block, at: At): Json | undefined {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: block.text };
		case 'image':
			// The contract does not restrict results: a picture can stay one there.
			return 'base64' in block.data ? picture(block.data.base64, block.mime) : media(block, at, {});
		case 'document':
			return media(block, at, {});
		case 'file':
			if (at.context.profile === 'client') return { type: 'file', path: block.path, content: block.text };
			return asText(`${block.path}\n${block.text}`, 'the contract has no files', at);
		case 'data':
			return held(block, at);
		case 'opaque':
			return opaque(block.value, block.of, at);
		default:
			return misplaced(block, at);
	}
}

function held(block: DataBlock, at: At): Json {
	if (!isDeep(block.value)) return block.value;
	lose(at, 'dropped', 'nested too deeply to be written');
	return blockText(block);
}

function media(block: MediaBlock, at: At, own: JsonObject): JsonObject {
	if (at.context.profile === 'published') return asText(blockText(block), `the contract has no ${block.type}s`, at);
	if (own.media !== undefined) return { type: 'media', ...own };
	if (block.type === 'document') return asText(blockText(block), 'Cline has no documents', at);
	if ('base64' in block.data) return { ...picture(block.data.base64, block.mime), ...own };
	const where = 'url' in block.data ? block.data.url : block.data.file;
	return asText(`[image: ${where}]`, 'Cline holds images only as data', at);
}

function picture(data: string, mediaType: string): JsonObject {
	return { type: 'image', data, mediaType };
}

function opaque(value: Json, of: string, at: At): JsonObject | undefined {
	if (at.context.profile === 'published' || !isObject(value) || typeof value.type !== 'string' || isDeep(value)) {
		lose(at, 'dropped', `Cline has no block of type "${of}"`);
		return undefined;
	}
	lose(at, 'approximated', `Cline ignores a block of type "${of}" and erases it when it next saves`);
	return value;
}

function asText(text: string, why: string, at: At): JsonObject {
	lose(at, 'approximated', `${why}: written as text`);
	return { type: 'text', text };
}

function misplaced(block: Block, at: At): undefined {
	lose(at, 'dropped', `Cline does not take a block of type "${block.type}" here`);
	return undefined;
}
