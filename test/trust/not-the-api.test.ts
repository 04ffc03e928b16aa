/** A server that is no API: what it sends is told in our words, once, and never printed as it came. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const key = 'sk-reprise-0123456789abcdef';
const page = `<html>\u001b]0;OWNED\u0007\u001b[2J Authorization: Bearer ${key}</html>\n`;

let server: Server | undefined;
afterEach(() => void server?.close());

/** A server that answers everything in one way, and counts. `/api/show` does not count: it is asked what a model can take. */
async function answering(answer: (response: ServerResponse) => void) {
	const seen = { url: '', requests: 0 };
	server = createServer((request, response) => {
		request.resume();
		if (request.url !== '/api/show') seen.requests += 1;
		answer(response);
	});
	const { promise, resolve } = Promise.withResolvers<void>();
	server.listen(0, '127.0.0.1', resolve);
	await promise;
	seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return seen;
}

const providers = [
	['anthropic/claude-sonnet-4-5', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'],
	['openai-chat/gpt-4.1', 'OPENAI_BASE_URL', 'OPENAI_API_KEY'],
	['openai-responses/gpt-4.1', 'OPENAI_BASE_URL', 'OPENAI_API_KEY'],
	['google/gemini-2.5-flash', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY'],
	['ollama/qwen3', 'OLLAMA_HOST', 'OLLAMA_API_KEY'],
] as const;

describe.each(providers)('%s', (model, address, keyName) => {
	it.each([['text/html; charset=utf-8'], ['application/json'], [undefined]])(
		'a web page with status 200, sent as %s, is not the API: that is said once, and nobody asks again',
		async (type) => {
			const seen = await answering((response) => {
				response.writeHead(200, type === undefined ? {} : { 'content-type': type });
				response.end(page);
			});
			const env = { [address]: seen.url, [keyName]: key };
			const { code, out, err } = await stage.run(['-p', 'hello', '--model', model], { env });
			expect({ code, requests: seen.requests }).toEqual({ code: 3, requests: 1 });
			expect(`${out}${err}`).toMatch(/answers with a web page, which is not the API/);
			expect(`${out}${err}`.match(/web page/g)).toHaveLength(1);
			for (const raw of ['\u001b', '\u0007', 'OWNED', key]) expect(`${out}${err}`).not.toContain(raw);
		},
	);
});

describe('what a library prints', () => {
	const reply = '{"model":"qwen3","message":{"role":"assistant","content":"hello"},"done":true,"done_reason":"stop"}\n';

	it('does not reach the terminal', async () => {
		const seen = await answering((response) => {
			response.writeHead(200, { 'content-type': 'application/x-ndjson' });
			response.write(`{"model":"qwen3","message":{"role":"assistant","content":""},"done":false}\n`);
			response.end(`${page}${reply}`);
		});
		const env = { OLLAMA_HOST: seen.url, OLLAMA_API_KEY: key };
		const ended = await stage.run(['-p', 'hello', '--model', 'ollama/qwen3'], { env });
		expect(ended).toEqual({ code: 0, out: 'hello\n', err: '' });
	});
});
