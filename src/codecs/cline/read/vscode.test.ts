/** Old tasks of the VS Code extension. Their files were written by hand after its code: no client was recorded. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { whole } from '../../../../test/support/context.ts';
import { openSession } from '../../../store/reader/session-reader.ts';
import type { Folders, Machine } from '../../codec.ts';
import { codecs } from '../../index.ts';
import { checkBytes } from '../../shared/check/check.ts';
import { detect } from '../../shared/read/detect.ts';
import { parsedIndex } from '../../shared/read/line-index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { cline } from '../index.ts';

const storage = join(import.meta.dirname, '../../../../test/context/cline-vscode');
const pathOf = (task: string): string => join(storage, 'tasks', task, 'api_conversation_history.json');
const bytesOf = (task: string): Uint8Array => readFileSync(pathOf(task));
const short = '1768000000001';
const cut = '1768000000002';
const history = { bytes: readFileSync(join(storage, 'state/taskHistory.json')), id: cut };

const wireOf = (task: string, index?: typeof history) =>
	whole(cline.context.build?.(parsedIndex(cline, bytesOf(task)), index ? { side: { index } } : {}));

describe('reading a task', () => {
	test('it is claimed as its own dialect, and an array of plain messages is not', () => {
		for (const task of [short, cut]) {
			expect(detect(codecs, { head: bytesOf(task), complete: true })).toMatchObject({
				codec: cline,
				dialect: 'vscode',
			});
			expect(decodeBytes(cline, bytesOf(task)).dialect).toBe('vscode');
		}
		const plain = Buffer.from('[{"role":"user","content":"hi"}]');
		expect(detect(codecs, { head: plain, complete: true })).toMatchObject({ dialect: 'array' });
		expect(decodeBytes(cline, plain).dialect).toBe('array');
	});

	test('models, tokens and costs have their neutral names, and no block is opaque', () => {
		const { entries, header } = decodeBytes(cline, bytesOf(short));
		expect(header).toMatchObject({ model: 'claude-sonnet-4-5-20250929', provider: 'anthropic' });
		const replies = entries.flatMap((entry) => (entry.kind === 'message' && entry.response ? [entry.response] : []));
		const usage = { cacheWrite5m: 0, cacheWrite1h: 0 };
		expect(replies).toMatchObject([
			// Here the count of the prompt cannot include the cached tokens, there it can.
			{ model: 'claude-sonnet-4-5-20250929', usage: { ...usage, input: 10, output: 50, cacheRead: 900 } },
			{ provider: 'anthropic', usage: { ...usage, input: 200, output: 20, cacheRead: 1000 }, costUsd: 0.004 },
		]);
		for (const task of [short, cut]) {
			const blocks = decodeBytes(cline, bytesOf(task)).entries.flatMap((one) =>
				one.kind === 'message' ? one.content : [],
			);
			expect(blocks.filter((block) => block.type === 'opaque')).toEqual([]);
			expect(blocks.length).toBeGreaterThan(6);
		}
	});

	test('check finds nothing wrong with it but that it is old', () => {
		for (const task of [short, cut]) {
			expect(checkBytes(cline, bytesOf(task)).map((issue) => `${issue.severity} ${issue.rule}`)).toEqual([
				'info cline/legacy-task',
			]);
		}
		const torn = bytesOf(short).subarray(0, -40);
		expect(checkBytes(cline, torn).some((issue) => issue.severity === 'error')).toBe(true);
	});

	test('what lies beside it completes its header', async () => {
		const session = await openSession(pathOf(short));
		expect(session.id).toBe(short);
		expect(session.header).toMatchObject({
			dialect: 'vscode',
			title: 'Say hello in Welsh',
			cwd: '/home/dev/greeter',
			version: '3.51.0',
			created: '2026-01-09T23:06:40.100Z',
			extra: { totalCost: 0.004, tokensIn: 1210 },
		});
		const other = await openSession(pathOf(cut));
		expect(other.header).toMatchObject({
			title: 'Tidy up the project',
			extra: { conversationHistoryDeletedRange: [2, 5] },
		});
	});

	test('side files that are damaged add nothing', () => {
		for (const text of ['', '{', '[]', 'null', '[null,5]', '{"model_usage":5}', '{"model_usage":[null]}']) {
			for (const role of ['index', 'manifest', 'display', 'edits', 'compaction'] as const) {
				expect(cline.read.sideHeader?.(role, Buffer.from(text), 'x')).toEqual({});
			}
		}
	});
});

describe('context of a task', () => {
	test('it is taken over with every call answered and without signatures', () => {
		const env = expect.stringContaining('<environment_details>');
		expect(wireOf(short).messages).toEqual([
			{
				role: 'user',
				content: [
					{ type: 'text', text: '<task>\nSay hello in Welsh\n</task>' },
					{ type: 'text', text: env },
				],
			},
			{
				role: 'assistant',
				content: [
					{ type: 'text', text: 'I will read it.' },
					{ type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'src/greet.ts' } },
				],
			},
			{
				role: 'user',
				content: [
					{
						type: 'tool_result',
						tool_use_id: 'toolu_1',
						content: '[migration] Tool result missing in legacy conversation history.',
					},
					{ type: 'text', text: "[read_file for 'src/greet.ts'] Result:\nexport const greet = 'hello';" },
					{ type: 'text', text: env },
				],
			},
			{ role: 'assistant', content: [{ type: 'text', text: 'Done: it says helo.' }] },
		]);
		expect(wireOf(short).from).toEqual([['message:0'], ['message:1'], ['message:2'], ['message:3']]);
	});

	test('what was cut out of it stays out, with the results of calls that went', () => {
		const found = wireOf(cut, history);
		const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
		const missing = '[migration] Tool result missing in legacy conversation history.';
		expect(found.messages).toMatchObject([
			{ role: 'user', content: [{ text: '<task>\nTidy up the project\n</task>' }, image, { type: 'text' }] },
			{ role: 'assistant', content: [{ text: 'I begin.' }, { type: 'tool_use', id: 'toolu_a' }] },
			{
				role: 'user',
				content: [
					{ type: 'tool_result', tool_use_id: 'toolu_a', content: missing },
					{ type: 'text', text: '<feedback>\nleave c.txt alone\n</feedback>' },
				],
			},
			{ role: 'assistant', content: [{ id: 'toolu_d' }, { id: 'toolu_e' }] },
			{
				role: 'user',
				content: [
					{ tool_use_id: 'toolu_d', content: missing },
					{ tool_use_id: 'toolu_e', content: expect.stringContaining('"type":"image"') },
					{ type: 'text', text: 'by the way' },
				],
			},
			{ role: 'assistant', content: [{ type: 'text', text: 'All tidy.' }] },
		]);
		expect(found.from[2]).toEqual(['message:6']);
		expect(wireOf(cut).messages.length).toBeGreaterThan(found.messages.length);
	});

	test.each([
		{ range: undefined },
		{ range: [2] },
		{ range: [0, 1] },
		{ range: [2, 9] },
		{ range: [2, 50] },
		{ range: ['a', 'b'] },
		{ range: [2, 2.5] },
	])('a range $range cuts nothing', ({ range }) => {
		const item = { id: cut, conversationHistoryDeletedRange: range };
		const bytes = Buffer.from(JSON.stringify([item]));
		expect(wireOf(cut, { bytes, id: cut })).toEqual(wireOf(cut));
	});
});

describe('writing', () => {
	test('what goes on from a task is a session of its own, never an array', () => {
		const after = decodeBytes(cline, bytesOf(short), short);
		const encoded = cline.write.encode({ profile: 'client', id: short, header: after.header, entries: [], after });
		const document = JSON.parse(Buffer.from(encoded.bytes).toString('utf8'));
		expect(document.messages.length).toBe(4);
		expect(encoded.losses[0]?.note).toContain('cannot be written to');
		expect(decodeBytes(cline, encoded.bytes).dialect).toBe('client');
	});
});

describe('finding tasks', () => {
	const home = (platform: Machine['platform'], at: string, env: Machine['env'] = {}): Machine => ({
		platform,
		home: at,
		env,
	});
	/** A disk with one file in it, and its folders. */
	const diskOf = (path: string, separator: string): Folders => ({
		list(folder) {
			if (!path.startsWith(folder + separator)) return [];
			const [name = '', ...rest] = path.slice(folder.length + 1).split(separator);
			return [{ name, folder: rest.length > 0 }];
		},
		head: () => new Uint8Array(),
	});
	const file = (...steps: readonly string[]) => [...steps, 'tasks', 't1', 'api_conversation_history.json'];
	const code = ['Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev'];

	test.each([
		{ machine: home('linux', '/home/dev'), path: file('/home/dev/.config', ...code).join('/') },
		{ machine: home('linux', '/home/dev', { XDG_CONFIG_HOME: '/x' }), path: file('/x', ...code).join('/') },
		{ machine: home('linux', '/home/dev'), path: file('/home/dev/.cline/data').join('/') },
		{ machine: home('linux', '/home/dev', { CLINE_DATA_DIR: '/d' }), path: file('/d').join('/') },
		{
			machine: home('darwin', '/Users/dev'),
			path: file('/Users/dev/Library/Application Support', ...code).join('/'),
		},
		{
			machine: home('win32', 'C:\\Users\\dev'),
			path: file('C:\\Users\\dev\\AppData\\Roaming', ...code).join('\\'),
		},
		{ machine: home('win32', 'C:\\Users\\dev', { APPDATA: 'D:\\r' }), path: file('D:\\r', ...code).join('\\') },
	])('$machine.platform: $path', ({ machine, path }) => {
		const separator = machine.platform === 'win32' ? '\\' : '/';
		expect([...cline.places.sessions(machine, diskOf(path, separator))]).toEqual([{ path, id: 't1' }]);
		expect(cline.places.roots(machine).some((root) => path.startsWith(root))).toBe(true);
		expect(cline.places.idOf?.(path)).toBe('t1');
	});

	test('its side files are found, the list of all tasks first', () => {
		const disk: Folders = {
			list: (folder) =>
				readdirSync(folder, { withFileTypes: true }).map((item) => ({ name: item.name, folder: item.isDirectory() })),
			head: () => new Uint8Array(),
		};
		const side = cline.places.sideFiles(pathOf(short), disk);
		expect(side.map(({ role, id }) => (id === undefined ? role : `${role} ${id}`))).toEqual([
			`index ${short}`,
			'manifest',
			'display',
			'edits',
		]);
		expect(cline.places.idOf?.('/x/y.messages.json')).toBeUndefined();
	});
});
