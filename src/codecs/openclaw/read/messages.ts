/** Reads messages of every role, and their blocks. */
import {
	type Block,
	isObject,
	type Json,
	type JsonObject,
	type MessageEntry,
	type ModelResponse,
	type StopReason,
	stringAt,
	type ToolResultBlock,
} from '../../../model/index.ts';
import { branchText, compactionText, shellText, systemText } from '../../../wires/texts.ts';
import { leftovers } from '../../shared/read/leftovers.ts';
import { costFrom, type Kept, usageFrom } from './values.ts';

/** What a message means, without what its line decides. */
export type Meaning = Pick<MessageEntry, 'role' | 'content' | 'response' | 'audience' | 'origin'> & {
	readonly kept: Kept;
};

/** Undefined for a role that only an application knows. */
export function readMessage(message: JsonObject): Meaning | undefined {
	switch (message.role) {
		case 'user':
			return readUser(message);
		case 'assistant':
			return readAssistant(message);
		case 'toolResult':
			return readToolResult(message);
		case 'system':
			return { role: 'system', content: textBlocks(systemText(message)), kept: { message } };
		case 'bashExecution': {
			const base = {
				role: 'user',
				content: textBlocks(shellText(message)),
				origin: 'shell',
				kept: { message },
			} as const;
			return message.excludeFromContext === true ? { ...base, audience: 'user' } : base;
		}
		case 'custom':
		case 'hookMessage':
			return readCustom(message, { message });
		case 'compactionSummary':
			return readSummary(message, 'compaction', compactionText);
		case 'branchSummary':
			return readSummary(message, 'branch', branchText);
		default:
			return undefined;
	}
}

const userFields = new Set(['role', 'content']);

function readUser(message: JsonObject): Meaning {
	const { content, blocks } = readContent(message.content);
	return { role: 'user', content, kept: keptParts(leftovers(message, userFields), blocks) };
}

const assistantFields = new Set([
	'role',
	'content',
	'api',
	'provider',
	'model',
	'stopReason',
	'errorMessage',
	'responseId',
]);

function readAssistant(message: JsonObject): Meaning {
	const { content, blocks } = readContent(message.content);
	return {
		role: 'assistant',
		content,
		response: readResponse(message),
		kept: keptParts(leftovers(message, assistantFields), blocks),
	};
}

const stops: { readonly [native: string]: StopReason } = { stop: 'end', toolUse: 'tool' };

function readResponse(message: JsonObject): ModelResponse {
	const { responseId, provider, api, model, stopReason, errorMessage } = message;
	const made: { -readonly [K in keyof ModelResponse]: ModelResponse[K] } = {};
	if (typeof responseId === 'string') made.id = responseId;
	if (typeof provider === 'string') made.provider = provider;
	if (typeof api === 'string') made.api = api;
	if (typeof model === 'string') made.model = model;
	const stop = typeof stopReason === 'string' && Object.hasOwn(stops, stopReason) ? stops[stopReason] : stopReason;
	if (typeof stop === 'string') made.stop = stop;
	const usage = usageFrom(message.usage);
	if (usage !== undefined) made.usage = usage;
	const costUsd = costFrom(message.usage);
	if (costUsd !== undefined) made.costUsd = costUsd;
	if (typeof errorMessage === 'string') made.error = errorMessage;
	return made;
}

const resultFields = new Set(['role', 'toolCallId', 'toolName', 'content', 'isError', 'details']);

function readToolResult(message: JsonObject): Meaning {
	const { content, blocks } = readContent(message.content);
	const { toolName, details } = message;
	const block: { -readonly [K in keyof ToolResultBlock]: ToolResultBlock[K] } = {
		type: 'tool_result',
		call: stringAt(message, 'toolCallId') ?? '',
		content,
		isError: message.isError === true,
	};
	if (typeof toolName === 'string') block.name = toolName;
	if (details !== undefined) block.details = details;
	return { role: 'user', content: [block], kept: keptParts(leftovers(message, resultFields), blocks) };
}

/** A message of an extension, on a line of its own kind or as a message with that role. */
export function readCustom(source: JsonObject, kept: Kept): Meaning {
	const { content } = readContent(source.content);
	const base = { role: 'user', content, origin: `custom:${stringAt(source, 'customType') ?? ''}`, kept } as const;
	return source.display === false ? { ...base, audience: 'model' } : base;
}

function readSummary(message: JsonObject, origin: string, text: (summary: string) => string): Meaning {
	const content = textBlocks(text(stringAt(message, 'summary') ?? ''));
	return { role: 'user', content, audience: 'model', origin, kept: { message } };
}

function textBlocks(text: string): readonly Block[] {
	return text === '' ? [] : [{ type: 'text', text }];
}

function keptParts(message: JsonObject | undefined, blocks: Kept['blocks']): Kept {
	if (blocks === undefined) return message === undefined ? {} : { message };
	return message === undefined ? { blocks } : { message, blocks };
}

export interface Content {
	readonly content: readonly Block[];
	readonly blocks?: Kept['blocks'];
}

/** The blocks of content: a string, a list of blocks, or (in files of old or foreign writers) nothing. */
export function readContent(value: Json | undefined): Content {
	if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
	if (!Array.isArray(value)) return { content: [] };
	let blocks: { [index: string]: JsonObject } | undefined;
	// `map` instead of `push`: a growing array reserves room for a dozen blocks, and most messages have one.
	const content = (value as readonly Json[]).map((item, index): Block => {
		const block = isObject(item) ? readBlock(item) : undefined;
		if (!isObject(item) || block === undefined) {
			return { type: 'opaque', of: isObject(item) ? (stringAt(item, 'type') ?? '') : '', value: item };
		}
		const rest = leftovers(item, blockFields);
		if (rest) {
			blocks ??= {};
			blocks[index] = rest;
		}
		return block;
	});
	return blocks === undefined ? { content } : { content, blocks };
}

/** The fields of all blocks together: none has another meaning in another block. */
const blockFields = new Set([
	'type',
	'text',
	'textSignature',
	'thinking',
	'thinkingSignature',
	'redacted',
	'data',
	'mimeType',
	'id',
	'name',
	'arguments',
	'thoughtSignature',
]);

function readBlock(item: JsonObject): Block | undefined {
	switch (item.type) {
		case 'text':
			return typeof item.text === 'string' ? signed({ type: 'text', text: item.text }, item.textSignature) : undefined;
		case 'thinking':
			return readThinking(item);
		case 'image':
			if (typeof item.data !== 'string' || typeof item.mimeType !== 'string') return undefined;
			return { type: 'image', mime: item.mimeType, data: { base64: item.data } };
		case 'toolCall':
			if (typeof item.id !== 'string' || typeof item.name !== 'string') return undefined;
			return signed(
				{ type: 'tool_call', id: item.id, name: item.name, input: item.arguments ?? {} },
				item.thoughtSignature,
			);
		default:
			return undefined;
	}
}

function readThinking(item: JsonObject): Block | undefined {
	if (typeof item.thinking !== 'string') return undefined;
	const signature = item.thinkingSignature;
	if (item.redacted === true && typeof signature === 'string') {
		return { type: 'thinking', text: item.thinking, redacted: signature };
	}
	return signed({ type: 'thinking', text: item.thinking }, signature);
}

function signed<B extends Block>(block: B, signature: Json | undefined): B {
	return typeof signature === 'string' ? { ...block, signature } : block;
}
