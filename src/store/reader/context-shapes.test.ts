/** Laws of the provider shapes of a context. */
import { describe, expect, it } from 'vitest';
import type { Context } from '../../codecs/index.ts';
import { shapeMessages } from './context-shapes.ts';

const context: Context = {
	client: 'x',
	provider: 'anthropic',
	model: 'claude-sonnet-4-5',
	from: [[], [], [], []],
	messages: [
		{ role: 'user', content: 'Read it' },
		{
			role: 'assistant',
			content: [
				{ type: 'thinking', thinking: 'hm', signature: 'sig' },
				{ type: 'text', text: 'I will.' },
				{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a' } },
			],
		},
		{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'text of a', is_error: true }] },
		{ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
	],
};

describe('a context in a provider’s shape', () => {
	it('as anthropic is what contexts are kept in', () => {
		expect(shapeMessages(context, 'anthropic')).toEqual(context.messages);
	});

	it('as openai-chat has function calls and tool messages', () => {
		expect(shapeMessages(context, 'openai-chat')).toMatchObject([
			{ role: 'user' },
			{
				role: 'assistant',
				tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'Read', arguments: '{"path":"a"}' } }],
			},
			{ role: 'tool', tool_call_id: 'toolu_1', content: 'text of a' },
			{ role: 'assistant', content: 'Done.' },
		]);
	});

	it('as openai-responses has items for calls and outputs', () => {
		const types = shapeMessages(context, 'openai-responses').map((item) => item.type ?? item.role);
		expect(types).toContain('function_call');
		expect(types).toContain('function_call_output');
	});

	it('as google has parts with calls and responses', () => {
		const roles = shapeMessages(context, 'google').map((content) => content.role);
		expect(roles).toEqual(['user', 'model', 'user', 'model']);
	});

	it('as ollama has tool messages with the tool’s name', () => {
		expect(shapeMessages(context, 'ollama')).toContainEqual(
			expect.objectContaining({ role: 'tool', tool_name: 'Read' }),
		);
	});

	it('thinking of another model never goes out as thinking', () => {
		for (const shape of ['openai-chat', 'openai-responses', 'google', 'ollama'] as const) {
			expect(JSON.stringify(shapeMessages(context, shape))).not.toContain('sig"');
		}
	});
});
