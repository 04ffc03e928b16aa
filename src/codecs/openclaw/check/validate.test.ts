/** What is wrong with a file, and how much it matters to the client. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CorpusFile, corpusFiles, readJson } from '../../../../test/support/corpus.ts';
import {
	assistant,
	call,
	file,
	header,
	issuesOf,
	line,
	result,
	said,
	text,
	user,
} from '../../../../test/support/openclaw-lines.ts';
import { checkBytes, issuesIn } from '../../shared/check/check.ts';
import { openclaw } from '../index.ts';

interface Verdict {
	readonly client: string;
	readonly ok?: boolean;
	readonly error?: string;
	readonly exit?: number;
	readonly context?: { readonly messages: readonly unknown[] };
}

const errorsOf = (bytes: Uint8Array) => checkBytes(openclaw, bytes).filter((issue) => issue.severity === 'error');
const expectations = (one: CorpusFile) =>
	readdirSync(one.folder)
		.filter((name) => name.startsWith('expected.load') || name.startsWith('expected.resume'))
		.map((name) => readJson(join(one.folder, name)) as Verdict);

/** The client refuses this for something outside the file: its folder does not exist on that machine. */
const notTheFile = 'working directory does not exist';

describe('the corpus', () => {
	test('a file that a client recorded itself has no error', () => {
		for (const one of corpusFiles('openclaw'))
			if (!one.handWritten) expect(errorsOf(one.bytes()), one.name).toEqual([]);
	});

	test('a file that pi refuses or loses messages of has an error', () => {
		let judged = 0;
		for (const one of corpusFiles('openclaw').filter((candidate) => candidate.version === 'min')) {
			const bytes = one.bytes();
			if (bytes.length === 0) continue;
			const written = Buffer.from(bytes).toString('utf8').split('"role"').length - 1;
			for (const verdict of expectations(one)) {
				const refused = verdict.ok === false || (verdict.error !== undefined && !verdict.error.includes(notTheFile));
				const lost = verdict.context !== undefined && verdict.context.messages.length < written;
				if (!refused && !lost) continue;
				judged += 1;
				expect(errorsOf(bytes).length, `${one.name} ${verdict.client}`).toBeGreaterThan(0);
			}
		}
		expect(judged).toBeGreaterThanOrEqual(9);
	});

	test('a hand-written file that every client resumes in full has no error', () => {
		const sound = [
			'04-v1-minimal',
			'05-v3-minimal',
			'12-minimal-assistant',
			'15-missing-cwd',
			'oc-04-v1-minimal',
			'oc-pi-0.87.1-thinking-tool',
		];
		for (const one of corpusFiles('openclaw').filter((candidate) => sound.includes(candidate.scenario))) {
			expect(errorsOf(one.bytes()), one.name).toEqual([]);
		}
	});
});

describe('the file as a whole', () => {
	test('bare messages are refused by the clients and right in the document', () => {
		expect(issuesOf(user(), assistant())).toEqual(['error bare 1']);
		expect(issuesIn('published', checkBytes(openclaw, file(user(), assistant())))).toEqual([]);
	});

	test('the first line that can be read is the header, with an id', () => {
		expect(issuesOf(said('a', null, user()))).toEqual(['error header-first 1']);
		expect(issuesOf({ ...header, id: undefined })).toEqual(['error header-id 1']);
		expect(issuesOf('', header)).toEqual([]);
		expect(issuesOf(header, header)).toEqual(['warning header-repeated 2']);
	});

	test('bare lines below a header are lost', () => {
		expect(issuesOf(header, said('a', null, user()), assistant())).toEqual(['error bare-line 3']);
	});

	test('old versions are rewritten by pi, future ones are read liberally with a warning', () => {
		expect(issuesOf({ ...header, version: 2 })).toEqual(['info header-old 1']);
		expect(issuesOf({ ...header, version: 7 }, said('a', null, user()))).toEqual(['warning header-version 1']);
		expect(issuesOf({ ...header, version: 4 })).toEqual([]);
	});

	test('a header behind a megabyte is not found', () => {
		expect(issuesOf({ ...header, cwd: 'x'.repeat(1_100_000) })).toEqual(['warning header-far 1']);
	});

	test('broken lines say what the client does with them', () => {
		expect(issuesOf(header, 'oops', '[5]', 'null')).toEqual([
			'error not-json 2',
			'error not-object 3',
			'warning empty-value 4',
		]);
		const bytes = file(header, said('a', null, user()));
		expect(errorsOf(Buffer.concat([Buffer.from('\uFEFF'), bytes])).map((issue) => issue.rule)).toEqual([
			'openclaw/bom',
		]);
		expect(errorsOf(bytes.subarray(0, -9)).map((issue) => issue.rule)).toEqual(['openclaw/torn']);
	});

	test('the document has no header and no entries: a warning of its own profile', () => {
		const found = checkBytes(openclaw, file(header, said('a', null, user())));
		expect(found.map((issue) => [issue.rule, issue.severity, issue.profile])).toEqual([
			['openclaw/wrapped', 'warning', 'published'],
		]);
	});
});

