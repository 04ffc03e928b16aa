/** Scripts as models: deterministic, complete, and never on the network. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../../test/support/model-server-ask.ts';
import type { Provider } from '../agent/contracts.ts';
import { scriptProvider } from './offline-script.ts';
import { type ScriptInput, turnKeys } from './script.ts';

function made(script: ScriptInput | string): Provider {
	const result = scriptProvider(script, () => 7);
	if (!result.ok) throw new Error(result.problem);
	return result.provider;
}

const model = 'script';
const everything: ScriptInput = [
	{
		content: [
			{ type: 'thinking', thinking: 'Let me look.' },
			{ type: 'redacted_thinking', data: 'aGlkZGVu' },
			{ type: 'text', text: 'Reading.' },
			{ type: 'tool_use', name: 'read', input: { path: 'a' } },
			{ type: 'tool_use', name: 'read', rawInput: '{"path' },
		],
		usage: { input: 10, output: 5, cacheRead: 1, cacheWrite: 2 },
		chunk: 4,
	},
	{ text: 'Done.' },
];

describe('a script', () => {
	it('plays texts, thinking and calls with all their events', async () => {
		const { message, order, events } = await ask(made(everything), { model });
		expect(order).toBe(
			'start thinking_start thinking_delta thinking_end thinking_start thinking_end text_start text_delta text_end toolcall_start toolcall_delta toolcall_end toolcall_start toolcall_delta malformed-call toolcall_end done',
		);
		expect(message).toMatchObject({
			provider: 'offline',
			api: 'anthropic-messages',
			model,
			stopReason: 'toolUse',
			timestamp: 7,
		});
		expect(message.usage).toMatchObject({ input: 10, output: 5, cacheRead: 1, cacheWrite: 2, totalTokens: 18 });
		expect(message.content.map((block) => block.type)).toEqual([
			'thinking',
			'thinking',
			'text',
			'toolCall',
			'toolCall',
		]);
		expect(events).toContainEqual({ type: 'malformed-call', callId: 'call_1_2', raw: '{"path' });
	});

	it('plays the same twice', async () => {
		const [one, two] = [await ask(made(everything), { model }), await ask(made(everything), { model })];
		expect(one.events).toEqual(two.events);
	});

	it('names calls anew as the conversation grows', async () => {
		const provider = made([{ content: [{ type: 'tool_use', name: 'read' }], repeat: true }]);
		const messages = [{ role: 'user', content: 'hi', timestamp: 1 } as const];
		const first = (await ask(provider, { model, messages })).message;
		const next = (await ask(provider, { model, messages: [...messages, first] })).message;
		expect(first.content).not.toEqual(next.content);
	});

	it('is over when its turns are used up, and says so or plays its default', async () => {
		const provider = made([{ text: 'one' }]);
		expect((await ask(provider, { model })).message.content).toMatchObject([{ text: 'one' }]);
		expect((await ask(provider, { model })).failure).toMatchObject({ code: 'script', retry: false });
		expect((await ask(made({ turns: [], default: { text: 'always' } }), { model })).message.content).toMatchObject([
			{ text: 'always' },
		]);
	});

	it('chooses by what it is asked', async () => {
		const script: ScriptInput = [
			{ when: { last: '^sum' }, text: 'by last' },
			{ when: { first: '^hi$', tools: false }, text: 'without tools' },
			{ when: 'secret word', text: 'by word' },
			{ when: { system: 'pirate' }, text: 'by system' },
			{ when: { model: 'big' }, text: 'by model' },
			{ when: { any: 'hi', not: 'hello' }, text: 'by any' },
		];
		const said = async (content: string, more = {}) => {
			const { message } = await ask(made(script), {
				model,
				messages: [{ role: 'user', content, timestamp: 1 }],
				...more,
			});
			return message.content[0];
		};
		expect(await said('sum this')).toMatchObject({ text: 'by last' });
		expect(await said('hi', { tools: [] })).toMatchObject({ text: 'without tools' });
		expect(await said('the secret word')).toMatchObject({ text: 'by word' });
		expect(await said('x', { system: 'You are a pirate.' })).toMatchObject({ text: 'by system' });
		expect(await said('x', { model: 'big' })).toMatchObject({ text: 'by model' });
		expect(await said('hi')).toMatchObject({ text: 'by any' });
		expect(await said('hello')).toBeUndefined();
	});

	it('fails like a server', async () => {
		const provider = made([
			{ error: { status: 429, message: 'slow down', headers: { 'retry-after': '2' } } },
			{ error: { status: 401 } },
			{ text: 'abcdef', chunk: 2, cut: { chunks: 2 } },
			{ text: 'abcdef', chunk: 2, cut: { chunks: 2, how: 'error' } },
			{
				content: [
					{ type: 'text', text: 'a' },
					{ type: 'text', text: 'b' },
				],
				cut: { blocks: 1 },
			},
			{ text: 'no', stop: 'refusal' },
		]);
		const failures: unknown[] = [];
		for (let i = 0; i < 6; i++) failures.push((await ask(provider, { model })).failure);
		expect(failures).toMatchObject([
			{ code: 'rate-limit', retryAfterMs: 2000 },
			{ code: 'auth' },
			{ code: 'cut', retry: true },
			{ code: 'overloaded', retry: true },
			{ code: 'cut' },
			{ code: 'bad-request' },
		]);
	});

	it('can be interrupted while it waits, hangs or speaks slowly', async () => {
		for (const turn of [
			{ delayMs: 5000 },
			{ text: 'abcdef', chunk: 1, cut: { chunks: 1, how: 'hang' } },
			{ text: 'abcdef', chunk: 1, chunkDelayMs: 5000 },
		] as const) {
			const stop = new AbortController();
			setTimeout(() => stop.abort(), 20);
			expect((await ask(made([turn]), { model }, stop.signal)).failure?.code).toBe('aborted');
		}
	});

	it('says what is wrong with it, and where', () => {
		const problem = (script: unknown) => {
			const result = scriptProvider(script);
			return result.ok ? 'nothing' : result.problem;
		};
		expect(problem('{')).toContain('is not JSON');
		expect(problem('[{"txt":"x"}]')).toContain('txt');
		expect(problem({ turns: [{ content: [{ type: 'tool_use' }] }] })).toContain('turns[0].content[0].name');
		expect(problem([{ when: { last: '(' } }])).toContain('regular expression');
		expect(problem([{ error: { status: 200 } }])).not.toBe('nothing');
		expect(problem({ turns: [] })).toBe('nothing');
	});
});

it('docs/client.md names every key that a turn may have, and no other', () => {
	const page = readFileSync(join(import.meta.dirname, '../../docs/client.md'), 'utf8');
	const table = page.slice(page.indexOf('| key | what it does |'), page.indexOf('`reprise demo` shows the whole'));
	const named = table
		.split('\n')
		.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, key]) => key));
	expect(named.sort()).toEqual([...turnKeys].sort());
});
