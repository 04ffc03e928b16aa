/** What is sent beside the conversation: instructions, tools, limits, thinking, marks, keys. */
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts';
import {
	ask,
	envFor,
	modelNames,
	type ProtocolName,
	providerAt,
	someTool,
} from '../../test/support/model-server-ask.ts';
import type { ModelRequest, ThinkingLevel } from '../agent/contracts.ts';
import type { AgentMessage, JsonObject } from '../model/index.ts';
import { anthropicBody } from './anthropic.ts';
import { googleBody } from './google.ts';
import { ollamaBody } from './ollama.ts';
import { chatBody } from './openai-chat.ts';
import { responsesBody } from './openai-responses.ts';
import type { Service } from './service.ts';

let server: ModelServer | undefined;
afterEach(async () => await server?.close());

async function sent(protocol: ProtocolName, request: Partial<ModelRequest> = {}) {
	server = await startModelServer({ strict: true });
	const { provider, model } = await providerAt(modelNames[protocol], envFor(server.url));
	const { failure } = await ask(provider, { model, ...request });
	expect(failure).toBeUndefined();
	const [seen] = server.requests;
	if (!seen) throw new Error('nothing was sent');
	return seen;
}

const request = (model: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
	model,
	system: 'Be brief.',
	messages: [{ role: 'user', content: 'hi', timestamp: 1 }],
	tools: [someTool],
	...more,
});
const service = (id: string, api: string, url = 'https://api.openai.com/v1'): Service => ({
	id,
	api,
	name: id,
	url,
	keyNames: [],
	now: () => 0,
});
const claude = service('anthropic', 'anthropic-messages');
const gpt = service('openai', 'openai-responses');
const chat = service('openai', 'openai-completions');
const gemini = service('google', 'google-generative-ai');
const local = service('ollama', 'ollama');

describe('a conversation that is sent again', () => {
	it.each(Object.keys(modelNames) as readonly ProtocolName[])('is the same for the server of %s', async (protocol) => {
		server = await startModelServer({ strict: true });
		const { provider, model } = await providerAt(modelNames[protocol], envFor(server.url));
		const read = { type: 'toolCall', id: 'a', name: 'read', arguments: { path: ['x'] } };
		const messages = [
			{ role: 'user', content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
			{ role: 'assistant', content: [{ type: 'text', text: 'ok' }, read], stopReason: 'toolUse' },
			{ role: 'toolResult', toolCallId: 'a', toolName: 'read', content: [{ type: 'text', text: 'x' }], isError: false },
			{ role: 'assistant', content: [{ type: 'text', text: 'done' }], stopReason: 'stop' },
			{ role: 'user', content: 'more' },
		] as unknown as readonly AgentMessage[];
		for (const list of [messages, messages, [...messages]]) await ask(provider, { model, messages: list });
		const [first, again, anew] = server.requests.map(({ body }) => body);
		expect(first).toBeDefined();
		expect(again).toEqual(first);
		expect(anew).toEqual(first);
	});
});

describe('instructions', () => {
	it('Anthropic takes them beside the conversation', async () => {
		const { body } = await sent('anthropic', { system: 'Be brief.' });
		expect(body.system).toMatchObject([{ type: 'text', text: 'Be brief.' }]);
		expect(body.messages).toHaveLength(1);
	});

	it('OpenAI takes them first, as the developer for models that think and as the system for others', () => {
		expect(responsesBody(request('gpt-5'), gpt).input?.[0]).toEqual({ role: 'developer', content: 'Be brief.' });
		expect(responsesBody(request('gpt-4.1'), gpt).input?.[0]).toEqual({ role: 'system', content: 'Be brief.' });
		expect(chatBody(request('o3'), chat).messages[0]).toEqual({ role: 'developer', content: 'Be brief.' });
		const other = service('openai', 'openai-completions', 'http://localhost:8000/v1');
		expect(chatBody(request('gpt-5'), other).messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
	});

	it('Google takes them beside the conversation, Ollama first', async () => {
		expect(JSON.stringify((await sent('google', { system: 'Be brief.' })).body.systemInstruction)).toContain(
			'Be brief.',
		);
		expect(ollamaBody(request('qwen3'), local).messages?.[0]).toEqual({ role: 'system', content: 'Be brief.' });
	});

	it('blank instructions are not sent', () => {
		const blank = { system: ' \n' };
		expect(anthropicBody(request('claude-sonnet-4-5', blank), claude)).not.toHaveProperty('system');
		expect(responsesBody(request('gpt-5', blank), gpt).input).toHaveLength(1);
		expect(chatBody(request('gpt-5', blank), chat).messages).toHaveLength(1);
		expect(googleBody(request('gemini-3-pro', blank), gemini).config).not.toHaveProperty('systemInstruction');
		expect(ollamaBody(request('qwen3', blank), local).messages).toHaveLength(1);
	});
});

describe('cache marks of Anthropic', () => {
	const marks = (body: unknown): number => JSON.stringify(body).split('"cache_control"').length - 1;

	it('stand on the instructions, the last tool and the last block', () => {
		const tools = [someTool, { ...someTool, name: 'write' }];
		const body = anthropicBody(request('claude-sonnet-4-5', { tools }), claude);
		expect(marks(body)).toBe(3);
		expect(body.system).toMatchObject([{ cache_control: { type: 'ephemeral' } }]);
		expect(body.tools?.map((tool) => 'cache_control' in tool)).toEqual([false, true]);
		expect(body.messages.at(-1)?.content).toMatchObject([{ cache_control: { type: 'ephemeral' } }]);
	});

	it('stand on a result where the conversation ends with one', () => {
		const messages = [
			{ role: 'user', content: 'hi', timestamp: 1 },
			{ role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'read', arguments: {} }] },
			{
				role: 'toolResult',
				toolCallId: 'a',
				toolName: 'read',
				content: [{ type: 'text', text: 'out' }],
				isError: false,
			},
		] as unknown as readonly AgentMessage[];
		const body = anthropicBody(request('claude-sonnet-4-5', { messages }), claude);
		expect(body.messages.at(-1)?.content).toMatchObject([
			{ type: 'tool_result', cache_control: { type: 'ephemeral' } },
		]);
		expect(marks(body)).toBe(3);
	});
});

