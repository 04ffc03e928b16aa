/** What each kind of line means, in neutral words. */
import { describe, expect, test } from 'vitest';
import { assistant, entry, envelope, event, inGraph, user } from '../../../../test/support/claude-code-lines.ts';
import type { JsonObject } from '../../../model/index.ts';

describe('user lines', () => {
	test('a direct prompt is a user message that both sides see', () => {
		const made = entry(user('implement it', { permissionMode: 'plan' }));
		expect(made).toMatchObject({
			kind: 'message',
			id: 'u2',
			parent: 'u1',
			time: envelope.timestamp,
			role: 'user',
			content: [{ type: 'text', text: 'implement it' }],
			records: [0],
			extra: { permissionMode: 'plan', cwd: '/home/dev/app', version: '2.1.29' },
		});
		expect(made).not.toHaveProperty('audience');
		expect(made).not.toHaveProperty('origin');
	});

	test('an isMeta line is a message for the model only', () => {
		const made = entry(user([{ type: 'text', text: '# Workflow' }], { isMeta: true }));
		expect(made).toMatchObject({ audience: 'model', content: [{ type: 'text', text: '# Workflow' }] });
	});

	test('a tool result keeps its structured result as details', () => {
		const details = { filenames: ['/a'], durationMs: 128, numFiles: 1, truncated: false };
		const line = user([{ type: 'tool_result', tool_use_id: 't1', content: 'out' }], { toolUseResult: details });
		expect(entry(line)).toMatchObject({
			content: [
				{
					type: 'tool_result',
					call: 't1',
					isError: false,
					details,
					durationMs: 128,
					content: [{ type: 'text', text: 'out' }],
				},
			],
		});
	});

	test('a string toolUseResult is kept as details', () => {
		const block = { type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true };
		const made = entry(user([block], { toolUseResult: 'Error: no' }));
		expect(made).toMatchObject({ content: [{ isError: true, details: 'Error: no' }] });
	});

	test('with several results in a line the structured result stays with the line', () => {
		const results = ['t1', 't2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'x' }));
		const made = entry(user(results, { toolUseResult: { stdout: 'x' } }));
		expect(made.extra).toMatchObject({ toolUseResult: { stdout: 'x' } });
	});

	test('images and nested blocks of results are read, unknown blocks kept', () => {
		const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } };
		const content = [{ type: 'text', text: 'R' }, image, { type: 'tool_reference', tool_name: 'X' }];
		const made = entry(user([{ type: 'tool_result', tool_use_id: 't1', content }, image, 5]));
		expect(made).toMatchObject({
			content: [
				{
					content: [
						{ type: 'text', text: 'R' },
						{ type: 'image', mime: 'image/png', data: { base64: 'iVBO' } },
						{ type: 'opaque', of: 'tool_reference', value: { tool_name: 'X' } },
					],
				},
				{ type: 'image' },
				{ type: 'opaque', of: 'number', value: 5 },
			],
		});
	});

	test('a compaction summary, a command and a shell line say how they came about', () => {
		expect(entry(user('text', { isCompactSummary: true }))).toMatchObject({ origin: 'compaction' });
		expect(entry(user('<command-name>/clear</command-name>'))).toMatchObject({ origin: 'command' });
		expect(entry(user('<bash-input>ls</bash-input>'))).toMatchObject({ origin: 'shell' });
	});
});

