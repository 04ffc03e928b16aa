/** Appends entries of this format, to existing files and to the document's bare lines. */
import { describe, expect, test } from 'vitest';
import {
	answers,
	asks,
	entry,
	lost,
	reply,
	says,
	sound,
	words,
	write,
} from '../../../../test/support/openclaw-encode.ts';
import {
	assistant,
	call,
	file,
	header,
	line,
	read,
	result,
	said,
	text,
	user,
} from '../../../../test/support/openclaw-lines.ts';
import { path } from '../../../model/index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { openclaw } from '../index.ts';

describe('entries of this format', () => {
	test('every line type is written again with the same meaning', () => {
		const lines = [
			header,
			line('aaaaaaa1', null, 'model_change', { provider: 'p', modelId: 'm' }),
			line('aaaaaaa2', 'aaaaaaa1', 'thinking_level_change', { thinkingLevel: 'high' }),
			said('aaaaaaa3', 'aaaaaaa2', { role: 'system', content: '', sections: { a: 'A' }, timestamp: 1740000000000 }),
			said('aaaaaaa4', 'aaaaaaa3', user([text('hi')])),
			said(
				'aaaaaaa5',
				'aaaaaaa4',
				assistant(
					[
						{ type: 'thinking', thinking: 'x', thinkingSignature: 'P', redacted: true },
						{ ...call('1'), namespace: 'n' },
					],
					{ responseId: 'r', rawStopReason: 'tool_use', stopReason: 'toolUse' },
				),
			),
			said('aaaaaaa6', 'aaaaaaa5', result('1', { details: { n: 1 }, __openclaw: { runId: 'x' } })),
			said('aaaaaaa7', 'aaaaaaa6', {
				role: 'bashExecution',
				command: 'ls',
				output: '',
				exitCode: 0,
				cancelled: false,
				truncated: false,
				timestamp: 1740000000000,
			}),
			line('aaaaaaa8', 'aaaaaaa7', 'custom_message', {
				customType: 'e',
				content: [text('c')],
				display: false,
				details: { d: 1 },
			}),
			line('aaaaaaa9', 'aaaaaaa8', 'custom', { customType: 'e', data: [1] }),
			line('aaaaaab1', 'aaaaaaa9', 'label', { targetId: 'aaaaaaa4', label: 'L' }),
			line('aaaaaab2', 'aaaaaab1', 'session_info', { name: 'T' }),
			line('aaaaaab3', 'aaaaaab2', 'usage', {
				kind: 'cache_warm',
				provider: 'p',
				model: 'm',
				usage: assistant().usage,
				note: 'n',
			}),
			line('aaaaaab4', 'aaaaaab3', 'context_edit', { targetId: 'aaaaaaa4', replacement: null }),
			line('aaaaaab5', 'aaaaaab4', 'compaction', {
				summary: 'S',
				firstKeptEntryId: 'aaaaaaa4',
				tokensBefore: 5,
				details: {},
				usage: assistant().usage,
				fromHook: false,
			}),
			line('aaaaaab6', 'aaaaaaa4', 'branch_summary', { fromId: 'aaaaaab5', summary: 'B', details: {} }),
			said('aaaaaab7', 'aaaaaab6', { role: 'notice', text: 'own' }),
			line('aaaaaab8', 'aaaaaab7', 'novelty', { x: [1] }),
			line('aaaaaab9', 'aaaaaab8', 'active_tools_change', { activeToolNames: ['read'], why: 1 }),
		];
		const session = read(...lines);
		const { lines: again, losses } = write(session.entries, 'client', { header: session.header });
		expect(losses).toEqual([]);
		const plain = (one: object) => JSON.parse(JSON.stringify(one)) as unknown;
		expect(again.slice(1)).toEqual(lines.slice(1).map(plain));
	});

	test("OpenClaw's leaf records are written as they were", () => {
		const session = read(
			header,
			said('a', null, user([text('x')])),
			said('b', 'a', assistant()),
			line('l', 'b', 'leaf', { targetId: 'a', appendParentId: 'b' }),
		);
		const { lines } = write(session.entries, 'client', { header: session.header });
		expect(lines.at(-1)).toMatchObject({ type: 'leaf', id: 'l', parentId: 'a', targetId: 'a', appendParentId: 'b' });
	});
});