describe('ids and parents', () => {
	test('from version 2 on a line without an id hides others', () => {
		expect(issuesOf(header, { type: 'message', timestamp: header.timestamp, message: user() })).toEqual([
			'error id-missing 2',
		]);
	});

	test('a repeated id makes the earlier line unreachable', () => {
		expect(issuesOf(header, said('a', null, user()), said('a', null, user()))).toEqual(['error id-repeated 3']);
	});

	test('a missing parent loses the history before it', () => {
		expect(issuesOf(header, said('a', null, user()), said('b', 'zzz', assistant()))).toEqual([
			'error parent-missing 3',
		]);
		expect(issuesOf(header, said('a', null, user()), { ...said('b', null, assistant()), parentId: undefined })).toEqual(
			['error parent-invalid 3'],
		);
		expect(issuesOf(header, said('a', null, user()), { ...said('b', null, assistant()), parentId: 7 })).toEqual([
			'error parent-invalid 3',
		]);
	});

	test('a cycle never ends, and is told once', () => {
		expect(
			issuesOf(
				header,
				said('a', 'c', user()),
				said('b', 'a', assistant()),
				said('c', 'b', user()),
				said('d', 'c', user()),
			),
		).toEqual(['error parent-cycle 2']);
		expect(issuesOf(header, said('a', 'a', user()))).toEqual(['error parent-cycle 2']);
	});

	test('several roots and parents that come later are allowed', () => {
		expect(issuesOf(header, said('b', 'a', assistant()), said('a', null, user()), said('c', null, user()))).toEqual([]);
	});

	test('OpenClaw links a line without a parent to the one before', () => {
		const mark = line('m', null, 'custom', { customType: 'model-snapshot' });
		expect(issuesOf(header, mark, { ...said('b', null, user()), parentId: undefined })).toEqual([]);
	});

	test('a compaction keeps from a line on its own way, or nothing', () => {
		const compaction = (from: string) =>
			line('k', 'b', 'compaction', { summary: 'S', firstKeptEntryId: from, tokensBefore: 1 });
		const before = [header, said('a', null, user()), said('x', 'a', user()), said('b', 'a', assistant())];
		expect(issuesOf(...before, compaction('a'))).toEqual([]);
		expect(issuesOf(...before, compaction('k'))).toEqual([]);
		expect(issuesOf(...before, compaction('x'))).toEqual(['error compaction-kept 5']);
		expect(issuesOf(...before, compaction('zzz'))).toEqual(['error compaction-kept 5']);
	});

	test('a label, an edit or a leaf of an unknown line is ignored by the client', () => {
		expect(issuesOf(header, said('a', null, user()), line('b', 'a', 'label', { targetId: 'zzz', label: 'L' }))).toEqual(
			['warning target-unknown 3'],
		);
	});
});

