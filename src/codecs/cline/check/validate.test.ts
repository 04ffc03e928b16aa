/** Laws of checking: what the contract asks for, and what the client refuses or loses. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusFiles, readJson } from '../../../../test/support/corpus.ts';
import type { Issue, Json } from '../../../model/index.ts';
import { checkBytes, issuesIn } from '../../shared/check/check.ts';
import { cline } from '../index.ts';

const head = { version: 1, updated_at: '2026-01-01T00:00:00.000Z', agent: 'lead', sessionId: '1700000000000_a' };
const text = (value: string): Json => ({ type: 'text', text: value });
const modelInfo = { id: 'm', provider: 'p' };
const metrics = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0 };
const user = (id: string, ...content: Json[]): Json => ({ id, role: 'user', content });
const assistant = (id: string, content: Json[], more: object = { metrics }): Json => ({
	id,
	role: 'assistant',
	content,
	ts: 1,
	modelInfo,
	...more,
});
const call = (id: string): Json => ({ type: 'tool_use', id, name: 'n', input: {} });
const result = (id: string): Json => ({ type: 'tool_result', tool_use_id: id, name: 'n', content: 'x' });

const check = (messages: Json, more: object = {}): readonly Issue[] =>
	checkBytes(cline, Buffer.from(JSON.stringify({ ...head, ...more, messages })));
const rules = (messages: Json, more: object = {}): readonly string[] =>
	check(messages, more).map((issue) => issue.rule);
const severity = (rule: string): string | undefined => cline.check.rules.find((one) => one.id === rule)?.severity;

/** A session that is valid apart from one block. */
const withBlock = (block: Json, role: 'user' | 'assistant' = 'user'): Json =>
	role === 'user'
		? [user('u', text('x'), block), assistant('a', [text('y')])]
		: [user('u', text('x')), assistant('a', [block, text('y')])];

/** A session with a call and its result. */
const answered = (content: Json): Json => [
	user('u', text('x')),
	assistant('a', [call('1')]),
	user('r', { type: 'tool_result', tool_use_id: '1', name: 'n', content }),
];

describe('what the real client refuses', () => {
	test.each([
		['a message without content', [{ id: 'x', role: 'user' }], 'cline/message/content'],
		['content that is an object', [{ id: 'x', role: 'user', content: {} }], 'cline/message/content'],
		['a message without a role', [{ id: 'x', content: [] }], 'cline/message/role'],
		['a system message', [{ id: 'x', role: 'system', content: [text('s')] }], 'cline/message/role'],
		['a block that is null', withBlock(null), 'cline/block/not-object'],
		['a text without text', withBlock({ type: 'text' }), 'cline/text/text'],
		['thinking without thinking', withBlock({ type: 'thinking' }, 'assistant'), 'cline/thinking/thinking'],
		['thinking of the user', withBlock({ type: 'thinking', thinking: 't' }), 'cline/block/thinking-role'],
		['a file without content', withBlock({ type: 'file', path: '/x' }), 'cline/file/content'],
		['hidden thinking of the user', withBlock({ type: 'redacted_thinking', data: 't' }), 'cline/block/thinking-role'],
		['media without media', withBlock({ type: 'media' }, 'assistant'), 'cline/media/media'],
		['a result with null in it', answered([null]), 'cline/block/not-object'],
		['a result with a text without text', answered([{ type: 'text' }]), 'cline/text/text'],
		['a result with a file without content', answered([{ type: 'file', path: '/x' }]), 'cline/file/content'],
		[
			'a result after a text of the user',
			[user('u', text('x')), assistant('a', [call('1')]), user('v', text('y')), user('r', result('1'))],
			'cline/pair/late',
		],
		[
			'a result after a text of the same message',
			[user('u', text('x')), assistant('a', [call('1')]), user('v', text('y'), result('1'))],
			'cline/pair/late',
		],
		['a message that is null', [null], 'cline/not-object'],
		['messages that are no array', { 0: user('u', text('x')) }, 'cline/messages'],
	])('%s is an error', (_, messages, rule) => {
		expect(rules(messages)).toContain(rule);
		expect(severity(rule)).toBe('error');
	});

	test('calls without a name or an id, and results without content or an id, are errors', () => {
		const pair = (use: Json, back: Json): readonly string[] =>
			rules([user('u', text('x')), assistant('a', [use]), user('r', back), assistant('b', [text('y')])]);
		expect(pair({ type: 'tool_use', id: 't', input: {} }, result('t'))).toContain('cline/tool_use/name');
		expect(pair({ type: 'tool_use', name: 'n', input: {} }, result('t'))).toContain('cline/tool_use/id');
		expect(pair(call('t'), { type: 'tool_result', tool_use_id: 't', name: 'n' })).toContain(
			'cline/tool_result/content',
		);
		expect(pair(call('t'), { type: 'tool_result', name: 'n', content: 'x' })).toContain(
			'cline/tool_result/tool_use_id',
		);
		for (const rule of ['tool_use/name', 'tool_use/id', 'tool_result/content', 'tool_result/tool_use_id']) {
			expect(severity(`cline/${rule}`)).toBe('error');
		}
	});

	test('a result without the name of its tool fails in the command line client', () => {
		const nameless = { type: 'tool_result', tool_use_id: 't', content: 'x' };
		const messages = [
			user('u', text('x')),
			assistant('a', [call('t')], {}),
			user('r', nameless),
			assistant('b', [text('y')]),
		];
		const issues = check(messages);
		expect(issues).toMatchObject([{ rule: 'cline/tool_result/name', severity: 'error', profile: 'client' }]);
		expect(issues[0]?.message).toContain('command line client');
		expect(issuesIn('published', issues)).toEqual([]);
	});

	test('a document that is torn or not JSON is an error: Cline reads all of it or nothing', () => {
		const whole = JSON.stringify({ ...head, messages: [user('u', text('x'))] });
		const found = (bytes: string) =>
			checkBytes(cline, Buffer.from(bytes)).filter((issue) => issue.severity === 'error');
		expect(found(whole.slice(0, -10))).toMatchObject([{ rule: 'cline/torn' }]);
		expect(found(whole.slice(0, -1))).toMatchObject([{ rule: 'cline/torn' }]);
		expect(found(whole.replace('"role"', 'role'))).toMatchObject([{ rule: 'cline/not-json' }]);
		expect(found('{}')).toMatchObject([{ rule: 'cline/messages' }]);
		expect(found(whole)).toEqual([]);
	});
});

