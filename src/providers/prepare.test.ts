/** The rules that any conversation is made to keep, one by one. */
import { describe, expect, it } from 'vitest';
import { models } from '../../test/support/model-server-conversations.ts';
import { assistant, call, result, text, user } from '../../test/support/openclaw-lines.ts';
import type { AgentMessage } from '../model/index.ts';
import { type Target, toAnthropic, toOpenAiChat, toOpenAiResponses } from '../wires/index.ts';
import { type Clean, joined, Prepared } from './prepare.ts';
import { wired } from './wired.ts';

const claude = models['anthropic-messages'];
const gpt = models['openai-responses'];
const chat = models['openai-completions'];
const gemini = models['google-generative-ai'];
const qwen = models.ollama;

/** Messages as a file would hold them. */
const ready = (target: Target, ...messages: readonly object[]): readonly Clean[] =>
	new Prepared(target).end(messages as unknown as readonly AgentMessage[]);
const own = (content: unknown, target: Target = claude, more: object = {}): object =>
	assistant(content, { ...target, ...more });
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const thinking = (signature?: string, words = 'hm') => ({
	type: 'thinking',
	thinking: words,
	...(signature === undefined ? {} : { thinkingSignature: signature }),
});
const reasoning = (id = 'rs_1') => JSON.stringify({ type: 'reasoning', id, encrypted_content: 'x', summary: [] });

const shapes = (messages: readonly Clean[]): readonly string[] =>
	messages.map(
		(one) =>
			`${one.role}: ${one.content.map((block) => block.text ?? block.id ?? block.thinking ?? block.type).join(' | ')}`,
	);
const idsOf = (messages: readonly Clean[]): unknown =>
	messages.flatMap((one) =>
		one.role === 'toolResult'
			? [`> ${String(one.toolCallId)}`]
			: one.content.filter((block) => block.type === 'toolCall').map((block) => block.id),
	);

describe('thinking', () => {
	it('signed thinking of the same provider, API and model stays what it is', () => {
		const [, reply] = ready(claude, user(), own([thinking('c2ln'), text('ok')]), user());
		expect(reply?.content[0]).toEqual({ type: 'thinking', thinking: 'hm', thinkingSignature: 'c2ln' });
	});

	it.each([
		['provider', { provider: 'bedrock' }],
		['API', { api: 'openai-completions' }],
		['model', { model: 'claude-opus-4-5' }],
	])('thinking of another %s becomes text', (_, other) => {
		const [, reply] = ready(claude, user(), own([thinking('c2ln'), text('ok')], claude, other), user());
		expect(reply?.content).toEqual([text('hm'), text('ok')]);
	});

	it('thinking without a signature becomes text where the API wants one', () => {
		expect(ready(claude, user(), own([thinking(), text('ok')]), user())[1]?.content).toEqual([text('hm'), text('ok')]);
		expect(ready(gemini, user(), own([thinking(), text('ok')], gemini), user())[1]?.content[0]).toEqual({
			type: 'thinking',
			thinking: 'hm',
		});
	});

	it('hidden thinking of another model is left out, of the same model it stays', () => {
		const hidden = { type: 'thinking', thinking: '', thinkingSignature: 'ZGF0YQ==', redacted: true };
		expect(ready(claude, user(), own([hidden, text('ok')], gpt), user())[1]?.content).toEqual([text('ok')]);
		const [, reply] = wired(
			toAnthropic,
			[user(), own([hidden, text('ok')]), user()] as unknown as readonly AgentMessage[],
			claude,
		);
		expect(reply?.content).toContainEqual({ type: 'redacted_thinking', data: 'ZGF0YQ==' });
	});

	it('thinking at the end of a reply is left out where it is refused', () => {
		expect(ready(claude, user(), own([text('ok'), thinking('c2ln')]), user())[1]?.content).toEqual([text('ok')]);
		expect(shapes(ready(claude, user(), own([thinking('c2ln')]), user('more')))).toEqual(['user: hi', 'user: more']);
		expect(ready(gpt, user(), own([thinking(reasoning())], gpt), user())).toHaveLength(2);
	});

	it('a signature that is no reasoning item does not reach the Responses API', () => {
		for (const signature of ['c2ln', '{', '{"type":"reasoning","id":"rs_1"}']) {
			expect(ready(gpt, user(), own([thinking(signature), text('ok')], gpt), user())[1]?.content).toEqual([
				text('hm'),
				text('ok'),
			]);
		}
		expect(ready(gpt, user(), own([thinking(reasoning()), text('ok')], gpt), user())[1]?.content[0]).toMatchObject({
			type: 'thinking',
		});
	});
});

