/** Laws of the files beside the messages: manifest, compaction sidecar, sub-agents. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { isObject, type Json, type JsonObject, type Session, type Subagent } from '../../model/index.ts';
import { openSession } from '../../store/reader/session-reader.ts';
import { decodeBytes } from '../shared/read/read.ts';
import {
	checkCompaction,
	checkManifest,
	childId,
	cline,
	compactionFits,
	parseCompaction,
	parseManifest,
	prefixHash,
} from './index.ts';

const fileOf = (scenario: string): string => {
	const file = corpusFiles('cline').find((one) => one.scenario === scenario && one.role === 'main');
	if (!file) throw new Error(`no ${scenario} in the corpus`);
	return file.path;
};
const besideMessages = (path: string, ending: string): Uint8Array =>
	readFileSync(path.replace(/\.messages\.json$/, ending));
const messagesOf = (path: string): readonly Json[] => JSON.parse(readFileSync(path, 'utf8')).messages;

const found = (check: (report: (rule: string) => void) => void): readonly string[] => {
	const rules: string[] = [];
	check((rule) => {
		expect(cline.check.rules.some((one) => one.id === rule)).toBe(true);
		rules.push(rule);
	});
	return rules;
};

describe('manifest', () => {
	test('every manifest of the client is read and sound', () => {
		const paths = corpusFiles('cline').filter((one) => !one.handWritten && one.role === 'main');
		for (const { path } of paths) {
			const manifest = parseManifest(besideMessages(path, '.json'));
			expect(manifest?.messages_path, path).toContain('.messages.json');
			expect(found((report) => checkManifest(manifest as unknown as Json, report))).toEqual([]);
		}
		expect(paths.length).toBeGreaterThan(10);
	});

	test('each required key is required, each type is checked', () => {
		const sound = JSON.parse(Buffer.from(besideMessages(fileOf('text'), '.json')).toString('utf8')) as JsonObject;
		const required = 'version session_id source pid started_at status interactive provider model cwd workspace_root';
		for (const key of [...required.split(' '), 'enable_tools', 'enable_spawn', 'enable_teams']) {
			const { [key]: _, ...rest } = sound;
			expect(found((report) => checkManifest(rest, report))).toEqual([`cline/manifest/${key}`]);
			expect(parseManifest(Buffer.from(JSON.stringify(rest)))).toBeUndefined();
		}
		expect(found((report) => checkManifest({ ...sound, status: 'done' }, report))).toEqual(['cline/manifest/status']);
		expect(found((report) => checkManifest({ ...sound, version: 2 }, report))).toEqual(['cline/manifest/version']);
		expect(found((report) => checkManifest({ ...sound, exit_code: null }, report))).toEqual([]);
		expect(found((report) => checkManifest({ ...sound, status: 'running' }, report))).toEqual([
			'cline/manifest/running',
		]);
		expect(found((report) => checkManifest(null, report))).toEqual(['cline/manifest/session_id']);
	});

	test('without messages_path the client overwrites the messages: an error', () => {
		const sound = JSON.parse(Buffer.from(besideMessages(fileOf('text'), '.json')).toString('utf8')) as JsonObject;
		const { messages_path: _, ...rest } = sound;
		expect(found((report) => checkManifest(rest, report))).toEqual(['cline/manifest/messages_path']);
		expect(parseManifest(Buffer.from(JSON.stringify(rest)))).toMatchObject({ status: 'completed' });
	});

	test('bytes that are not a manifest are none', () => {
		for (const text of ['', 'x', '[]', 'null', '{}']) expect(parseManifest(Buffer.from(text))).toBeUndefined();
	});
});

describe('header from a manifest', () => {
	test('folder, title, branch and model complete the header of every recorded session', async () => {
		const session = await openSession(fileOf('subagent'));
		expect(session.header).toMatchObject({
			cwd: '/home/dev/cline/tmp/subagent/ws',
			title: 'Delegate please',
			gitBranch: 'master',
			model: 'claude-sonnet-4-6',
			provider: 'anthropic',
		});
		for (const { path } of corpusFiles('cline').filter((one) => !one.handWritten && one.role === 'main')) {
			const header = cline.read.sideHeader?.('manifest', besideMessages(path, '.json'));
			expect(header, path).toMatchObject({ cwd: expect.stringContaining('/'), title: expect.any(String) });
		}
	});

	test('a fork and an import name where they come from; without a title the prompt is one', () => {
		const headerOf = (manifest: object) => cline.read.sideHeader?.('manifest', Buffer.from(JSON.stringify(manifest)));
		const fork = { session_id: 'a', prompt: ' go ', metadata: { fork: { forkedFromSessionId: 'b' } } };
		expect(headerOf(fork)).toEqual({ title: 'go', from: { how: 'fork', session: 'b' } });
		const imported = { session_id: 'a', metadata: { title: 't', importedFrom: { tool: 'codex', sessionId: 'c' } } };
		expect(headerOf(imported)).toEqual({ title: 't', from: { how: 'import', session: 'c' } });
		expect(headerOf({ session_id: 5, cwd: 5, metadata: { git: 'x' } })).toEqual({});
	});
});

describe('sub-agents', () => {
	test('each is linked to the call that gave it its task', async () => {
		const calls = async (scenario: string) =>
			(await openSession(fileOf(scenario))).subagents.map(({ id, call }) => `${id} ${call}`);
		expect(await calls('subagent')).toEqual(['agent_1794766729170_xbiyk5 toolu_sp1']);
		expect(await calls('team')).toEqual(['reviewer__LRNYH2 toolu_tt2']);
	});

	test('equal tasks are matched in order, others not at all', () => {
		const message = (role: string, ts: number, ...content: readonly object[]) => ({ role, ts, content });
		const sessionOf = (...messages: readonly object[]): Session =>
			decodeBytes(cline, Buffer.from(JSON.stringify({ version: 1, sessionId: 's', messages })));
		const spawn = (id: string, task: string) => ({ type: 'tool_use', id, name: 'spawn_agent', input: { task } });
		const run = (id: string, agentId: string) => ({
			type: 'tool_use',
			id,
			name: 'team_run_task',
			input: { agentId, task: 'same' },
		});
		const child = (id: string, ts: number, text: string): Subagent => ({
			id,
			session: sessionOf(message('user', ts, { type: 'text', text })),
		});
		const calls = [spawn('c1', 'same'), spawn('c2', ' same'), spawn('c3', 'other'), run('c4', 'rev'), run('c5', 'doc')];
		const odd = [
			{ type: 'tool_use', id: 'c6', name: 'spawn_agent', input: {} },
			{ type: 'tool_use', id: 'c7', name: 'toString', input: { task: 'x' } },
		];
		const parent = sessionOf(message('assistant', 1, ...calls, ...odd));
		const subagents = [
			child('a_late', 9, 'same'),
			child('a_early', 2, 'same'),
			child('a_stray', 3, 'never given'),
			child('doc__1', 4, 'same'),
			child('rev__1', 5, 'same'),
		];
		expect(cline.read.subagentCalls?.({ ...parent, subagents })).toEqual(
			new Map([
				['a_early', 'c1'],
				['a_late', 'c2'],
				['doc__1', 'c5'],
				['rev__1', 'c4'],
			]),
		);
	});
});

describe('compaction sidecar', () => {
	const path = fileOf('compaction');
	const messages = messagesOf(path);
	const sidecar = parseCompaction(besideMessages(path, '.compaction.json'));
	/** The messages at the time of the hash, before the client noted the model's family. */
	const early = messages.map((message) => {
		if (!isObject(message) || !isObject(message.modelInfo)) return message;
		const { family: _, ...modelInfo } = message.modelInfo;
		return { ...message, modelInfo };
	});

	test('the hash is the one that the client takes', () => {
		expect(sidecar?.source_message_count).toBe(9);
		expect(prefixHash(early as JsonObject[], 9)).toBe(sidecar?.source_prefix_hash);
	});

	test('a sidecar fits the messages that it was made of and no others', () => {
		if (!sidecar) throw new Error('the sidecar is not read');
		expect(compactionFits(sidecar, early)).toBe(true);
		expect(compactionFits(sidecar, messages)).toBe(false);
		const check = (list: readonly Json[]) =>
			found((report) => checkCompaction(sidecar as unknown as Json, list, report));
		expect(check(early)).toEqual([]);
		expect(check(messages)).toEqual(['cline/compaction/hash']);
		expect(check(early.slice(0, 5))).toEqual(['cline/compaction/count']);
	});

	test('notes that are only shown do not count', () => {
		if (!sidecar) throw new Error('the sidecar is not read');
		const note = { id: 'n', role: 'assistant', content: [], metadata: { displayOnly: true } };
		expect(compactionFits(sidecar, [note, ...early])).toBe(true);
	});

	test('without a hash the key of the last message decides', () => {
		if (!sidecar) throw new Error('the sidecar is not read');
		const { source_prefix_hash: _, ...keyed } = sidecar;
		expect(compactionFits(keyed, messages)).toBe(true);
		expect(compactionFits({ ...keyed, source_last_message_key: 'id:other' }, messages)).toBe(false);
	});

	test('a sidecar of another shape is not used', () => {
		const check = (value: Json) => found((report) => checkCompaction(value, [], report));
		const sound = { version: 1, updated_at: '2026-01-01T00:00:00.000Z', source_message_count: 0, messages: [] };
		expect(check({ ...sound, version: 2 })).toEqual(['cline/compaction/version']);
		expect(check({ ...sound, messages: 5 })).toEqual(['cline/compaction/messages']);
		expect(check({ ...sound, messages: [{ role: 'system', content: [] }] })).toEqual(['cline/compaction/message']);
		expect(check([])).toEqual(['cline/compaction/messages']);
		expect(parseCompaction(Buffer.from('{"messages":[]}'))).toBeUndefined();
	});

	test('values nested too deeply to be serialised do no harm', () => {
		const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as Json;
		const value = {
			version: 1,
			updated_at: '2026-01-01T00:00:00.000Z',
			source_message_count: 1,
			source_prefix_hash: 'x',
		};
		const list = [{ role: 'user', content: deep }];
		expect(found((report) => checkCompaction({ ...value, messages: [] }, list, report))).toEqual([
			'cline/compaction/hash',
		]);
	});
});

test('the id of a sub-agent names its root, its file and its kind', () => {
	expect(childId('1700_a__agent_1')).toEqual({ root: '1700_a', agent: 'agent_1', team: false });
	expect(childId('1700_a__teamtask__rev__X1')).toEqual({ root: '1700_a', agent: 'rev__X1', team: true });
	for (const id of ['1700_a', '__x', 'x__', '']) expect(childId(id)).toBeUndefined();
});