describe('tool calls and results', () => {
	const start = [header, said('a', null, user())];

	test('calls answered in order are sound, in parallel too', () => {
		expect(
			issuesOf(
				...start,
				said('b', 'a', assistant([call('1'), call('2')])),
				said('c', 'b', result('1')),
				said('d', 'c', result('2')),
				said('e', 'd', assistant()),
			),
		).toEqual([]);
	});

	test('an unanswered call is answered by pi itself', () => {
		expect(issuesOf(...start, said('b', 'a', assistant([call('1')])), said('c', 'b', user()))).toEqual([
			'warning call-unanswered 3',
		]);
		expect(issuesOf(...start, said('b', 'a', assistant([call('1')])))).toEqual(['warning call-unanswered 3']);
		expect(
			issuesOf(...start, said('b', 'a', assistant([call('1')], { stopReason: 'aborted' })), said('c', 'b', user())),
		).toEqual([]);
	});

	test('a result without a call is refused by the API, and the message names the client that writes such', () => {
		const lines = [...start, said('b', 'a', result('1'))];
		expect(issuesOf(...lines)).toEqual(['error result-orphan 3']);
		expect(errorsOf(file(...lines))[0]?.message).toContain('OpenClaw 2026.7.1');
		expect(
			issuesOf(...start, said('b', 'a', assistant([call('1')], { stopReason: 'error' })), said('c', 'b', result('1'))),
		).toEqual(['error result-orphan 4']);
	});

	test('a second and a late result are refused', () => {
		const made = said('b', 'a', assistant([call('1')]));
		expect(issuesOf(...start, made, said('c', 'b', result('1')), said('d', 'c', result('1')))).toEqual([
			'error result-repeated 5',
		]);
		expect(issuesOf(...start, made, said('c', 'b', user()), said('d', 'c', result('1')))).toEqual([
			'warning call-unanswered 3',
			'error result-late 5',
		]);
	});

	test('a repeated call id is refused by Anthropic, and a risk elsewhere', () => {
		const twice = (more: object) => [
			said('b', 'a', assistant([call('1')], more)),
			said('c', 'b', result('1')),
			said('d', 'c', assistant([call('1')], more)),
			said('e', 'd', result('1')),
		];
		expect(issuesOf(...start, ...twice({}))).toEqual(['error call-repeated 5']);
		expect(issuesOf(...start, ...twice({ api: 'openai-completions' }))).toEqual(['warning call-reused 5']);
	});

	test('each branch of the tree is its own conversation', () => {
		expect(
			issuesOf(
				...start,
				said('b', 'a', assistant([call('1')])),
				said('c', 'b', result('1')),
				said('d', 'a', assistant([call('1')])),
				said('e', 'd', result('1')),
				said('f', 'a', result('1')),
			),
		).toEqual(['error result-orphan 7']);
	});

	test('bare lines and version 1 are one conversation', () => {
		expect(issuesOf(user(), assistant([call('1')]), result('2'))).toEqual([
			'error bare 1',
			'warning call-unanswered 2',
			'error result-orphan 3',
		]);
	});
});

