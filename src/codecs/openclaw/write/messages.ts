/** Writes neutral messages as pi's: stop reasons, tokens and costs, which provider and API a reply names, and messages that are never sent. */

import {
	type Block,
	blockText,
	type Header,
	type JsonObject,
	type MessageEntry,
	type ModelResponse,
	noUsage,
	type Profile,
	type ToolResultBlock,
	type Usage,
} from '../../../model/index.ts';
import { apiOf, providerOf } from '../../../wires/index.ts';
import { callsIn } from '../../shared/write/said.ts';
import { costFrom, type Kept, keptOf, usageFrom } from '../read/values.ts';
import { type BlockContext, type Lose, replyBlocks, userBlocks } from './blocks.ts';

/** The content of a line before it has its place: the type, and the fields after `timestamp`. */
export interface Body {
	readonly type: string;
	readonly fields: JsonObject;
	/** The calls of a reply; `result` is the call that a result answers. Parallel results are put in one line. */
	readonly calls?: readonly string[];
	readonly result?: string;
}

export interface MessageContext {
	readonly profile: Profile;
	/** True where only messages can be written, and none of the client's own line types. */
	readonly bare: boolean;
	readonly header: Header;
	/** The time of the entry in Unix milliseconds. */
	readonly time: number;
	readonly lose: Lose;
	/** The name of the tool that a call is for. */
	toolName(call: string): string | undefined;
	/** False for all parts of a reply but the last, so that its tokens are written once. */
	readonly countUsage: boolean;
}

export function messageBodies(entry: MessageEntry, context: MessageContext): readonly Body[] {
	const kept = keptOf(entry.extra);
	const own = kept?.message?.role;
	// Roles that applications add are messages too, but the document has no system message.
	if (typeof own === 'string' && !(context.bare && own === 'system')) {
		return [{ type: 'message', fields: { message: kept?.message, ...kept?.line } }];
	}
	if (entry.role === 'system') {
		context.lose('', 'dropped', 'the client writes a system message of its own when it resumes');
		return [];
	}
	if (entry.audience === 'user') return aside(entry, context);
	return entry.role === 'assistant' ? [reply(entry, context, kept)] : userBodies(entry, context, kept);
}

/** A message that is shown but never sent, which only an extension's line can express. */
function aside(entry: MessageEntry, context: MessageContext): readonly Body[] {
	if (context.bare) {
		context.lose('', 'dropped', 'a message that is never sent to a model has no place');
		return [];
	}
	context.lose('', 'approximated', 'a message that is never sent to a model is kept as data of an extension');
	const text = entry.content.map(blockText).join('\n');
	return [{ type: 'custom', fields: { customType: 'reprise.message', data: { role: entry.role, text } } }];
}

/** The bodies of a user message, results first: the API wants them right after the calls. */
function userBodies(entry: MessageEntry, context: MessageContext, kept: Kept | undefined): readonly Body[] {
	const bodies: Body[] = [];
	const rest: Block[] = [];
	entry.content.forEach((block, index) => {
		if (block.type === 'tool_result') bodies.push(result(block, `content[${index}]`, context, kept));
		else rest.push(block);
	});
	if (rest.length > 0 || bodies.length === 0) bodies.push(promptBody(entry, rest, context, kept));
	return bodies;
}

function blockContext(path: string, { lose, profile }: MessageContext, kept: Kept | undefined): BlockContext {
	return { lose, path, kept: profile === 'published' ? undefined : kept?.blocks, own: kept !== undefined };
}

function promptBody(
	entry: MessageEntry,
	blocks: readonly Block[],
	context: MessageContext,
	kept: Kept | undefined,
): Body {
	const content = userBlocks(blocks, blockContext('content', context, kept));
	const named = entry.origin?.startsWith('custom:') ?? false;
	if (named || entry.audience === 'model') {
		const customType = named ? entry.origin?.slice('custom:'.length) : (entry.origin ?? 'context');
		const display = entry.audience !== 'model';
		if (!context.bare) return { type: 'custom_message', fields: { customType, content, display, ...kept?.line } };
		context.lose('origin', 'approximated', 'a message of an extension is written as a plain user message');
	} else if (entry.origin !== undefined) {
		context.lose('origin', 'approximated', `how the message came about (${entry.origin}) is not kept`);
	}
	const only = content.length === 1 ? content[0] : undefined;
	// The document's plain prompt is a string; pi itself writes blocks.
	const plain = context.bare && only?.type === 'text' && Object.keys(only).length === 2 ? only.text : content;
	return message({ role: 'user', content: plain, timestamp: stamp(kept, context) }, context, kept);
}

function result(block: ToolResultBlock, path: string, context: MessageContext, kept: Kept | undefined): Body {
	let name = block.name ?? context.toolName(block.call);
	if (name === undefined) {
		name = 'unknown';
		context.lose(`${path}.name`, 'invented', 'the tool of this result is not known');
	}
	if (block.durationMs !== undefined)
		context.lose(`${path}.durationMs`, 'dropped', 'how long a tool took has no field');
	if (block.file !== undefined) context.lose(`${path}.file`, 'dropped', 'the state of a file has no field');
	const content = userBlocks(block.content, blockContext(`${path}.content`, context, kept));
	const native = {
		role: 'toolResult',
		toolCallId: block.call,
		toolName: name,
		content,
		details: block.details,
		isError: block.isError,
		timestamp: stamp(kept, context),
	};
	return { ...message(native, context, kept), result: block.call };
}