describe('what the real client changes or drops', () => {
	test.each([
		[
			'an image in the shape of the API',
			withBlock({ type: 'image', source: { type: 'base64' } }),
			'cline/image/source',
		],
		['an image without data', withBlock({ type: 'image', mediaType: 'image/png' }), 'cline/image/data'],
		['an image without its type', withBlock({ type: 'image', data: 'AA==' }), 'cline/image/mediaType'],
		['an unknown block', withBlock({ type: 'new' }), 'cline/block/type'],
		['a block that is a text', withBlock('x'), 'cline/block/type'],
		[
			'redacted thinking without data',
			withBlock({ type: 'redacted_thinking' }, 'assistant'),
			'cline/redacted_thinking/data',
		],
		['a file without a path', withBlock({ type: 'file', content: 'x' }), 'cline/file/path'],
		['a call of the user', withBlock(call('t')), 'cline/block/tool_use-role'],
		['a role tool', [{ id: 'x', role: 'tool', content: [text('x')] }], 'cline/message/tool-role'],
		['an empty message', [user('u')], 'cline/message/empty-content'],
		['a text without a character', [user('u', text(''))], 'cline/message/empty-content'],
		['two messages with one id', [user('u', text('x')), user('u', text('y'))], 'cline/message/duplicate-id'],
		['a message without an id', [{ role: 'user', content: [text('x')] }], 'cline/message/id'],
	])('%s is a warning in every profile', (_, messages, rule) => {
		const found = check(messages).find((issue) => issue.rule === rule);
		expect(found).toMatchObject({ severity: 'warning' });
		expect(found?.profile).toBeUndefined();
	});

	test('a result inside a reply, an input that is no object, an error that is no boolean are warnings', () => {
		const messages = [
			user('u', text('x')),
			assistant('a', [
				{ type: 'tool_use', id: 't', name: 'n', input: 'str' },
				{ ...(result('t') as object), is_error: 'yes' },
			]),
			assistant('b', [text('y')]),
		];
		expect(rules(messages as Json)).toEqual(
			expect.arrayContaining(['cline/tool_use/input', 'cline/tool_result/is_error', 'cline/block/tool_result-role']),
		);
	});

	test('an id with two underscores belongs to a sub-agent', () => {
		expect(rules([], { sessionId: 'a__b' })).toEqual(['cline/session-id']);
		expect(rules([], { sessionId: 'a__b', agent: 'subagent', taskType: 'subagent_task' })).toEqual([]);
	});

	test('another version is read with a warning', () => {
		expect(check([], { version: 2 })).toMatchObject([{ rule: 'cline/version', severity: 'warning', path: 'version' }]);
	});
});

