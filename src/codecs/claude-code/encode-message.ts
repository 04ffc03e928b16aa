/** Messages, written as lines: one per block of a reply, one per tool result. */
import {
	type Block,
	type JsonObject,
	type MessageEntry,
	objectAt,
	type Response,
	type ToolResultBlock,
	type Usage,
} from '../../model/index.ts';
import { deriveHex, nativeCallId } from '../derive.ts';
import { originOf } from './decode-messages.ts';
import { type BlockContext, nativeBlock, resultContent, strayResult } from './encode-blocks.ts';
import { carried, isOwn, ownFields } from './own.ts';
import { unanswered } from './unanswered.ts';
import type { Fields, Writer } from './writer.ts';

export function writeMessage(entry: MessageEntry, writer: Writer): void {
	if (entry.role === 'assistant') writeReply(entry, writer);
	else if (entry.audience === 'user') writeNotice(entry, writer);
	else writeUser(entry, writer);
}

function contextOf(entry: MessageEntry, writer: Writer): BlockContext {
	const { response } = entry;
	const provider = response?.provider ?? 'anthropic';
	return {
		role: entry.role === 'assistant' ? 'assistant' : 'user',
		own: isOwn(entry.extra),
		foreignSignatures: provider !== 'anthropic' && response?.api !== 'anthropic-messages',
		lose: (path, how, note) => writer.lose(entry, path, how, note),
	};
}

/** Shown to the user and never sent: a line of the client to its user, in the chain. */
function writeNotice(entry: MessageEntry, writer: Writer): void {
	const text = entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
	writer.lose(entry, 'audience', 'approximated', 'a message that is never sent is written as a notice');
	const fields = { type: 'system', subtype: 'informational', content: text, isMeta: false, level: 'info' };
	writer.graphLine(entry, writer.parentOf(entry), fields, {});
}

interface UserPart {
	readonly result?: ToolResultBlock;
	readonly path: string;
	readonly content: string | readonly Fields[];
}

function writeUser(entry: MessageEntry, writer: Writer): void {
	const parts = userParts(entry, writer);
	if (parts.length === 0) {
		writer.skip(entry);
		return;
	}
	sayWhatIsNotKept(entry, writer);
	parts.forEach((part, index) => {
		writeUserPart(entry, part, index, index === parts.length - 1, writer);
	});
}

function sayWhatIsNotKept(entry: MessageEntry, writer: Writer): void {
	if (entry.role === 'system') {
		writer.lose(entry, 'role', 'approximated', 'a system message is written as a user line that the user does not see');
	}
	const { origin } = entry;
	if (origin !== undefined && origin !== 'compaction' && origin !== originOf(entry.content)) {
		writer.lose(entry, 'origin', 'approximated', `written as a plain user line; that it is ${origin} is not kept`);
	}
}

/** Results first, as the API wants them, one each; then everything else together. */
function userParts(entry: MessageEntry, writer: Writer): readonly UserPart[] {
	const context = contextOf(entry, writer);
	const parts: UserPart[] = [];
	const rest: Fields[] = [];
	entry.content.forEach((block, index) => {
		const path = `content[${index}]`;
		if (block.type !== 'tool_result') {
			const native = nativeBlock(block, path, context);
			if (native) rest.push(native);
		} else if (!context.own && writer.callLine(nativeCallId(block.call)) === undefined) {
			writer.lose(entry, path, 'approximated', 'the result answers no call of this session; it is written as text');
			rest.push({ type: 'text', text: strayResult(block.content, block.call) });
		} else parts.push({ result: block, path, content: [resultBlock(block, path, entry, context)] });
	});
	const [only] = rest;
	if (rest.length === 1 && only?.type === 'text') parts.push({ path: 'content', content: only.text as string });
	else if (rest.length > 0 || (entry.content.length === 0 && context.own))
		parts.push({ path: 'content', content: rest });
	return parts;
}

