/** The provider for Google's Gemini API: budgets or levels for thinking, signatures and ids of calls, and what a finish reason means. */
import type {
	Content,
	GenerateContentParameters,
	GenerateContentResponse,
	GoogleGenAI,
	Part,
	ThinkingConfig,
} from '@google/genai/web';
import type { ModelEvent, ModelRequest, Provider, ThinkingLevel } from '../agent/contracts.ts';
import type { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import { compact, type JsonObject } from '../model/index.ts';
import { toGoogle } from '../wires/index.ts';
import { geminiGeneration } from './api-limits.ts';
import { converse, type Reader } from './converse.ts';
import { refusedBy } from './failures.ts';
import { cleanSchema } from './google-schema.ts';
import { googleSearch, usageOf } from './google-search.ts';
import { fetchUntil } from './http.ts';
import { OpenCall, Speaker } from './open-blocks.ts';
import { joined } from './prepare.ts';
import { firstOf, type ProviderOptions, type Service, type Setup, serviceOf, urlOf } from './service.ts';
import { wired } from './wired.ts';

export const googleSetup: Setup = {
	id: 'google',
	name: 'Google',
	// This is the SDK's own order.
	keys: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
	urlName: 'GOOGLE_GEMINI_BASE_URL',
	url: urlOf('GOOGLE_GEMINI_BASE_URL', 'https://generativelanguage.googleapis.com'),
};

/** Google, asked by the Gemini API. */
export function google(options: ProviderOptions): Provider {
	const key = firstOf(options.env, googleSetup.keys);
	const service = serviceOf(googleSetup, 'google-generative-ai', options);
	const connect = async (signal: AbortSignal, hear: (given: Headers) => void): Promise<GoogleGenAI> => {
		// This build lacks the sign-in for machines and loads in a fifth of the time.
		const { GoogleGenAI: Client } = await import('@google/genai/web');
		// Without a `fetch` of ours the SDK switches off the time limits of idle connections.
		const httpOptions = { baseUrl: service.url, fetch: fetchUntil(signal, hear) };
		return new Client({ apiKey: key?.value ?? 'none', vertexai: false, httpOptions });
	};
	const provider = converse<GenerateContentResponse>({
		service,
		reader: (reply) => new ContentReader(reply, service),
		async open(request, signal) {
			let heard: Headers | undefined;
			const client = await connect(signal, (given) => {
				heard = given;
			});
			const body = googleBody(request, service);
			const config = { ...body.config, abortSignal: signal };
			return { events: await client.models.generateContentStream({ ...body, config }), headers: heard };
		},
	});
	return { ...provider, search: googleSearch(service, (signal) => connect(signal, () => undefined)) };
}

export function googleBody(request: ModelRequest, service: Service): GenerateContentParameters {
	const { model, system, tools, maxTokens, thinking } = request;
	const target = { provider: service.id, api: service.api, model };
	const turns = wired(toGoogle, request.messages, target) as unknown as readonly Turn[];
	const declared = tools.map(({ name, description, inputSchema }) => ({
		name,
		description,
		parametersJsonSchema: cleanSchema(inputSchema),
	}));
	return {
		model,
		contents: signed(joined(turns, 'parts'), model) as unknown as Content[],
		config: {
			...(system.trim() === '' ? {} : { systemInstruction: system.toWellFormed() }),
			...(declared.length === 0 ? {} : { tools: [{ functionDeclarations: declared }] }),
			...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
			...(thinking === undefined ? {} : { thinkingConfig: thinkingOf(thinking, model) }),
		},
	};
}

type Turn = { readonly role: string; readonly parts: readonly JsonObject[] };

/** The signature that Google accepts for calls of another model. */
const unsigned = 'skip_thought_signature_validator';

/** Signs the first call of each reply: from Gemini 3 on a request without that is refused. */
function signed(turns: readonly Turn[], model: string): readonly Turn[] {
	if (geminiGeneration(model) < 3 || !model.startsWith('gemini')) return turns;
	return turns.map((turn) => {
		const first = turn.parts.findIndex((part) => part.functionCall !== undefined);
		if (first === -1 || turn.parts[first]?.thoughtSignature !== undefined) return turn;
		const parts = turn.parts.map((part, at) => (at === first ? { ...part, thoughtSignature: unsigned } : part));
		return { ...turn, parts };
	});
}

const budgets: { readonly [L in ThinkingLevel]: number } = {
	off: 0,
	minimal: 512,
	low: 2048,
	medium: 8192,
	high: 24_576,
};

/** How a model is told to think: Gemini 3 by a level, earlier ones by a number of tokens. Pro models always think. */
function thinkingOf(level: ThinkingLevel, model: string): ThinkingConfig {
	const pro = /pro/.test(model);
	if (geminiGeneration(model) >= 3) {
		const name =
			level === 'off' || level === 'minimal'
				? pro
					? 'LOW'
					: 'MINIMAL'
				: pro && level === 'medium'
					? 'HIGH'
					: level.toUpperCase();
		return { includeThoughts: level !== 'off', thinkingLevel: name as NonNullable<ThinkingConfig['thinkingLevel']> };
	}
	const thinkingBudget = pro ? Math.max(128, budgets[level]) : budgets[level];
	return { includeThoughts: level !== 'off', thinkingBudget };
}

const ordinary: ReadonlySet<string> = new Set(['STOP', 'FINISH_REASON_UNSPECIFIED', 'OTHER']);

export class ContentReader implements Reader<GenerateContentResponse> {
	readonly #reply: ReplyBuilder;
	readonly #service: Service;
	readonly #speaker: Speaker;
	#response: string | undefined;
	readonly #ids = new Set<string>();
	#stop: string | undefined;

	constructor(reply: ReplyBuilder, service: Service) {
		this.#reply = reply;
		this.#service = service;
		this.#speaker = new Speaker(reply);
	}

	read(chunk: GenerateContentResponse): readonly ModelEvent[] {
		const events: ModelEvent[] = [];
		const { responseId, modelVersion, usageMetadata } = chunk;
		if (this.#response === undefined && (responseId || modelVersion)) {
			this.#response = responseId ?? '';
			events.push({ type: 'response', ...compact({ id: responseId || undefined, model: modelVersion || undefined }) });
		}
		if (usageMetadata) this.#reply.count(usageOf({ usageMetadata }));
		if (chunk.promptFeedback?.blockReason) this.#stop = chunk.promptFeedback.blockReason;
		const candidate = chunk.candidates?.[0];
		for (const part of candidate?.content?.parts ?? []) this.#part(part, events);
		if (candidate?.finishReason) {
			this.#stop = candidate.finishReason;
			this.#speaker.close(events);
		}
		return events;
	}

	end(): readonly ModelEvent[] | undefined {
		if (this.#stop === undefined) return undefined;
		if (this.#stop === 'MAX_TOKENS') return [this.#reply.done('length')];
		if (this.#stop === 'MALFORMED_FUNCTION_CALL') {
			const message = 'Google could not finish a tool call (MALFORMED_FUNCTION_CALL).';
			return this.#reply.failed({ code: 'server', message, retry: true });
		}
		if (!ordinary.has(this.#stop)) return this.#reply.failed(refusedBy(this.#service, this.#stop));
		return [this.#reply.done(this.#ids.size > 0 ? 'toolUse' : 'stop')];
	}

	#part(part: Part, events: ModelEvent[]): void {
		const { thoughtSignature } = part;
		if (part.functionCall) {
			this.#speaker.close(events);
			const { id, name = '', args = {} } = part.functionCall;
			const call = new OpenCall(this.#reply, this.#newId(id));
			events.push(call.start(name), call.delta(JSON.stringify(args)));
			events.push(...call.end(undefined, thoughtSignature ? { thoughtSignature } : {}));
			return;
		}
		if (typeof part.text !== 'string' || (part.text === '' && !thoughtSignature)) return;
		this.#speaker.say(part.thought ? 'thinking' : 'text', part.text, events, thoughtSignature);
	}

	/** A unique id for a call: older models give none, and some give the same one twice. */
	#newId(given: string | undefined): string {
		const id =
			given && !this.#ids.has(given) ? given : `${this.#response || `call_${this.#service.now()}`}_${this.#ids.size}`;
		this.#ids.add(id);
		return id;
	}
}