describe('tool calls and results', () => {
	const turn = (...middle: Json[]): Json => [user('u', text('x')), ...middle, assistant('z', [text('end')])];

	test('a call that is answered is fine, by one message per result too', () => {
		const messages = turn(assistant('a', [call('1'), call('2')], {}), user('r', result('1')), user('s', result('2')));
		expect(check(messages)).toEqual([]);
	});

	test('a call without a result is a warning: the run was interrupted', () => {
		expect(check([user('u', text('x')), assistant('a', [call('1')])])).toMatchObject([
			{ rule: 'cline/pair/unanswered', severity: 'warning', path: 'content[0]' },
		]);
	});

	test('results without a call, twice, or too late are errors of the API', () => {
		const found = (...middle: Json[]) => rules(turn(...middle)).filter((rule) => rule.startsWith('cline/pair'));
		expect(found(user('r', result('1')))).toEqual(['cline/pair/orphan']);
		expect(found(user('c', call('1')), user('r', result('1')))).toEqual(['cline/pair/orphan']);
		expect(found(assistant('a', [call('1')]), user('r', result('1'), result('1')))).toEqual([
			'cline/pair/repeated-result',
		]);
		const once = [assistant('a', [call('1')]), user('r', result('1'))];
		expect(found(...once, assistant('b', [call('1')]), user('s', result('1')))).toEqual(['cline/pair/repeated-call']);
		const late = [
			assistant('a', [call('1')]),
			user('t', text('?')),
			assistant('b', [text('!')]),
			user('r', result('1')),
		];
		expect(found(...late)).toEqual(['cline/pair/late']);
		for (const rule of ['orphan', 'repeated-result', 'repeated-call', 'late']) {
			expect(severity(`cline/pair/${rule}`)).toBe('error');
		}
	});

	test('replies in a row are sent as one, so a result after the second is not late', () => {
		expect(
			rules(turn(assistant('a', [call('1')], {}), assistant('b', [text('.')], {}), user('r', result('1')))),
		).toEqual([]);
	});
});