function resultBlock(block: ToolResultBlock, path: string, entry: MessageEntry, context: BlockContext): Fields {
	if (block.file !== undefined)
		context.lose(`${path}.file`, 'dropped', 'the state of a file is not recorded with results');
	if (block.durationMs !== undefined && block.details === undefined && !isOwn(entry.extra)) {
		context.lose(`${path}.durationMs`, 'dropped', 'how long a call took is not recorded with results');
	}
	const made: Fields = {
		tool_use_id: nativeCallId(block.call),
		type: 'tool_result',
		content: resultContent(block.content, `${path}.content`, context),
	};
	if (block.isError) made.is_error = true;
	return made;
}

function writeUserPart(entry: MessageEntry, part: UserPart, index: number, isLast: boolean, writer: Writer): void {
	const call = part.result && nativeCallId(part.result.call);
	let parent = index === 0 ? writer.parentOf(entry, call) : (writer.uuidOf(entry.id) ?? null);
	if (call === undefined) parent = closeCalls(entry, parent, writer);
	const own = ownFields(entry);
	const fields: Fields = {
		type: 'user',
		message: { role: 'user', content: part.content, ...objectAt(own, 'message') },
	};
	if (entry.audience === 'model' || entry.role === 'system') fields.isMeta = true;
	else if (writer.profile === 'published') fields.isMeta = false;
	if (entry.origin === 'compaction') {
		fields.isCompactSummary = true;
		fields.isVisibleInTranscriptOnly = own.isVisibleInTranscriptOnly ?? true;
	}
	const mode = writer.permissionMode;
	if (call === undefined && mode !== undefined && own.permissionMode === undefined) fields.permissionMode = mode;
	if (part.result?.details !== undefined) fields.toolUseResult = part.result.details;
	const source = call === undefined ? undefined : writer.callLine(call);
	if (writer.profile === 'client' && source !== undefined) fields.sourceToolAssistantUUID = source;
	const effects = { isMessage: true, ...(call === undefined ? {} : { results: [call] }) };
	writer.graphLine(entry, parent, fields, effects, isLast ? undefined : `part ${index}`);
}

/** The API refuses a conversation that goes on while calls are open, so each gets a result that says what happened. */
function closeCalls(entry: MessageEntry, parent: string | null, writer: Writer): string | null {
	let at = parent;
	for (const call of writer.openAt(parent)) {
		writer.lose(entry, '', 'invented', `the call ${call} before it has no result; one that says so is written`);
		const content = [{ tool_use_id: call, type: 'tool_result', content: unanswered, is_error: true }];
		const fields: Fields = { type: 'user', message: { role: 'user', content } };
		if (writer.profile === 'published') fields.isMeta = false;
		at = writer.graphLine(entry, at, fields, { isMessage: true, results: [call] }, `result of ${call}`);
	}
	return at;
}

function writeReply(entry: MessageEntry, writer: Writer): void {
	const context = contextOf(entry, writer);
	const blocks: Fields[] = [];
	entry.content.forEach((block, index) => {
		const native = replyBlock(block, `content[${index}]`, context);
		if (native) blocks.push(native);
	});
	const response = entry.response ?? {};
	sayWhatRepliesLose(entry, response, context.own, writer);
	if (blocks.length === 0 && response.error !== undefined) blocks.push({ type: 'text', text: response.error });
	if (blocks.length === 0) {
		if (!context.own) writer.lose(entry, 'content', 'dropped', 'a reply without content cannot be written');
		writer.skip(entry);
		return;
	}
	let parent = writer.parentOf(entry);
	const message = apiMessage(entry, response, writer, parent);
	if (writer.groupAt(parent) !== message.id) parent = closeCalls(entry, parent, writer);
	const base = replyLine(entry, message);
	blocks.forEach((block, index) => {
		const isLast = index === blocks.length - 1;
		const stopped = isLast || writer.profile === 'client';
		const said = { ...message, content: [block], stop_reason: stopped ? message.stop_reason : null };
		const line = { ...base, message: said };
		const calls = block.type === 'tool_use' && typeof block.id === 'string' ? [block.id] : [];
		const effects = { isMessage: true, calls, group: message.id as string };
		parent = writer.graphLine(entry, parent, line, effects, isLast ? undefined : `block ${index}`);
	});
}