describe('calls and results', () => {
	it('a call that nobody answered gets a result that says so', () => {
		const sent = ready(claude, user(), own([call('a'), call('b')]), result('b'), user('go on'));
		expect(idsOf(sent)).toEqual(['a', 'b', '> a', '> b']);
		expect(sent[2]).toMatchObject({ isError: true, content: [text('No result provided')] });
	});

	it('a result whose call is not there is left out', () => {
		expect(shapes(ready(claude, user(), result('gone'), own([text('ok')]), result('gone'), user('more')))).toEqual([
			'user: hi',
			'assistant: ok',
			'user: more',
		]);
	});

	it('a late result moves up to its call', () => {
		const sent = ready(
			claude,
			user(),
			own([call('a')]),
			user('wait'),
			own([text('I wait')]),
			result('a', { content: [text('late')] }),
		);
		expect(shapes(sent)).toEqual([
			'user: hi',
			'assistant: a',
			'toolResult: late',
			'user: wait',
			'assistant: I wait',
			'user: (Go on.)',
		]);
	});

	it('of two results the first counts', () => {
		const sent = ready(
			claude,
			user(),
			own([call('a')]),
			result('a', { content: [text('one')] }),
			result('a', { content: [text('two')] }),
		);
		expect(shapes(sent)).toEqual(['user: hi', 'assistant: a', 'toolResult: one']);
	});

	it('results come in the order of their calls', () => {
		expect(idsOf(ready(claude, user(), own([call('a'), call('b')]), result('b'), result('a')))).toEqual([
			'a',
			'b',
			'> a',
			'> b',
		]);
	});

	it('an id that was used before gets a new one, and its result follows it', () => {
		const sent = ready(
			claude,
			user(),
			own([call('a')]),
			result('a', { content: [text('one')] }),
			own([call('a')]),
			result('a', { content: [text('two')] }),
		);
		expect(idsOf(sent)).toEqual(['a', '> a', 'a_2', '> a_2']);
		expect(sent.filter((one) => one.role === 'toolResult').map((one) => one.content)).toEqual([
			[text('one')],
			[text('two')],
		]);
	});

	it('ids are made of what the API takes, and stay different', () => {
		const long = 'x'.repeat(100);
		const messages = [user(), own([call('a/b'), call('a:b'), call(long), call(`${long}y`)]), result('a:b')];
		expect(idsOf(ready(claude, ...messages))).toEqual(
			['a_b', 'a_b_2', 'x'.repeat(64), `${'x'.repeat(62)}_2`].flatMap((id, _, all) =>
				id === all[3] ? [id, ...all.map((one) => `> ${one}`)] : [id],
			),
		);
		expect(idsOf(ready(chat, user(), own([call(long)], chat)))).toEqual(['x'.repeat(40), `> ${'x'.repeat(40)}`]);
	});

	it('a call of the Responses API is known elsewhere by one id, with its result', () => {
		const messages = [user(), own([call('call_1|fc_1')], gpt), result('call_1|fc_1')];
		expect(idsOf(ready(claude, ...messages))).toEqual(['call_1_fc_1', '> call_1_fc_1']);
		const sent = wired(toOpenAiResponses, messages as unknown as readonly AgentMessage[], gpt);
		expect(sent.map((one) => [one.type, one.id, one.call_id]).slice(1)).toEqual([
			['function_call', 'fc_1', 'call_1'],
			['function_call_output', undefined, 'call_1'],
		]);
	});

	it('names are made of what the API takes, and a call without one is left out', () => {
		const sent = ready(gpt, user(), own([call('a', 'mcp__srv.do it'), call('b', '')]), result('b'));
		expect(sent.slice(1).map((one) => one.content[0]?.name ?? one.toolName)).toEqual([
			'mcp__srv_do_it',
			'mcp__srv_do_it',
		]);
	});

	it('arguments are an object, whatever the file has', () => {
		const made = (value: unknown) =>
			ready(claude, user(), own([{ ...call('a'), arguments: value }]))[1]?.content[0]?.arguments;
		expect(made('{"a":1}')).toEqual({ a: 1 });
		for (const odd of [undefined, null, [1], '{"a', 7]) expect(made(odd)).toEqual({});
	});

	it('a reply that failed is left out, with its open calls', () => {
		for (const stopReason of ['error', 'aborted']) {
			expect(
				shapes(ready(claude, user(), own([text('half'), call('a')], claude, { stopReason }), user('again'))),
			).toEqual(['user: hi', 'user: again']);
		}
	});

	it('of a reply that failed, calls that were answered are told: something happened because of them', () => {
		const failed = own([thinking('c2ln'), text('I read'), call('a'), call('b')], claude, { stopReason: 'aborted' });
		const sent = ready(claude, user(), failed, result('a'), user('again'));
		expect(shapes(sent)).toEqual(['user: hi', 'assistant: I read | a', 'toolResult: out', 'user: again']);
		expect(
			wired(toAnthropic, [user(), failed, result('a')] as unknown as readonly AgentMessage[], claude),
		).toHaveLength(3);
	});
});

