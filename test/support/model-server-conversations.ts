/** Conversations that no client would write and every client meets: for laws about what a strict server is sent. */
import fc from 'fast-check';
import { zeroUsage } from '../../src/agent/replies/reply-builder.ts';
import type { AgentMessage } from '../../src/model/index.ts';

/** Few ids, so that they meet; some that no API takes. */
const ids = [
	'a',
	'a',
	'b',
	'call_1|fc_1',
	'call_1|fc_2',
	'x y',
	'x_y',
	'x/y',
	'',
	'long'.repeat(30),
	`${'long'.repeat(30)}2`,
	'___',
];
const texts = ['', ' ', '\n\t', 'hello', ' padded ', 'half \ud83d', '\udc00', '\u001f', 'ends with blank '];
const names = ['read', 'mcp__srv.do it', '', ' ', 'n'.repeat(300), '1st'];
const signatures = [
	'',
	'c2ln',
	'reasoning_content',
	'{"type":"reasoning","id":"rs_1","encrypted_content":"x","summary":[]}',
	'{',
	'null',
	'fc_1',
];

const id = fc.constantFrom(...ids);
const text = fc.constantFrom(...texts);
const signature = fc.option(fc.constantFrom(...signatures), { nil: undefined });

const textBlock = fc.record({ type: fc.constant('text'), text, textSignature: signature });
const imageBlock = fc.record({
	type: fc.constant('image'),
	data: fc.constantFrom('aGk=', ''),
	mimeType: fc.constantFrom('image/png', 'image/tiff', 'image/gif', undefined),
});
const thinkingBlock = fc.record({
	type: fc.constant('thinking'),
	thinking: text,
	thinkingSignature: signature,
	redacted: fc.constantFrom(true, undefined),
});
const callBlock = fc.record({
	type: fc.constant('toolCall'),
	id: fc.oneof(id, fc.constant(undefined)),
	name: fc.constantFrom(...names, undefined),
	arguments: fc.constantFrom({}, { path: 'x\ud800' }, '{"a":1}', '{"a', [1], null, undefined),
	thoughtSignature: signature,
});
const oddBlock = fc.constantFrom(null, 'text', 7, {}, { type: 'unheard' }, { type: 'text' });

const content = (...blocks: readonly fc.Arbitrary<unknown>[]) =>
	fc.oneof(
		{
			weight: 8,
			arbitrary: fc.array(
				fc.oneof(...blocks.map((arbitrary) => ({ weight: 4, arbitrary })), { weight: 1, arbitrary: oddBlock }),
				{ maxLength: 5 },
			),
		},
		{ weight: 1, arbitrary: fc.constantFrom(null, undefined, 'plain', '') },
	);

/** Models that an answer may be from: the ones that are asked, and others. */
export const models = {
	'anthropic-messages': { provider: 'anthropic', api: 'anthropic-messages', model: 'claude-sonnet-4-5' },
	'openai-responses': { provider: 'openai', api: 'openai-responses', model: 'gpt-5' },
	'openai-completions': { provider: 'openai', api: 'openai-completions', model: 'gpt-4.1' },
	'google-generative-ai': { provider: 'google', api: 'google-generative-ai', model: 'gemini-3-pro' },
	ollama: { provider: 'ollama', api: 'ollama', model: 'qwen3' },
} as const;

const user = fc.record({ role: fc.constant('user'), content: content(textBlock, imageBlock) });
const assistant = fc
	.record({
		content: content(textBlock, thinkingBlock, callBlock, callBlock),
		source: fc.constantFrom(...Object.values(models)),
		stopReason: fc.constantFrom('stop', 'toolUse', 'length', 'error', 'aborted'),
	})
	.map(({ source, ...rest }) => ({ role: 'assistant', ...source, usage: zeroUsage(), ...rest }));
const result = fc.record({
	role: fc.constant('toolResult'),
	toolCallId: id,
	toolName: fc.constant('read'),
	content: content(textBlock, imageBlock),
	isError: fc.constantFrom(true, false, undefined),
});
const other = fc.constantFrom(
	{ role: 'bashExecution', command: 'ls', output: 'x' },
	{ role: 'compactionSummary', summary: 'before' },
	{ role: 'system', content: 'be kind' },
	{ role: 'unheard' },
);

export const anyConversation: fc.Arbitrary<readonly AgentMessage[]> = fc
	.array(
		fc.oneof(
			{ weight: 3, arbitrary: user },
			{ weight: 5, arbitrary: assistant },
			{ weight: 6, arbitrary: result },
			{ weight: 1, arbitrary: other },
		),
		{ maxLength: 14 },
	)
	.map(
		(messages) => messages.map((message, at) => ({ ...message, timestamp: at })) as unknown as readonly AgentMessage[],
	);
