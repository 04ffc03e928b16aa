/**
 * A gateway on loopback: speaks the protocols of OpenAI, Google and Ollama to whoever asks, and asks a server of Anthropic's protocol.
 * Requests are passed on with everything that was said, replies piece by piece as they come, and a caller that hangs up hangs up there.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type Anthropic from '@anthropic-ai/sdk';
import { isObject, type JsonObject, objectAt, parsedJson, stringAt } from '../../src/model/index.ts';
import type { ScriptBlock, ScriptUsage } from '../../src/providers/script.ts';
import { anthropicRequest } from './gateway-requests.ts';
import type { Voice } from './model-server-frames.ts';
import { brokenRule } from './model-server-rules.ts';
import { modelOf, protocolOf, protocols, type Speech } from './model-server-wires.ts';

export interface Gateway extends AsyncDisposable {
	/** `http://127.0.0.1:PORT`. */
	readonly url: string;
}

/** Where the model is that answers. */
export interface Upstream {
	readonly url: string;
	readonly key: string;
}

export async function startGateway(upstream: Upstream): Promise<Gateway> {
	let client: Promise<Anthropic> | undefined;
	const signatures = new Map<string, string>();
	const connected = (): Promise<Anthropic> => {
		client ??= connect(upstream);
		return client;
	};
	const server = createServer((request, response) => {
		answer(request, response, { connected, signatures }).catch((error: unknown) => {
			response.destroy(error instanceof Error ? error : new Error(String(error)));
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function connect({ url, key }: Upstream): Promise<Anthropic> {
	const { default: Client } = await import('@anthropic-ai/sdk');
	return new Client({ baseURL: url, apiKey: key, authToken: null, maxRetries: 0 });
}

interface Passing {
	readonly connected: () => Promise<Anthropic>;
	/** Signatures of thinking that went through. */
	readonly signatures: Map<string, string>;
}

async function answer(
	request: IncomingMessage,
	response: ServerResponse,
	{ connected, signatures }: Passing,
): Promise<void> {
	const path = request.url ?? '/';
	const raw = await text(request);
	const say = (status: number, document: unknown): void => {
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(document));
	};
	const protocol = protocolOf(path);
	if (protocol === undefined || protocol === 'anthropic') return say(404, { error: `there is nothing at ${path}` });
	const speech = protocols[protocol];
	const body = parsedJson(raw);
	if (!isObject(body)) return say(400, speech.error({ status: 400, message: 'the request is no JSON object' }));
	// What the real server of that protocol would refuse does not come through here either.
	const broken = brokenRule(protocol, body, {});
	if (broken) return say(broken.status, speech.error(broken));

	const model = modelOf(body, path);
	const hangUp = new AbortController();
	response.on('close', () => hangUp.abort());
	const sent = anthropicRequest(protocol, body, model, signatures);
	const asked = { body: sent, stream: true, signal: hangUp.signal } as const;
	try {
		// Not `messages.create`: it prints warnings about models to the terminal.
		const events = await (await connected()).post<AsyncIterable<JsonObject>>('/v1/messages', asked);
		response.writeHead(200, { 'content-type': speech.contentType });
		response.flushHeaders();
		const told = new Retold(speech, model, signatures);
		for await (const event of events) for (const piece of told.next(event)) response.write(piece);
		response.end();
	} catch (error) {
		if (hangUp.signal.aborted) return;
		const problem = problemOf(error);
		if (response.headersSent) response.end(speech.frame(speech.streamError(problem)));
		else say(problem.status, speech.error(problem));
	}
}

interface Problem {
	readonly status: number;
	readonly message: string;
	readonly type?: string;
}

/** What the server said of the request, with the words and the number that it has for that. */
function problemOf(error: unknown): Problem {
	const { status, error: document } = error as { readonly status?: unknown; readonly error?: unknown };
	const told = isObject(document) ? (objectAt(document, 'error') ?? document) : {};
	const [message, type] = [stringAt(told, 'message') ?? String(error), stringAt(told, 'type')];
	return { status: typeof status === 'number' ? status : 502, message, ...(type === undefined ? {} : { type }) };
}

/** A reply of Anthropic's in the words of another protocol, event by event. */
class Retold {
	readonly #speech: Speech;
	readonly #voice: Voice;
	readonly #signatures: Map<string, string>;
	#block: ScriptBlock | undefined;
	/** The text of the open block. */
	#text = '';
	#usage: ScriptUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
	#stop = 'end_turn';

	constructor(speech: Speech, model: string, signatures: Map<string, string>) {
		this.#signatures = signatures;
		let ids = 0;
		const newId = (prefix: string): string => `${prefix}_${Date.now().toString(36)}_${++ids}`;
		this.#speech = speech;
		this.#voice = speech.voice({ model, newId });
	}

	next(event: JsonObject): readonly string[] {
		return this.#heard(event).flatMap(({ data }) => (data === undefined ? [] : [this.#speech.frame(data)]));
	}

	#heard(event: JsonObject): ReturnType<Voice['close']> {
		const delta = objectAt(event, 'delta') ?? {};
		switch (event.type) {
			case 'message_start':
				this.#count(objectAt(objectAt(event, 'message') ?? {}, 'usage'));
				return this.#voice.begin(this.#usage);
			case 'content_block_start':
				this.#text = '';
				this.#block = begun(objectAt(event, 'content_block') ?? {});
				return this.#voice.open(this.#block);
			case 'content_block_delta':
				return this.#piece(delta);
			case 'content_block_stop':
				return this.#block ? this.#voice.close(whole(this.#block, this.#text)) : [];
			case 'message_delta':
				this.#count(objectAt(event, 'usage'));
				this.#stop = stringAt(delta, 'stop_reason') ?? this.#stop;
				return [];
			case 'message_stop':
				return this.#voice.end(this.#stop, this.#usage);
			default:
				return [];
		}
	}

	#piece(delta: JsonObject): ReturnType<Voice['piece']> {
		const signature = stringAt(delta, 'signature');
		if (signature !== undefined && this.#block?.type === 'thinking') {
			this.#block = { ...this.#block, signature };
			this.#signatures.set(this.#text, signature);
		}
		const text = stringAt(delta, 'text') ?? stringAt(delta, 'thinking') ?? stringAt(delta, 'partial_json');
		if (text === undefined || this.#block === undefined) return [];
		this.#text += text;
		return this.#voice.piece(this.#block, text, false);
	}

	#count(usage: JsonObject | undefined): void {
		const number = (key: string, before: number): number => {
			const value = usage?.[key];
			return typeof value === 'number' ? value : before;
		};
		const { input, output, cacheRead, cacheWrite } = this.#usage;
		this.#usage = {
			input: number('input_tokens', input),
			output: number('output_tokens', output),
			cacheRead: number('cache_read_input_tokens', cacheRead),
			cacheWrite: number('cache_creation_input_tokens', cacheWrite),
			reasoning: 0,
		};
	}
}

function begun(block: JsonObject): ScriptBlock {
	if (block.type === 'thinking') return { type: 'thinking', thinking: '' };
	if (block.type === 'redacted_thinking') return { type: 'redacted_thinking', data: String(block.data) };
	if (block.type === 'tool_use') return { type: 'tool_use', id: String(block.id), name: String(block.name) };
	return { type: 'text', text: '' };
}

function whole(block: ScriptBlock, text: string): ScriptBlock {
	switch (block.type) {
		case 'text':
			return { ...block, text };
		case 'thinking':
			return { ...block, thinking: text };
		case 'tool_use': {
			const input = parsedJson(text);
			return { ...block, rawInput: text, ...(isObject(input) ? { input } : {}) } as ScriptBlock;
		}
		case 'redacted_thinking':
			return block;
	}
}
