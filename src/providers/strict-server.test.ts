/** The strict server refuses what the real ones refuse: one that accepts everything would prove no law. */
import { describe, expect, it } from 'vitest';
import { startModelServer } from '../../test/support/model-server.ts';
import { brokenRule } from '../../test/support/model-server-rules.ts';
import type { JsonObject } from '../model/index.ts';

const headers = { authorization: 'Bearer k' };
const user = (...content: readonly unknown[]) => ({ role: 'user', content });
const reply = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const text = (value: string) => ({ type: 'text', text: value });
const use = (id: string, more: object = {}) => ({ type: 'tool_use', id, name: 'read', input: {}, ...more });
const result = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'x', ...more });
const hi = user(text('hi'));

const anthropic = (messages: readonly unknown[], more: object = {}): string | undefined =>
	brokenRule('anthropic', { model: 'm', max_tokens: 100, messages, ...more } as JsonObject, headers)?.message;

describe('anthropic', () => {
	it('a sound conversation passes', () => {
		expect(anthropic([hi, reply(text('a'), use('x')), user(result('x'), text('b'))])).toBeUndefined();
	});

	it.each([
		['an open call', [hi, reply(use('x'))], 'without `tool_result`'],
		['a result without call', [hi, user(result('x'))], 'unexpected'],
		['two results', [hi, reply(use('x')), user(result('x'), result('x'))], 'repeated'],
		[
			'a late result',
			[hi, reply(use('x')), user(text('a')), reply(text('b')), user(result('x'))],
			'without `tool_result`',
		],
		['text before a result', [hi, reply(use('x')), user(text('a'), result('x'))], 'must come first'],
		['an id twice', [hi, reply(use('x')), user(result('x')), reply(use('x')), user(result('x'))], 'unique'],
		['an odd id', [hi, reply(use('x y')), user(result('x y'))], 'pattern'],
		['a long id', [hi, reply(use('x'.repeat(65))), user(result('x'.repeat(65)))], 'pattern'],
		['a blank text', [user(text(' '))], 'non-whitespace'],
		['no content', [user()], 'non-empty'],
		['the assistant first', [reply(text('a')), hi], 'first message'],
		['another role', [{ role: 'system', content: 'x' }], 'Unexpected role'],
		['another block', [user({ type: 'video' })], 'expected tags'],
		['another field', [user({ ...text('a'), textSignature: 'x' })], 'Extra inputs'],
		['input that is no object', [hi, reply(use('x', { input: [] })), user(result('x'))], 'dictionary'],
		['thinking without signature', [hi, reply({ type: 'thinking', thinking: 'a' }, text('b'))], 'signature'],
		['thinking at the end', [hi, reply({ type: 'thinking', thinking: 'a', signature: 's' })], 'final block'],
		[
			'an image of another kind',
			[user({ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'x' } })],
			'media_type',
		],
		[
			'an image in a result that failed',
			[
				hi,
				reply(use('x')),
				user(
					result('x', {
						is_error: true,
						content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'x' } }],
					}),
				),
			],
			'is_error',
		],
		['half a character', [user(text('a\ud83d'))], 'surrogate'],
		['a blank at the end of a last reply', [hi, reply(text('a '))], 'trailing'],
	])('%s is refused', (_, messages, words) => {
		expect(anthropic(messages)).toContain(words);
	});

	it.each([
		['a budget that is too small', { thinking: { type: 'enabled', budget_tokens: 10 } }, '1024'],
		['a budget that takes all', { thinking: { type: 'enabled', budget_tokens: 5000 } }, 'max_tokens'],
		[
			'five cache marks',
			{ system: [1, 2, 3, 4, 5].map(() => ({ ...text('a'), cache_control: { type: 'ephemeral' } })) },
			'maximum of 4',
		],
		['a tool twice', { tools: [1, 2].map(() => ({ name: 'a', input_schema: { type: 'object' } })) }, 'unique'],
		['a tool with an odd name', { tools: [{ name: 'a b', input_schema: { type: 'object' } }] }, 'pattern'],
		['no limit', { max_tokens: undefined }, 'max_tokens'],
	])('%s is refused', (_, more, words) => {
		expect(anthropic([hi], more)).toContain(words);
	});

	it('a step without thinking is refused while a budget is set', () => {
		const messages = [hi, reply(use('x')), user(result('x'))];
		expect(anthropic(messages, { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } })).toContain(
			'Expected `thinking`',
		);
	});

	it('nobody gets in without a key', () => {
		expect(brokenRule('anthropic', {}, {})?.status).toBe(401);
	});
});

