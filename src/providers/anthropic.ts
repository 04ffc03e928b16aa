/** The provider for Anthropic's Messages API: where cache marks go, budgets for thinking, the longest reply by model, which key is sent, and what a stop reason means. */
import type Anthropic from '@anthropic-ai/sdk';
import type { ModelEvent, ModelRequest, Provider, ThinkingLevel } from '../agent/contracts.ts';
import type { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import type { JsonObject } from '../model/index.ts';
import { toAnthropic } from '../wires/index.ts';
import { anthropicSearch } from './anthropic-search.ts';
import { bodyText } from './body-text.ts';
import { converse, type Reader } from './converse.ts';
import { refusedBy } from './failures.ts';
import { fetchApi } from './http.ts';
import { OpenCall, OpenSpeech } from './open-blocks.ts';
import { joined } from './prepare.ts';
import { firstOf, type ProviderOptions, type Service, type Setup, serviceOf, urlOf } from './service.ts';
import { endedBy } from './stops.ts';
import { wired } from './wired.ts';

type Events = AsyncIterable<Anthropic.RawMessageStreamEvent>;
type Params = Anthropic.MessageCreateParamsStreaming;
type Block = JsonObject & { readonly type: string };
type Message = { readonly role: string; readonly content: readonly Block[] };

export const anthropicSetup: Setup = {
	id: 'anthropic',
	name: 'Anthropic',
	// The token counts only without a key, which is the SDK's own order.
	keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
	urlName: 'ANTHROPIC_BASE_URL',
	url: urlOf('ANTHROPIC_BASE_URL', 'https://api.anthropic.com'),
};

/** Anthropic, asked by its Messages API. */
export function anthropic(options: ProviderOptions): Provider {
	const service = serviceOf(anthropicSetup, 'anthropic-messages', options);
	// Kept, since making one costs more than a short request.
	let client: { readonly key: string | undefined; readonly made: Promise<Anthropic> } | undefined;
	const connected = async (refused = false): Promise<Anthropic> => {
		await options.renew?.(refused);
		const key = firstOf(options.env, anthropicSetup.keys)?.value;
		if (!client || client.key !== key) client = { key, made: connect(options, service.url) };
		return await client.made;
	};
	const provider = converse<Anthropic.RawMessageStreamEvent>({
		service,
		reader: (reply) => new MessageReader(reply, service),
		async open(request, signal) {
			const sent = { body: bodyText(anthropicBody(request, service)), headers: { 'content-type': 'application/json' } };
			// Not `messages.create`: it prints warnings about models to the terminal.
			const ask = (by: Anthropic) => by.post<Events>('/v1/messages', { ...sent, stream: true, signal }).withResponse();
			const first = await connected();
			const { data, request_id, response } = await ask(first).catch(async (error: unknown) => {
				// A key that a command gives may be one that has just ended: another one is asked with, once.
				const next = options.renew && isUnauthorized(error) ? await connected(true) : first;
				if (next === first) throw error;
				return await ask(next);
			});
			return { events: data, request: request_id, headers: response.headers };
		},
	});
	return { ...provider, search: anthropicSearch(service, connected) };
}

function isUnauthorized(error: unknown): boolean {
	return error instanceof Error && 'status' in error && error.status === 401;
}

/**
 * A key goes out as `x-api-key` and a token as `Authorization: Bearer`. The SDK would send a key as the latter, too, which servers that
 * speak this API do not know. What a helper prints may be either, and is sent as both, as Claude Code does.
 */
async function connect({ env, renew }: ProviderOptions, baseURL: string): Promise<Anthropic> {
	const { default: Client } = await import('@anthropic-ai/sdk');
	const key = firstOf(env, anthropicSetup.keys);
	const { value = 'none' } = key ?? {};
	const asKey = { 'x-api-key': value, ...(renew ? {} : { authorization: null }) };
	const auth = key?.name === 'ANTHROPIC_AUTH_TOKEN' ? { authToken: value } : { apiKey: value, defaultHeaders: asKey };
	return new Client({ ...auth, baseURL, maxRetries: 0, logLevel: 'off', openTelemetry: false, fetch: fetchApi });
}

/** The body of a request. Cache marks are on the instructions, the last tool and the last block of the conversation. */
export function anthropicBody(request: ModelRequest, { id, api }: Service): Params {
	const { model, system, tools } = request;
	// Prepared messages have lists of blocks as content, never a string.
	const messages = wired(toAnthropic, request.messages, { provider: id, api, model }) as unknown as readonly Message[];
	const turns = joined(messages, 'content');
	const limit = request.maxTokens ?? longestReply(model);
	const thinking = thinkingOf(request.thinking, model, limit, needsThinkingFirst(turns));
	return {
		model,
		max_tokens: limit,
		...thinking,
		...(system.trim() === '' ? {} : { system: [{ type: 'text', text: system.toWellFormed(), ...mark }] }),
		...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
		messages: marked(turns) as unknown as Anthropic.MessageParam[],
		stream: true,
	};

	function toolOf(tool: ModelRequest['tools'][number], at: number): Anthropic.Tool {
		const input_schema = tool.inputSchema as unknown as Anthropic.Tool.InputSchema;
		return {
			name: tool.name,
			description: tool.description,
			input_schema,
			...(at === tools.length - 1 ? mark : {}),
		};
	}
}

const mark = { cache_control: { type: 'ephemeral' } } as const;

/** The messages with a cache mark on the last block, which is always the user's. */
function marked(turns: readonly Message[]): readonly Message[] {
	const last = turns.at(-1);
	const block = last?.content.at(-1);
	if (last === undefined || block === undefined) return turns;
	return [...turns.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), { ...block, ...mark }] }];
}

