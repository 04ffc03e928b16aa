/** What of a line tells what a session is made of. */
import {
	type Block,
	type Entry,
	type Header,
	isObject,
	type Json,
	type JsonObject,
	stringAt,
} from '../../model/index.ts';
import type { Shape } from '../codec.ts';

/**
 * Messages and compactions alone: headers, names, settings and OpenClaw's marks are on other lines. A system message is a
 * text or none, depending on sections whose names are anybody's.
 */
export const shape: Shape = {
	keys: [
		'type',
		'id',
		'parentId',
		'appendMode',
		'message',
		'__openclaw',
		'role',
		'content',
		'text',
		'thinking',
		'data',
		'mimeType',
		'name',
		'usage',
	],
	callKeys: ['id', 'toolCallId'],
	texts: ['text', 'thinking', 'data', 'mimeType', 'content'],
	links: { id: 'id', parent: 'parentId' },
	longest: 64,
	suffices: ({ type, message }) =>
		type === 'message' ? isObject(message) && message.role !== 'system' : type === 'compaction',
	message,
};

/** Those whose lines name each other. */
const linked: ReadonlySet<string> = new Set(['v2', 'v3', 'openclaw-v3', 'v4', 'future']);

/** Marks that change the dialect, lines that name no parent and tokens that count by themselves are the decoder's business. */
function message(line: JsonObject, record: number, { dialect = '' }: Header): Entry | undefined {
	const { id, parentId, message } = line;
	if (line.type !== 'message' || !isObject(message) || !linked.has(dialect)) return undefined;
	if (!isName(id) || (parentId !== null && !isName(parentId))) return undefined;
	if (line.appendMode !== undefined || message.__openclaw !== undefined) return undefined;
	const entry = { id, parent: parentId, records: [record], kind: 'message' } as const;
	switch (message.role) {
		case 'user':
		case 'assistant':
			return { ...entry, role: message.role, content: blocksIn(message.content) };
		case 'toolResult':
			if (message.usage !== undefined) return undefined;
			return { ...entry, role: 'user', content: [resultBlock(message)] };
		default:
			return undefined;
	}
}

function resultBlock(message: JsonObject): Block {
	const call = stringAt(message, 'toolCallId') ?? '';
	return { type: 'tool_result', call, content: blocksIn(message.content), isError: false };
}

const said: Block = { type: 'text', text: '' };
const thought: Block = { type: 'thinking', text: '' };
const shown: Block = { type: 'image', mime: '', data: { base64: '' } };
const called: Block = { type: 'tool_call', id: '', name: '', input: {} };

/** What `readContent` would make of it, but for what the blocks say. */
function blocksIn(content: Json | undefined): readonly Block[] {
	if (typeof content === 'string') return [said];
	return Array.isArray(content) ? (content as readonly Json[]).map(blockOf) : [];
}

function blockOf(item: Json): Block {
	if (!isObject(item)) return { type: 'opaque', of: '', value: item };
	const { type } = item;
	if (type === 'text' && typeof item.text === 'string') return said;
	if (type === 'toolCall' && typeof item.id === 'string' && typeof item.name === 'string') return called;
	if (type === 'thinking' && typeof item.thinking === 'string') return thought;
	if (type === 'image' && typeof item.data === 'string' && typeof item.mimeType === 'string') return shown;
	return { type: 'opaque', of: typeof type === 'string' ? type : '', value: item };
}

function isName(value: Json | undefined): value is string {
	return typeof value === 'string' && value !== '';
}
