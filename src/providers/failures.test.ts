/** Every way to fail, in one line that says what happened and what to do. */
import { afterEach, describe, expect, it } from 'vitest';
import { unusedUrl } from '../../test/support/local-server.ts';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import {
	ask,
	envFor,
	modelNames,
	type ProtocolName,
	protocolNames,
	providerAt,
} from '../../test/support/model-server-ask.ts';
import { failureOf, HttpError } from './failures.ts';
import type { ScriptTurnInput } from './script.ts';
import type { Service } from './service.ts';

let server: ModelServer | undefined;
afterEach(async () => await server?.close());

async function failed(protocol: ProtocolName, turn: ScriptTurnInput) {
	server = await startModelServer({ turns: [turn] });
	const { provider, model } = await providerAt(modelNames[protocol], envFor(server.url));
	const { failure, order } = await ask(provider, { model });
	expect(order).toBe('start failure error');
	return { failure, model, url: server.url };
}

const error = (status: number, message: string, more: object = {}): ScriptTurnInput => ({
	error: { status, message, ...more },
});
const keys: { readonly [P in ProtocolName]: string } = {
	anthropic: 'ANTHROPIC_API_KEY',
	responses: 'OPENAI_API_KEY',
	chat: 'OPENAI_API_KEY',
	google: 'GEMINI_API_KEY',
	ollama: 'OLLAMA_API_KEY',
};

describe.each(protocolNames)('%s', (protocol) => {
	it.each([401, 403])('a key that is refused with %d is named by its variable', async (status) => {
		const { failure } = await failed(protocol, error(status, 'invalid key'));
		expect(failure).toMatchObject({ code: 'auth', status, retry: false });
		expect(failure?.message).toContain(keys[protocol]);
		expect(failure?.message).toContain('invalid key');
	});

	it('a model that the server does not know is named, with the server', async () => {
		const { failure, model, url } = await failed(protocol, error(404, 'model not found'));
		expect(failure).toMatchObject({ code: 'unknown-model', status: 404, retry: false });
		expect(failure?.message).toContain(`"${model}"`);
		expect(failure?.message).toContain(url);
	});

	it('too many requests wait as long as the server says', async () => {
		const { failure } = await failed(protocol, error(429, 'slow down', { headers: { 'retry-after': '7' } }));
		expect(failure).toMatchObject({ code: 'rate-limit', status: 429, retry: true, retryAfterMs: 7000 });
	});

	it('an overloaded server is asked again', async () => {
		expect((await failed(protocol, error(529, 'Overloaded'))).failure).toMatchObject({
			code: 'overloaded',
			retry: true,
		});
	});

	it.each([500, 502, 503])('a server that fails with %d is asked again', async (status) => {
		expect((await failed(protocol, error(status, 'oops'))).failure).toMatchObject({
			code: 'server',
			status,
			retry: true,
		});
	});

	it('a request that is refused says in one line why, and is not repeated', async () => {
		const { failure } = await failed(protocol, error(400, 'max_tokens:\n  must be\n  positive'));
		expect(failure).toMatchObject({ code: 'bad-request', status: 400, retry: false });
		expect(failure?.message).toContain('max_tokens: must be positive');
		expect(failure?.message).not.toContain('\n');
	});

	it('an error that is a page of HTML becomes a line too', async () => {
		const { failure } = await failed(protocol, {
			error: { status: 502, body: '<html><body>Bad gateway</body></html>' },
		});
		expect(failure).toMatchObject({ code: 'server', retry: true });
		expect(failure?.message).not.toMatch(/[<>\n]/);
	});

	it('a server of this machine that is not running is named by its address, and not waited for', async () => {
		const url = await unusedUrl();
		const { provider, model } = await providerAt(modelNames[protocol], envFor(url));
		const { failure, order } = await ask(provider, { model });
		expect(order).toBe('start failure error');
		expect(failure).toMatchObject({ code: 'network', retry: false });
		expect(failure?.message).toContain(url);
		expect(failure?.message).toContain('ECONNREFUSED');
	});
});