describe('the others', () => {
	const broken = (protocol: 'chat' | 'responses' | 'google' | 'ollama', body: object): string | undefined =>
		brokenRule(protocol, body as JsonObject, headers)?.message;
	const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });

	it('chat completions want every call answered, once and at once', () => {
		const asked = { role: 'assistant', content: null, tool_calls: [call('a')] };
		const answer = { role: 'tool', tool_call_id: 'a', content: 'x' };
		expect(broken('chat', { messages: [asked, answer] })).toBeUndefined();
		expect(broken('chat', { messages: [asked] })).toContain('did not have response');
		expect(broken('chat', { messages: [answer] })).toContain('must be a response');
		expect(broken('chat', { messages: [asked, answer, answer] })).toContain('must be a response');
		expect(broken('chat', { messages: [{ ...asked, tool_calls: [call('a'.repeat(41))] }] })).toContain('40');
	});

	it('the Responses API wants items that find each other', () => {
		const called = { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' };
		const output = { type: 'function_call_output', call_id: 'a', output: 'x' };
		const thought = { type: 'reasoning', id: 'rs_1', encrypted_content: 'x', summary: [] };
		expect(broken('responses', { input: [thought, called, output] })).toBeUndefined();
		expect(broken('responses', { input: [called] })).toContain('No tool output');
		expect(broken('responses', { input: [output] })).toContain('No tool call');
		expect(broken('responses', { input: [thought] })).toContain('following item');
		expect(broken('responses', { input: [{ ...thought, encrypted_content: '' }, called, output] })).toContain(
			'not found',
		);
		expect(
			broken('responses', { input: [thought, called, output, thought, { role: 'assistant', content: 'x' }] }),
		).toContain('Duplicate');
	});

	it('Google wants turns, answers and schemas it knows', () => {
		const part = (role: string, ...parts: readonly object[]) => ({ role, parts });
		const asked = part('model', { functionCall: { name: 'read', args: {} } });
		const answer = part('user', { functionResponse: { name: 'read', response: {} } });
		const first = part('user', { text: 'hi' });
		expect(broken('google', { contents: [first, asked, answer] })).toBeUndefined();
		expect(broken('google', { contents: [asked, answer] })).toContain('user role');
		expect(broken('google', { contents: [first, first] })).toContain('same role');
		expect(broken('google', { contents: [first, asked] })).toContain('number of function response');
		const tools = [
			{ functionDeclarations: [{ name: 'a', parametersJsonSchema: { properties: { p: { const: 1 } } } }] },
		];
		expect(broken('google', { contents: [first], tools })).toContain('Unknown name const');
	});

	it('Ollama wants texts and objects', () => {
		expect(broken('ollama', { messages: [{ role: 'user', content: [] }] })).toContain('string');
		expect(
			broken('ollama', {
				messages: [{ role: 'assistant', content: '', tool_calls: [{ function: { arguments: '{}' } }] }],
			}),
		).toContain('object');
	});
});

describe('the server', () => {
	it('answers a broken rule with 400 and keeps what was wrong', async () => {
		await using server = await startModelServer({ strict: true });
		const body = JSON.stringify({ model: 'm', max_tokens: 1, messages: [] });
		const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body, headers });
		expect(response.status).toBe(400);
		expect(server.requests).toMatchObject([
			{ protocol: 'anthropic', rejected: 'messages: at least one message is required' },
		]);
	});

	it('knows no other paths', async () => {
		await using server = await startModelServer();
		expect((await fetch(`${server.url}/elsewhere`)).status).toBe(404);
	});

	it('a script with a mistake does not start', async () => {
		await expect(startModelServer({ turns: [{ txt: 'x' } as never] })).rejects.toThrow(/txt/);
	});
});
