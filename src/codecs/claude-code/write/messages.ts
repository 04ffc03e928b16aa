/** Writes messages as lines: one per block of a reply, one per tool result. */
import {
	type Block,
	isObject,
	type Json,
	type JsonObject,
	type Loss,
	type MessageEntry,
	type ModelResponse,
	objectAt,
	type ToolResultBlock,
	type Usage,
} from '../../../model/index.ts';
import { deriveHex, nativeCallId } from '../../shared/write/derive.ts';
import { textIn } from '../../shared/write/said.ts';
import { unanswered } from '../context/unanswered.ts';
import { originOf } from '../read/messages.ts';
import { type BlockContext, nativeBlock, resultContent, strayResult } from './blocks.ts';
import type { Effects, Fields, Writer } from './line-writer.ts';
import { carried, isOwn, ownFields } from './own-fields.ts';

const nothing: ModelResponse = {};
const says: Effects = { isMessage: true };

export function writeMessage(entry: MessageEntry, writer: Writer): void {
	if (entry.role === 'assistant') writeReply(entry, writer);
	else if (entry.audience === 'user') writeNotice(entry, writer);
	else writeUser(entry, writer);
}

/** The context for writing the blocks of one message. */
class MessageContext implements BlockContext {
	readonly role: 'user' | 'assistant';
	readonly own: boolean;
	readonly foreignSignatures: boolean;
	readonly #entry: MessageEntry;
	readonly #writer: Writer;

	constructor(entry: MessageEntry, writer: Writer) {
		const { response } = entry;
		const provider = response?.provider ?? 'anthropic';
		this.role = entry.role === 'assistant' ? 'assistant' : 'user';
		this.own = isOwn(entry.extra);
		this.foreignSignatures = provider !== 'anthropic' && response?.api !== 'anthropic-messages';
		this.#entry = entry;
		this.#writer = writer;
	}

	lose(path: string, how: Loss['how'], note: string): void {
		this.#writer.lose(this.#entry, path, how, note);
	}
}

/** Writes a message that is shown and never sent, as a notice of the client in the graph. */
function writeNotice(entry: MessageEntry, writer: Writer): void {
	writer.lose(entry, 'audience', 'approximated', 'a message that is never sent is written as a notice');
	const content = textIn(entry);
	const fields = { type: 'system', subtype: 'informational', content, isMeta: false, level: 'info' };
	writer.graphLine(entry, writer.parentOf(entry), fields, {});
}

interface UserPart {
	/** For a result: the id of its call in this file. */
	readonly call?: string;
	readonly details?: ToolResultBlock['details'];
	readonly content: string | readonly Fields[];
}

