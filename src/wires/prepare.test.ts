/** What each API is sent where no recording exists: other providers, models without images, and Ollama. */
import { describe, expect, it } from 'vitest';
import { assistant, call, result, text, user } from '../../test/support/openclaw-lines.ts';
import { openclaw, rulesOf } from '../codecs/openclaw/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { type Target, toAnthropic, toOllama, toOpenAiChat, toOpenAiResponses } from './index.ts';
import { shortHash } from './prepare.ts';

const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const pi = rulesOf('0.87.1');
const target = (provider: string, api: string, more: Partial<Target> = {}): Target => ({
	provider,
	api,
	model: 'm',
	...more,
});

/** Messages as a file would hold them. */
const read = (...messages: readonly object[]): readonly JsonObject[] => messages as readonly JsonObject[];

const contents = (messages: readonly { readonly content?: unknown }[]): unknown => messages.map((one) => one.content);
const idsOf = (messages: readonly JsonObject[]): readonly (Json | undefined)[] =>
	messages.flatMap((one) => [one.id, one.call_id, one.tool_call_id]).filter((id) => id !== undefined);

describe('the wires', () => {
	it('a model without eyes reads one text for each run of images', () => {
		const blind = target('p', 'anthropic-messages', { images: false });
		const sent = toAnthropic(
			read(user([image, image, text('and'), image]), result('x', { content: [image] })),
			blind,
			pi,
		);
		const omitted = text('(image omitted: model does not support images)');
		expect(sent.messages[0]?.content).toEqual([omitted, text('and'), omitted]);
		expect(sent.messages[1]?.content).toMatchObject([
			{ content: '(tool image omitted: model does not support images)' },
		]);
	});

	it('OpenAI itself takes ids of forty characters', () => {
		const messages = read(assistant([call('c'.repeat(50))]), result('c'.repeat(50)));
		const sent = toOpenAiChat(messages, target('openai', 'openai-completions'), pi);
		expect(idsOf(sent.messages)).toEqual(['c'.repeat(40)]);
		expect(sent.messages[0]?.tool_calls).toMatchObject([{ id: 'c'.repeat(40) }]);
	});

	it('DeepSeek wants reasoning beside every reply', () => {
		const sent = toOpenAiChat(read(assistant([text('ok')])), target('deepseek', 'openai-completions'), pi);
		expect(sent.messages).toEqual([{ role: 'assistant', content: 'ok', reasoning_content: '' }]);
	});

	it('the Responses API of OpenAI knows calls by two ids, and those of others get a new second one', () => {
		const to = target('openai', 'openai-responses');
		const own = { provider: 'openai', api: 'openai-responses' };
		const messages = read(
			assistant([call('call_a|item/b')]),
			result('call_a|item/b'),
			assistant([call('call_c|item/d')], { ...own, model: 'm' }),
			assistant([call('call_e|fc_f')], { ...own, model: 'other' }),
		);
		const calls = toOpenAiResponses(messages, to, pi).messages.filter((item) => item.type === 'function_call');
		expect(calls.map((item) => [item.call_id, item.id])).toEqual([
			['call_a', `fc_${shortHash('item/b')}`],
			['call_c', undefined],
			['call_e', undefined],
		]);
	});

	it('a signature that is no reasoning item makes every request of the Responses API fail', () => {
		const reply = assistant([{ type: 'thinking', thinking: 'hm', thinkingSignature: 'c2ln' }], {
			provider: 'p',
			api: 'openai-responses',
			model: 'm',
		});
		expect(toOpenAiResponses(read(reply), target('p', 'openai-responses'), pi).refused).toContain('signature');
	});

	it('Ollama gets texts in one piece, images apart, and arguments as objects', () => {
		const messages = read(
			user([text('look '), image, text('here')]),
			assistant([
				{ type: 'thinking', thinking: 'hm' },
				text('ok'),
				{ type: 'toolCall', id: 'c1', name: 'read', arguments: '{"path":"a"}' },
			]),
			result('c1'),
			{ role: 'bashExecution', command: 'ls', output: '', excludeFromContext: true },
		);
		const sent = toOllama(messages, target('ollama', 'ollama'), rulesOf('2026.7.1'));
		expect(sent.messages).toEqual([
			{ role: 'user', content: 'look here', images: ['aGk='] },
			{
				role: 'assistant',
				content: 'ok',
				tool_calls: [{ id: 'c1', function: { name: 'read', arguments: { path: 'a' } } }],
			},
			{ role: 'tool', content: 'out', tool_name: 'read' },
		]);
		const newer = toOllama(read(result('c1')), target('ollama', 'ollama'), rulesOf('2026.9.6'));
		expect(newer.messages[0]).toMatchObject({ tool_call_id: 'c1' });
	});

	it('content that a client cannot read refuses, and nothing is sent', () => {
		for (const broken of [assistant('a string'), assistant([null]), result('x', { content: 'a string' }), user(5)]) {
			const sent = toAnthropic(read(broken), target('p', 'anthropic-messages'), pi);
			expect(sent.refused).toBeDefined();
			expect(contents(sent.messages)).toEqual([]);
		}
	});

	it('the message of a tool result counts as its block', () => {
		expect(openclaw.read.blockName?.({ type: 'tool_call', id: 'a', name: 'b', input: {} })).toBe('toolCall');
		expect(openclaw.read.blockName?.({ type: 'tool_result', call: 'a', content: [], isError: false })).toBe(
			'toolResult',
		);
		expect(openclaw.read.blockName?.({ type: 'text', text: '' })).toBeUndefined();
	});
});
