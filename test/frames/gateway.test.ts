/** The gateway behind which the Agent SDK drives Reprise: what goes through it is what was said, on every wire. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMessage, JsonObject } from '../../src/model/index.ts';
import type { ScriptTurnInput } from '../../src/providers/script.ts';
import { ClientStage } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { Host } from '../support/host.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { ask, envFor, modelNames, type ProtocolName, providerAt, someTool } from '../support/model-server-ask.ts';
import { type Frame, protocols } from '../support/model-server-wires.ts';

const wires = ['chat', 'responses', 'google', 'ollama'] as const satisfies readonly ProtocolName[];

interface Passage extends AsyncDisposable {
	readonly server: ModelServer;
	readonly gateway: Gateway;
}

async function passage(...turns: readonly ScriptTurnInput[]): Promise<Passage> {
	const server = await startModelServer({ turns, strict: true });
	const gateway = await startGateway({ url: server.url, key: 'k' });
	return {
		server,
		gateway,
		async [Symbol.asyncDispose]() {
			await gateway[Symbol.asyncDispose]();
			await server.close();
		},
	};
}

const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
const user = (...content: readonly object[]): AgentMessage => ({ role: 'user', content, timestamp: 1 }) as never;
const result = (toolCallId: string, isError: boolean, ...content: readonly object[]): AgentMessage =>
	({ role: 'toolResult', toolCallId, toolName: 'read', content, isError, timestamp: 3 }) as never;
const text = (said: string) => ({ type: 'text', text: said });

describe.each(wires)('through the gateway by %s', (wire) => {
	it('the model is told all that was said, and its next reply comes back whole', async () => {
		const calls = ['one', 'two'].map((path) => ({ type: 'tool_use' as const, name: 'read', input: { path } }));
		const content = [
			{ type: 'thinking' as const, thinking: 'pondering' },
			{ type: 'text' as const, text: 'so' },
		];
		const usage = { input: 11, output: 22, cacheRead: 3 };
		await using between = await passage({ content: [...content, ...calls], usage }, { text: 'done' });
		const { provider, model } = await providerAt(modelNames[wire], envFor(between.gateway.url));
		const messages = [user(text('look'), image)];
		const first = await ask(provider, { model, system: 'be kind', messages });
		expect(first.failure).toBeUndefined();
		expect(first.message.content).toMatchObject([
			{ type: 'thinking', thinking: 'pondering' },
			{ type: 'text', text: 'so' },
			{ type: 'toolCall', name: 'read', arguments: { path: 'one' } },
			{ type: 'toolCall', name: 'read', arguments: { path: 'two' } },
		]);
		expect(first.message).toMatchObject({ stopReason: 'toolUse', usage: { output: 22 } });

		const ids = first.message.content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : []));
		const [one = '', two = ''] = ids;
		if (wire !== 'ollama') expect(ids.every((id) => id.startsWith('call_'))).toBe(true);
		const answers = [result(one, false, text('of one')), result(two, true, text('no such file'))];
		const again = [...messages, first.message, ...answers, user(text('and now?'))];
		const second = await ask(provider, { model, system: 'be kind', messages: again });
		expect(second.message.content).toMatchObject([{ type: 'text', text: 'done' }]);

		expect(between.server.requests.map(({ protocol, rejected }) => [protocol, rejected])).toEqual([
			['anthropic', undefined],
			['anthropic', undefined],
		]);
		const { body } = between.server.requests[1] ?? {};
		const source = { type: 'base64', media_type: 'image/png', data: image.data };
		expect(body).toMatchObject({
			model,
			system: 'be kind',
			tools: [{ name: 'read', description: someTool.description, input_schema: { required: ['path'] } }],
		});
		const [asked, replied, answered, last] = (body?.messages ?? []) as unknown as readonly {
			content: readonly JsonObject[];
		}[];
		expect(asked).toEqual({ role: 'user', content: [text('look'), { type: 'image', source }] });
		expect(replied).toMatchObject({
			role: 'assistant',
			content: [
				{ type: 'thinking', thinking: 'pondering', signature: expect.stringMatching(/./) },
				text('so'),
				{ type: 'tool_use', id: one, input: { path: 'one' } },
				{ type: 'tool_use', id: two, input: { path: 'two' } },
			],
		});
		expect(answered?.content.slice(0, 2)).toMatchObject([
			{ type: 'tool_result', tool_use_id: one, content: 'of one' },
			{ type: 'tool_result', tool_use_id: two, content: 'no such file' },
		]);
		expect([...(answered?.content ?? []), ...(last?.content ?? [])]).toContainEqual(text('and now?'));
	});

	it('a refusal comes back with its number and its words', async () => {
		await using between = await passage({ error: { status: 400, message: 'scripted failure' } });
		const { provider, model } = await providerAt(modelNames[wire], envFor(between.gateway.url));
		const { failure } = await ask(provider, { model });
		expect(failure).toMatchObject({ retry: false, message: expect.stringContaining('scripted failure') });
		expect(failure?.code).not.toBe('network');
	});

	it('pieces come while the model speaks, and hanging up reaches the model', async () => {
		const speech = protocols.anthropic;
		const left = Promise.withResolvers<void>();
		const endless = createServer((_, response) => {
			response.writeHead(200, { 'content-type': speech.contentType });
			const voice = speech.voice({ model: 'm', newId: (prefix) => prefix });
			const tell = (frames: readonly Frame[]) => frames.map(({ data = null }) => response.write(speech.frame(data)));
			const block = { type: 'text', text: '' } as const;
			tell([...voice.begin({ input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 }), ...voice.open(block)]);
			const timer = setInterval(() => tell(voice.piece(block, 'on and on ', false)), 20);
			response.on('close', () => {
				clearInterval(timer);
				left.resolve();
			});
		});
		await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
		const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
		await using gateway = await startGateway({ url, key: 'k' });
		const { provider, model } = await providerAt(modelNames[wire], envFor(gateway.url));
		const stop = new AbortController();
		let pieces = 0;
		const messages = [user(text('go'))];
		for await (const event of provider.stream({ model, system: '', messages, tools: [] }, stop.signal))
			if (event.type === 'text_delta' && ++pieces === 3) stop.abort();
		expect(pieces).toBeGreaterThanOrEqual(3);
		await left.promise;
		await new Promise((resolve) => endless.close(resolve));
	});
});

describe('a host that names models of Claude', () => {
	let stage: ClientStage;
	beforeAll(() => {
		stage = new ClientStage();
	});
	afterAll(() => stage[Symbol.dispose]());

	it.each(wires)('is answered by the provider of REPRISE_MODEL where Claude is not set up: %s', async (wire) => {
		await using server = await startModelServer({ turns: [{ text: 'one' }, { text: 'two' }], strict: true });
		const { ANTHROPIC_API_KEY: _, ANTHROPIC_BASE_URL: __, ...others } = envFor(server.url);
		const env = { ...(others as { readonly [name: string]: string }), REPRISE_MODEL: modelNames[wire] };
		await using host = new Host(stage, { args: ['--model', 'claude-opus-4-5'], env });
		await host.turn('1');
		await host.agent.request('set_model', { model: 'claude-haiku-4-5' });
		expect(await host.turn('2')).toMatchObject({ result: 'two' });
		expect(await host.end()).toBe(0);
		const asked = server.requests.map(({ protocol, path, body }) => [protocol, `${path} ${String(body.model)}`]);
		expect(asked).toEqual([
			[wire, expect.stringContaining('claude-opus-4-5')],
			[wire, expect.stringContaining('claude-haiku-4-5')],
		]);
	});

	it('is answered by Claude where it is set up, and told of the key where nobody was chosen', async () => {
		await using server = await startModelServer({ turns: [{ text: 'one' }] });
		const env = envFor(server.url) as { readonly [name: string]: string };
		await using host = new Host(stage, {
			args: ['--model', 'claude-opus-4-5'],
			env: { ...env, REPRISE_MODEL: modelNames.chat },
		});
		await host.turn('1');
		await host.end();
		expect(server.requests.map(({ protocol }) => protocol)).toEqual(['anthropic']);

		const { OPENAI_API_KEY = '', OPENAI_BASE_URL = '' } = env;
		await using other = new Host(stage, {
			args: ['--model', 'claude-opus-4-5'],
			env: { OPENAI_API_KEY, OPENAI_BASE_URL },
		});
		expect(await other.end()).not.toBe(0);
		expect(other.err).toContain('claude-opus-4-5 needs a key: set ANTHROPIC_API_KEY');
	});
});