function reply(entry: MessageEntry, context: MessageContext, kept: Kept | undefined): Body {
	const response = entry.response ?? {};
	const { provider, model } = who(response, context);
	const guessed = response.api === undefined;
	const api = response.api ?? apiOf(provider);
	const published = context.profile === 'published';
	const content = replyBlocks(entry.content, { ...blockContext('content', context, kept), api, guessed, published });
	if (response.request !== undefined) context.lose('response.request', 'dropped', 'the id of a request has no field');
	if (response.synthetic) context.lose('response.synthetic', 'dropped', 'a reply the client made up has no mark');
	const calls = callsIn(entry);
	const native: JsonObject = {
		role: 'assistant',
		content,
		api,
		provider,
		model,
		usage: usageObject(response, context, kept),
		stopReason: stopReason(response, calls.length > 0, context, kept !== undefined),
		errorMessage: response.error,
		timestamp: stamp(kept, context),
		responseId: published ? undefined : response.id,
	};
	if (response.id !== undefined && published) {
		context.lose('response.id', 'dropped', 'the id of a reply has no field in the document');
	}
	return { ...message(native, context, kept), calls };
}

/** Restores the fields that were read with the message, where the profile has room for them. */
function message(native: JsonObject, context: MessageContext, kept: Kept | undefined): Body {
	const { timestamp: _, usage: __, ...rest } = kept?.message ?? {};
	if (context.profile === 'client')
		return { type: 'message', fields: { message: { ...native, ...rest }, ...kept?.line } };
	for (const key of Object.keys(rest)) context.lose(`extra.${key}`, 'dropped', 'the document has no such field');
	return { type: 'message', fields: { message: native } };
}

/** The message's own time, a little before its line's; it is kept where it was read. */
function stamp(kept: Kept | undefined, context: MessageContext): number {
	const own = kept?.message?.timestamp;
	return typeof own === 'number' ? own : context.time;
}

function who(response: ModelResponse, context: MessageContext): { provider: string; model: string } {
	const model = response.model ?? context.header.model;
	if (model === undefined) context.lose('response.model', 'invented', 'the model of this reply is not known');
	const provider = response.provider ?? providerOf(model) ?? context.header.provider;
	if (provider === undefined) context.lose('response.provider', 'invented', 'the provider of this reply is not known');
	return { provider: provider ?? 'unknown', model: model ?? 'unknown' };
}

const stops: { readonly [neutral: string]: string } = {
	end: 'stop',
	tool: 'toolUse',
	length: 'length',
	error: 'error',
	aborted: 'aborted',
};

function stopReason(response: ModelResponse, calls: boolean, context: MessageContext, own: boolean): string {
	const { stop } = response;
	if (stop === undefined) return calls ? 'toolUse' : 'stop';
	if (Object.hasOwn(stops, stop)) return stops[stop] as string;
	if (own && context.profile === 'client') return stop;
	context.lose('response.stop', 'approximated', `the format has no stop reason ${JSON.stringify(stop)}`);
	return calls ? 'toolUse' : 'stop';
}

function usageObject(response: ModelResponse, context: MessageContext, kept: Kept | undefined): JsonObject {
	const published = context.profile === 'published';
	if (response.usage === undefined)
		context.lose('response.usage', 'invented', 'the tokens of this reply are not known');
	else if (response.costUsd === undefined)
		context.lose('response.costUsd', 'invented', 'the cost is not known: 0 is written');
	const usage = context.countUsage ? (response.usage ?? noUsage) : noUsage;
	const raw = kept?.message?.usage;
	const costUsd = context.countUsage ? (response.costUsd ?? 0) : 0;
	const same = isSame(usageFrom(raw), usage) && (costFrom(raw) ?? 0) === costUsd;
	if (same && !published) return raw as JsonObject;
	return usageFields(usage, costUsd, published, same ? (raw as JsonObject).cost : undefined, context.lose);
}

export function usageFields(
	usage: Usage,
	costUsd: number,
	published: boolean,
	cost: JsonObject['cost'],
	lose: Lose,
): JsonObject {
	const cacheWrite = usage.cacheWrite5m + usage.cacheWrite1h;
	const base = { input: usage.input, output: usage.output, cacheRead: usage.cacheRead, cacheWrite };
	const costs = cost ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: costUsd };
	if (published) {
		if (usage.cacheWrite1h > 0) lose('response.usage.cacheWrite1h', 'approximated', 'all cache writes count together');
		if (usage.reasoning) lose('response.usage.reasoning', 'dropped', 'reasoning tokens have no field in the document');
		return { ...base, totalTokens: usage.input + usage.output, cost: costs };
	}
	return {
		...base,
		cacheWrite1h: usage.cacheWrite1h > 0 ? usage.cacheWrite1h : undefined,
		reasoning: usage.reasoning,
		totalTokens: usage.input + usage.output + usage.cacheRead + cacheWrite,
		cost: costs,
	};
}

function isSame(a: Usage | undefined, b: Usage): boolean {
	const counts = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'reasoning'] as const;
	return a !== undefined && counts.every((count) => a[count] === b[count]);
}
