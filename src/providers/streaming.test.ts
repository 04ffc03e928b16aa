/** One scripted reply over each of the five protocols: the same events, the same message. */
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import { ask, envFor, modelNames, protocolNames, providerAt } from '../../test/support/model-server-ask.ts';
import type { AgentMessage } from '../model/index.ts';
import type { ScriptTurnInput } from './script.ts';

let server: ModelServer | undefined;
afterEach(async () => await server?.close());

/** A provider that talks to a strict server with this script. */
async function scripted(protocol: (typeof protocolNames)[number], ...turns: readonly ScriptTurnInput[]) {
	server = await startModelServer({ turns, strict: true });
	const { provider, model } = await providerAt(modelNames[protocol], envFor(server.url));
	return { provider, model, requests: server.requests };
}

const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;

describe.each(protocolNames)('%s', (protocol) => {
	it('text arrives piece by piece and as a whole', async () => {
		const { provider, model } = await scripted(protocol, { text: 'Hello, wide world.', chunk: 5 });
		const { order, message, events } = await ask(provider, { model });
		expect(order).toMatch(/^start (response )?text_start text_delta text_end done$/);
		expect(message.content).toMatchObject([{ type: 'text', text: 'Hello, wide world.' }]);
		const deltas = events.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : []));
		expect(deltas).toEqual(['Hello', ', wid', 'e wor', 'ld.']);
	});

	it('a reply says who gave it, over which API', async () => {
		const { provider, model } = await scripted(protocol, { text: 'ok' });
		const { message, events } = await ask(provider, { model });
		expect(message).toMatchObject({ provider: provider.id, api: provider.api, model, role: 'assistant' });
		const named = Object.assign({}, ...events.filter((event) => event.type === 'response'));
		expect(named).toMatchObject({ model });
		if (protocol !== 'ollama') expect(named.id).toMatch(/./);
		if (protocol === 'anthropic' || protocol === 'chat' || protocol === 'responses')
			expect(named.request).toMatch(/^req_/);
	});

	it('thinking comes before the text, in a block of its own', async () => {
		const content = [
			{ type: 'thinking', thinking: 'Hm, let me see.' } as const,
			{ type: 'text', text: 'Yes.' } as const,
		];
		const { provider, model } = await scripted(protocol, { content, chunk: 4 });
		const { order, message } = await ask(provider, { model, thinking: 'medium' });
		expect(order).toMatch(/thinking_start thinking_delta thinking_end text_start text_delta text_end done$/);
		expect(message.content).toMatchObject([
			{ type: 'thinking', thinking: 'Hm, let me see.' },
			{ type: 'text', text: 'Yes.' },
		]);
	});

	it('parallel tool calls keep their order, ids and arguments', async () => {
		const content = ['a', 'b', 'c'].map((path) => ({
			type: 'tool_use' as const,
			id: `id_${path}`,
			name: 'read',
			input: { path },
		}));
		const { provider, model } = await scripted(protocol, {
			content: [{ type: 'text', text: 'Look:' }, ...content],
			chunk: 3,
		});
		const { message } = await ask(provider, { model });
		expect(message.stopReason).toBe('toolUse');
		const calls = message.content.filter((block) => block.type === 'toolCall');
		expect(calls.map((call) => call.arguments.path)).toEqual(['a', 'b', 'c']);
		expect(new Set(calls.map((call) => call.id)).size).toBe(3);
		if (protocol !== 'ollama') expect(calls.map((call) => call.id)).toEqual(['id_a', 'id_b', 'id_c']);
	});

	it('tokens are counted once: what was cached is no input', async () => {
		const usage = { input: 100, output: 50, cacheRead: 30, cacheWrite: 0, reasoning: 20 };
		const { provider, model } = await scripted(protocol, { text: 'ok', usage });
		const { message } = await ask(provider, { model });
		const cacheRead = protocol === 'ollama' ? 0 : 30;
		expect(message.usage).toMatchObject({
			input: 100,
			output: 50,
			cacheRead,
			cacheWrite: 0,
			totalTokens: 150 + cacheRead,
		});
	});

	it('a reply that ran into its limit says so', async () => {
		const { provider, model } = await scripted(protocol, { text: 'And then', stop: 'max_tokens' });
		expect((await ask(provider, { model })).message.stopReason).toBe('length');
	});

	it('a connection that drops in the middle is a cut, with what had arrived', async () => {
		const { provider, model } = await scripted(protocol, { text: 'abcdefghij', chunk: 2, cut: { chunks: 3 } });
		const { failure, message, order } = await ask(provider, { model });
		expect(failure).toMatchObject({ code: 'cut', retry: true });
		expect(message.stopReason).toBe('error');
		expect(message.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/^abcd(ef)?$/) }]);
		expect(order).toMatch(/failure error$/);
	});

	it('a stream that ends politely before its end is a cut as well', async () => {
		const { provider, model } = await scripted(protocol, {
			text: 'abcdefghij',
			chunk: 2,
			cut: { chunks: 3, how: 'end' },
		});
		expect((await ask(provider, { model })).failure).toMatchObject({ code: 'cut', retry: true });
	});

	it('an error in the middle of a stream is told apart from a cut', async () => {
		const { provider, model } = await scripted(protocol, {
			text: 'abcdefghij',
			chunk: 2,
			cut: { chunks: 3, how: 'error' },
		});
		const { failure } = await ask(provider, { model });
		expect(failure).toMatchObject({ code: protocol === 'ollama' ? 'server' : 'overloaded', retry: true });
		expect(failure?.message).toContain('Overloaded');
	});

	it('an interruption ends a stream at once, whether the server speaks or hangs', async () => {
		const hang = { text: 'abcdefghij', chunk: 2, cut: { chunks: 3, how: 'hang' } } as const;
		const { provider, model } = await scripted(protocol, hang, { delayMs: 5000, text: 'late' });
		for (const turn of ['hangs', 'has not begun']) {
			const stop = new AbortController();
			setTimeout(() => stop.abort(), 60);
			const begun = performance.now();
			const { failure, message } = await ask(provider, { model }, stop.signal);
			expect(failure, turn).toMatchObject({ code: 'aborted', retry: false });
			expect(message.stopReason).toBe('aborted');
			expect(performance.now() - begun).toBeLessThan(1500);
		}
	});

	it('a request that was interrupted before it began is never sent', async () => {
		const { provider, model, requests } = await scripted(protocol, { text: 'ok' });
		const { failure, order } = await ask(provider, { model }, AbortSignal.abort());
		expect(failure?.code).toBe('aborted');
		expect(order).toBe('start failure error');
		expect(requests).toEqual([]);
	});

	it('a conversation with tools, thinking and images goes on with the same model', async () => {
		const { provider, model, requests } = await scripted(
			protocol,
			{
				content: [
					{ type: 'thinking', thinking: 'Two files.' },
					{ type: 'tool_use', id: 'id_1', name: 'read', input: { path: 'a' } },
					{ type: 'tool_use', id: 'id_2', name: 'read', input: { path: 'b' } },
				],
			},
			{ text: 'Both read.' },
		);
		const prompt = { role: 'user', content: [{ type: 'text', text: 'See' }, image], timestamp: 1 } as AgentMessage;
		const { message } = await ask(provider, { model, messages: [prompt], thinking: 'low' });
		const results = message.content.flatMap((block) =>
			block.type !== 'toolCall'
				? []
				: [
						{
							role: 'toolResult',
							toolCallId: block.id,
							toolName: block.name,
							content: [{ type: 'text', text: 'out' }, image],
							isError: false,
							timestamp: 2,
						} as const,
					],
		);
		const messages = [prompt, message, ...results] as readonly AgentMessage[];
		const next = await ask(provider, { model, messages, thinking: 'low' });
		expect(next.failure).toBeUndefined();
		expect(next.message.content).toMatchObject([{ text: 'Both read.' }]);
		expect(requests.map((one) => one.rejected)).toEqual([undefined, undefined]);
		const sent = JSON.stringify(requests[1]?.body);
		expect(sent.split('aGk=').length - 1, 'every image').toBe(3);
		expect(sent).toContain('Two files.');
	});
});

