/** Entries of any origin as pi's lines: what is written, how it is linked, and what is said to be lost. */
import { describe, expect, test } from 'vitest';
import {
	answers,
	asks,
	entry,
	head,
	lost,
	reply,
	says,
	sound,
	words,
	write,
} from '../../../../test/support/openclaw-encode.ts';
import { text } from '../../../../test/support/openclaw-lines.ts';
import { type Block, path } from '../../../model/index.ts';

describe('the client profile', () => {
	test('a new file has a version 3 header, the model first, and 8 hex digits as ids', () => {
		const { lines, bytes } = write([
			says('u', null, 'user', [words('hi')]),
			says('a', 'u', 'assistant', [words('ho')], reply('r')),
		]);
		expect(lines[0]).toEqual({ type: 'session', version: 3, id: 'session-1', timestamp: head.created, cwd: '/work' });
		expect(lines.map((one) => one.type)).toEqual(['session', 'model_change', 'message', 'message']);
		for (const one of lines.slice(1)) expect(one.id).toMatch(/^[0-9a-f]{8}$/);
		expect(lines.map((one) => one.parentId)).toEqual([undefined, null, lines[1]?.id, lines[2]?.id]);
		sound(bytes);
	});

	test('a reply has every field of the document and the id of the response', () => {
		const { lines } = write([
			says('a', null, 'assistant', [words('ho')], reply('r', { stop: 'end', costUsd: 0.25, error: 'E' })),
		]);
		expect(lines[2]?.message).toEqual({
			role: 'assistant',
			content: [text('ho')],
			api: 'anthropic-messages',
			provider: 'anthropic',
			model: 'claude-sonnet-4-5',
			usage: {
				input: 1,
				output: 2,
				cacheRead: 0,
				cacheWrite: 0,
				totalTokens: 3,
				cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.25 },
			},
			stopReason: 'stop',
			errorMessage: 'E',
			timestamp: expect.any(Number),
			responseId: 'r',
		});
	});

	test('the lines of one reply become one message, and parallel results one chain', () => {
		const { lines, session, bytes } = write([
			says('u', null, 'user', [words('go')]),
			says('t', 'u', 'assistant', [{ type: 'thinking', text: 'hm', signature: 's' }], reply('r')),
			says('x', 't', 'assistant', [asks('1', 'Read')], reply('r')),
			says('rx', 'x', 'user', [answers('1')]),
			says('y', 'x', 'assistant', [asks('2', 'Bash')], reply('r', { stop: 'tool' })),
			says('ry', 'y', 'user', [answers('2')]),
			says('end', 'rx', 'assistant', [words('done')], reply('r2')),
		]);
		expect(lines.slice(2).map((one) => (one.message as { role: string }).role)).toEqual([
			'user',
			'assistant',
			'toolResult',
			'toolResult',
			'assistant',
		]);
		expect(path(session).filter((one) => one.kind === 'message').length).toBe(5);
		expect(lines[4]).toMatchObject({ message: { toolName: 'Read' } });
		sound(bytes);
	});

	test('the tokens of a reply in several messages are written once', () => {
		const { session } = write([
			says('x', null, 'assistant', [asks('1', 'Read')], reply('r')),
			says('rx', 'x', 'user', [answers('1')]),
			says('y', 'rx', 'assistant', [words('more')], reply('r')),
		]);
		const outputs = session.entries.flatMap((one) =>
			one.kind === 'message' ? (one.response?.usage?.output ?? []) : [],
		);
		expect(outputs).toEqual([0, 2]);
	});

	test('a compaction takes its summary from the message after it', () => {
		const { lines, bytes } = write([
			says('u', null, 'user', [words('old')]),
			entry({ id: 'c', parent: null, logicalParent: 'u', kind: 'compaction', tokensBefore: 7, keptFrom: 'u' }),
			says('s', 'c', 'user', [words('SUM')], { origin: 'compaction' }),
			says('n', 's', 'user', [words('new')]),
		]);
		expect(lines[3]).toMatchObject({
			type: 'compaction',
			summary: 'SUM',
			tokensBefore: 7,
			parentId: lines[2]?.id,
			firstKeptEntryId: lines[2]?.id,
		});
		expect(lines[4]).toMatchObject({ parentId: lines[3]?.id });
		sound(bytes);
	});

	test('a compaction that keeps nothing names itself', () => {
		const { lines, bytes } = write([
			says('u', null, 'user', [words('old')]),
			entry({ id: 'c', parent: 'u', kind: 'compaction', summary: 'S' }),
		]);
		expect(lines[3]?.firstKeptEntryId).toBe(lines[3]?.id);
		sound(bytes);
	});

	test('settings, labels, branch summaries, edits and custom events have lines of their own', () => {
		const { lines, losses, bytes } = write([
			entry({
				id: 'm',
				parent: null,
				kind: 'setting',
				set: { model: 'gpt-5', thinking: 'high', permissionMode: 'plan' },
			}),
			says('u', 'm', 'user', [words('one')]),
			says('a', 'u', 'assistant', [words('two')], reply('r')),
			entry({ id: 'l', kind: 'label', target: 'u', text: 'L' }),
			entry({ id: 'l2', kind: 'label', target: 'gone', text: 'L' }),
			entry({ id: 'b', parent: 'u', kind: 'summary', of: 'branch', text: 'B', leaf: 'a' }),
			entry({ id: 'e', parent: 'b', kind: 'edit', target: 'u', replacement: [words('changed')] }),
			entry({ id: 'v', parent: 'e', kind: 'event', event: { type: 'custom', of: 'ext', data: 1 } }),
			entry({ id: 't', kind: 'setting', set: { title: 'T' } }),
		]);
		expect(lines.map((one) => one.type)).toEqual([
			'session',
			'model_change',
			'thinking_level_change',
			'message',
			'message',
			'label',
			'branch_summary',
			'context_edit',
			'custom',
			'session_info',
		]);
		expect(lines[1]).toMatchObject({ provider: 'openai', modelId: 'gpt-5' });
		expect(lines[5]).toMatchObject({ targetId: lines[3]?.id, label: 'L' });
		expect(lines[6]).toMatchObject({ fromId: lines[4]?.id, parentId: lines[3]?.id });
		expect(lines[7]).toMatchObject({ targetId: lines[3]?.id, replacement: { content: [text('changed')] } });
		expect(lost(losses)).toEqual(['m set.permissionMode dropped', 'l2  dropped']);
		sound(bytes);
	});

	test('the last line leads to where the conversation goes on', () => {
		const entries = [
			says('u', null, 'user', [words('one')]),
			says('a', 'u', 'assistant', [words('two')], reply('r')),
			says('b', 'u', 'assistant', [words('other')], reply('r2')),
		];
		const { lines, session } = write(entries, 'client', { leaf: 'a' });
		expect(lines.at(-1)).toMatchObject({ type: 'custom', customType: 'reprise.leaf', parentId: lines[3]?.id });
		expect(path(session).flatMap((one) => (one.kind === 'message' ? one.content : []))).toEqual([
			words('one'),
			words('two'),
		]);
	});

	test('messages for the model only are hidden, messages for the user only are never sent', () => {
		const { lines, losses } = write([
			says('m', null, 'user', [words('reminder')], { audience: 'model' }),
			says('n', 'm', 'user', [words('output')], { audience: 'user', origin: 'command' }),
		]);
		expect(lines[2]).toMatchObject({ type: 'custom_message', customType: 'context', display: false });
		expect(lines[3]).toMatchObject({ type: 'custom', customType: 'reprise.message' });
		expect(lost(losses)).toEqual(['n  approximated']);
	});

	test('blocks without a counterpart become text, and a loss', () => {
		const { lines, losses } = write([
			says('u', null, 'user', [
				{ type: 'document', mime: 'application/pdf', data: { base64: 'x' } },
				{ type: 'image', mime: 'image/png', data: { url: 'http://x/y.png' } },
				{ type: 'file', path: '/a', text: 'body' },
				{ type: 'opaque', of: 'novelty', value: {} },
			]),
		]);
		expect(lines[2]).toMatchObject({
			message: { content: [text('[document: application/pdf]'), text('[image: http://x/y.png]'), text('/a\nbody')] },
		});
		expect(lost(losses)).toEqual([
			'u content[0] approximated',
			'u content[1] approximated',
			'u content[2] approximated',
			'u content[3] dropped',
		]);
	});

	test('a signature that would break later requests is dropped and told', () => {
		const thinking: Block = { type: 'thinking', text: 't', signature: 'c2ln' };
		const { losses, bytes } = write([
			says(
				'a',
				null,
				'assistant',
				[thinking],
				reply('r', { provider: 'openai', model: 'gpt-5', api: 'openai-responses' }),
			),
			says('b', 'a', 'assistant', [thinking], reply('q', { provider: 'mystery' })),
		]);
		expect(lost(losses)).toEqual(['a content[0].signature dropped', 'b content[0].signature dropped']);
		sound(bytes);
	});

	test('what the format cannot hold is dropped and told', () => {
		const { losses, lines } = write(
			[
				says('s', null, 'system', [words('prompt')]),
				says('g', 's', 'user', [words('sub')], { agent: 'helper' }),
				entry({ id: 'c', kind: 'checkpoint', update: false, files: [] }),
				entry({ id: 'o', kind: 'outcome', status: 'done' }),
				entry({ id: 'v', kind: 'event', event: { type: 'progress', of: 'x', data: {} } }),
				entry({ id: 'q', parent: 's', kind: 'opaque', type: 'x' }),
				says('u', 'q', 'user', [words('hi')]),
			],
			'client',
			{ header: { ...head, gitBranch: 'main', systemPrompt: 'P' } },
		);
		expect(lost(losses)).toEqual([
			'g  dropped',
			' header.gitBranch dropped',
			' header.systemPrompt dropped',
			's  dropped',
			'c  dropped',
			'o  dropped',
			'v  dropped',
			'q  dropped',
		]);
		expect(lines.map((one) => one.type)).toEqual(['session', 'model_change', 'message']);
		expect(lines[2]?.parentId).toBe(lines[1]?.id);
	});

	test('entries that follow each other in a circle are written as a sound file', () => {
		const { bytes } = write([
			says('a', 'b', 'user', [words('1')]),
			says('b', 'a', 'user', [words('2')]),
			says('c', 'zzz', 'user', [words('3')]),
		]);
		sound(bytes);
	});
});