describe('assistant lines', () => {
	const usage = {
		input_tokens: 3,
		cache_creation_input_tokens: 30,
		cache_read_input_tokens: 7,
		cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
		output_tokens: 9,
		output_tokens_details: { thinking_tokens: 4 },
		service_tier: 'standard',
	};

	test('a reply is read block by block with model, ids, stop reason and usage', () => {
		const made = entry(assistant({ type: 'text', text: 'hi' }, {}, { stop_reason: 'end_turn', usage }));
		expect(made).toMatchObject({
			role: 'assistant',
			content: [{ type: 'text', text: 'hi' }],
			response: {
				id: 'msg_1',
				request: 'req_1',
				model: 'claude-opus-4-5',
				stop: 'end',
				usage: { input: 3, output: 9, cacheRead: 7, cacheWrite5m: 10, cacheWrite1h: 20, reasoning: 4 },
			},
			extra: { message: { usage } },
		});
	});

	test('a tool call keeps id, name and input', () => {
		const block = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/a' } };
		expect(entry(assistant(block, {}, { stop_reason: 'tool_use' }))).toMatchObject({
			content: [{ type: 'tool_call', id: 'toolu_1', name: 'Read', input: { file_path: '/a' } }],
			response: { stop: 'tool' },
		});
	});

	test('thinking keeps its signature and redacted thinking its data', () => {
		const signed = { type: 'thinking', thinking: 'hm', signature: 'Ep' };
		expect(entry(assistant(signed))).toMatchObject({ content: [{ type: 'thinking', text: 'hm', signature: 'Ep' }] });
		const redacted = { type: 'redacted_thinking', data: 'RRR' };
		expect(entry(assistant(redacted))).toMatchObject({ content: [{ type: 'thinking', text: '', redacted: 'RRR' }] });
	});

	test('a line that the client wrote in place of a reply is synthetic and says the error', () => {
		const line = assistant(
			{ type: 'text', text: 'API Error: 400' },
			{ isApiErrorMessage: true },
			{ model: '<synthetic>' },
		);
		expect(entry(line)).toMatchObject({ response: { synthetic: true, stop: 'error', error: 'API Error: 400' } });
	});
});

describe('system lines', () => {
	const system = (subtype: string, fields: JsonObject): JsonObject => inGraph({ type: 'system', subtype, ...fields });

	test('a compaction boundary cuts the chain and remembers what it follows', () => {
		const line = system('compact_boundary', {
			parentUuid: null,
			logicalParentUuid: 'u1',
			content: 'Conversation compacted',
			level: 'info',
			compactMetadata: {
				trigger: 'auto',
				preTokens: 167503,
				postTokens: 9,
				preservedSegment: { headUuid: 'k1', anchorUuid: 'a', tailUuid: 'k2' },
			},
		});
		expect(entry(line)).toMatchObject({
			kind: 'compaction',
			parent: null,
			logicalParent: 'u1',
			trigger: 'auto',
			tokensBefore: 167503,
			tokensAfter: 9,
			keptFrom: 'k1',
		});
	});

	test('a turn duration is a timing event', () => {
		expect(event(system('turn_duration', { durationMs: 88947 }))).toEqual({ type: 'timing', durationMs: 88947 });
	});

	test('a local command is a command event with name and arguments', () => {
		const content = '<command-name>/agents</command-name>\n<command-args>create</command-args>';
		expect(event(system('local_command', { content, level: 'info' }))).toEqual({
			type: 'command',
			name: '/agents',
			args: 'create',
			content,
			level: 'info',
		});
	});

	test('an API error and a stop hook summary are events in the chain', () => {
		const error = { message: '529 overloaded', formatted: '529 scripted error' };
		const failed = entry(system('api_error', { error, retryAttempt: 2, level: 'error' }));
		expect(failed).toMatchObject({
			parent: 'u1',
			event: { type: 'error', message: '529 scripted error', attempt: 2, data: error },
		});
		const hooks = event(system('stop_hook_summary', { hookCount: 1, hookErrors: ['bad'] }));
		expect(hooks).toMatchObject({ type: 'hook', event: 'Stop', output: 'bad', data: { hookCount: 1 } });
	});

	test('an unknown system line that says something is a notice', () => {
		expect(event(system('informational', { content: 'INFO', level: 'warning' }))).toEqual({
			type: 'notice',
			level: 'warning',
			message: 'INFO',
		});
		expect(entry(system('mystery', {}))).toMatchObject({ kind: 'opaque', type: 'system', parent: 'u1' });
	});
});
