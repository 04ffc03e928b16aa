/** Whatever conversation comes in, what goes out keeps the rules of its server. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConversation, models } from '../../test/support/model-server-conversations.ts';
import { brokenRule } from '../../test/support/model-server-rules.ts';
import type { ModelRequest, ThinkingLevel } from '../agent/contracts.ts';
import type { AgentMessage, JsonObject } from '../model/index.ts';
import type { Target } from '../wires/index.ts';
import { anthropicBody } from './anthropic.ts';
import { googleBody } from './google.ts';
import { ollamaBody } from './ollama.ts';
import { chatBody } from './openai-chat.ts';
import { responsesBody } from './openai-responses.ts';
import { type Clean, Prepared } from './prepare.ts';
import type { Service } from './service.ts';

const tools = [{ name: 'read', description: 'Reads a file.', inputSchema: { type: 'object', properties: {} } }];
const levels: readonly (ThinkingLevel | undefined)[] = [undefined, 'off', 'low', 'high'];

const service = (id: string, api: string, url = 'https://api.openai.com/v1'): Service => ({
	id,
	api,
	name: id,
	url,
	keyNames: [],
	now: () => 0,
});
const prepare = (messages: readonly AgentMessage[], target: Target): readonly Clean[] =>
	new Prepared(target).end(messages);
const plain = (body: unknown): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject;

const apis = [
	[
		'anthropic',
		'anthropic-messages',
		(request: ModelRequest) => anthropicBody(request, service('anthropic', 'anthropic-messages')),
	],
	[
		'responses',
		'openai-responses',
		(request: ModelRequest) => responsesBody(request, service('openai', 'openai-responses')),
	],
	['chat', 'openai-completions', (request: ModelRequest) => chatBody(request, service('openai', 'openai-completions'))],
	[
		'google',
		'google-generative-ai',
		(request: ModelRequest) => googleBody(request, service('google', 'google-generative-ai')),
	],
	['ollama', 'ollama', (request: ModelRequest) => ollamaBody(request, service('ollama', 'ollama'))],
] as const;

describe.each(apis)('%s', (protocol, api, body) => {
	it('whatever conversation comes in, no rule of the server is broken', () => {
		const headers = { authorization: 'Bearer k' };
		fc.assert(
			fc.property(anyConversation, fc.constantFrom(...levels), fc.string(), (messages, thinking, system) => {
				const request = { model: models[api].model, system, messages, tools, ...(thinking ? { thinking } : {}) };
				expect(brokenRule(protocol, plain(body(request)), headers)?.message).toBeUndefined();
			}),
			{ numRuns: 400 },
		);
	});

	it('what was prepared once is not changed by preparing it again', () => {
		const target = models[api];
		fc.assert(
			fc.property(anyConversation, (messages) => {
				const once = prepare(messages, target);
				expect(prepare(once as never, target)).toEqual(once);
			}),
		);
	});

	it('more of the conversation does not change what a server has cached of it', () => {
		const target = models[api];
		fc.assert(
			fc.property(anyConversation, (messages) => {
				const asked = [...messages, { role: 'user', content: 'one', timestamp: 1 } as const];
				const before = prepare(asked, target);
				const after = prepare([...asked, { role: 'user', content: 'two', timestamp: 2 }], target);
				expect(after.slice(0, before.length)).toEqual(before);
			}),
		);
	});
});
