/** Files of every version are told apart, and each is read as its own client reads it. */
import { describe, expect, test } from 'vitest';
import { assistant, header, line, read, said, text, user } from '../../../../test/support/openclaw-lines.ts';
import { path } from '../../../model/index.ts';
import { openclaw } from '../index.ts';

describe('dialects', () => {
	test('version 1 has no ids: lines follow one another and a compaction counts', () => {
		const session = read(
			{ type: 'session', id: 's1', provider: 'anthropic', modelId: 'm', thinkingLevel: 'low' },
			{ type: 'message', message: user('one') },
			'not json',
			{ type: 'message', message: assistant() },
			{ type: 'compaction', summary: 'S', firstKeptEntryIndex: 2, tokensBefore: 1 },
		);
		expect(session.dialect).toBe('v1');
		expect(session.entries.map((entry) => [entry.id, entry.parent])).toEqual([
			['line:1', undefined],
			['line:1:settings', undefined],
			['line:2', null],
			['line:4', 'line:2'],
			['line:5', 'line:4'],
		]);
		expect(session.entries[1]).toMatchObject({
			kind: 'setting',
			set: { provider: 'anthropic', model: 'm', thinking: 'low' },
		});
		expect(session.entries[4]).toMatchObject({ kind: 'compaction', keptFrom: 'line:4' });
	});

	test('the oldest headers and forks are understood', () => {
		expect(read({ type: 'session', id: 's', model: 'claude', thinkingLevel: 'off', cwd: '/x' }).header).toMatchObject({
			model: 'claude',
		});
		expect(read({ type: 'session', id: 's', branchedFrom: '/a.jsonl' }).header.from).toEqual({
			how: 'fork',
			session: '/a.jsonl',
		});
	});

	test('versions 2, 3, 4 and later ones have names of their own', () => {
		for (const [version, dialect] of [
			[1, 'v1'],
			[2, 'v2'],
			[3, 'v3'],
			[4, 'v4'],
			[9, 'future'],
		] as const) {
			expect(read({ ...header, version }).dialect).toBe(dialect);
			expect(openclaw.read.claims({ ...header, version })).toBe(dialect);
		}
	});

	test("OpenClaw's own marks make a file its dialect", () => {
		const marks = [
			line('a', null, 'custom', { customType: 'model-snapshot', data: {} }),
			line('a', null, 'leaf', { targetId: null }),
			said('a', null, { ...user(), __openclaw: { senderIsOwner: true } }),
		];
		for (const mark of marks) expect(read(header, mark).dialect).toBe('openclaw-v3');
	});

	test('a leaf record moves the end of the conversation, and what follows it follows its target', () => {
		const session = read(
			header,
			said('a', null, user()),
			said('b', 'a', assistant()),
			line('l', 'b', 'leaf', { targetId: 'a' }),
			said('c', 'l', assistant([text('again')])),
		);
		expect(path(session, 'c').map((entry) => entry.id)).toEqual(['a', 'l', 'c']);
	});

	test('bare lines follow one another', () => {
		const session = read(user('one'), assistant(), user('two'));
		expect(session.dialect).toBe('bare');
		expect(session.records.map((record) => record.type)).toEqual(['user', 'assistant', 'user']);
		expect(path(session).length).toBe(3);
	});

	test('bare lines below a header keep together, beside the tree that the client reads', () => {
		const session = read(header, said('a', null, user()), user('bare one'), assistant());
		expect(session.entries.map((entry) => entry.parent)).toEqual([undefined, null, null, 'line:3']);
	});

	test('a line that is not an object gives a record, an issue and no entry', () => {
		const session = read(header, '[1]', 'null', 'oops', said('a', null, user()));
		expect(session.records.length).toBe(5);
		expect(session.entries.length).toBe(2);
		expect(session.issues.map((issue) => issue.rule)).toEqual([
			'openclaw/not-object',
			'openclaw/empty-value',
			'openclaw/not-json',
		]);
	});

	test('records of other formats are not claimed', () => {
		const others = [
			{ type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content: 'x' } },
			{ type: 'summary', summary: 's', leafUuid: 'l' },
			{ type: 'meta', session_id: 's', schema_version: 1 },
			{ type: 'user_message', role: 'user', content: [] },
			{ type: 'tool_call', tool_use_id: 't', tool_name: 'n', input: {} },
			{ type: 'title', title: 't' },
			{ type: 'message' },
			{ version: 1, messages: [], sessionId: 's' },
			{ messages: [{ role: 'user', content: 'x' }] },
			{ v: 4, kind: 'header', id: 'x' },
			{ traceSchema: 'openclaw-trajectory', type: 'session.started' },
			[],
			'x',
			null,
		];
		for (const other of others) expect(openclaw.read.claims(other), JSON.stringify(other)).toBeUndefined();
	});
});
