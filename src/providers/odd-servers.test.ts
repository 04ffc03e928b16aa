/** What servers send that the documents of their APIs do not promise. */
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../agent/contracts.ts';
import { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import { MessageReader } from './anthropic.ts';
import type { Reader } from './converse.ts';
import { ContentReader } from './google.ts';
import { ChatReader } from './ollama.ts';
import { ChunkReader } from './openai-chat.ts';
import { ResponseReader } from './openai-responses.ts';
import type { Service } from './service.ts';

const service: Service = { id: 'x', api: 'x', name: 'X', url: 'http://x', keyNames: [], now: () => 7 };
const builder = (): ReplyBuilder => new ReplyBuilder({ api: 'x', provider: 'x', model: 'm', now: 7 });

/** Feeds a reader and returns its events. */
function heard<E>(make: (reply: ReplyBuilder) => Reader<E>, ...events: readonly unknown[]) {
	const reply = builder();
	const reader = make(reply);
	const out: ModelEvent[] = events.flatMap((event) => [...reader.read(event as E)]);
	out.push(...(reader.end() ?? []));
	return { content: reply.message.content, usage: reply.message.usage, events: out, last: out.at(-1) };
}

describe('chat completions', () => {
	const chat = (...chunks: readonly unknown[]) => heard((reply) => new ChunkReader(reply, service), ...chunks);
	const chunk = (delta: object, finish_reason: string | null = null) => ({
		id: 'c1',
		model: 'm',
		choices: [{ index: 0, delta, finish_reason }],
	});
	const call = (more: object) => chunk({ tool_calls: [more] });

	it('calls that all have the index 0 are told apart by their ids', () => {
		const { content, last } = chat(
			call({ index: 0, id: 'a', function: { name: 'read', arguments: '{"p":1}' } }),
			call({ index: 0, id: 'b', function: { name: 'read', arguments: '{"p":2}' } }),
			chunk({}, 'stop'),
		);
		expect(content).toMatchObject([
			{ id: 'a', arguments: { p: 1 } },
			{ id: 'b', arguments: { p: 2 } },
		]);
		expect(last).toMatchObject({ type: 'done', reason: 'toolUse' });
	});

	it('calls whose pieces are mixed are put together by their index', () => {
		const { content } = chat(
			call({ index: 0, id: 'a', function: { name: 'read', arguments: '' } }),
			call({ index: 1, id: 'b', function: { name: 'write', arguments: '' } }),
			call({ index: 0, function: { arguments: '{"p"' } }),
			call({ index: 1, function: { arguments: '{"q"' } }),
			call({ index: 0, function: { arguments: ':1}' } }),
			call({ index: 1, function: { arguments: ':2}' } }),
			chunk({}, 'tool_calls'),
		);
		expect(content).toMatchObject([
			{ name: 'read', arguments: { p: 1 } },
			{ name: 'write', arguments: { q: 2 } },
		]);
	});

	it('calls without ids get one each', () => {
		const { content } = chat(
			call({ index: 0, function: { name: 'a' } }),
			call({ index: 1, function: { name: 'b' } }),
			chunk({}, 'tool_calls'),
		);
		expect(content).toMatchObject([
			{ id: 'c1_0', arguments: {} },
			{ id: 'c1_1', arguments: {} },
		]);
	});

	it.each(['reasoning_content', 'reasoning', 'reasoning_text'])(
		'thinking is found under %s, and remembers where',
		(field) => {
			const { content } = chat(
				chunk({ [field]: 'h' }),
				chunk({ [field]: 'm' }),
				chunk({ content: 'ok' }),
				chunk({}, 'stop'),
			);
			expect(content).toEqual([
				{ type: 'thinking', thinking: 'hm', thinkingSignature: field },
				{ type: 'text', text: 'ok' },
			]);
		},
	);

	it('thinking under two names is read once', () => {
		const { content } = chat(chunk({ reasoning: 'hm', reasoning_content: 'hm' }), chunk({}, 'stop'));
		expect(content).toMatchObject([{ thinking: 'hm' }]);
	});

	it('a last piece together with the end is not lost, and tokens may come with it', () => {
		const end = {
			...chunk({ content: 'ok' }, 'stop'),
			usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
		};
		expect(chat(end)).toMatchObject({
			content: [{ text: 'ok' }],
			usage: { input: 5, output: 2, totalTokens: 7 },
			last: { reason: 'stop' },
		});
	});

	it('a refusal is what the model says', () => {
		expect(chat(chunk({ refusal: 'I would rather not.' }), chunk({}, 'stop')).content).toMatchObject([
			{ type: 'text', text: 'I would rather not.' },
		]);
	});

	it('no end means no end', () => {
		expect(chat(chunk({ content: 'ok' })).last?.type).toBe('text_delta');
	});
});

describe('responses', () => {
	const responses = (...events: readonly unknown[]) =>
		heard((reply) => new ResponseReader(reply, service, 'm'), ...events);
	const done = { type: 'response.completed', response: { status: 'completed', output: [], usage: null } };

	it('items that come only as a whole are read as a whole', () => {
		const message = {
			type: 'message',
			id: 'msg_1',
			content: [{ type: 'output_text', text: 'ok' }],
			phase: 'final_answer',
		};
		const called = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'read', arguments: '{"p":1}' };
		const { content, last } = responses(
			{ type: 'response.output_item.done', output_index: 0, item: message },
			{ type: 'response.output_item.done', output_index: 1, item: called },
			done,
		);
		expect(content).toMatchObject([
			{ type: 'text', text: 'ok', textSignature: '{"v":1,"id":"msg_1","phase":"final_answer"}' },
			{ type: 'toolCall', id: 'a', arguments: { p: 1 } },
		]);
		expect(last).toMatchObject({ type: 'done', reason: 'toolUse' });
	});

	it('the parts of a summary are paragraphs', () => {
		const at = { output_index: 0 };
		const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
		const { content } = responses(
			{ type: 'response.output_item.added', ...at, item },
			{ type: 'response.reasoning_summary_part.added', ...at },
			{ type: 'response.reasoning_summary_text.delta', ...at, delta: 'One.' },
			{ type: 'response.reasoning_summary_part.added', ...at },
			{ type: 'response.reasoning_summary_text.delta', ...at, delta: 'Two.' },
			{ type: 'response.output_item.done', ...at, item },
			done,
		);
		expect(content).toMatchObject([{ thinking: 'One.\n\nTwo.', thinkingSignature: JSON.stringify(item) }]);
	});

	it('a response that failed says why', () => {
		const failed = (code: string) =>
			responses({ type: 'response.failed', response: { status: 'failed', error: { code, message: 'Sorry.' } } })
				.events[0];
		expect(failed('server_error')).toMatchObject({ failure: { code: 'server', retry: true } });
		expect(failed('rate_limit_exceeded')).toMatchObject({ failure: { code: 'rate-limit', retry: true } });
		expect(failed('context_length_exceeded')).toMatchObject({ failure: { code: 'context-overflow', retry: false } });
		expect(failed('invalid_prompt')).toMatchObject({ failure: { code: 'bad-request', retry: false } });
	});

	it('a response that a filter stopped is a failure, one that ran out of room is not', () => {
		const incomplete = (reason: string) =>
			responses({ type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason } } })
				.last;
		expect(incomplete('content_filter')).toMatchObject({ type: 'error' });
		expect(incomplete('max_output_tokens')).toMatchObject({ type: 'done', reason: 'length' });
	});
});

