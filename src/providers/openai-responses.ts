/** The provider for OpenAI's Responses API. The server stores nothing: encrypted reasoning is sent along. */
import type OpenAI from 'openai';
import type { ModelEvent, ModelRequest, Provider } from '../agent/contracts.ts';
import type { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import type { JsonObject } from '../model/index.ts';
import { toOpenAiResponses } from '../wires/index.ts';
import { converse, type Reader } from './converse.ts';
import { failureOf, refusedBy } from './failures.ts';
import { OpenCall, OpenSpeech } from './open-blocks.ts';
import { connectOpenAi, effortOf, instructions, isReasoning, openAiService } from './openai-client.ts';
import { openAiSearch } from './openai-search.ts';
import type { ProviderOptions, Service } from './service.ts';
import { wired } from './wired.ts';

type Event = OpenAI.Responses.ResponseStreamEvent;
type Item = OpenAI.Responses.ResponseOutputItem;
type Params = OpenAI.Responses.ResponseCreateParamsStreaming;

/** OpenAI, asked by its Responses API. */
export function openAiResponses(options: ProviderOptions): Provider {
	const service = openAiService(options, 'openai-responses');
	let client: Promise<OpenAI> | undefined; // kept, since making one costs more than a short request
	const connected = (): Promise<OpenAI> => {
		client ??= connectOpenAi(options, service);
		return client;
	};
	const provider = converse<Event>({
		service,
		reader: (reply, request) => new ResponseReader(reply, service, request.model),
		async open(request, signal) {
			const asked = (await connected()).responses.create(responsesBody(request, service), { signal });
			const { data, request_id, response } = await asked.withResponse();
			return { events: data, request: request_id, headers: response.headers };
		},
	});
	return { ...provider, search: openAiSearch(service, connected) };
}

export function responsesBody(request: ModelRequest, service: Service): Params {
	const { model, tools, maxTokens, thinking, sessionId } = request;
	const target = { provider: service.id, api: service.api, model };
	const items = distinct(wired(toOpenAiResponses, request.messages, target));
	const input = [...instructions(request, service), ...items];
	const effort = thinking && { reasoning: { effort: effortOf(thinking, model), summary: 'auto' as const } };
	return {
		model,
		input: input as unknown as OpenAI.Responses.ResponseInput,
		store: false,
		stream: true,
		...(isReasoning(model) ? { include: ['reasoning.encrypted_content'] as const, ...effort } : {}),
		...(maxTokens === undefined ? {} : { max_output_tokens: Math.max(smallestReply, maxTokens) }),
		...(sessionId === undefined ? {} : { prompt_cache_key: sessionId }),
		...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
	} as Params;
}

/** The items without repeated ids, which the API refuses; sessions that were forked and joined have them. */
function distinct(items: readonly JsonObject[]): readonly JsonObject[] {
	const seen = new Set<string>();
	return items.flatMap((item, at) => {
		if (typeof item.id !== 'string') return [item];
		if (!seen.has(item.id)) {
			seen.add(item.id);
			return [item];
		}
		const { id: _, ...rest } = item;
		if (item.type === 'reasoning') return [];
		return [item.type === 'message' ? { ...rest, id: `msg_reprise_${at}` } : rest];
	});
}

/** The lowest limit that the server accepts. */
const smallestReply = 16;

function toolOf({ name, description, inputSchema }: ModelRequest['tools'][number]): OpenAI.Responses.FunctionTool {
	return { type: 'function', name, description, parameters: inputSchema as Record<string, unknown>, strict: false };
}

export class ResponseReader implements Reader<Event> {
	readonly #reply: ReplyBuilder;
	readonly #service: Service;
	readonly #model: string;
	readonly #open = new Map<number, OpenSpeech | OpenCall>();
	#end: readonly ModelEvent[] | undefined;

	constructor(reply: ReplyBuilder, service: Service, model: string) {
		this.#reply = reply;
		this.#service = service;
		this.#model = model;
	}

	read(event: Event): readonly ModelEvent[] {
		switch (event.type) {
			case 'response.output_text.delta':
			case 'response.refusal.delta':
			case 'response.reasoning_summary_text.delta':
			case 'response.reasoning_text.delta':
				return this.#say(event.output_index, event.delta);
			case 'response.function_call_arguments.delta': {
				const open = this.#open.get(event.output_index);
				return open?.is === 'call' && event.delta !== '' ? [open.delta(event.delta)] : [];
			}
			case 'response.reasoning_summary_part.added':
				return this.#nextPart(event.output_index);
			case 'response.output_item.added':
				return this.#begin(event.output_index, event.item);
			case 'response.output_item.done':
				return this.#close(event.output_index, event.item);
			case 'response.created':
				return [{ type: 'response', id: event.response.id, model: event.response.model }];
			case 'response.completed':
			case 'response.incomplete':
			case 'response.failed':
				this.#end = this.#finish(event.response);
				return [];
			default:
				// The SDK throws for errors named as OpenAI names them; other servers have other names.
				return /error$/.test(event.type) ? this.#failed(event) : [];
		}
	}

	end(): readonly ModelEvent[] | undefined {
		return this.#end;
	}

	#begin(index: number, item: Item): readonly ModelEvent[] {
		if (item.type === 'function_call') {
			const call = new OpenCall(this.#reply, item.call_id);
			this.#open.set(index, call);
			return [call.start(item.name)];
		}
		if (item.type !== 'message' && item.type !== 'reasoning') return [];
		const speech = new OpenSpeech(this.#reply, item.type === 'message' ? 'text' : 'thinking');
		this.#open.set(index, speech);
		return [speech.start()];
	}

	#say(index: number, delta: string): readonly ModelEvent[] {
		const open = this.#open.get(index);
		return open === undefined || open.is === 'call' || delta === '' ? [] : [open.delta(delta)];
	}

	/** Starts the next part of a summary, which is a paragraph. */
	#nextPart(index: number): readonly ModelEvent[] {
		const open = this.#open.get(index);
		return open?.is === 'thinking' && open.written ? [open.delta('\n\n')] : [];
	}

	/** Ends an item. Servers that send an item only at its end have streamed none of it. */
	#close(index: number, item: Item): readonly ModelEvent[] {
		const events = this.#open.has(index) ? [] : [...this.#begin(index, item)];
		const open = this.#open.get(index);
		this.#open.delete(index);
		if (open?.is === 'call' && item.type === 'function_call') {
			// The item's own id: with it the same model finds the reasoning that belongs to the call.
			const signature = item.id ? { thoughtSignature: item.id } : {};
			events.push(...open.end(item.arguments, signature));
		}
		if (open?.is === 'text' && item.type === 'message') {
			const text = item.content.map((part) => (part.type === 'output_text' ? part.text : part.refusal)).join('');
			if (!open.written && text !== '') events.push(open.delta(text));
			events.push(...open.end(JSON.stringify({ v: 1, id: item.id, ...(item.phase ? { phase: item.phase } : {}) })));
		}
		if (open?.is === 'thinking' && item.type === 'reasoning') events.push(...open.end(JSON.stringify(item)));
		return events;
	}

	#failed(error: object): readonly ModelEvent[] {
		return this.#reply.failed(failureOf({ error }, this.#service, this.#model, true));
	}

	#finish(response: OpenAI.Responses.Response): readonly ModelEvent[] {
		const { usage } = response;
		if (usage) {
			const { cached_tokens: cacheRead = 0, cache_write_tokens: cacheWrite = 0 } = usage.input_tokens_details ?? {};
			const input = Math.max(0, usage.input_tokens - cacheRead - cacheWrite);
			this.#reply.count({ input, output: usage.output_tokens, cacheRead, cacheWrite });
		}
		if (response.status === 'failed') {
			return this.#failed(response.error ?? {});
		}
		if (response.incomplete_details?.reason === 'content_filter') {
			return this.#reply.failed(refusedBy(this.#service, 'content_filter'));
		}
		if (response.status === 'incomplete') return [this.#reply.done('length')];
		const called = this.#reply.message.content.some((block) => block.type === 'toolCall');
		return [this.#reply.done(called ? 'toolUse' : 'stop')];
	}
}