describe('thinking', () => {
	const levels: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high'];
	const each = (make: (thinking: ThinkingLevel) => unknown): unknown => levels.map(make);

	it('is a budget for older models of Anthropic', () => {
		const budget = (thinking: ThinkingLevel) =>
			anthropicBody(request('claude-sonnet-4-5', { thinking }), claude).thinking;
		expect(each(budget)).toEqual(
			[undefined, 1024, 2048, 8192, 16_384].map((budget_tokens) => budget_tokens && { type: 'enabled', budget_tokens }),
		);
	});

	it('never takes the whole reply', () => {
		const body = anthropicBody(request('claude-sonnet-4-5', { thinking: 'high', maxTokens: 4000 }), claude);
		expect(body).toMatchObject({ max_tokens: 4000, thinking: { budget_tokens: 2976 } });
		expect(
			anthropicBody(request('claude-sonnet-4-5', { thinking: 'high', maxTokens: 1500 }), claude).thinking,
		).toBeUndefined();
	});

	it('is left to newer models of Anthropic, which are told how hard to try', () => {
		for (const model of [
			'claude-opus-4-6',
			'claude-sonnet-5-5',
			'claude-fable-5-2',
			'claude-haiku-5-5',
			'claude-mythos-preview',
		]) {
			const { thinking, output_config } = anthropicBody(request(model, { thinking: 'medium' }), claude);
			expect([thinking?.type, output_config], model).toEqual(['adaptive', { effort: 'medium' }]);
		}
		for (const model of [
			'claude-haiku-4-5-20251001',
			'claude-3-7-sonnet-20250219',
			'claude-opus-4-1',
			'claude-sonnet-4-20250514',
		]) {
			expect(anthropicBody(request(model, { thinking: 'medium' }), claude).thinking?.type, model).toBe('enabled');
		}
		expect(anthropicBody(request('claude-opus-4-6', { thinking: 'off' }), claude).thinking).toEqual({
			type: 'disabled',
		});
	});

	it('pauses for a step that began without it: a fixed budget would be refused', () => {
		const messages = [
			{ role: 'user', content: 'hi' },
			{ role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'read', arguments: {} }] },
		] as unknown as readonly AgentMessage[];
		expect(
			anthropicBody(request('claude-sonnet-4-5', { thinking: 'high', messages }), claude).thinking,
		).toBeUndefined();
		const next = [...messages, { role: 'user', content: 'and now?' }] as unknown as readonly AgentMessage[];
		expect(
			anthropicBody(request('claude-sonnet-4-5', { thinking: 'high', messages: next }), claude).thinking?.type,
		).toBe('enabled');
	});

	it('is an effort for OpenAI, in the words of each generation', () => {
		const effort = (model: string) =>
			each((thinking) => responsesBody(request(model, { thinking }), gpt).reasoning?.effort);
		expect(effort('gpt-5-mini')).toEqual(['minimal', 'minimal', 'low', 'medium', 'high']);
		expect(effort('gpt-5.5')).toEqual(['none', 'low', 'low', 'medium', 'high']);
		expect(effort('o4-mini')).toEqual(['low', 'low', 'low', 'medium', 'high']);
		expect(effort('gpt-4.1')).toEqual(levels.map(() => undefined));
		expect(chatBody(request('gpt-5.5', { thinking: 'high' }), chat).reasoning_effort).toBe('high');
	});

	it('is a budget for Gemini before 3 and a level after it', () => {
		const config = (model: string) =>
			each((thinking) => {
				const { thinkingBudget, thinkingLevel } =
					googleBody(request(model, { thinking }), gemini).config?.thinkingConfig ?? {};
				return thinkingBudget ?? thinkingLevel;
			});
		expect(config('gemini-2.5-flash')).toEqual([0, 512, 2048, 8192, 24_576]);
		expect(config('gemini-2.5-pro')).toEqual([128, 512, 2048, 8192, 24_576]);
		expect(config('gemini-3.8-flash')).toEqual(['MINIMAL', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH']);
		expect(config('gemini-3-pro')).toEqual(['LOW', 'LOW', 'LOW', 'HIGH', 'HIGH']);
	});

	it('is on or off for Ollama, and a level for gpt-oss', () => {
		const think = (model: string) => each((thinking) => ollamaBody(request(model, { thinking }), local).think);
		expect(think('qwen3')).toEqual([false, true, true, true, true]);
		expect(think('gpt-oss:20b')).toEqual(['low', 'low', 'low', 'medium', 'high']);
	});

	it('is not mentioned where nobody asked for it', () => {
		expect(anthropicBody(request('claude-opus-4-6'), claude)).not.toHaveProperty('thinking');
		expect(responsesBody(request('gpt-5'), gpt)).not.toHaveProperty('reasoning');
		expect(googleBody(request('gemini-3-pro'), gemini).config).not.toHaveProperty('thinkingConfig');
		expect(ollamaBody(request('qwen3'), local)).not.toHaveProperty('think');
	});

	it('goes back to Ollama in the field it came in', () => {
		const reply = {
			role: 'assistant',
			provider: 'ollama',
			api: 'ollama',
			model: 'qwen3',
			content: [
				{ type: 'thinking', thinking: 'hm' },
				{ type: 'text', text: 'ok' },
			],
		};
		const messages = [
			{ role: 'user', content: 'hi' },
			reply,
			{ role: 'user', content: 'more' },
		] as unknown as readonly AgentMessage[];
		expect(ollamaBody(request('qwen3', { messages }), local).messages?.[2]).toEqual({
			role: 'assistant',
			content: 'ok',
			thinking: 'hm',
		});
		expect(ollamaBody(request('llama4', { messages }), local).messages?.[2]).toEqual({
			role: 'assistant',
			content: 'hm\n\nok',
		});
	});
});

