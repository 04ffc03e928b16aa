/** Writes neutral blocks as the format's; what has no counterpart becomes text, and a loss. */
import {
	type Block,
	blockText,
	isObject,
	type Json,
	type JsonObject,
	jsonText,
	type Loss,
	type ThinkingBlock,
	type ToolCallBlock,
} from '../../../model/index.ts';
import { parseJson } from '../../shared/read/parse.ts';
import type { Kept } from '../read/values.ts';

/** Reports a loss of one entry. */
export type Lose = (path: string, how: Loss['how'], note: string) => void;

export interface BlockContext {
	readonly lose: Lose;
	/** The path of the blocks in the entry, for losses. */
	readonly path: string;
	/** Leftover fields of blocks of this format; absent for others and in the published profile. */
	readonly kept?: Kept['blocks'] | undefined;
	/** True when the entry was read from this format: opaque blocks may then be written as they were. */
	readonly own: boolean;
}

/** The content of a user message or a tool result: text and images. */
export function userBlocks(blocks: readonly Block[], context: BlockContext): readonly JsonObject[] {
	return written(blocks, context, (block) => {
		if (block.type !== 'image' || !('base64' in block.data)) return undefined;
		return { type: 'image', data: block.data.base64, mimeType: block.mime };
	});
}

export interface ReplyContext extends BlockContext {
	/** The API, and whether the source names it or it was guessed. */
	readonly api: string;
	readonly guessed: boolean;
	/** True for the document's profile, which has no redacted thinking. */
	readonly published: boolean;
}

/** The content of a reply: text, thinking and tool calls. */
export function replyBlocks(blocks: readonly Block[], context: ReplyContext): readonly JsonObject[] {
	return written(blocks, context, (block, path) => {
		if (block.type === 'thinking') return thinking(block, path, context);
		return block.type === 'tool_call' ? toolCall(block, path, context) : undefined;
	});
}

/** Blocks as the format's, with their leftover fields. `own` gives those that only this kind of message has. */
function written(
	blocks: readonly Block[],
	context: BlockContext,
	own: (block: Block, path: string) => JsonObject | undefined,
): readonly JsonObject[] {
	return blocks.flatMap((block, index) => {
		const path = `${context.path}[${index}]`;
		const made =
			block.type === 'text'
				? { type: 'text', text: block.text, ...signature('textSignature', block.signature) }
				: own(block, path);
		return made ? { ...made, ...context.kept?.[index] } : asText(block, path, context);
	});
}

function thinking(block: ThinkingBlock, path: string, context: ReplyContext): JsonObject {
	const base = { type: 'thinking', thinking: block.text };
	if (block.redacted !== undefined) {
		const hidden = { ...base, thinking: block.text || '[Reasoning redacted]', thinkingSignature: block.redacted };
		if (!context.published) return { ...hidden, redacted: true };
		context.lose(path, 'approximated', 'redacted thinking is written as thinking with a signature');
		return hidden;
	}
	if (block.signature === undefined) return base;
	if (usable(block.signature, context)) return { ...base, thinkingSignature: block.signature };
	context.lose(`${path}.signature`, 'dropped', `a thinking signature of this kind breaks requests over ${context.api}`);
	return base;
}

/** True for a signature that pi can use: it parses those of OpenAI Responses; the older API's are field names. */
function usable(text: string, context: ReplyContext): boolean {
	if (context.api.includes('responses')) return isObject(parseJson(text));
	if (!context.guessed) return true;
	return context.api.startsWith('anthropic') || context.api.startsWith('google');
}

function toolCall(block: ToolCallBlock, path: string, context: BlockContext): JsonObject {
	let input: Json = block.input;
	if (!isObject(input)) {
		context.lose(`${path}.input`, 'approximated', 'arguments are an object; the value is put under `input`');
		input = { input };
	}
	return {
		type: 'toolCall',
		id: block.id,
		name: block.name,
		arguments: input,
		...signature('thoughtSignature', block.signature),
	};
}

function signature(key: string, value: string | undefined): JsonObject {
	return value === undefined ? {} : { [key]: value };
}

function asText(block: Block, path: string, context: BlockContext): readonly JsonObject[] {
	if (block.type === 'opaque') {
		if (context.own && isObject(block.value)) return [block.value];
		context.lose(path, 'dropped', `a block of type ${JSON.stringify(block.of)} has no counterpart`);
		return [];
	}
	context.lose(path, 'approximated', `a block of type ${block.type} is written as text`);
	return [{ type: 'text', text: textOf(block) }];
}

function textOf(block: Block): string {
	if ((block.type === 'image' || block.type === 'document') && !('base64' in block.data)) {
		return `[${block.type}: ${'url' in block.data ? block.data.url : block.data.file}]`;
	}
	if (block.type === 'data') return jsonText(block.value);
	return blockText(block);
}
