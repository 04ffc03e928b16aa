/** What each kind of line means, in neutral words. */
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import type { Entry, Event, JsonObject } from '../../model/index.ts';
import { decodeBytes } from '../read.ts';
import { claudeCode } from './index.ts';

const envelope = {
	sessionId: '07c9cd52-5a41-4c0e-9d0a-3b1f0a6a2c11',
	timestamp: '2026-01-03T15:44:58.325Z',
	isSidechain: false,
	userType: 'external',
	cwd: '/home/dev/app',
	version: '2.1.29',
	gitBranch: 'main',
};

const inGraph = (fields: JsonObject): JsonObject => ({ ...envelope, uuid: 'u2', parentUuid: 'u1', ...fields });
const user = (content: JsonObject[string], fields: JsonObject = {}): JsonObject =>
	inGraph({ type: 'user', message: { role: 'user', content }, ...fields });
const assistant = (block: JsonObject, fields: JsonObject = {}, message: JsonObject = {}): JsonObject =>
	inGraph({
		type: 'assistant',
		requestId: 'req_1',
		message: {
			id: 'msg_1',
			type: 'message',
			role: 'assistant',
			model: 'claude-opus-4-5',
			content: [block],
			...message,
		},
		...fields,
	});

const read = (...lines: readonly JsonObject[]) =>
	decodeBytes(claudeCode, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));

function entry(line: JsonObject): Entry {
	const [first] = read(line).entries;
	if (!first) throw new Error('the line has no entry');
	return first;
}

function event(line: JsonObject): Event {
	const made = entry(line);
	if (made.kind !== 'event') throw new Error(`the line is a ${made.kind}`);
	return made.event;
}

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
			if (line) expect(claudeCode.claims(JSON.parse(line)), file.name).toBeDefined();
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
			expect(claudeCode.claims(value)).toBeUndefined();
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