describe('limits and names', () => {
	it('a limit of the reply is said in the words of each API', () => {
		const more = { maxTokens: 500 };
		expect(anthropicBody(request('claude-sonnet-4-5', more), claude).max_tokens).toBe(500);
		expect(anthropicBody(request('claude-3-5-haiku-20241022'), claude).max_tokens).toBe(8192);
		expect(responsesBody(request('gpt-5', more), gpt).max_output_tokens).toBe(500);
		expect(chatBody(request('gpt-5', more), chat).max_completion_tokens).toBe(500);
		expect(
			chatBody(request('llama', more), service('openai', 'openai-completions', 'http://localhost:1/v1')).max_tokens,
		).toBe(500);
		expect(googleBody(request('gemini-3-pro', more), gemini).config?.maxOutputTokens).toBe(500);
		expect(ollamaBody(request('qwen3', more), local).options?.num_predict).toBe(500);
	});

	it('nothing is kept at OpenAI, and its cache is found by the session', () => {
		expect(responsesBody(request('gpt-5', { sessionId: 's1' }), gpt)).toMatchObject({
			store: false,
			include: ['reasoning.encrypted_content'],
			prompt_cache_key: 's1',
		});
		expect(responsesBody(request('gpt-4.1'), gpt)).not.toHaveProperty('include');
	});

	it('servers that only speak like OpenAI get no field that is its own', () => {
		const other = service('openai', 'openai-completions', 'http://localhost:8000/v1');
		const body = chatBody(request('llama', { sessionId: 's1' }), other);
		expect(Object.keys(body).sort()).toEqual(['messages', 'model', 'stream', 'stream_options', 'tools']);
	});

	it.each([
		['anthropic', 'x-api-key', 'key-a'],
		['responses', 'authorization', 'Bearer key-o'],
		['chat', 'authorization', 'Bearer key-o'],
		['google', 'x-goog-api-key', 'key-g'],
	] as const)('the key of %s is sent as its servers want it', async (protocol, header, value) => {
		expect((await sent(protocol)).headers[header]).toBe(value);
	});

	it('tools are described in the words of each API', async () => {
		const { name, description, inputSchema } = someTool;
		const body = await Promise.all([
			anthropicBody(request('claude-sonnet-4-5'), claude),
			chatBody(request('gpt-5'), chat),
			responsesBody(request('gpt-5'), gpt),
		]);
		expect(body[0].tools).toMatchObject([{ name, description, input_schema: inputSchema }]);
		expect(body[1].tools).toEqual([{ type: 'function', function: { name, description, parameters: inputSchema } }]);
		expect(body[2].tools).toEqual([{ type: 'function', name, description, parameters: inputSchema, strict: false }]);
		const { body: google } = await sent('google');
		expect((google.tools as readonly JsonObject[])[0]).toEqual({
			functionDeclarations: [{ name, description, parametersJsonSchema: inputSchema }],
		});
		expect(ollamaBody(request('qwen3'), local).tools).toEqual([
			{ type: 'function', function: { name, description, parameters: inputSchema } },
		]);
	});

	it('calls of other models are signed for Gemini 3 with the word it has for them', () => {
		const call = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: {} });
		const messages = [
			{ role: 'user', content: 'hi' },
			{ role: 'assistant', provider: 'anthropic', content: [call('a'), call('b')] },
		] as unknown as readonly AgentMessage[];
		const signatures = (model: string) =>
			JSON.stringify(googleBody(request(model, { messages }), gemini).contents).match(
				/skip_thought_signature_validator/g,
			)?.length;
		expect(signatures('gemini-3-pro')).toBe(1);
		expect(signatures('gemini-2.5-pro')).toBeUndefined();
	});

	it('turns of one role that follow each other are one for Google and Anthropic', () => {
		const messages = [
			{ role: 'user', content: 'a' },
			{ role: 'user', content: 'b' },
		] as unknown as readonly AgentMessage[];
		expect(googleBody(request('gemini-3-pro', { messages }), gemini).contents).toEqual([
			{ role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
		]);
		expect(anthropicBody(request('claude-sonnet-4-5', { messages }), claude).messages).toHaveLength(1);
	});

	it('results are one text where they are text, and say so where they are empty or nothing but an image', () => {
		const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
		const text = (value: string) => ({ type: 'text', text: value });
		const contents = [[text('a'), text('b')], [], [image]];
		const calls = contents.map((_, at) => ({ type: 'toolCall', id: `c${at}`, name: 'read', arguments: {} }));
		const results = contents.map((content, at) => ({
			role: 'toolResult',
			toolCallId: `c${at}`,
			toolName: 'read',
			content,
			isError: false,
		}));
		const messages = [
			{ role: 'user', content: 'hi' },
			{ role: 'assistant', content: calls },
			...results,
		] as unknown as readonly AgentMessage[];
		const blocks = anthropicBody(request('claude-sonnet-4-5', { messages }), claude).messages.at(-1)
			?.content as unknown as readonly JsonObject[];
		expect(blocks.map((block) => block.content)).toMatchObject([
			'a\nb',
			'',
			[text('(see attached image)'), { type: 'image' }],
		]);
		const chatted = chatBody(request('gpt-5', { messages }), chat).messages.filter((one) => one.role === 'tool');
		expect(chatted.map((one) => one.content)).toEqual(['a\nb', '(no tool output)', '(see attached image)']);
	});

	it('items with one id reach the Responses API once', () => {
		const signature = JSON.stringify({ v: 1, id: 'msg_1' });
		const reply = {
			role: 'assistant',
			provider: 'openai',
			api: 'openai-responses',
			model: 'gpt-5',
			content: [{ type: 'text', text: 'ok', textSignature: signature }],
		};
		const messages = [
			{ role: 'user', content: 'a' },
			reply,
			{ role: 'user', content: 'b' },
			reply,
			{ role: 'user', content: 'c' },
		] as unknown as readonly AgentMessage[];
		const input = responsesBody(request('gpt-5', { messages }), gpt).input as unknown as readonly JsonObject[];
		const ids = input.flatMap((item) => item.id ?? []);
		expect(ids).toHaveLength(2);
		expect(new Set(ids).size).toBe(2);
	});
});
