/** What lines beside the messages mean, and what all lines together say about the session. */
import { describe, expect, test } from 'vitest';
import { assistant, entry, envelope, event, inGraph, read, user } from '../../../../test/support/claude-code-lines.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import type { JsonObject } from '../../../model/index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { claudeCode } from '../index.ts';

describe('lines beside the messages', () => {
	test('a summary names its leaf', () => {
		expect(entry({ type: 'summary', summary: 'Backtest', leafUuid: 'u9' })).toMatchObject({
			kind: 'summary',
			id: 'line:1',
			of: 'conversation',
			text: 'Backtest',
			leaf: 'u9',
		});
	});

	test('every kind of progress is a progress event', () => {
		for (const type of [
			'bash_progress',
			'agent_progress',
			'hook_progress',
			'query_update',
			'search_results_received',
			'waiting_for_task',
		]) {
			const data = { type, query: 'x' };
			const made = event({ type: 'progress', data, toolUseID: 't1', parentToolUseID: 't0' });
			expect(made).toEqual({ type: 'progress', of: type, data, call: 't1', parentCall: 't0' });
		}
	});

	test('a snapshot with inline text and one with copies are checkpoints', () => {
		const backup = { backupFileName: 'b8c5@v2', version: 2, backupTime: '2026-01-03T15:00:00.000Z' };
		const snapshot = {
			messageId: 'u1',
			trackedFileBackups: { 'a.md': 'text', 'b.md': backup, 'c.md': { ...backup, backupFileName: null }, 'd.md': null },
			timestamp: '2026-01-03T15:44:58.335Z',
		};
		const line = { type: 'file-history-snapshot', messageId: 'u5', snapshot, isSnapshotUpdate: true };
		expect(entry(line)).toMatchObject({
			kind: 'checkpoint',
			of: 'u1',
			update: true,
			time: snapshot.timestamp,
			files: [
				{ path: 'a.md', state: { is: 'inline', text: 'text' } },
				{ path: 'b.md', state: { is: 'backup', name: 'b8c5@v2', version: 2, time: backup.backupTime } },
				{ path: 'c.md', state: { is: 'absent' } },
				{ path: 'd.md', state: { is: 'absent' } },
			],
		});
		const delta = {
			type: 'file-history-delta',
			messageId: 'u5',
			snapshotMessageId: 'u1',
			trackingPath: 'b.md',
			backup,
		};
		expect(entry(delta)).toMatchObject({ kind: 'checkpoint', of: 'u1', update: true, files: [{ path: 'b.md' }] });
	});

	test('a queue operation is a queue event', () => {
		const line = { type: 'queue-operation', operation: 'remove', content: 'later', reason: 'absorbed', sessionId: 's' };
		expect(event(line)).toEqual({ type: 'queue', operation: 'remove', content: 'later', reason: 'absorbed' });
	});

	test('a pull request link is a link event', () => {
		const line = { type: 'pr-link', prNumber: 3, prUrl: 'https://github.com/a/b/pull/3', prRepository: 'a/b' };
		expect(event(line)).toEqual({ type: 'pr_link', number: 3, url: line.prUrl, repository: 'a/b' });
	});

	test('attachments are typed, and hooks among them are hook events', () => {
		const date = { type: 'date', date: '2026-11-15' };
		const line = inGraph({ type: 'attachment', attachment: date, rendered: [{ content: 'Today' }] });
		expect(entry(line)).toMatchObject({
			parent: 'u1',
			event: { type: 'attachment', of: 'date', data: date, rendered: ['Today'] },
		});
		const hook = { type: 'hook_success', hookEvent: 'SessionStart', hookName: 'SessionStart:startup', stdout: 'hello' };
		expect(event(inGraph({ type: 'attachment', attachment: hook }))).toEqual({
			type: 'hook',
			event: 'SessionStart',
			name: 'SessionStart:startup',
			output: 'hello',
			data: hook,
		});
	});

	test('last-prompt is a leaf pointer', () => {
		const line = { type: 'last-prompt', lastPrompt: 'x', leafUuid: 'u2', sessionId: 's' };
		expect(entry(line)).toMatchObject({ kind: 'leaf', target: 'u2' });
	});

	test('one-value lines are settings, and what has no neutral name is a custom event', () => {
		const settings: readonly [JsonObject, JsonObject][] = [
			[{ type: 'mode', mode: 'normal' }, { mode: 'normal' }],
			[{ type: 'permission-mode', permissionMode: 'plan' }, { permissionMode: 'plan' }],
			[{ type: 'custom-title', customTitle: 'T' }, { title: 'T' }],
			[{ type: 'ai-title', aiTitle: 'A' }, { title: 'A' }],
			[{ type: 'agent-name', agentName: 'N' }, { agentName: 'N' }],
			[{ type: 'agent-color', agentColor: 'red' }, { agentColor: 'red' }],
			[{ type: 'tag', tag: 'x' }, { tag: 'x' }],
		];
		for (const [line, set] of settings)
			expect(entry({ ...line, sessionId: 's' })).toMatchObject({ kind: 'setting', set });
		const used = { type: 'tools-used', tools: ['Read'], sessionId: 's' };
		expect(event(used)).toEqual({ type: 'custom', of: 'tools-used', data: used });
		expect(event({ type: 'atis-latch', atis: '', sessionId: 's' })).toMatchObject({ type: 'custom', of: 'atis-latch' });
	});

	test('cost, request and collapse lines are events that hold the whole line', () => {
		const cost = { type: 'cost-state', totalCostUSD: 0.5, modelUsage: {}, sessionId: 's' };
		expect(event(cost)).toEqual({ type: 'cost', costUsd: 0.5, data: cost });
		for (const type of ['api-request-shape', 'api-request-blob', 'api-request']) {
			const line = { type, id: 'r', sessionId: 's' };
			expect(event(line)).toEqual({ type: 'request', of: type, data: line });
		}
		for (const type of ['context-collapse-commit', 'context-collapse-snapshot', 'marble-origami-commit']) {
			const line = { type, sessionId: 's', summary: 'x' };
			expect(event(line)).toEqual({ type: 'collapse', of: type, data: line });
		}
	});
});

