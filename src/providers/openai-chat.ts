/** The provider for OpenAI's Chat Completions API and the many servers that speak it: which fields only OpenAI gets, and where those servers send thinking. */
import type OpenAI from 'openai';
import type { ModelEvent, ModelRequest, Provider } from '../agent/contracts.ts';
import type { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import { toOpenAiChat } from '../wires/index.ts';
import { converse, type Reader } from './converse.ts';
import { refusedBy } from './failures.ts';
import { OpenCall, Speaker } from './open-blocks.ts';
import { connectOpenAi, effortOf, instructions, isOpenAi, isReasoning, openAiService } from './openai-client.ts';
import type { ProviderOptions, Service } from './service.ts';
import { wired } from './wired.ts';

type Chunk = OpenAI.Chat.ChatCompletionChunk;
type Params = OpenAI.Chat.ChatCompletionCreateParamsStreaming;

/** OpenAI, and those who speak like it, asked by Chat Completions. */
export function openAiChat(options: ProviderOptions): Provider {
	const service = openAiService(options, 'openai-completions');
	let client: Promise<OpenAI> | undefined; // kept, since making one costs more than a short request
	return converse<Chunk>({
		service,
		reader: (reply) => new ChunkReader(reply, service),
		async open(request, signal) {
			client ??= connectOpenAi(options, service);
			const asked = (await client).chat.completions.create(chatBody(request, service), { signal });
			const { data, request_id, response } = await asked.withResponse();
			return { events: data, request: request_id, headers: response.headers };
		},
	});
}

/** The body of a request. Fields of OpenAI's own are sent to OpenAI only: many servers refuse unknown ones. */
export function chatBody(request: ModelRequest, service: Service): Params {
	const { model, tools, maxTokens, thinking, sessionId } = request;
	const target = { provider: service.id, api: service.api, model };
	const messages = [...instructions(request, service), ...wired(toOpenAiChat, request.messages, target)];
	const own = isOpenAi(service.url);
	const limit = maxTokens === undefined ? {} : own ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens };
	const effort = thinking !== undefined && (own ? isReasoning(model) : thinking !== 'off');
	return {
		model,
		messages: messages as unknown as OpenAI.Chat.ChatCompletionMessageParam[],
		stream: true,
		stream_options: { include_usage: true },
		...limit,
		...(effort ? { reasoning_effort: effortOf(thinking, model) } : {}),
		...(own ? { store: false, ...(sessionId === undefined ? {} : { prompt_cache_key: sessionId }) } : {}),
		...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
	};
}

function toolOf({
	name,
	description,
	inputSchema,
}: ModelRequest['tools'][number]): OpenAI.Chat.ChatCompletionFunctionTool {
	return { type: 'function', function: { name, description, parameters: inputSchema as Record<string, unknown> } };
}

/** The fields in which servers send thinking; none is part of the API. */
const thinkingFields = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

interface Calling {
	readonly call: OpenCall;
	readonly id: string;
}

export class ChunkReader implements Reader<Chunk> {
	readonly #reply: ReplyBuilder;
	readonly #service: Service;
	readonly #speaker: Speaker;
	readonly #calls = new Map<number, Calling>();
	#response = '';
	#count = 0;
	#stop: string | undefined;

	constructor(reply: ReplyBuilder, service: Service) {
		this.#reply = reply;
		this.#service = service;
		this.#speaker = new Speaker(reply);
	}

	read(chunk: Chunk): readonly ModelEvent[] {
		const events: ModelEvent[] = [];
		if (this.#response === '' && chunk.id) {
			this.#response = chunk.id;
			events.push({ type: 'response', id: chunk.id, ...(chunk.model ? { model: chunk.model } : {}) });
		}
		if (chunk.usage) this.#countTokens(chunk.usage);
		const choice = chunk.choices?.[0];
		if (choice === undefined) return events;
		const { delta } = choice;
		if (delta) {
			for (const field of thinkingFields) {
				const text = (delta as { readonly [key: string]: unknown })[field];
				if (typeof text !== 'string' || text === '') continue;
				// As pi does, the field's name becomes the signature, so that thinking is sent back in the same field.
				this.#speaker.say('thinking', text, events, field);
				// Some servers send the same text in two fields.
				break;
			}
			if (delta.content) this.#speaker.say('text', delta.content, events);
			if (delta.refusal) this.#speaker.say('text', delta.refusal, events);
			for (const call of delta.tool_calls ?? []) this.#call(call, events);
		}
		if (choice.finish_reason) {
			this.#stop = choice.finish_reason;
			this.#closeAll(events);
		}
		return events;
	}

	end(): readonly ModelEvent[] | undefined {
		if (this.#stop === undefined) return undefined;
		if (this.#stop === 'content_filter') return this.#reply.failed(refusedBy(this.#service, 'content_filter'));
		if (this.#stop === 'length') return [this.#reply.done('length')];
		return [this.#reply.done(this.#count > 0 ? 'toolUse' : 'stop')];
	}

	#call(delta: OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall, events: ModelEvent[]): void {
		const index = delta.index ?? 0;
		let calling = this.#calls.get(index);
		// Servers that do not number calls give all of them the same index.
		if (calling === undefined || (delta.id && delta.id !== calling.id)) {
			this.#speaker.close(events);
			if (calling) events.push(...calling.call.end());
			const id = delta.id || `${this.#response || 'call'}_${this.#count}`;
			calling = { call: new OpenCall(this.#reply, id), id };
			this.#count++;
			this.#calls.set(index, calling);
			events.push(calling.call.start(delta.function?.name ?? ''));
		}
		if (delta.function?.arguments) events.push(calling.call.delta(delta.function.arguments));
	}

	#closeAll(events: ModelEvent[]): void {
		this.#speaker.close(events);
		for (const { call } of this.#calls.values()) events.push(...call.end());
		this.#calls.clear();
	}

	#countTokens(usage: OpenAI.CompletionUsage): void {
		const { cached_tokens: cacheRead = 0, cache_write_tokens: cacheWrite = 0 } = usage.prompt_tokens_details ?? {};
		const input = Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead - cacheWrite);
		this.#reply.count({ input, output: usage.completion_tokens ?? 0, cacheRead, cacheWrite });
	}
}
