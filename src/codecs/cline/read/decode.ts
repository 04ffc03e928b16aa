/** Decodes the messages document: its head becomes the session's header, each message one entry. */
import {
	arrayAt,
	type Block,
	compact,
	type EntryBase,
	type Header,
	isObject,
	type Json,
	type JsonObject,
	type MessageEntry,
	type ModelResponse,
	numberAt,
	objectAt,
	stringAt,
	type Usage,
} from '../../../model/index.ts';
import type { DecodeSink, LineDecoder } from '../../codec.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import { leftovers } from '../../shared/read/leftovers.ts';
import type { Line } from '../../shared/read/line.ts';
import { isTold } from '../../shared/read/prompt-words.ts';
import { isoTime } from '../../shared/times.ts';
import { flawEffects } from '../check/rules.ts';
import { childId } from '../lines.ts';
import { decodeBlock, type Leftovers, unnamed } from './blocks.ts';
import { type EntryNames, entryNames } from './entry-ids.ts';
import { unwrap } from './prompt.ts';
import { answeredBy, looksLegacy } from './vscode.ts';

/** The record type for what cannot be read. */
const unreadable = 'unreadable';

/** A decoder without state: a document is always read from its first byte. */
export function decoder(): LineDecoder {
	const chain: Chain = { previous: null, count: 0, name: entryNames() };
	return {
		visit(line, sink) {
			if (line.flaws.length > 0) reportFlaws('cline', flawEffects, line, sink.issue);
			if (line.part === 'header') {
				chain.bare = Array.isArray(line.other);
				return decodeHeader(line, sink);
			}
			if (line.value === undefined && line.other === undefined) return unreadable;
			const index = chain.count;
			chain.count += 1;
			if (!line.value) return unreadable;
			return decodeMessage(line.value, index, line, chain, sink);
		},
		state: () => null,
	};
}

interface Chain {
	previous: string | null;
	count: number;
	readonly name: EntryNames;
	/** True while a bare array may turn out to be a task of the extension. */
	bare?: boolean;
	model?: string | undefined;
	provider?: string | undefined;
}

const headerFields = new Set(['messages', 'sessionId', 'system_prompt']);

function decodeHeader(line: Line, sink: DecodeSink): string {
	const value = line.value;
	if (!value) {
		if (Array.isArray(line.other)) sink.header({ dialect: 'array' });
		return 'header';
	}
	const origin = objectAt(value, 'origin');
	const id = stringAt(value, 'sessionId');
	const version = (origin && stringAt(origin, 'version')) ?? value.version;
	sink.header({
		dialect: origin ? 'client' : 'contract',
		...compact({
			id,
			version: typeof version === 'string' || typeof version === 'number' ? String(version) : undefined,
			systemPrompt: stringAt(value, 'system_prompt'),
			extra: leftovers(value, headerFields, true),
		}),
		...belonging(value, origin, id ?? ''),
	});
	return 'header';
}

/** The header of a sub-agent's file. The file states that it is one; the form of the id only adds the names. */
function belonging(value: JsonObject, origin: JsonObject | undefined, id: string): Pick<Header, 'agent' | 'from'> {
	const kind = stringAt(value, 'agent');
	if (kind !== 'subagent' && kind !== 'teammate') return {};
	const child = childId(id);
	const agent = child?.agent ?? (origin && stringAt(origin, 'subagent')) ?? kind;
	const root = (origin && stringAt(origin, 'parentThreadId')) ?? child?.root;
	return root === undefined ? { agent } : { agent, from: { how: 'subagent', session: root } };
}

function decodeMessage(value: JsonObject, index: number, line: Line, chain: Chain, sink: DecodeSink): string {
	const role = stringAt(value, 'role') ?? '';
	const time = isoTime(value.ts);
	const id = chain.name(value.id, index);
	const base: EntryBase = { id, parent: chain.previous, records: [line.index] };
	chain.previous = id;
	if (chain.bare && looksLegacy(value)) {
		chain.bare = false;
		sink.header({ dialect: 'vscode' });
	}
	if (index === 0 && time !== undefined) sink.header({ created: time });
	if (role !== 'user' && role !== 'assistant' && role !== 'system') {
		const type = role === '' ? 'message' : role;
		sink.entry({ ...base, ...compact({ time }), kind: 'opaque', type });
		return type;
	}
	const found: { extra: JsonObject | undefined } = { extra: undefined };
	const content = decodeContent(value, role, found);
	const response = role === 'assistant' ? decodeResponse(value, chain, sink) : undefined;
	const extra = messageExtra(value, role, time, found.extra);
	sink.entry(messageEntry(value, { base, role, content }, time, response, extra));
	return role;
}

/** All fields are written out for speed, because every message passes here. */
function messageEntry(
	value: JsonObject,
	{ base, role, content }: { readonly base: EntryBase } & Pick<MessageEntry, 'role' | 'content'>,
	time: string | undefined,
	response: ModelResponse | undefined,
	extra: JsonObject | undefined,
): MessageEntry {
	const entry: { -readonly [K in keyof MessageEntry]: MessageEntry[K] } = { ...base, kind: 'message', role, content };
	if (time !== undefined) entry.time = time;
	const metadata = objectAt(value, 'metadata');
	if (metadata) Object.assign(entry, display(metadata, response, content));
	else if (response) entry.response = response;
	// A typed prompt has tags of its own, whatever it says.
	if (role === 'user' && entry.audience === undefined && extra?.mode === undefined && isTold(content))
		entry.audience = 'model';
	if (extra) entry.extra = extra;
	return entry;
}