describe('messages', () => {
	const inFile = (...messages: readonly object[]) =>
		issuesOf(header, ...messages.map((one, index) => said(`m${index}`, index === 0 ? null : `m${index - 1}`, one)));

	test('content that is no array makes every later request fail', () => {
		expect(inFile(assistant('string'))).toEqual(['warning assistant/content 2', 'error content-shape 2']);
		expect(inFile(user(7))).toEqual(['error content-shape 2']);
		expect(inFile(assistant([null]))).toEqual(['error block-object 2']);
		expect(inFile(user(null))).toEqual(['warning user/content 2']);
	});

	test('every required field of a message has a rule', () => {
		for (const field of ['api', 'provider', 'model', 'usage', 'stopReason', 'timestamp']) {
			expect(inFile(assistant([text('x')], { [field]: undefined })), field).toEqual([`warning assistant/${field} 2`]);
		}
		expect(inFile(user(), { ...user(), timestamp: 'x' })).toEqual(['warning user/timestamp 3']);
		const made = assistant([call('1')]);
		for (const field of ['toolName', 'isError', 'timestamp']) {
			expect(inFile(made, result('1', { [field]: undefined })), field).toEqual([`warning toolResult/${field} 3`]);
		}
		expect(inFile(assistant(), result('1', { toolCallId: undefined }))).toEqual(['error toolResult/toolCallId 3']);
	});

	test('every required field of a block has a rule', () => {
		expect(inFile(user([{ type: 'text' }]))).toEqual(['error text/text 2']);
		expect(inFile(user([{ type: 'image', data: 'x' }]))).toEqual(['error image/mimeType 2']);
		expect(inFile(assistant([{ type: 'thinking' }]))).toEqual(['warning thinking/thinking 2']);
		expect(inFile(assistant([{ ...call('1'), arguments: 'x' }]), result('1'))).toEqual(['error toolCall/arguments 2']);
		expect(inFile(assistant([{ ...text('x'), textSignature: 1 }]))).toEqual(['warning text/textSignature 2']);
	});

	test('blocks stand where they may', () => {
		expect(inFile(user([call('1')]))).toEqual(['error block-unsendable 2']);
		expect(inFile(assistant([{ type: 'image', data: 'x', mimeType: 'image/png' }]))).toEqual(['warning block-place 2']);
		expect(inFile(assistant([{ type: 'novelty' }]))).toEqual(['warning block-type 2']);
	});

	test('every field of usage has a rule, and the totals add up in one way or the other', () => {
		const usage = assistant().usage;
		for (const field of ['input', 'output', 'cacheRead', 'cacheWrite', 'totalTokens', 'cost']) {
			expect(inFile(assistant([text('x')], { usage: { ...usage, [field]: undefined } })), field).toEqual([
				`warning usage/${field} 2`,
			]);
		}
		for (const field of ['input', 'output', 'cacheRead', 'cacheWrite', 'total']) {
			const cost = { ...usage.cost, [field]: 'x' };
			expect(inFile(assistant([text('x')], { usage: { ...usage, cost } })), field).toEqual([
				`warning usage/cost.${field} 2`,
			]);
		}
		expect(inFile(assistant([text('x')], { usage: { ...usage, totalTokens: 165 } }))).toEqual([]);
		expect(inFile(assistant([text('x')], { usage: { ...usage, totalTokens: 170 } }))).toEqual([
			'warning usage-total 2',
		]);
		const cost = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 3 };
		expect(inFile(assistant([text('x')], { usage: { ...usage, cost } }))).toEqual(['warning usage-cost 2']);
	});

	test('stop reasons are those of the document; those of newer clients deviate from it', () => {
		expect(inFile(assistant([text('x')], { stopReason: 'deferred' }))).toEqual(['warning assistant/stopReason 2']);
	});

	test('roles that no client sends are told', () => {
		expect(inFile({ content: 'x' })).toEqual(['error role-missing 2']);
		expect(inFile({ role: 'notice' })).toEqual(['warning role-unknown 2']);
		expect(inFile({ role: 'hookMessage', customType: 'x', content: 'c', display: true })).toEqual([
			'error hook-message 2',
		]);
		expect(issuesOf(header, line('a', null, 'message'))).toEqual(['error message-missing 2']);
		expect(issuesOf(header, line('a', null, 'novelty'))).toEqual(['info line-type 2']);
	});

	test('an OpenAI Responses signature must be JSON', () => {
		const thinking = (thinkingSignature: string) =>
			assistant([{ type: 'thinking', thinking: 't', thinkingSignature }], { api: 'openai-responses' });
		expect(inFile(thinking('c2ln'))).toEqual(['error signature-json 2']);
		expect(inFile(thinking('{"id":"rs_1"}'))).toEqual([]);
	});

	test('the lines of the client have tables of their own', () => {
		expect(issuesOf(header, line('a', null, 'model_change', { provider: 'p' }))).toEqual([
			'warning model_change/modelId 2',
		]);
		expect(issuesOf(header, line('a', null, 'custom_message', { customType: 'x', content: 'c' }))).toEqual([
			'warning custom_message/display 2',
		]);
		expect(issuesOf(header, said('a', null, user()), line('e', 'a', 'context_edit', { targetId: 'a' }))).toEqual([
			'error context_edit/replacement 3',
		]);
		expect(issuesOf(header, { ...line('a', null, 'session_info', { name: 'x' }), timestamp: 'yesterday' })).toEqual([
			'warning line/timestamp 2',
		]);
	});

	test('every rule has an id of its own', () => {
		const ids = openclaw.check.rules.map((rule) => rule.id);
		expect(new Set(ids).size).toBe(ids.length);
		for (const id of ids) expect(id).toMatch(/^openclaw\//);
	});
});