describe('a conversation that is too long', () => {
	it.each([
		['anthropic', 400, 'prompt is too long: 210000 tokens > 200000 maximum'],
		['anthropic', 413, 'Request exceeds the maximum size'],
		['responses', 400, 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
		[
			'chat',
			400,
			"This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
		],
		['chat', 400, 'the request exceeds the available context size. try increasing the context size'],
		['google', 400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
		['ollama', 400, 'input length exceeds maximum context length'],
	] as const)('%s says it with %d: %s', async (protocol, status, message) => {
		const { failure, model } = await failed(protocol, error(status, message));
		expect(failure).toMatchObject({ code: 'context-overflow', retry: false });
		expect(failure?.message).toContain(model);
	});

	it('is told by its code as well', async () => {
		expect((await failed('chat', error(400, 'Too much.', { code: 'context_length_exceeded' }))).failure?.code).toBe(
			'context-overflow',
		);
	});
});

const service: Service = { id: 'x', api: 'x', name: 'X', url: 'http://x', keyNames: [], now: () => 0 };
const of = (status: number, body: object, headers = {}) =>
	failureOf(new HttpError(status, JSON.stringify(body), new Headers(headers)), service, 'm', false);

describe('details', () => {
	it('an account that is empty is not asked again', () => {
		const failure = of(429, {
			error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' },
		});
		expect(failure).toMatchObject({ code: 'rate-limit', retry: false });
	});

	it('the time to wait is read from wherever a server puts it', () => {
		expect(of(429, {}, { 'retry-after-ms': '250' }).retryAfterMs).toBe(250);
		expect(of(429, {}, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }).retryAfterMs).toBeGreaterThan(
			50_000,
		);
		const delayed = of(429, { error: { details: [{ '@type': 'RetryInfo', retryDelay: '7.5s' }] } });
		expect(delayed.retryAfterMs).toBe(7500);
		expect(delayed.limits).toEqual({ status: 'rejected', resetsAt: 8 });
		expect(of(429, {})).not.toHaveProperty('retryAfterMs');
		expect(of(400, {}, { 'retry-after': '5' })).not.toHaveProperty('retryAfterMs');
	});

	it('a key that Google calls a bad request is a key', () => {
		expect(
			of(400, {
				error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
			}).code,
		).toBe('auth');
	});

	it('a host that nobody knows is a matter of the network', () => {
		const cause = Object.assign(new Error('getaddrinfo ENOTFOUND api.example'), { code: 'ENOTFOUND' });
		const failure = failureOf(new TypeError('fetch failed', { cause }), service, 'm', false);
		expect(failure).toMatchObject({ code: 'network', retry: true });
		expect(failure.message).toContain('(its name is not known, ENOTFOUND)');
		const bad = failureOf(new TypeError('fetch failed', { cause: new Error('bad port') }), service, 'm', false);
		expect(bad.message).toContain(`${service.url} (bad port)`);
	});

	it('a bug of ours is no reason to ask again', () => {
		expect(failureOf(new TypeError('x is not a function'), service, 'm', true)).toMatchObject({
			code: 'bad-request',
			retry: false,
		});
	});

	it('whatever was thrown, there is a message', () => {
		for (const odd of [undefined, null, 'text', 7, {}, new Error('')]) {
			expect(failureOf(odd, service, 'm', false).message).toMatch(/^X: \S/);
		}
	});

	it('a model that will not answer ends in a failure that is not repeated', async () => {
		for (const protocol of ['anthropic', 'chat', 'google'] as const) {
			server = await startModelServer({ turns: [{ text: 'No', stop: 'refusal' }] });
			const { provider, model } = await providerAt(modelNames[protocol], envFor(server.url));
			expect((await ask(provider, { model })).failure).toMatchObject({ code: 'bad-request', retry: false });
			await server.close();
		}
	});
});
