/** The samples of the published contract: read as meant, accepted as published, kept byte for byte. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readThenWriteGivesTheSameBytes } from '../../../test/support/laws.ts';
import { checkBytes, issuesIn } from '../shared/check/check.ts';
import { cline } from './index.ts';

const folder = join(import.meta.dirname, '../../../test/seeds/cline-messages-contract-v1');
const bytesOf = (name: string): Uint8Array => readFileSync(join(folder, `${name}.messages.json`));
const read = (name: string) => readThenWriteGivesTheSameBytes(cline, bytesOf(name));
const kinds = (name: string): readonly string[] =>
	read(name).entries.map((entry) =>
		entry.kind === 'message' ? `${entry.role}: ${entry.content.map((block) => block.type).join(' ')}` : entry.kind,
	);

describe('samples of the messages contract', () => {
	test('each is claimed, typed throughout, valid as published and comes back byte for byte', () => {
		const names = readdirSync(folder).map((file) => file.replace('.messages.json', ''));
		expect(names).toHaveLength(14);
		for (const name of names) {
			expect(cline.read.claims(JSON.parse(Buffer.from(bytesOf(name)).toString('utf8')))).toBe('contract');
			const session = read(name);
			expect(session.issues).toEqual([]);
			for (const entry of session.entries) {
				expect(entry.kind).toBe('message');
				if (entry.kind === 'message') expect(entry.content.every((block) => block.type !== 'opaque')).toBe(true);
			}
			expect(issuesIn('published', checkBytes(cline, bytesOf(name)))).toEqual([]);
		}
	});

	test('the top level is the header', () => {
		const session = read('document-lead');
		expect(session).toMatchObject({ id: '1745343729000_seed1', dialect: 'contract' });
		expect(session.header).toMatchObject({
			version: '1',
			systemPrompt: 'You are Cline.',
			extra: { version: 1, updated_at: '2026-04-22T17:42:10.123Z', agent: 'lead' },
		});
		expect(session.header.agent).toBeUndefined();
		expect(session.records.map((record) => record.type)).toEqual(['header', 'user', '', 'assistant', '']);
	});

	test('files of sub-agents and teammates say whose they are', () => {
		expect(read('document-subagent').header).toMatchObject({
			agent: 'agent_1',
			from: { how: 'subagent', session: '1745343729000_seed1' },
			extra: { agent: 'subagent', taskType: 'subagent_task' },
		});
		expect(read('document-teammate').header).toMatchObject({
			agent: 'reviewer__LRNYH2',
			from: { how: 'subagent', session: '1745343729000_seed1' },
			extra: { agent: 'teammate', taskType: 'team' },
		});
	});

	test('a message has id, role, time, model and metrics', () => {
		const [user, assistant] = read('message-fields').entries;
		expect(user).toMatchObject({ id: 'V1StGXR8_Z5jdHi6B-1', parent: null, role: 'user' });
		expect(assistant).toMatchObject({
			id: 'V1StGXR8_Z5jdHi6B-2',
			parent: 'V1StGXR8_Z5jdHi6B-1',
			role: 'assistant',
			time: '2025-04-22T17:42:10.123Z',
			response: {
				model: 'claude-sonnet-4-6',
				provider: 'anthropic',
				usage: { input: 17, output: 8, cacheRead: 3, cacheWrite5m: 1 },
				costUsd: 0.13,
			},
			extra: { modelInfo: { family: 'claude-sonnet-4' } },
		});
	});

	test('the four block types are typed', () => {
		expect(kinds('blocks-text')).toEqual(['user: text text', 'assistant: text']);
		expect(kinds('blocks-thinking')).toEqual(['user: text', 'assistant: thinking text']);
		expect(kinds('blocks-tool-use-and-result')).toEqual([
			'user: text',
			'assistant: tool_call',
			'user: tool_result',
			'assistant: text',
		]);
	});

	test('a tool result names its call and whether it failed', () => {
		const result = (name: string) => {
			const entry = read(name).entries[2];
			return entry?.kind === 'message' ? entry.content[0] : undefined;
		};
		expect(result('blocks-tool-use-and-result')).toMatchObject({ call: 'tool-call-1', isError: false });
		expect(result('blocks-tool-result-error')).toMatchObject({
			call: 'tool-call-1',
			isError: true,
			content: [{ type: 'text', text: 'no such file' }],
		});
	});

	test('the four outcomes of a turn are valid as they are described', () => {
		expect(kinds('outcome-1-success')).toEqual(['user: text', 'assistant: text']);
		expect(kinds('outcome-2-failed-before-output')).toEqual(['user: text']);
		expect(kinds('outcome-3-retry')).toHaveLength(4);
		const metrics = read('outcome-4-multiple-assistant').entries.map(
			(entry) => entry.kind === 'message' && entry.response?.usage !== undefined,
		);
		expect(metrics).toEqual([false, false, false, false, false, true]);
	});

	test('unknown keys are kept in the bytes and in extra, without a warning', () => {
		const session = read('versioning-unknown-keys');
		expect(session.header.extra).toMatchObject({ futureKey: true });
		expect(session.entries[0]?.extra).toMatchObject({ future: { a: 1 } });
	});

	test('the golden example has reasoning, call, result and final text', () => {
		expect(kinds('golden-success')).toEqual([
			'user: text',
			'assistant: thinking tool_call',
			'user: tool_result',
			'assistant: text',
		]);
		const missing = checkBytes(cline, bytesOf('golden-success')).filter((issue) => issue.severity === 'error');
		expect(missing).toMatchObject([{ rule: 'cline/tool_result/name', profile: 'client', path: 'content[0].name' }]);
	});
});