function decodeContent(value: JsonObject, role: string, found: { extra: JsonObject | undefined }): readonly Block[] {
	const content = value.content;
	if (typeof content !== 'string' && !Array.isArray(content)) return [];
	const source: readonly Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
	const blocks: Block[] = [];
	const left: Leftovers = {};
	let some = false;
	let first = role === 'user';
	source.forEach((part, index) => {
		let block = decodeBlock(part);
		const own = unnamed(part, block);
		if (own) {
			left[index] = own;
			some = true;
		}
		if (first && block.type === 'text') {
			first = false;
			const wrapped = unwrap(block.text);
			if (wrapped) {
				block = { ...block, text: wrapped.text };
				found.extra = wrapped.around ? { mode: wrapped.mode, prompt: { ...wrapped.around } } : { mode: wrapped.mode };
			}
		}
		blocks.push(block);
	});
	if (some) found.extra = { ...found.extra, blocks: left };
	return blocks;
}

function decodeResponse(value: JsonObject, chain: Chain, sink: DecodeSink): ModelResponse | undefined {
	const { model, provider } = answeredBy(value);
	const metrics = objectAt(value, 'metrics');
	const usage = metrics && decodeUsage(metrics);
	const costUsd = metrics && numberAt(metrics, 'cost');
	if (model !== undefined && (model !== chain.model || provider !== chain.provider)) {
		chain.model = model;
		chain.provider = provider;
		sink.header(provider === undefined ? { model } : { model, provider });
	}
	if (model === undefined && provider === undefined && !metrics) return undefined;
	return compact({ provider, model, usage, costUsd });
}

/** The usage. Cline's input includes cached tokens; a smaller number comes from a writer that excludes them. */
function decodeUsage(metrics: JsonObject): Usage {
	const tokens = objectAt(metrics, 'tokens');
	const input = numberAt(metrics, 'inputTokens') ?? (tokens && numberAt(tokens, 'prompt')) ?? 0;
	const cacheRead = numberAt(metrics, 'cacheReadTokens') ?? (tokens && numberAt(tokens, 'cached')) ?? 0;
	const cacheWrite = numberAt(metrics, 'cacheWriteTokens') ?? 0;
	const cached = cacheRead + cacheWrite;
	return {
		input: input >= cached ? input - cached : input,
		output: numberAt(metrics, 'outputTokens') ?? (tokens && numberAt(tokens, 'completion')) ?? 0,
		cacheRead,
		cacheWrite5m: cacheWrite,
		cacheWrite1h: 0,
	};
}

/** What a message's metadata says about who sees it, and why it is there. */
function display(
	metadata: JsonObject,
	response: ModelResponse | undefined,
	content: readonly Block[],
): Pick<MessageEntry, 'audience' | 'origin' | 'response'> {
	const kind = metadata.kind;
	const failed = metadata.displayRole === 'error';
	const shown = response ?? (failed ? {} : undefined);
	const error = failed ? content.map((block) => (block.type === 'text' ? block.text : '')).join('\n') : undefined;
	return {
		...(shown ? { response: error === undefined ? shown : { ...shown, error, synthetic: true } } : {}),
		...(metadata.displayOnly === true ? { audience: 'user' } : {}),
		...(kind === 'compaction_summary' || kind === 'compaction' ? { origin: 'compaction' } : {}),
	};
}

const messageFields = new Set(['id', 'role', 'content', 'ts', 'modelInfo', 'metrics']);
const modelFields = new Set(['id', 'provider', 'modelId', 'providerId']);
const metricFields = new Set(['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cost', 'tokens']);

function messageExtra(
	value: JsonObject,
	role: string,
	time: string | undefined,
	found: JsonObject | undefined,
): JsonObject | undefined {
	let extra = leftovers(value, messageFields, true);
	if (value.ts !== undefined && time === undefined) extra = { ...extra, ts: value.ts };
	const info = unnamedPart(value.modelInfo, modelFields, role);
	if (info !== undefined) extra = { ...extra, modelInfo: info };
	const metrics = unnamedPart(value.metrics, metricFields, role);
	if (metrics !== undefined) extra = { ...extra, metrics };
	return found ? { ...extra, ...found } : extra;
}

/** The leftover part of a message. A user's message has no response that could hold it. */
function unnamedPart(part: Json | undefined, names: ReadonlySet<string>, role: string): Json | undefined {
	return isObject(part) && role === 'assistant' ? leftovers(part, names, true) : part;
}

/** True for a value with the form of a message, by which a bare array is recognised. */
export function looksLikeMessage(value: Json): boolean {
	if (!isObject(value)) return false;
	const role = value.role;
	if (role !== 'user' && role !== 'assistant' && role !== 'system') return false;
	return typeof value.content === 'string' || arrayAt(value, 'content') !== undefined;
}