describe.each(['anthropic', 'chat', 'responses'] as const)('%s', (protocol) => {
	it('arguments that are no JSON leave the call standing, empty, and are told', async () => {
		const raw = '{"path": "a';
		const { provider, model } = await scripted(protocol, {
			content: [{ type: 'tool_use', id: 'id_1', name: 'read', rawInput: raw }],
		});
		const { events, message } = await ask(provider, { model });
		expect(events).toContainEqual({ type: 'malformed-call', callId: 'id_1', raw });
		expect(message.content).toMatchObject([{ type: 'toolCall', id: 'id_1', arguments: {} }]);
		expect(message.stopReason).toBe('toolUse');
	});
});

describe('signatures', () => {
	it('thinking is signed by Anthropic, and hidden thinking is nothing but its signature', async () => {
		const content = [
			{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' } as const,
			{ type: 'redacted_thinking', data: 'aGlkZGVu' } as const,
		];
		const { provider, model } = await scripted('anthropic', { content: [...content, { type: 'text', text: 'ok' }] });
		const { message } = await ask(provider, { model });
		expect(message.content.slice(0, 2)).toEqual([
			{ type: 'thinking', thinking: 'Hm.', thinkingSignature: 'c2ln' },
			{ type: 'thinking', thinking: '', thinkingSignature: 'aGlkZGVu', redacted: true },
		]);
	});

	it('OpenAI signs with whole items, so that they can be sent back as they came', async () => {
		const content = [
			{ type: 'thinking', thinking: 'Hm.' } as const,
			{ type: 'tool_use', id: 'id_1', name: 'read', input: {} } as const,
		];
		const { provider, model, requests } = await scripted('responses', { content }, { text: 'ok' });
		const { message } = await ask(provider, { model });
		const [thought, call] = message.content;
		expect(
			JSON.parse(String(thought && 'thinkingSignature' in thought ? thought.thinkingSignature : '')),
		).toMatchObject({ type: 'reasoning' });
		const result = {
			role: 'toolResult',
			toolCallId: 'id_1',
			toolName: 'read',
			content: [],
			isError: false,
			timestamp: 2,
		} as AgentMessage;
		await ask(provider, { model, messages: [{ role: 'user', content: 'hi', timestamp: 1 }, message, result] });
		const itemId = call && 'thoughtSignature' in call ? call.thoughtSignature : undefined;
		expect(requests[1]?.body.input).toContainEqual({
			type: 'function_call',
			id: itemId,
			call_id: 'id_1',
			name: 'read',
			arguments: '{}',
		});
		expect(itemId).toMatch(/^fc_/);
	});

	it('Google signs calls and texts, and gets its signatures back', async () => {
		const content = [
			{ type: 'text', text: 'Look', signature: 'dGV4dA==' } as const,
			{ type: 'tool_use', id: 'id_1', name: 'read', input: {}, signature: 'Y2FsbA==' } as const,
		];
		const { provider, model, requests } = await scripted('google', { content }, { text: 'ok' });
		const { message } = await ask(provider, { model });
		expect(message.content).toMatchObject([{ textSignature: 'dGV4dA==' }, { thoughtSignature: 'Y2FsbA==' }]);
		await ask(provider, { model, messages: [{ role: 'user', content: 'hi', timestamp: 1 }, message] });
		const sent = JSON.stringify(requests[1]?.body);
		expect(sent).toContain('dGV4dA==');
		expect(sent).toContain('Y2FsbA==');
	});
});