/** A tool result has no place in a reply. */
function replyBlock(block: Block, path: string, context: BlockContext): Fields | undefined {
	if (block.type !== 'tool_result') return nativeBlock(block, path, context);
	context.lose(path, 'approximated', 'a result inside a reply is written as text');
	return { type: 'text', text: strayResult(block.content, block.call) };
}

function sayWhatRepliesLose(entry: MessageEntry, response: Response, own: boolean, writer: Writer): void {
	if (own) return;
	if (response.costUsd !== undefined) {
		writer.lose(
			entry,
			'response.costUsd',
			'dropped',
			'the price of a reply is not recorded; it follows from its tokens',
		);
	}
	const { provider } = response;
	if (provider !== undefined && provider !== 'anthropic') {
		writer.lose(entry, 'response.provider', 'dropped', `that ${provider} answered is not recorded`);
	}
	if (response.stop === 'error' && entry.content.length > 0) {
		writer.lose(entry, 'response.stop', 'approximated', 'a reply that broke off with an error has no stop reason here');
	}
	if (response.usage === undefined && !response.synthetic) {
		writer.lose(entry, 'response.usage', 'invented', 'the source does not count tokens; zeros are written');
	}
	if (response.model === undefined && writer.header.model === undefined && !response.synthetic) {
		writer.lose(entry, 'response.model', 'invented', 'the source does not name the model');
	}
}

function replyLine(entry: MessageEntry, message: Fields): Fields {
	const response = entry.response ?? {};
	const line: Fields = { type: 'assistant', message };
	if (!response.synthetic || response.request !== undefined) {
		line.requestId = response.request ?? `req_${deriveHex(24, 'request', String(message.id))}`;
	}
	if (response.stop === 'aborted') line.isAbortedMidStream = true;
	if (response.error !== undefined && (isOwn(entry.extra) || entry.content.length === 0)) line.isApiErrorMessage = true;
	if (response.costUsd !== undefined && isOwn(entry.extra)) line.costUSD = response.costUsd;
	return line;
}

function apiMessage(entry: MessageEntry, response: Response, writer: Writer, parent: string | null): Fields {
	const own = objectAt(ownFields(entry), 'message') ?? {};
	const synthetic = response.synthetic || (response.error !== undefined && entry.content.length === 0);
	return {
		model: synthetic ? '<synthetic>' : (response.model ?? writer.header.model ?? 'unknown'),
		id: messageId(entry, response, writer, parent),
		type: 'message',
		role: 'assistant',
		content: [],
		stop_reason: stopReason(response.stop),
		stop_sequence: null,
		...carried(own, 'usage'),
		usage: usageFields(response.usage, objectAt(own, 'usage')),
	};
}

/** Blocks are joined by this id, so a reply of its own needs one of its own. */
function messageId(entry: MessageEntry, response: Response, writer: Writer, parent: string | null): string {
	const { id } = response;
	const taken = id !== undefined && !isOwn(entry.extra) && writer.hasGroup(id) && writer.groupAt(parent) !== id;
	return id === undefined || taken ? `msg_${deriveHex(24, 'message', writer.sessionId, entry.id)}` : id;
}

function stopReason(stop: string | undefined): string | null {
	switch (stop) {
		case undefined:
		case 'error':
		case 'aborted':
			return null;
		case 'end':
			return 'end_turn';
		case 'tool':
			return 'tool_use';
		case 'length':
			return 'max_tokens';
		case 'pause':
			return 'pause_turn';
		default:
			return stop;
	}
}

function usageFields(usage: Usage | undefined, own: JsonObject | undefined): JsonObject {
	if (own) return own;
	const made: Fields = {
		input_tokens: usage?.input ?? 0,
		cache_creation_input_tokens: (usage?.cacheWrite5m ?? 0) + (usage?.cacheWrite1h ?? 0),
		cache_read_input_tokens: usage?.cacheRead ?? 0,
		cache_creation: {
			ephemeral_5m_input_tokens: usage?.cacheWrite5m ?? 0,
			ephemeral_1h_input_tokens: usage?.cacheWrite1h ?? 0,
		},
		output_tokens: usage?.output ?? 0,
		service_tier: 'standard',
	};
	if (usage?.reasoning !== undefined) made.output_tokens_details = { thinking_tokens: usage.reasoning };
	return made;
}