/** The limit for a reply: older models refuse a higher one. */
function longestReply(model: string): number {
	if (/claude-3-(opus|sonnet|haiku)/.test(model)) return 4096;
	if (/claude-3-5/.test(model)) return 8192;
	return 32_000;
}

const budgets: { readonly [L in ThinkingLevel]: number } = {
	off: 0,
	minimal: 1024,
	low: 2048,
	medium: 8192,
	high: 16_384,
};
const smallestBudget = 1024;

/** How a model is told to think: newer ones get an effort, older ones a number of tokens. */
function thinkingOf(
	level: ThinkingLevel | undefined,
	model: string,
	limit: number,
	unthought: boolean,
): Pick<Params, 'thinking' | 'output_config'> {
	if (level === undefined) return {};
	if (isAdaptive(model)) {
		if (level === 'off') return { thinking: { type: 'disabled' } };
		const effort = level === 'minimal' ? 'low' : level;
		return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } };
	}
	// A fixed budget wants the reply that called the tools to begin with thinking. If it does not, this step has none.
	const budget = Math.min(budgets[level], limit - smallestBudget);
	if (budget < smallestBudget || unthought) return {};
	return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** True for models that get an effort: from 4.6 on, Haiku from 5 on. */
function isAdaptive(model: string): boolean {
	const found = /claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?!\d)/.exec(model);
	if (!found) return /claude-mythos/.test(model);
	const version = Number(found[2]) * 100 + Number(found[3] ?? 0);
	return version >= (found[1] === 'haiku' ? 500 : 406);
}

function needsThinkingFirst(turns: readonly Message[]): boolean {
	const last = turns.at(-1);
	if (last === undefined || last.content.some((block) => block.type !== 'tool_result')) return false;
	return !/thinking/.test(turns.at(-2)?.content[0]?.type ?? 'thinking');
}

export class MessageReader implements Reader<Anthropic.RawMessageStreamEvent> {
	readonly #reply: ReplyBuilder;
	readonly #service: Service;
	readonly #open = new Map<number, OpenSpeech | OpenCall>();
	#stop: Anthropic.StopReason | null = null;
	#sequence: string | null = null;
	#over = false;

