/** Reasons for which Cline cannot continue a session: it fails in the same place at every turn. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import { isDisplayOnly } from '../lines.ts';
import type { ClientRules } from './clients.ts';

/** The refusal of a document that is not valid JSON: Cline finds no messages in it. */
export function unreadable(index: LineIndex): string | undefined {
	const { flaws } = index.document ?? { flaws: new Set<string>() };
	if (flaws.has('torn') || flaws.has('not-json') || flaws.has('too-long')) {
		return 'the file is not whole: Cline reads it as an empty session, and the next turn overwrites it';
	}
	const header = index.document?.header;
	if (header && !Array.isArray(header.messages)) return 'there are no messages in it: Cline reads an empty session';
	return undefined;
}

/** The refusal of a message that is no object: Cline reads all at first. Only the takeover of old tasks skips it. */
export function notAnObject(index: LineIndex): string | undefined {
	if (!index.document?.flaws.has('not-object')) return undefined;
	return 'one of the messages is not an object: Cline cannot start the session';
}

/** Why Cline fails on these messages; undefined when it does not. */
export function refusalOf(messages: readonly JsonObject[], rules: ClientRules): string | undefined {
	for (const message of messages) {
		if (isDisplayOnly(message)) continue;
		const reason = ofMessage(message, rules);
		if (reason !== undefined) return reason;
	}
	return undefined;
}

function ofMessage(message: JsonObject, rules: ClientRules): string | undefined {
	const { content, role } = message;
	if (typeof content !== 'string' && !Array.isArray(content)) return 'a message has no content';
	const blocks: readonly Json[] = typeof content === 'string' ? [] : content;
	const results = blocks.filter((block) => isObject(block) && block.type === 'tool_result').length;
	// A message of nothing but results counts as the user's, whatever its role.
	const speaks = blocks.length === 0 || results < blocks.length;
	if (speaks && role === 'system') return 'System messages are not allowed in the prompt or messages fields.';
	if (speaks && role !== 'user' && role !== 'assistant' && role !== 'tool') {
		return `Invalid message role: '${typeof role === 'string' ? role : String(typeof role)}'.`;
	}
	if (results > 0 && blocks.length > 1 && message.id != null && typeof message.id !== 'string') {
		return 'the id of a message with several results is not a text';
	}
	for (const block of blocks) {
		const reason = ofBlock(block, role === 'assistant', rules);
		if (reason !== undefined) return reason;
	}
	return undefined;
}

function ofBlock(block: Json, ofModel: boolean, rules: ClientRules): string | undefined {
	if (block === null) return 'a block is null';
	if (!isObject(block)) return undefined;
	switch (block.type) {
		case 'text':
			return lacks(block, 'text');
		case 'thinking':
			return lacks(block, 'thinking') ?? (ofModel ? undefined : 'thinking in a message of the user');
		case 'redacted_thinking':
			return ofModel ? undefined : 'thinking in a message of the user';
		case 'file':
			return lacks(block, 'content');
		case 'tool_use':
			return lacks(block, 'name') ?? (rules.checksTools && ofModel ? lacks(block, 'id') : undefined);
		case 'tool_result':
			return ofResult(block, rules);
		case 'media':
			return ofMedia(block.media);
		default:
			return undefined;
	}
}

function lacks(block: JsonObject, field: string): string | undefined {
	return typeof block[field] === 'string' ? undefined : `a ${String(block.type)} block has no ${field}`;
}

function ofResult(block: JsonObject, rules: ClientRules): string | undefined {
	if (block.content === undefined) return lacks(block, 'content');
	const parts: readonly Json[] = Array.isArray(block.content) ? block.content : [];
	for (const part of parts) {
		if (part === null) return 'a part of a tool_result is null';
		if (!isObject(part)) continue;
		const reason = part.type === 'text' ? lacks(part, 'text') : part.type === 'file' && lacks(part, 'content');
		if (reason) return reason;
	}
	return rules.checksTools ? (lacks(block, 'tool_use_id') ?? lacks(block, 'name')) : undefined;
}

function ofMedia(media: Json | undefined): string | undefined {
	if (media === undefined || media === null) return 'a media block has nothing in it';
	if (!isObject(media) || media.modality !== 'image') return undefined;
	const source = isObject(media.source) ? media.source : {};
	if (source.type === 'artifact') return undefined;
	return typeof source[source.type === 'url' ? 'url' : 'data'] === 'string' ? undefined : 'a media block has no data';
}
