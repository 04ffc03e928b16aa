/** A conversation that moves from one provider to the next and back, past strict servers. */
import { expect, it } from 'vitest';
import { startModelServer } from '../../test/support/model-server.ts';
import {
	ask,
	envFor,
	modelNames,
	type ProtocolName,
	protocolNames,
	providerAt,
} from '../../test/support/model-server-ask.ts';
import type { AgentMessage } from '../model/index.ts';

const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
const way: readonly ProtocolName[] = [
	'anthropic',
	...protocolNames.filter((name) => name !== 'anthropic'),
	'anthropic',
];

it('begun with Anthropic, gone on with every other and back, nothing is refused and nothing is forgotten', async () => {
	const turns = way.flatMap((name, at) => [
		{
			content: [
				{ type: 'thinking', thinking: `Thoughts ${at}.` } as const,
				{ type: 'text', text: `Text ${at}.` } as const,
				{ type: 'tool_use', name: 'read', input: { path: name } } as const,
				{ type: 'tool_use', name: 'read', input: { path: 'second' } } as const,
			],
		},
		{ text: `End ${at}.` },
	]);
	await using server = await startModelServer({ turns, strict: true });
	const messages: AgentMessage[] = [];
	for (const [at, name] of way.entries()) {
		const { provider, model } = await providerAt(modelNames[name], envFor(server.url));
		messages.push({ role: 'user', content: [{ type: 'text', text: `Prompt ${at}.` }, image], timestamp: at });
		const { message, failure } = await ask(provider, { model, messages, thinking: 'low' });
		expect(failure).toBeUndefined();
		messages.push(message);
		for (const block of message.content) {
			if (block.type !== 'toolCall') continue;
			const content = [{ type: 'text' as const, text: `Result ${at}.` }, image];
			messages.push({
				role: 'toolResult',
				toolCallId: block.id,
				toolName: 'read',
				content,
				isError: false,
				timestamp: at,
			});
		}
		const next = await ask(provider, { model, messages, thinking: 'low' });
		expect(next.failure).toBeUndefined();
		messages.push(next.message);
	}
	expect(server.requests.map((request) => request.rejected)).toEqual(server.requests.map(() => undefined));
	const last = JSON.stringify(server.requests.at(-1)?.body);
	for (const at of way.keys()) {
		expect(last).toContain(`Prompt ${at}.`);
		expect(last).toContain(`Text ${at}.`);
		expect(last).toContain(`Result ${at}.`);
		expect(last).toContain(`Thoughts ${at}.`);
	}
	// Back home, its own thinking is thinking, and that of the others is text.
	expect(last.match(/"type":"thinking"/g)).toHaveLength(2);
});
