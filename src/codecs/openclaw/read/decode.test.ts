/** What every record, message and block of the format means. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusFiles, corpusRoot } from '../../../../test/support/corpus.ts';
import {
	assistant,
	call,
	entryOf,
	header,
	line,
	read,
	result,
	said,
	text,
	user,
} from '../../../../test/support/openclaw-lines.ts';
import { branches, path, usageOf } from '../../../model/index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { openclaw } from '../index.ts';

describe('lines', () => {
	test('the header starts the session and names it', () => {
		const session = read({ ...header, parentSession: '/old.jsonl' });
		expect(session.entries[0]).toMatchObject({
			kind: 'start',
			session: 's1',
			cwd: '/tmp',
			version: 3,
			parentSession: '/old.jsonl',
		});
		expect(session.header).toMatchObject({
			id: 's1',
			cwd: '/tmp',
			created: '2026-01-01T00:00:00.000Z',
			dialect: 'v3',
			from: { how: 'fork', session: '/old.jsonl' },
		});
	});

	test('model_change, thinking_level_change, session_info and active_tools_change are settings', () => {
		expect(entryOf(line('a', null, 'model_change', { provider: 'p', modelId: 'm' }))).toMatchObject({
			kind: 'setting',
			set: { provider: 'p', model: 'm' },
		});
		expect(entryOf(line('a', null, 'thinking_level_change', { thinkingLevel: 'high' }))).toMatchObject({
			set: { thinking: 'high' },
		});
		expect(entryOf(line('a', null, 'session_info', { name: ' T ' }))).toMatchObject({ set: { title: 'T' } });
		expect(entryOf(line('a', null, 'session_info', { name: '' }))).toMatchObject({ set: { title: null } });
		expect(entryOf(line('a', null, 'active_tools_change', { activeToolNames: ['read'] }))).toMatchObject({
			set: { tools: ['read'] },
		});
	});

	test('the header of the session follows its model and its name', () => {
		const session = read(
			header,
			line('a', null, 'model_change', { provider: 'p', modelId: 'm' }),
			said('b', 'a', assistant([text('x')], { provider: 'q', model: 'n' })),
			line('c', 'b', 'session_info', { name: 'T' }),
		);
		expect(session.header).toMatchObject({ provider: 'q', model: 'n', title: 'T' });
	});

	test('compaction, reset and branch_summary cut or sum up the conversation', () => {
		const compaction = {
			summary: 'S',
			firstKeptEntryId: 'k',
			tokensBefore: 9,
			details: { readFiles: [] },
			fromHook: true,
		};
		expect(entryOf(line('a', null, 'compaction', compaction))).toMatchObject({
			kind: 'compaction',
			summary: 'S',
			keptFrom: 'k',
			tokensBefore: 9,
			extra: { openclaw: { line: { details: { readFiles: [] }, fromHook: true } } },
		});
		expect(entryOf(line('a', null, 'reset'))).toMatchObject({ kind: 'compaction', trigger: 'reset' });
		expect(entryOf(line('a', null, 'branch_summary', { fromId: 'f', summary: 'B' }))).toMatchObject({
			kind: 'summary',
			of: 'branch',
			text: 'B',
			leaf: 'f',
		});
		expect(entryOf(line('a', null, 'branch_summary', { fromId: 'root', summary: 'B' }))).not.toHaveProperty('leaf');
	});

	test('label, leaf and context_edit speak of another entry', () => {
		expect(entryOf(line('a', null, 'label', { targetId: 't', label: 'L' }))).toMatchObject({
			kind: 'label',
			target: 't',
			text: 'L',
		});
		expect(entryOf(line('a', null, 'label', { targetId: 't' }))).toMatchObject({ kind: 'label', text: null });
		expect(entryOf(line('a', 'p', 'leaf', { targetId: 't' }))).toMatchObject({
			kind: 'leaf',
			target: 't',
			parent: 't',
		});
		expect(entryOf(line('a', null, 'context_edit', { targetId: 't', replacement: null }))).toMatchObject({
			kind: 'edit',
			target: 't',
			replacement: null,
		});
		expect(entryOf(line('a', null, 'context_edit', { targetId: 't', replacement: { content: 'new' } }))).toMatchObject({
			replacement: [text('new')],
		});
	});

	test('custom and usage are events, custom_message is a message', () => {
		expect(entryOf(line('a', null, 'custom', { customType: 'ext', data: { n: 1 } }))).toMatchObject({
			kind: 'event',
			event: { type: 'custom', of: 'ext', data: { n: 1 } },
		});
		const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 9, cacheWrite1h: 4, cost: { total: 0.5 } };
		expect(entryOf(line('a', null, 'usage', { kind: 'cache_warm', provider: 'p', model: 'm', usage }))).toMatchObject({
			event: {
				type: 'usage',
				of: 'cache_warm',
				provider: 'p',
				model: 'm',
				costUsd: 0.5,
				usage: { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 5, cacheWrite1h: 4 },
			},
		});
		expect(
			entryOf(line('a', null, 'custom_message', { customType: 'ext', content: 'c', display: true })),
		).toMatchObject({
			kind: 'message',
			role: 'user',
			origin: 'custom:ext',
			content: [text('c')],
		});
		expect(
			entryOf(line('a', null, 'custom_message', { customType: 'ext', content: 'c', display: false })),
		).toMatchObject({
			audience: 'model',
		});
	});

	test('tokens that a compaction or a tool spent count once', () => {
		const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3, cost: { total: 0 } };
		const session = read(
			header,
			said('a', null, result('c', { usage })),
			line('b', 'a', 'compaction', { summary: 'S', firstKeptEntryId: 'b', tokensBefore: 1, usage }),
		);
		expect(usageOf(session.entries)).toMatchObject({ input: 2, output: 4 });
	});

	test('an unknown line stays in its place in the chain', () => {
		const session = read(
			header,
			said('a', null, user()),
			line('b', 'a', 'novelty', { x: 1 }),
			said('c', 'b', assistant()),
		);
		expect(session.entries[2]).toMatchObject({ kind: 'opaque', type: 'novelty', id: 'b', parent: 'a' });
		expect(path(session).map((entry) => entry.id)).toEqual(['a', 'b', 'c']);
	});
});

describe('messages', () => {
	test('bashExecution is what the model reads of the command', () => {
		const bash = {
			role: 'bashExecution',
			command: 'ls',
			output: 'a\n',
			exitCode: 2,
			cancelled: false,
			truncated: false,
		};
		expect(entryOf(said('a', null, bash))).toMatchObject({
			role: 'user',
			origin: 'shell',
			content: [text('Ran `ls`\n```\na\n\n```\n\nCommand exited with code 2')],
			extra: { openclaw: { message: { command: 'ls', exitCode: 2 } } },
		});
		expect(entryOf(said('a', null, { ...bash, excludeFromContext: true }))).toMatchObject({ audience: 'user' });
		const silent = { ...bash, output: '', cancelled: true, truncated: true, fullOutputPath: '/o' };
		expect(entryOf(said('a', null, silent))).toMatchObject({
			content: [text('Ran `ls`\n(no output)\n\n(command cancelled)\n\n[Output truncated. Full output: /o]')],
		});
	});

	test('custom, hookMessage, summaries and system have their roles', () => {
		expect(entryOf(said('a', null, { role: 'custom', customType: 'x', content: 'c', display: false }))).toMatchObject({
			origin: 'custom:x',
			audience: 'model',
		});
		expect(
			entryOf(said('a', null, { role: 'hookMessage', customType: 'x', content: [text('c')], display: true })),
		).toMatchObject({
			origin: 'custom:x',
		});
		expect(entryOf(said('a', null, { role: 'compactionSummary', summary: 'S' }))).toMatchObject({
			origin: 'compaction',
			audience: 'model',
		});
		expect(entryOf(said('a', null, { role: 'branchSummary', summary: 'S' }))).toMatchObject({
			origin: 'branch',
			audience: 'model',
		});
		const sections = { preamble: 'P', gone: null, tools: 'T' };
		expect(entryOf(said('a', null, { role: 'system', content: 'C', sections }))).toMatchObject({
			role: 'system',
			content: [text('C\n\nP\n\nT')],
		});
	});

	test("an application's own message is an event of its own", () => {
		const notice = { role: 'notice', text: 'hello', timestamp: 1 };
		expect(entryOf(said('a', null, notice))).toMatchObject({
			kind: 'event',
			event: { type: 'custom', of: 'notice', data: notice },
		});
	});

	test('a reply keeps what only this client knows', () => {
		const more = {
			responseId: 'r',
			rawStopReason: 'end_turn',
			responseModel: 'm2',
			stopReason: 'deferred',
			errorMessage: 'E',
		};
		expect(entryOf(said('a', null, assistant([text('x')], more)))).toMatchObject({
			response: { id: 'r', stop: 'deferred', error: 'E' },
			extra: { openclaw: { message: { rawStopReason: 'end_turn', responseModel: 'm2' } } },
		});
	});

	test('redacted thinking keeps its payload, and unknown block fields are kept', () => {
		const blocks = [
			{ type: 'thinking', thinking: '[Reasoning redacted]', thinkingSignature: 'PAY', redacted: true },
			{ ...call('c'), namespace: 'ns', thoughtSignature: 'sig' },
			{ type: 'novelty', x: 1 },
		];
		const entry = entryOf(said('a', null, assistant(blocks)));
		expect(entry).toMatchObject({
			content: [
				{ type: 'thinking', redacted: 'PAY' },
				{ type: 'tool_call', id: 'c', signature: 'sig' },
				{ type: 'opaque', of: 'novelty', value: { type: 'novelty', x: 1 } },
			],
			extra: { openclaw: { blocks: { 1: { namespace: 'ns' } } } },
		});
	});

	test('null and string content are read as the clients read them', () => {
		expect(entryOf(said('a', null, user(null)))).toMatchObject({ content: [] });
		expect(entryOf(said('a', null, assistant('plain')))).toMatchObject({ content: [text('plain')] });
	});

	test('foreign values do no harm', () => {
		const session = read(
			header,
			'{"type":"message","id":"a","parentId":null,"__proto__":{"x":1},"message":{"role":"assistant","content":[null,1,{"type":"text"}],"usage":{"input":1e999},"timestamp":1e300}}',
			'{"type":"__proto__","id":"b","parentId":"a"}',
			'{"role":"toString","content":7}',
			'{"type":"toString","id":"constructor","parentId":{}}',
		);
		expect(session.entries.length).toBe(5);
		expect(({} as { x?: number }).x).toBeUndefined();
	});
});

describe('the corpus', () => {
	test('nothing in a recorded file is opaque', () => {
		for (const file of corpusFiles('openclaw')) {
			const session = decodeBytes(openclaw, file.bytes());
			for (const entry of session.entries) {
				expect(entry.kind, file.name).not.toBe('opaque');
				if (entry.kind === 'message')
					expect(
						entry.content.every((block) => block.type !== 'opaque'),
						file.name,
					).toBe(true);
			}
		}
	});

	test('each version is recognised as its dialect', () => {
		const expected: { readonly [version: string]: string } = {
			'2026.7.1': 'openclaw-v3',
			'pi-0.30.2': 'v1',
			'pi-0.73.1': 'v3',
			'pi-0.87.1': 'v3',
		};
		for (const file of corpusFiles('openclaw')) {
			const dialect = expected[file.version];
			if (dialect) expect(decodeBytes(openclaw, file.bytes()).dialect, file.name).toBe(dialect);
		}
	});

	test("the rows of OpenClaw's database are read like lines", () => {
		for (const scenario of ['text', 'thinking-tool', 'parallel-tools', 'resume', 'import-pi']) {
			const rows = readFileSync(
				join(corpusRoot, 'openclaw/2026.9.6', scenario, 'expected.transcript-events.jsonl'),
				'utf8',
			);
			const lines = rows
				.trim()
				.split('\n')
				.map((row) => (JSON.parse(row) as { readonly event: object }).event);
			const session = read(...lines);
			expect(session.dialect).toBe(scenario === 'import-pi' ? 'openclaw-v3' : 'v4');
			expect(session.entries.some((entry) => entry.kind === 'opaque')).toBe(false);
			expect(path(session).length).toBe(session.entries.filter((entry) => entry.parent !== undefined).length);
		}
	});

	test("the tree of the library's own sample has its three branches", () => {
		const sample = corpusFiles('openclaw').find((one) => one.name.includes('pi-0.87.1/lib-all-entry-types'));
		const session = decodeBytes(openclaw, sample?.bytes() ?? new Uint8Array());
		expect(branches(session).length).toBe(3);
		expect(session.leaf).toBe('4ef7e238');
		expect(path(session).map((entry) => entry.id)).toEqual([
			'6d7a5c36',
			'2162648f',
			'554ef637',
			'f9eaf2f3',
			'4ef7e238',
		]);
	});
});