describe('appending', () => {
	test('a tree goes on from its last line, and the ids of the file are kept', () => {
		const after = read(header, said('a', null, user()), said('b', 'a', assistant()));
		const { lines } = write(
			[says('n', 'b', 'user', [words('more')]), entry({ id: 't', kind: 'setting', set: { title: 'T' } })],
			'client',
			{ after },
		);
		expect(lines.map((one) => one.parentId)).toEqual(['b', lines[0]?.id]);
	});

	test('a bare file goes on with bare lines and a version 1 file without ids, in any profile', () => {
		const bare = write([says('n', null, 'user', [words('more')])], 'client', { after: read(user(), assistant()) });
		expect(bare.lines).toMatchObject([{ role: 'user', content: 'more' }]);
		const old = write([says('n', null, 'user', [words('more')])], 'client', {
			after: read({ type: 'session', id: 's' }, { type: 'message', message: user() }),
		});
		expect(old.lines[0]).toMatchObject({ type: 'message', message: { role: 'user' } });
		expect(old.lines[0]).not.toHaveProperty('id');
	});

	test('a torn tail is ended before the new line', () => {
		const whole = file(header, said('a', null, user()), said('b', 'a', assistant()));
		const after = decodeBytes(openclaw, whole.subarray(0, -20));
		const { bytes } = write([says('n', 'a', 'user', [words('more')])], 'client', { after });
		expect(bytes[0]).toBe(10);
		const session = decodeBytes(openclaw, Buffer.concat([whole.subarray(0, -20), bytes]));
		expect(path(session).map((one) => one.kind)).toEqual(['message', 'message']);
	});

	test('an empty file gets a header', () => {
		const { lines } = write([says('n', null, 'user', [words('x')])], 'client', {
			after: decodeBytes(openclaw, new Uint8Array()),
		});
		expect(lines[0]?.type).toBe('session');
	});
});

describe('the published profile', () => {
	test('only messages of the document are written, with their fields and nothing else', () => {
		const { lines, bytes } = write(
			[
				says('u', null, 'user', [words('hi')]),
				says(
					'a',
					'u',
					'assistant',
					[words('x'), asks('1', 'read')],
					reply('r', { api: 'anthropic-messages', stop: 'tool' }),
				),
				says('t', 'a', 'user', [answers('1'), words('and')]),
			],
			'published',
		);
		expect(lines.map((one) => Object.keys(one))).toEqual([
			['role', 'content', 'timestamp'],
			['role', 'content', 'api', 'provider', 'model', 'usage', 'stopReason', 'timestamp'],
			['role', 'toolCallId', 'toolName', 'content', 'isError', 'timestamp'],
			['role', 'content', 'timestamp'],
		]);
		expect(lines[1]).toMatchObject({ usage: { totalTokens: 3 } });
		sound(bytes, 'published');
	});

	test('one branch is written, the others and all that is no message are losses', () => {
		const { lines, losses, bytes } = write(
			[
				entry({ id: 'm', parent: null, kind: 'setting', set: { model: 'x' } }),
				says('u', 'm', 'user', [words('one')]),
				says('b', 'u', 'user', [words('left')]),
				says('a', 'u', 'assistant', [words('two')], reply('r', { api: 'x' })),
				entry({ id: 'c', parent: 'a', kind: 'compaction', summary: 'S', tokensBefore: 1 }),
				says('k', 'c', 'user', [words('hook')], { origin: 'custom:x' }),
			],
			'published',
			{ header: { cwd: '/w', title: 'T' } },
		);
		expect(lines.map((one) => one.role)).toEqual(['user', 'assistant', 'user', 'user']);
		expect(lost(losses)).toEqual([
			' header.cwd dropped',
			' header.title dropped',
			'b  dropped',
			'm set.provider invented',
			'm  dropped',
			'a response.id dropped',
			'c  approximated',
			'k origin approximated',
		]);
		sound(bytes, 'published');
	});

	test('redacted thinking and one-hour caches are approximated and told', () => {
		const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 1, cacheWrite1h: 2, reasoning: 1 };
		const { losses, bytes } = write(
			[
				says('a', null, 'assistant', [{ type: 'thinking', text: '', redacted: 'P' }], {
					response: {
						provider: 'anthropic',
						model: 'm',
						api: 'anthropic-messages',
						usage,
						costUsd: 1,
						stop: 'refusal',
					},
				}),
			],
			'published',
			{ header: {} },
		);
		expect(lost(losses)).toEqual([
			'a content[0] approximated',
			'a response.usage.cacheWrite1h approximated',
			'a response.usage.reasoning dropped',
			'a response.stop approximated',
		]);
		sound(bytes, 'published');
	});

	test("an application's own messages stay messages", () => {
		const session = read(user(), { role: 'notice', text: 'own', timestamp: 1 });
		const { lines } = write(session.entries, 'published', { header: {} });
		expect(lines[1]).toEqual({ role: 'notice', text: 'own', timestamp: 1 });
	});
});
