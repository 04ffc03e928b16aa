/** Takes over tasks of the VS Code extension as Cline does: without what the task deleted, every call answered. */
import { arrayAt, isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { ContextFiles } from '../../shared/context/context.ts';
import { displayText } from '../read/prompt.ts';
import { historyItem } from '../read/vscode.ts';
import type { Named } from './turns.ts';

/** The messages, without the warning about changed tool names that Cline adds at the end. */
export function legacyMessages(messages: readonly Named[], index: ContextFiles['index']): readonly Named[] {
	const item = index && historyItem(index.bytes, index.id);
	return answeredCalls(withoutDeleted(messages, item).flatMap(converted));
}

/** Keeps the first exchange and drops the deleted range, with results behind it whose calls are in the range. */
function withoutDeleted(messages: readonly Named[], item: JsonObject | undefined): readonly Named[] {
	const end = item && arrayAt(item, 'conversationHistoryDeletedRange')?.[1];
	if (typeof end !== 'number' || !Number.isInteger(end) || end < 2 || end >= messages.length - 1) return messages;
	const [first, ...rest] = messages.slice(end + 1);
	return [...messages.slice(0, 2), ...(first ? [withoutResults(first)] : []), ...rest];
}

function withoutResults(named: Named): Named {
	const { role, content } = named.message;
	if (role !== 'user' || !Array.isArray(content)) return named;
	const blocks: readonly Json[] = content;
	return { ...named, message: { ...named.message, content: blocks.filter((block) => !isResult(block)) } };
}

function isResult(block: Json): block is JsonObject {
	return isObject(block) && block.type === 'tool_result';
}

function converted(named: Named): readonly Named[] {
	const { role, content } = named.message;
	if (role !== 'user' && role !== 'assistant') return [];
	if (typeof content === 'string') {
		return [{ ...named, message: { role, content: role === 'user' ? displayText(content) : content } }];
	}
	if (!Array.isArray(content)) return [];
	const blocks = (content as readonly Json[]).flatMap((block) => (isObject(block) ? todaysBlock(block, role) : []));
	return blocks.length === 0 ? [] : [{ ...named, message: { role, content: blocks } }];
}

/** The block in today's form; empty where no such block exists, or a field is missing. */
function todaysBlock(block: JsonObject, role: string): readonly JsonObject[] {
	const text = stringAt(block, 'text');
	const thinking = stringAt(block, 'thinking');
	if (block.type === 'text' && text !== undefined) {
		return [{ type: 'text', text: role === 'user' ? displayText(text) : text }];
	}
	if (block.type === 'thinking' && thinking !== undefined) return [{ type: 'thinking', thinking }];
	if (block.type === 'tool_use') return toolUse(block);
	if (block.type === 'tool_result') return toolResult(block);
	return block.type === 'image' ? image(block.source) : [];
}

function toolUse(block: JsonObject): readonly JsonObject[] {
	const { id, name, input } = block;
	if (typeof id !== 'string' || typeof name !== 'string') return [];
	return [{ type: 'tool_use', id, name, input: input ?? {} }];
}

/** A result whose inner blocks become JSON, so that images in it are no longer seen. */
function toolResult(block: JsonObject): readonly JsonObject[] {
	const { tool_use_id: id, content } = block;
	if (typeof id !== 'string') return [];
	return [
		{
			type: 'tool_result',
			tool_use_id: id,
			name: stringAt(block, 'name') ?? '',
			content: typeof content === 'string' ? content : JSON.stringify(content ?? ''),
			...(typeof block.is_error === 'boolean' ? { is_error: block.is_error } : {}),
		},
	];
}

function image(source: Json | undefined): readonly JsonObject[] {
	if (!isObject(source) || source.type !== 'base64') return [];
	const { data, media_type: mediaType } = source;
	return typeof data === 'string' && typeof mediaType === 'string' ? [{ type: 'image', data, mediaType }] : [];
}

function missing({ id, name }: JsonObject): Named {
	const content = '[migration] Tool result missing in legacy conversation history.';
	const block = { type: 'tool_result', tool_use_id: id, name, content };
	return { message: { role: 'user', content: [block] } };
}

/** Puts the results of a reply's calls right after it, in the order of the calls; the user's other words follow. */
function answeredCalls(messages: readonly Named[]): readonly Named[] {
	const out: Named[] = [];
	for (let at = 0; at < messages.length; at += 1) {
		const named = messages[at] as Named;
		out.push(named);
		const calls = named.message.role === 'assistant' ? callsIn(named.message) : [];
		if (calls.length === 0) continue;
		const said: Named[] = [];
		while (messages[at + 1]?.message.role === 'user') {
			at += 1;
			for (const part of parts(messages[at] as Named)) said.push(part);
		}
		for (const part of results(calls, said)) out.push(part);
	}
	return out;
}

function callsIn(message: JsonObject): readonly JsonObject[] {
	return (arrayAt(message, 'content') ?? []).filter(isObject).filter((block) => block.type === 'tool_use');
}

/** Each block as a message of its own, so that it keeps its entry. */
function parts(named: Named): readonly Named[] {
	const { content } = named.message;
	const blocks: readonly Json[] =
		typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : [];
	return blocks.map((block) => ({ ...named, message: { role: 'user', content: [block] } }));
}

function resultOf(part: Named): JsonObject | undefined {
	const [block] = arrayAt(part.message, 'content') ?? [];
	return block !== undefined && isResult(block) ? block : undefined;
}

/** One result per call, the first that was given or one that says it is missing; then everything else. */
function results(calls: readonly JsonObject[], said: readonly Named[]): readonly Named[] {
	const given = new Map<Json | undefined, Named>();
	for (const call of calls) given.set(call.id, missing(call));
	const rest: Named[] = [];
	const seen = new Set<Json | undefined>();
	for (const part of said) {
		const id = resultOf(part)?.tool_use_id;
		if (id === undefined || !given.has(id)) rest.push(part);
		else if (!seen.has(id)) given.set(id, part);
		seen.add(id);
	}
	return [...given.values(), ...rest];
}