describe('the session', () => {
	test('an unknown line keeps its place in the chain', () => {
		const made = entry(inGraph({ type: 'x-foo', a: 1 }));
		expect(made).toMatchObject({ kind: 'opaque', type: 'x-foo', id: 'u2', parent: 'u1', extra: { a: 1 } });
	});

	test('lines without a uuid stand beside the graph', () => {
		const [, second] = read(user('x'), { type: 'user', message: { role: 'user', content: 'y' } }).entries;
		expect(second).toMatchObject({ id: 'line:2', content: [{ text: 'y' }] });
		expect(second).not.toHaveProperty('parent');
	});

	test('a uuid without a parent is a root', () => {
		const { parentUuid: _, ...line } = user('x');
		expect(entry(line)).toMatchObject({ parent: null });
	});

	test("a sub-agent's lines carry its id, and its own file says so in the header", () => {
		const side = { isSidechain: true, agentId: 'ab97f57' };
		const own = read(user('do it', { ...side, parentUuid: null }), assistant({ type: 'text', text: 'ok' }, side));
		expect(own.header).toMatchObject({ agent: 'ab97f57', from: { how: 'subagent', session: envelope.sessionId } });
		expect(own.entries.map((one) => one.agent)).toEqual(['ab97f57', 'ab97f57']);
		const inline = read(user('side', { ...side, uuid: 'u8' }), user('main'));
		expect(inline.header.agent).toBeUndefined();
		expect(inline.entries.map((one) => one.agent)).toEqual(['ab97f57', undefined]);
		expect(entry(user('x', { isSidechain: true })).agent).toBe('sidechain');
	});

	test('the header has the first folder, the last version and branch and the best title', () => {
		const { header, dialect } = read(
			{ type: 'summary', summary: 'S', leafUuid: 'u2' },
			{ type: 'custom-title', customTitle: 'C', sessionId: envelope.sessionId },
			{ type: 'ai-title', aiTitle: 'A', sessionId: envelope.sessionId },
			user('x'),
			user('y', { cwd: '/elsewhere', version: '2.1.325', gitBranch: 'topic', timestamp: '2026-02-01T00:00:00.000Z' }),
		);
		expect(header).toEqual({
			dialect: 'extended',
			id: envelope.sessionId,
			cwd: '/home/dev/app',
			version: '2.1.325',
			gitBranch: 'topic',
			title: 'C',
			created: envelope.timestamp,
		});
		expect(dialect).toBe('extended');
	});

	test('nothing that a real client wrote is opaque', () => {
		for (const file of corpusFiles('claude-code')) {
			if (file.handWritten) continue;
			for (const made of decodeBytes(claudeCode, file.bytes()).entries) {
				expect(made.kind, file.name).not.toBe('opaque');
				if (made.kind !== 'message') continue;
				for (const block of made.content) expect(block.type, file.name).not.toBe('opaque');
			}
		}
	});

	test('the first readable line of every session of the corpus is claimed', () => {
		for (const file of corpusFiles('claude-code')) {
			const line = Buffer.from(file.bytes()).toString('utf8').split('\n')[0];
			if (line) expect(claudeCode.read.claims(JSON.parse(line)), file.name).toBeDefined();
		}
	});

	test('records of other formats and frames of the stream are not claimed', () => {
		for (const value of [
			{ type: 'session', id: 'x', cwd: '/' },
			{ type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'x' } },
			{ role: 'user', content: 'x' },
			{ messages: [], sessionId: 's' },
			{ type: 'meta', session_id: 's', schema_version: 1 },
			{ type: 'user_message', content: 'x' },
			{ type: 'system', subtype: 'x' },
			{ type: 'title', title: 'x' },
			{ type: 'assistant', message: { role: 'assistant' }, session_id: 's', uuid: 'u' },
			{ type: 'system', subtype: 'init', session_id: 's', uuid: 'u' },
			{ type: 'summary', id: 'x', summary: 'y' },
			null,
			5,
			[],
		]) {
			expect(claudeCode.read.claims(value)).toBeUndefined();
		}
	});

	test('hostile values do no harm', () => {
		const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
		const text = [
			`{"type":"user","uuid":"a","parentUuid":null,"message":{"content":[{"type":"tool_result","tool_use_id":"t","content":${deep}}]}}`,
			`{"type":"assistant","uuid":"b","parentUuid":"a","message":{"content":[{"type":"tool_use","id":"t","name":"n","input":${deep}}],"usage":{"input_tokens":1e999,"output_tokens":-5}}}`,
			'{"type":"__proto__","__proto__":{"polluted":true},"uuid":"c"}',
			'{"type":"constructor","uuid":5,"parentUuid":7,"timestamp":{},"sessionId":[]}',
			'{"type":"file-history-snapshot","messageId":"a","snapshot":{"trackedFileBackups":{"__proto__":"x"}}}',
		].join('\n');
		const session = decodeBytes(claudeCode, Buffer.from(text));
		expect(session.entries).toHaveLength(5);
		expect(session.entries[1]).toMatchObject({ response: { usage: { input: 0, output: 0 } } });
		expect({}).not.toHaveProperty('polluted');
		for (const made of session.entries) expect(made.extra ?? {}).not.toHaveProperty('polluted');
	});
});