	constructor(reply: ReplyBuilder, service: Service) {
		this.#reply = reply;
		this.#service = service;
	}

	read(event: Anthropic.RawMessageStreamEvent): readonly ModelEvent[] {
		switch (event.type) {
			case 'content_block_delta':
				return this.#delta(event.index, event.delta);
			case 'content_block_start':
				return this.#start(event.index, event.content_block);
			case 'content_block_stop':
				return this.#close(event.index);
			case 'message_start': {
				const { id, model, usage } = event.message;
				this.#count(usage);
				return [{ type: 'response', id, model }];
			}
			case 'message_delta':
				this.#count(event.usage);
				this.#stop = event.delta.stop_reason;
				this.#sequence = event.delta.stop_sequence ?? null;
				return [];
			case 'message_stop':
				this.#over = true;
				return [];
			default:
				return [];
		}
	}

	end(): readonly ModelEvent[] | undefined {
		if (!this.#over) return undefined;
		switch (this.#stop) {
			case 'tool_use':
				return [this.#reply.done('toolUse')];
			case 'max_tokens':
			case 'model_context_window_exceeded':
				return [this.#reply.done('length')];
			case 'refusal':
				return this.#reply.failed(refusedBy(this.#service, 'refusal'));
			default:
				return [...endedBy(this.#stop, this.#sequence), this.#reply.done('stop')];
		}
	}

	#start(index: number, block: Anthropic.RawContentBlockStartEvent['content_block']): readonly ModelEvent[] {
		switch (block.type) {
			case 'text': {
				const text = this.#opened(index, new OpenSpeech(this.#reply, 'text'));
				return block.text ? [text.start(), text.delta(block.text)] : [text.start()];
			}
			case 'thinking': {
				const thinking = this.#opened(index, new OpenSpeech(this.#reply, 'thinking'));
				thinking.signature = block.signature ?? '';
				return [thinking.start()];
			}
			case 'redacted_thinking':
				return [this.#opened(index, new OpenSpeech(this.#reply, 'thinking')).start(block.data)];
			case 'tool_use':
				return [this.#opened(index, new OpenCall(this.#reply, block.id)).start(block.name)];
			default:
				return [];
		}
	}

	#opened<B extends OpenSpeech | OpenCall>(index: number, block: B): B {
		this.#open.set(index, block);
		return block;
	}

	#delta(index: number, delta: Anthropic.RawContentBlockDelta): readonly ModelEvent[] {
		const open = this.#open.get(index);
		if (delta.type === 'text_delta' && open?.is === 'text') return [open.delta(delta.text)];
		if (delta.type === 'input_json_delta' && open?.is === 'call') {
			return delta.partial_json === '' ? [] : [open.delta(delta.partial_json)];
		}
		if (open?.is !== 'thinking') return [];
		if (delta.type === 'thinking_delta') return [open.delta(delta.thinking)];
		if (delta.type === 'signature_delta') open.signature += delta.signature;
		return [];
	}

	#close(index: number): readonly ModelEvent[] {
		const open = this.#open.get(index);
		this.#open.delete(index);
		return open?.end() ?? [];
	}

	/** Adds token counts; servers that only speak this API leave out what they do not count. */
	#count(usage: Partial<Anthropic.Usage | Anthropic.MessageDeltaUsage> | undefined): void {
		if (!usage) return;
		const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
		this.#reply.count({
			...(input_tokens == null ? {} : { input: input_tokens }),
			...(output_tokens == null ? {} : { output: output_tokens }),
			...(cache_read_input_tokens == null ? {} : { cacheRead: cache_read_input_tokens }),
			...(cache_creation_input_tokens == null ? {} : { cacheWrite: cache_creation_input_tokens }),
		});
	}
}
