/** The provider for Ollama's API: the address that `OLLAMA_HOST` means, how models are told to think, ids of calls, and how long their window is asked for. */
import type { ChatRequest, ChatResponse, Message, Tool } from 'ollama/browser';
import type { ModelEvent, ModelRequest, Provider, ThinkingLevel } from '../agent/contracts.ts';
import type { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import type { JsonObject } from '../model/index.ts';
import { isSameModel, toOllama, type Wire } from '../wires/index.ts';
import { converse, type Reader } from './converse.ts';
import { fetchUntil } from './http.ts';
import { ollamaWindows } from './ollama-window.ts';
import { OpenCall, Speaker } from './open-blocks.ts';
import type { Clean } from './prepare.ts';
import { type Env, firstOf, type ProviderOptions, type Service, type Setup, serviceOf } from './service.ts';
import { wired } from './wired.ts';

type StreamingRequest = ChatRequest & { stream: true };

const ollamaUrl = 'http://127.0.0.1:11434';
export const ollamaSetup: Setup = {
	id: 'ollama',
	name: 'Ollama',
	// For servers behind a proxy that asks for a key; a local one needs none.
	keys: ['OLLAMA_API_KEY'],
	urlName: 'OLLAMA_HOST',
	url: ollamaHost,
	start: '`ollama serve`',
};

/** Models on this or another machine, asked by Ollama's API. */
export function ollama(options: ProviderOptions): Provider {
	const key = firstOf(options.env, ollamaSetup.keys);
	const service = serviceOf(ollamaSetup, 'ollama', options);
	async function clientUntil(signal: AbortSignal, hear?: (headers: Headers) => void) {
		// The build for browsers: the other one takes images for file names.
		const { Ollama } = await import('ollama/browser');
		const headers = key ? { authorization: `Bearer ${key.value}` } : {};
		// Our `fetch`: the SDK takes no signal, and prints to the terminal when a server's error is not JSON, or no error but a web page.
		return new Ollama({ host: service.url, headers, fetch: fetchUntil(signal, hear) });
	}
	const window = ollamaWindows(options.env, async (model) => {
		const client = await clientUntil(AbortSignal.timeout(longestLook));
		return await client.show({ model });
	});
	const provider = converse<ChatResponse>({
		service,
		reader: (reply) => new ChatReader(reply, service),
		async open(request, signal) {
			let heard: Headers | undefined;
			const hear = (given: Headers): void => {
				heard = given;
			};
			const [client, room] = [await clientUntil(signal, hear), await window(request.model)];
			const body = ollamaBody(request, service);
			const events = await client.chat({ ...body, options: { ...body.options, num_ctx: room } });
			return { events, headers: heard };
		},
	});
	return { ...provider, window };
}

/** Milliseconds for what a model can take: the server has that at hand, or is not there. */
const longestLook = 3000;

/** The address to call. OLLAMA_HOST may name what a server listens on: all interfaces then means this machine. */
function ollamaHost(env: Env): string {
	const host = firstOf(env, ['OLLAMA_HOST'])?.value;
	if (host === undefined) return ollamaUrl;
	const given = host.includes('://') ? host : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`;
	if (!URL.canParse(given)) return given;
	const url = new URL(given);
	if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
	if (url.port === '' && !host.includes('://')) url.port = '11434';
	return url.href.replace(/\/$/, '');
}

export function ollamaBody(request: ModelRequest, service: Service): StreamingRequest {
	const { model, system, tools, maxTokens, thinking } = request;
	const target = { provider: service.id, api: service.api, model };
	return {
		model,
		messages: [
			...(system.trim() === '' ? [] : [{ role: 'system', content: system.toWellFormed() }]),
			...(wired(withThinking, request.messages, target) as unknown as readonly Message[]),
		],
		stream: true,
		...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
		...(thinking === undefined ? {} : { think: thinkOf(thinking, model) }),
		...(maxTokens === undefined ? {} : { options: { num_predict: maxTokens } }),
	};
}

/** Sends a model its own thinking back: models that call tools lose their line of thought without it. */
const withThinking: Wire = (messages, target, rules) => {
	const { messages: sent, from } = toOllama(messages, target, rules);
	const thought = sent.map((message, at) => {
		const source = messages[from[at]?.[0] ?? -1] as Clean | undefined;
		const thinking = source && isSameModel(source, target) ? thinkingOf(source.content) : '';
		return thinking === '' ? message : { ...message, thinking };
	});
	return { messages: thought, from };
};

function thinkingOf(blocks: readonly JsonObject[]): string {
	return blocks.flatMap((block) => (block.type === 'thinking' ? [String(block.thinking)] : [])).join('\n\n');
}

function toolOf({ name, description, inputSchema }: ModelRequest['tools'][number]): Tool {
	const parameters = inputSchema as unknown as NonNullable<Tool['function']['parameters']>;
	return { type: 'function', function: { name, description, parameters } };
}

/** How a model is told to think: only gpt-oss takes an effort; others think or do not. */
function thinkOf(level: ThinkingLevel, model: string): boolean | 'high' | 'medium' | 'low' {
	if (!/gpt-oss/.test(model)) return level !== 'off';
	return level === 'off' || level === 'minimal' ? 'low' : level;
}

export class ChatReader implements Reader<ChatResponse> {
	readonly #reply: ReplyBuilder;
	readonly #service: Service;
	readonly #speaker: Speaker;
	#named = false;
	#calls = 0;
	#stop: string | undefined;

	constructor(reply: ReplyBuilder, service: Service) {
		this.#reply = reply;
		this.#service = service;
		this.#speaker = new Speaker(reply);
	}

	read(chunk: ChatResponse): readonly ModelEvent[] {
		const events: ModelEvent[] = [];
		if (!this.#named && chunk.model) {
			this.#named = true;
			events.push({ type: 'response', model: chunk.model });
		}
		const { thinking, content, tool_calls } = chunk.message ?? {};
		if (thinking) this.#speaker.say('thinking', thinking, events);
		if (content) this.#speaker.say('text', content, events);
		for (const given of tool_calls ?? []) {
			this.#speaker.close(events);
			const call = new OpenCall(this.#reply, this.#idOf(given));
			events.push(call.start(given.function.name), call.delta(JSON.stringify(given.function.arguments ?? {})));
			events.push(...call.end());
		}
		if (chunk.done) {
			this.#speaker.close(events);
			this.#stop = chunk.done_reason ?? 'stop';
			this.#reply.count({ input: chunk.prompt_eval_count ?? 0, output: chunk.eval_count ?? 0 });
		}
		return events;
	}

	end(): readonly ModelEvent[] | undefined {
		if (this.#stop === undefined) return undefined;
		if (this.#stop === 'length') return [this.#reply.done('length')];
		return [this.#reply.done(this.#calls > 0 ? 'toolUse' : 'stop')];
	}

	/** An id for a call: most versions give none, and nothing else in a reply is unique. */
	#idOf(call: object): string {
		const { id } = call as { readonly id?: unknown };
		const count = this.#calls++;
		return typeof id === 'string' && id !== '' ? id : `ollama_call_${this.#service.now()}_${count}`;
	}
}
