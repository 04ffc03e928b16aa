/** Reads user and assistant lines as messages: their origin by the client's tags (command, shell, interruption), stop reasons, tokens, errors. */
import {
	type Block,
	type EntryBase,
	isObject,
	type JsonObject,
	type MessageEntry,
	type ModelResponse,
	objectAt,
	stringAt,
	type ToolResultBlock,
	type Usage,
} from '../../../model/index.ts';
import { leftovers } from '../../shared/read/leftovers.ts';
import type { Line } from '../../shared/read/line.ts';
import { blocksOf } from './blocks.ts';
import { base, fields } from './common.ts';

const userFields = fields('message', 'isMeta', 'isCompactSummary', 'toolUseResult');
const assistantFields = fields('message', 'isMeta', 'requestId', 'isApiErrorMessage', 'isAbortedMidStream', 'costUSD');
const userMessageFields: ReadonlySet<string> = new Set(['role', 'content']);
const assistantMessageFields: ReadonlySet<string> = new Set([
	'role',
	'content',
	'type',
	'id',
	'model',
	'stop_reason',
	'stop_sequence',
]);

export function userEntry(line: Line, value: JsonObject): MessageEntry {
	const made = base(line, value, userFields);
	const message = objectAt(value, 'message');
	const read = blocksOf(message?.content);
	const { content, rest } = withDetails(read, value);
	const extra = merged(made.extra, rest, message && leftovers(message, userMessageFields));
	const origin = value.isCompactSummary === true ? 'compaction' : originOf(content);
	const entry = messageOf(made, extra, 'user', content);
	if (value.isMeta === true) entry.audience = 'model';
	if (origin !== undefined) entry.origin = origin;
	return entry;
}

/** The text of a user line that is just a prompt; undefined where the entry has to be made. */
export function plainPrompt({ message, isMeta, isCompactSummary }: JsonObject): string | undefined {
	if (isMeta === true || isCompactSummary === true || !isObject(message)) return undefined;
	return typeof message.content === 'string' ? message.content : undefined;
}

/** All fields are written out for speed, because nearly every line of a session passes here. */
function messageOf(
	made: EntryBase,
	extra: JsonObject | undefined,
	role: MessageEntry['role'],
	content: readonly Block[],
): { -readonly [K in keyof MessageEntry]: MessageEntry[K] } {
	const entry: { -readonly [K in keyof MessageEntry]: MessageEntry[K] } = { ...made, kind: 'message', role, content };
	if (extra) entry.extra = extra;
	return entry;
}

/** Adds a line's structured result to its one tool result; with none or several it stays a field of the line. */
function withDetails(
	content: readonly Block[],
	value: JsonObject,
): { readonly content: readonly Block[]; readonly rest?: JsonObject } {
	const details = value.toolUseResult;
	if (details === undefined) return { content };
	const results = content.filter((block) => block.type === 'tool_result');
	if (results.length !== 1) return { content, rest: { toolUseResult: details } };
	const durationMs = isObject(details) ? duration(details) : undefined;
	return {
		content: content.map((block): Block => {
			if (block.type !== 'tool_result') return block;
			const detailed: ToolResultBlock = { ...block, details };
			return durationMs === undefined ? detailed : { ...detailed, durationMs };
		}),
	};
}

function duration(details: JsonObject): number | undefined {
	const ms = details.durationMs ?? details.totalDurationMs;
	return typeof ms === 'number' && Number.isFinite(ms) ? ms : undefined;
}

const commandText = /^<(command-name|command-message|local-command-stdout|local-command-stderr)>/;
const shellText = /^<bash-(input|stdout|stderr)>/;

/** What the client writes in the user's name when a run is interrupted. */
export const interruptedReply = '[Request interrupted by user]';
export const interruptedTool = '[Request interrupted by user for tool use]';

/** The origin of a message: commands and shell lines are user lines with the client's tags around their text, interruptions have a text of their own. */
export function originOf(content: readonly Block[]): string | undefined {
	const first = content[0];
	if (first?.type !== 'text') return undefined;
	if (first.text === interruptedReply || first.text === interruptedTool) {
		return content.length === 1 ? 'interruption' : undefined;
	}
	if (first.text.charCodeAt(0) !== 60) return undefined;
	if (commandText.test(first.text)) return 'command';
	return shellText.test(first.text) ? 'shell' : undefined;
}

export function assistantEntry(line: Line, value: JsonObject): MessageEntry {
	const made = base(line, value, assistantFields);
	const message = objectAt(value, 'message') ?? {};
	const content = blocksOf(message.content);
	const extra = merged(made.extra, undefined, leftovers(message, assistantMessageFields));
	const entry = messageOf(made, extra, 'assistant', content);
	entry.response = responseOf(value, message, content);
	return entry;
}

function responseOf(value: JsonObject, message: JsonObject, content: readonly Block[]): ModelResponse {
	const made: { -readonly [K in keyof ModelResponse]: ModelResponse[K] } = {};
	if (typeof message.id === 'string') made.id = message.id;
	if (typeof value.requestId === 'string') made.request = value.requestId;
	if (message.model === '<synthetic>') made.synthetic = true;
	else if (typeof message.model === 'string') made.model = message.model;
	const stop = stopOf(value, message);
	if (stop !== undefined) made.stop = stop;
	const stopSequence = stringAt(message, 'stop_sequence');
	if (stopSequence !== undefined) made.stopSequence = stopSequence;
	const usage = objectAt(message, 'usage');
	if (usage) made.usage = usageOf(usage);
	if (typeof value.costUSD === 'number') made.costUsd = value.costUSD;
	if (value.isApiErrorMessage === true) made.error = errorText(value, content);
	return made;
}

function stopOf(value: JsonObject, message: JsonObject): string | undefined {
	if (value.isAbortedMidStream === true) return 'aborted';
	if (value.isApiErrorMessage === true) return 'error';
	switch (message.stop_reason) {
		case 'end_turn':
			return 'end';
		case 'tool_use':
			return 'tool';
		case 'max_tokens':
			return 'length';
		case 'pause_turn':
			return 'pause';
		default:
			return stringAt(message, 'stop_reason');
	}
}

function errorText(value: JsonObject, content: readonly Block[]): string {
	for (const block of content) if (block.type === 'text') return block.text;
	return stringAt(value, 'error') ?? 'error';
}

function usageOf(usage: JsonObject): Usage {
	const cache = objectAt(usage, 'cache_creation');
	const written = count(usage, 'cache_creation_input_tokens');
	const long = cache ? count(cache, 'ephemeral_1h_input_tokens') : 0;
	const made = {
		input: count(usage, 'input_tokens'),
		output: count(usage, 'output_tokens'),
		cacheRead: count(usage, 'cache_read_input_tokens'),
		// The client fills in zeros where a server states only the sum.
		cacheWrite5m: Math.max(cache ? count(cache, 'ephemeral_5m_input_tokens') : 0, written - long),
		cacheWrite1h: long,
	};
	const details = objectAt(usage, 'output_tokens_details');
	const reasoning = details ? count(details, 'thinking_tokens') : 0;
	return reasoning > 0 ? { ...made, reasoning } : made;
}

/** A number of tokens; anything else counts as 0. */
function count(usage: JsonObject, key: string): number {
	const value = usage[key];
	return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

function merged(
	extra: JsonObject | undefined,
	rest: JsonObject | undefined,
	message: JsonObject | undefined,
): JsonObject | undefined {
	if (rest === undefined && message === undefined) return extra;
	return { ...extra, ...rest, ...(message ? { message } : {}) };
}