function writeUser(entry: MessageEntry, writer: Writer): void {
	const parts = userParts(entry, writer);
	if (parts.length === 0) {
		writer.skip(entry);
		return;
	}
	sayWhatIsNotKept(entry, writer);
	for (const [index, part] of parts.entries()) writeUserPart(entry, part, index, index === parts.length - 1, writer);
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

/** The parts of a user message: first each result, as the API wants it, then everything else together. */
function userParts(entry: MessageEntry, writer: Writer): readonly UserPart[] {
	const context = new MessageContext(entry, writer);
	const parts: UserPart[] = [];
	const rest: Fields[] = [];
	for (const [index, block] of entry.content.entries()) {
		const path = `content[${index}]`;
		if (block.type !== 'tool_result') {
			const native = nativeBlock(block, path, context);
			if (native) rest.push(native);
			continue;
		}
		const call = nativeCallId(block.call);
		if (!context.own && writer.callLine(call) === undefined) {
			writer.lose(entry, path, 'approximated', 'the result answers no call of this session; it is written as text');
			rest.push({ type: 'text', text: strayResult(block.content, block.call) });
		} else parts.push({ call, details: block.details, content: [resultBlock(block, call, path, context)] });
	}
	const [only] = rest;
	// The document has what the client added as blocks, and what a person typed as a text.
	const blocks = entry.audience === 'model' && !context.own;
	if (rest.length === 1 && only?.type === 'text' && !blocks) parts.push({ content: only.text as string });
	else if (rest.length > 0 || (entry.content.length === 0 && context.own)) parts.push({ content: rest });
	return parts;
}

function resultBlock(block: ToolResultBlock, call: string, path: string, context: BlockContext): Fields {
	if (block.file !== undefined)
		context.lose(`${path}.file`, 'dropped', 'the state of a file is not recorded with results');
	if (block.durationMs !== undefined && block.details === undefined && !context.own) {
		context.lose(`${path}.durationMs`, 'dropped', 'how long a call took is not recorded with results');
	}
	const made: Fields = {
		tool_use_id: call,
		type: 'tool_result',
		content: resultContent(block.content, path, context, isBlocks(block.details)),
	};
	if (block.isError) made.is_error = true;
	return made;
}

/** What a server of tools answers, the client writes as the blocks that it got, twice. */
function isBlocks(details: Json | undefined): boolean {
	return (
		Array.isArray(details) &&
		details.length > 0 &&
		details.every((block) => isObject(block) && (block.type === 'text' || block.type === 'image'))
	);
}

function writeUserPart(entry: MessageEntry, part: UserPart, index: number, isLast: boolean, writer: Writer): void {
	const { call, details } = part;
	let parent = index === 0 ? writer.parentOf(entry, call) : (writer.uuidOf(entry.id) ?? null);
	if (call === undefined) parent = closeCalls(entry, parent, writer);
	const own = ownFields(entry);
	const kept = objectAt(own, 'message');
	const message: Fields = { role: 'user', content: part.content };
	const fields: Fields = { type: 'user', message: kept ? { ...message, ...kept } : message };
	if (entry.audience === 'model' || entry.role === 'system') fields.isMeta = true;
	else if (writer.profile === 'published') fields.isMeta = false;
	if (entry.origin === 'compaction') {
		fields.isCompactSummary = true;
		fields.isVisibleInTranscriptOnly = own.isVisibleInTranscriptOnly ?? true;
	}
	const mode = writer.permissionMode;
	if (call === undefined && mode !== undefined && own.permissionMode === undefined) fields.permissionMode = mode;
	if (details !== undefined) fields.toolUseResult = detailsFor(entry, details, writer);
	const source = call === undefined ? undefined : writer.callLine(call);
	if (writer.profile === 'client' && source !== undefined) fields.sourceToolAssistantUUID = source;
	const effects = call === undefined ? says : { isMessage: true, results: [call] };
	writer.graphLine(entry, parent, fields, effects, isLast ? undefined : `part ${index}`);
}

/** Structured details: for a failed call the client writes a bare text, the document knows only objects. */
function detailsFor(entry: MessageEntry, details: Json, writer: Writer): Json {
	if (writer.profile === 'client' || isObject(details)) return details;
	writer.lose(entry, 'details', 'approximated', 'the document has objects only: what is none is put into one');
	return typeof details === 'string' ? { error: details.replace(/^Error: /, '') } : { content: details };
}

/** Writes a result for each open call that says what happened: the API refuses to go on while calls are open. */
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
	const context = new MessageContext(entry, writer);
	const blocks = entry.content
		.map((block, index) => replyBlock(block, `content[${index}]`, context))
		.filter((block) => block !== undefined);
	const response = entry.response ?? nothing;
	sayWhatRepliesLose(entry, response, context.own, writer);
	if (blocks.length === 0 && response.error !== undefined) blocks.push({ type: 'text', text: response.error });
	if (blocks.length === 0) {
		if (!context.own) writer.lose(entry, 'content', 'dropped', 'a reply without content cannot be written');
		writer.skip(entry);
		return;
	}
	let parent = writer.parentOf(entry);
	const message = apiMessage(entry, response, writer, parent);
	const group = message.id as string;
	if (writer.groupAt(parent) !== group) parent = closeCalls(entry, parent, writer);
	// The object is reused: each line becomes text before the next is made from it.
	const line = replyLine(entry, response, message);
	const stop = message.stop_reason;
	for (const [place, block] of blocks.entries()) {
		const isLast = place === blocks.length - 1;
		message.content = [block];
		if (writer.profile === 'published') message.stop_reason = isLast ? stop : null;
		const calls = block.type === 'tool_use' && typeof block.id === 'string' ? [block.id] : [];
		const effects = { isMessage: true, calls, group };
		parent = writer.graphLine(entry, parent, line, effects, isLast ? undefined : `block ${place}`);
	}
}

/** The block of a reply, in which a tool result has no place. */
function replyBlock(block: Block, path: string, context: BlockContext): Fields | undefined {
	if (block.type !== 'tool_result') return nativeBlock(block, path, context);
	context.lose(path, 'approximated', 'a result inside a reply is written as text');
	return { type: 'text', text: strayResult(block.content, block.call) };
}

function sayWhatRepliesLose(entry: MessageEntry, response: ModelResponse, own: boolean, writer: Writer): void {
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

function replyLine(entry: MessageEntry, response: ModelResponse, message: Fields): Fields {
	const line: Fields = { type: 'assistant', message };
	if (!response.synthetic || response.request !== undefined) {
		line.requestId = response.request ?? requestOf(message.id as string);
	}
	if (response.stop === 'aborted') line.isAbortedMidStream = true;
	if (response.error !== undefined && (isOwn(entry.extra) || entry.content.length === 0)) line.isApiErrorMessage = true;
	if (response.costUsd !== undefined && isOwn(entry.extra)) line.costUSD = response.costUsd;
	return line;
}

/** A request id, which every reply has and its lines share. */
function requestOf(message: string): string {
	return `req_${message.startsWith('msg_') ? message.slice(4) : message}`;
}

function apiMessage(entry: MessageEntry, response: ModelResponse, writer: Writer, parent: string | null): Fields {
	const own = objectAt(ownFields(entry), 'message');
	const synthetic = response.synthetic || (response.error !== undefined && entry.content.length === 0);
	const made: Fields = {
		model: synthetic ? '<synthetic>' : (response.model ?? writer.header.model ?? 'unknown'),
		id: messageId(entry, response, writer, parent),
		type: 'message',
		role: 'assistant',
		content: [],
		stop_reason: stopReason(response.stop),
		stop_sequence: response.stopSequence ?? null,
	};
	if (own) Object.assign(made, carried(own, 'usage'));
	made.usage = usageFields(response.usage, own && objectAt(own, 'usage'));
	return made;
}

/** The reply's `message.id`. The client joins blocks by it, so every reply needs its own. */
function messageId(entry: MessageEntry, response: ModelResponse, writer: Writer, parent: string | null): string {
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

export function usageFields(usage: Usage | undefined, own: JsonObject | undefined): JsonObject {
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