describe('google', () => {
	const google = (...chunks: readonly unknown[]) => heard((reply) => new ContentReader(reply, service), ...chunks);
	const chunk = (parts: readonly object[], finishReason?: string) => ({
		responseId: 'g1',
		candidates: [{ content: { parts }, finishReason }],
	});

	it('calls without ids, or with the same, get one each', () => {
		const call = (id?: string) => ({ functionCall: { name: 'read', args: { p: 1 }, ...(id ? { id } : {}) } });
		const { content, last } = google(chunk([call(), call(), call('a'), call('a')], 'STOP'));
		const ids = content.map((block) => (block.type === 'toolCall' ? block.id : ''));
		expect(new Set(ids).size).toBe(4);
		expect(ids[2]).toBe('a');
		expect(last).toMatchObject({ reason: 'toolUse' });
	});

	it('an empty text that only signs is kept for its signature', () => {
		const { content } = google(chunk([{ text: 'ok' }]), chunk([{ text: '', thoughtSignature: 'c2ln' }], 'STOP'));
		expect(content).toEqual([{ type: 'text', text: 'ok', textSignature: 'c2ln' }]);
	});

	it('a prompt that is blocked is a failure that says why', () => {
		const { events } = google({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } });
		expect(events[0]).toMatchObject({
			failure: { code: 'bad-request', message: expect.stringContaining('PROHIBITED_CONTENT') },
		});
	});

	it('a call that the model could not write is asked for again', () => {
		expect(google(chunk([], 'MALFORMED_FUNCTION_CALL')).events.at(-2)).toMatchObject({
			failure: { code: 'server', retry: true },
		});
	});

	it('text, thinking and text are three blocks', () => {
		const { content } = google(chunk([{ text: 'a' }, { text: 'b', thought: true }, { text: 'c' }], 'STOP'));
		expect(content.map((block) => block.type)).toEqual(['text', 'thinking', 'text']);
	});
});

describe('ollama', () => {
	const ollama = (...chunks: readonly unknown[]) => heard((reply) => new ChatReader(reply, service), ...chunks);

	it('ids that a newer server gives are kept', () => {
		const tool_calls = [
			{ id: 'call_9', function: { name: 'read', arguments: { p: 1 } } },
			{ function: { name: 'read', arguments: {} } },
		];
		const { content } = ollama({ model: 'm', message: { tool_calls } }, { model: 'm', message: {}, done: true });
		expect(content).toMatchObject([{ id: 'call_9' }, { id: 'ollama_call_7_1' }]);
	});

	it('no end means no end', () => {
		expect(ollama({ model: 'm', message: { content: 'x' } }).last?.type).toBe('text_delta');
	});
});

describe('anthropic', () => {
	const anthropic = (...events: readonly unknown[]) => heard((reply) => new MessageReader(reply, service), ...events);
	const end = (stop_reason: string) => [
		{ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 3 } },
		{ type: 'message_stop' },
	];

	it.each([
		['end_turn', 'stop'],
		['stop_sequence', 'stop'],
		['pause_turn', 'stop'],
		['tool_use', 'toolUse'],
		['max_tokens', 'length'],
		['model_context_window_exceeded', 'length'],
	])('%s ends a reply with %s', (stop, reason) => {
		expect(anthropic(...end(stop)).last).toMatchObject({ type: 'done', reason });
	});

	it('blocks that nobody asked for are passed over', () => {
		const start = {
			type: 'content_block_start',
			index: 0,
			content_block: { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} },
		};
		const stop = { type: 'content_block_stop', index: 0 };
		expect(
			anthropic(
				start,
				{ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{' } },
				stop,
				...end('end_turn'),
			).content,
		).toEqual([]);
	});

	it('a server that counts little leaves the rest at nothing', () => {
		expect(anthropic(...end('end_turn')).usage).toMatchObject({ input: 0, output: 3, cacheRead: 0, totalTokens: 3 });
	});
});