describe('guarantees of the contract', () => {
	const published = (messages: Json, more: object = {}) =>
		issuesIn('published', check(messages, more)).map((issue) => issue.rule);

	test('the top level has every field with its type', () => {
		const without = (key: string) => published([], { [key]: undefined });
		for (const key of ['version', 'updated_at', 'agent', 'sessionId'])
			expect(without(key)).toEqual([`cline/header/${key}`]);
		expect(published([], { version: '1' })).toEqual(['cline/header/version']);
		expect(published([], { updated_at: 'yesterday' })).toEqual(['cline/header/updated_at']);
		expect(published([], { agent: 'boss' })).toEqual(['cline/header/agent']);
		expect(published([], { taskType: 5 })).toEqual(['cline/header/taskType']);
		expect(published([], { system_prompt: [] })).toEqual(['cline/header/system_prompt']);
		expect(published([], { unknown: 1 })).toEqual([]);
	});

	test('only user and assistant are roles', () => {
		const one = (role: string) => rules([{ id: 'x', role, content: [text('x')] }]);
		expect(one('user')).toEqual([]);
		expect(one('tool')).toEqual(['cline/message/tool-role']);
		for (const role of ['system', 'developer', '']) expect(one(role)).toEqual(['cline/message/role']);
	});

	test('a sub-agent or teammate has a taskType', () => {
		expect(published([], { agent: 'teammate' })).toEqual(['cline/task-type']);
	});

	test('content is an array, and the document an object', () => {
		expect(published([{ id: 'u', role: 'user', content: 'x' }])).toEqual(['cline/message/string-content']);
		const bare = checkBytes(cline, Buffer.from(JSON.stringify([user('u', text('x'))])));
		expect(bare).toMatchObject([{ rule: 'cline/bare-array', severity: 'warning', profile: 'published' }]);
	});

	test('an assistant message has a time and a model', () => {
		const one = (more: object) => published([user('u', text('x')), assistant('a', [text('y')], { metrics, ...more })]);
		expect(one({ ts: undefined })).toEqual(['cline/assistant/ts']);
		expect(one({ modelInfo: undefined })).toEqual(['cline/assistant/modelInfo']);
		expect(one({ modelInfo: { provider: 'p' } })).toEqual(['cline/assistant/modelInfo.id']);
		expect(one({ modelInfo: { id: 'm' } })).toEqual(['cline/assistant/modelInfo.provider']);
		expect(one({ modelInfo: { ...modelInfo, family: 1 } })).toEqual(['cline/assistant/modelInfo.family']);
	});

	test('metrics have five numbers', () => {
		for (const key of Object.keys(metrics)) {
			const some = { ...metrics, [key]: undefined };
			const found = published([user('u', text('x')), assistant('a', [text('y')], { metrics: some })]);
			expect(found).toEqual([`cline/assistant/metrics.${key}`]);
		}
	});

	test('the last reply of a completed turn has metrics, no other has', () => {
		const first = user('u', text('x'));
		expect(published([first, assistant('a', [text('y')], {})])).toEqual(['cline/turn/metrics']);
		expect(published([first, assistant('a', [text('y')], {}), user('v', text('z'))])).toEqual(['cline/turn/metrics']);
		expect(published([first, assistant('a', [text('y')]), assistant('b', [text('z')])])).toEqual([
			'cline/turn/early-metrics',
		]);
		expect(published([first, assistant('a', [text('y')], {}), assistant('b', [text('z')])])).toEqual([]);
	});

	test('a turn that was interrupted needs no metrics', () => {
		const started = [user('u', text('x')), assistant('a', [call('1')], {})];
		expect(published(started)).toEqual(['cline/pair/unanswered']);
		expect(published([...started, user('r', result('1'))])).toEqual([]);
		expect(published([user('u', text('x'))])).toEqual([]);
	});

	test('a failed turn leaves no message and no metrics', () => {
		const note = assistant('e', [text('bad key')], { metadata: { displayOnly: true, displayRole: 'error' } });
		expect(published([user('u', text('x')), note])).toEqual(['cline/turn/error-message']);
		const counted = { ...(note as object), metrics } as Json;
		expect(rules([user('u', text('x')), counted])).toContain('cline/turn/fabricated-metrics');
	});

	test('users have no model and no metrics', () => {
		expect(published([{ ...(user('u', text('x')) as object), metrics } as Json])).toEqual(['cline/message/user-model']);
	});

	test('blocks are of four types', () => {
		expect(published(withBlock({ type: 'image', data: 'AA==', mediaType: 'image/png' }))).toEqual([
			'cline/block/contract-type',
		]);
	});
});

describe('verdicts of the corpus', () => {
	test('a file that the client wrote has no error, but the one that it cannot continue itself', () => {
		for (const file of corpusFiles('cline').filter((one) => !one.handWritten)) {
			const errors = checkBytes(cline, file.bytes()).filter((issue) => issue.severity === 'error');
			const expected = file.scenario === 'cli-foreign-resume' ? ['cline/tool_result/name'] : [];
			expect(
				errors.map((issue) => issue.rule),
				file.name,
			).toEqual(expected);
		}
	});

	test('a case has an error exactly when the client did not get through with it', () => {
		let cases = 0;
		for (const file of corpusFiles('cline').filter((one) => one.handWritten)) {
			const verdict = readdirSync(file.folder).find((name) => name.startsWith('expected.'));
			if (verdict === undefined || !existsSync(join(file.folder, verdict))) continue;
			const { finishReason, outcome } = readJson(join(file.folder, verdict)) as {
				finishReason?: string;
				outcome?: string;
			};
			const accepted = finishReason === 'completed' || outcome === 'resumed';
			const errors = checkBytes(cline, file.bytes()).filter((issue) => issue.severity === 'error');
			expect(errors.length === 0, file.name).toBe(accepted);
			cases += 1;
		}
		expect(cases).toBe(16);
	});

	test('what real clients write is without warnings as the client has it', () => {
		for (const file of corpusFiles('cline').filter(
			(one) => !one.handWritten && one.scenario !== 'cli-foreign-resume',
		)) {
			expect(issuesIn('client', checkBytes(cline, file.bytes())), file.name).toEqual([]);
		}
	});
});

test('every rule has its own id and says where it comes from', () => {
	const ids = cline.check.rules.map((rule) => rule.id);
	expect(new Set(ids).size).toBe(ids.length);
	for (const rule of cline.check.rules) {
		expect(rule.id.startsWith('cline/')).toBe(true);
		expect(rule.source).not.toBe('');
	}
});