describe('texts and images', () => {
	it('blank texts are left out, and messages that have nothing else', () => {
		expect(
			shapes(ready(claude, user(' \n'), user([text(''), text('a')]), own([text('\t'), text('b')]), own([]), user())),
		).toEqual(['user: a', 'assistant: b', 'user: hi']);
	});

	it('half characters are left out, of texts and of arguments', () => {
		const sent = ready(claude, user('a\ud83d'), own([{ ...call('x'), arguments: { 'k\udc00': ['\ud800v'] } }]));
		expect(sent[0]?.content).toEqual([text('a')]);
		expect(sent[1]?.content[0]?.arguments).toEqual({ k: ['v'] });
		expect(ready(claude, user('\ud83d'), user())).toHaveLength(1);
	});

	it('whole characters stay', () => {
		expect(ready(claude, user('a😀'))[0]?.content).toEqual([text('a😀')]);
	});

	it('an image of a kind that the API does not take becomes a text that says so', () => {
		expect(ready(claude, user([{ ...image, mimeType: 'image/tiff' }]))[0]?.content).toEqual([
			text('(image omitted: the model takes no image/tiff)'),
		]);
		expect(ready(gemini, user([{ ...image, mimeType: 'image/gif' }]))[0]?.content[0]?.type).toBe('text');
		expect(ready(claude, user([{ ...image, data: '' }]))[0]?.content[0]?.type).toBe('text');
		expect(ready(claude, user([image]))[0]?.content).toEqual([image]);
	});

	it.each([
		['Anthropic, in a result that failed', claude, { isError: true }, 1],
		['Anthropic', claude, {}, 0],
		['Gemini before 3', { ...gemini, model: 'gemini-2.5-pro' }, {}, 1],
		['Gemini 3', gemini, {}, 0],
		['Ollama', qwen, {}, 1],
	])('an image in a result: %s', (_, target, more, apart) => {
		const sent = ready(
			target,
			user(),
			own([call('a'), call('b')]),
			result('a', { content: [image], ...more }),
			result('b'),
		);
		expect(sent.map((one) => one.role)).toEqual([
			'user',
			'assistant',
			'toolResult',
			'toolResult',
			...(apart ? ['user'] : []),
		]);
		expect(sent.at(apart ? -1 : 2)?.content).toContainEqual(image);
		if (apart) expect(sent[2]?.content).toEqual([text('(see attached image)')]);
	});

	it('where a reply is one string, its texts have space between them', () => {
		const reply = own([thinking('c2ln'), text('one'), call('a'), text('two')]);
		const [, sent] = wired(toOpenAiChat, [user(), reply, result('a')] as unknown as readonly AgentMessage[], chat);
		expect(sent).toMatchObject({ role: 'assistant', content: 'hm\n\none\n\ntwo' });
	});

	it('what is no block, no message and no content is passed over', () => {
		const odd = [null, 7, 'x', {}, { type: 'unheard' }, { type: 'text' }];
		expect(
			shapes(
				ready(claude, user(odd), { role: 'unheard' }, user(null), own(null), user(), result('a', { content: null })),
			),
		).toEqual(['user: hi']);
	});

	it('what a client has for messages of its own is told in the words of the user', () => {
		expect(ready(claude, { role: 'compactionSummary', summary: 'before' })[0]).toMatchObject({ role: 'user' });
		expect(shapes(ready(claude, { role: 'bashExecution', command: 'ls', output: 'x' }))[0]).toContain('Ran `ls`');
	});
});

describe('ids', () => {
	it('calls with one id are told apart in the time that reading them takes, however many they are', () => {
		const count = 15_000;
		const started = performance.now();
		const calls = Array.from({ length: count }, () => own([call('same')]));
		const given = idsOf(ready(claude, user(), ...calls, result('same'))) as readonly string[];
		expect(performance.now() - started).toBeLessThan(5000);
		expect(new Set(given).size).toBe(2 * count);
		expect([given[0], given[2], given.at(-2)]).toEqual(['same', 'same_2', `same_${count}`]);
	});
});

describe('turns', () => {
	it('the user has the first word and the last', () => {
		expect(shapes(ready(claude, own([text('ok')])))).toEqual([
			'user: (The conversation begins here.)',
			'assistant: ok',
			'user: (Go on.)',
		]);
		expect(shapes(ready(claude))).toEqual(['user: (The conversation begins here.)']);
	});

	it('turns of one role that follow each other are one', () => {
		const turns = [
			{ role: 'user', parts: [1] },
			{ role: 'user', parts: [2, 3] },
			{ role: 'model', parts: [4] },
			{ role: 'user', parts: [5] },
		];
		expect(joined(turns, 'parts')).toEqual([{ role: 'user', parts: [1, 2, 3] }, turns[2], turns[3]]);
	});
});
