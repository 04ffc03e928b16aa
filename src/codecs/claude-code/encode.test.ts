/** How entries of any origin are written, and what is said about what cannot be. */
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { conversationOf } from '../../../test/support/laws.ts';
import { type Block, type Entry, type JsonObject, type MessageEntry, type Profile, path } from '../../model/index.ts';
import { checkBytes, issuesIn } from '../check.ts';
import { decodeBytes } from '../read.ts';
import { claudeCode } from './index.ts';

const id = '44444444-4444-4444-8444-444444444444';
const header = { cwd: '/home/dev/app', gitBranch: 'main' };

const time = (seconds: number): string => new Date(Date.UTC(2026, 2, 1) + seconds * 1000).toISOString();
const user = (name: string, parent: string | null, content: readonly Block[], seconds: number): MessageEntry => ({
	kind: 'message',
	id: name,
	parent,
	time: time(seconds),
	records: [],
	role: 'user',
	content,
});
const say = (text: string): Block => ({ type: 'text', text });
const reply = (
	name: string,
	parent: string,
	content: readonly Block[],
	seconds: number,
	response: MessageEntry['response'] = {},
): MessageEntry => ({
	...user(name, parent, content, seconds),
	role: 'assistant',
	response: {
		id: `msg_${name}`,
		request: `req_${name}`,
		model: 'claude-opus-4-5',
		stop: 'end',
		usage: { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5 },
		...response,
	},
});
const result = (call: string): Block => ({ type: 'tool_result', call, content: [say(`out ${call}`)], isError: false });
const call = (name: string): Block => ({ type: 'tool_call', id: name, name: 'Bash', input: { command: 'ls' } });

type Line = { readonly [key: string]: JsonObject[string] } & {
	readonly message?: { readonly content?: unknown; readonly usage?: unknown; readonly stop_reason?: unknown };
};

function write(entries: readonly Entry[], profile: Profile = 'client', more: object = {}) {
	const encoded = claudeCode.encode({ profile, id, header, entries, ...more });
	const text = Buffer.from(encoded.bytes).toString('utf8');
	const lines =
		text === ''
			? []
			: text
					.trimEnd()
					.split('\n')
					.map((line) => JSON.parse(line) as Line);
	const issues = issuesIn(profile, checkBytes(claudeCode, encoded.bytes)).filter((issue) => issue.severity !== 'info');
	return { ...encoded, lines, issues, session: decodeBytes(claudeCode, encoded.bytes, id) };
}

const losses = (written: ReturnType<typeof write>): readonly string[] =>
	written.losses.map((loss) => `${loss.entry} ${loss.path} ${loss.how}`);

describe('replies', () => {
	const thinking: Block = { type: 'thinking', text: 'hm', signature: 'Ep' };
	const entries = [
		user('e1', null, [say('go')], 1),
		reply('e2', 'e1', [thinking, say('both'), call('t1'), call('t2')], 2, { stop: 'tool' }),
		user('e3', 'e2', [result('t1')], 3),
		user('e4', 'e2', [result('t2')], 3),
		reply('e5', 'e4', [say('done')], 4),
	];

	test('each block of a reply is a line of its own with the same ids', () => {
		const { lines, issues } = write(entries);
		const blocks = lines.filter((line) => line.type === 'assistant').slice(0, 4);
		expect(new Set(blocks.map((line) => line.requestId))).toEqual(new Set(['req_e2']));
		for (const line of blocks) expect(line.message).toMatchObject({ id: 'msg_e2', stop_reason: 'tool_use' });
		expect(blocks.map((line) => (line.message?.content as Line[] | undefined)?.[0]?.type)).toEqual([
			'thinking',
			'text',
			'tool_use',
			'tool_use',
		]);
		expect(issues).toEqual([]);
	});

	test('in the published style only the last block has a stop reason', () => {
		const { lines, issues } = write(entries, 'published');
		const stops = lines.filter((line) => line.type === 'assistant').map((line) => line.message?.stop_reason);
		expect(stops).toEqual([null, null, null, 'tool_use', 'end_turn']);
		expect(issues).toEqual([]);
	});

	test('results of parallel calls are chained one after another', () => {
		const { session } = write(entries);
		expect(path(session).map((entry) => entry.id)).toEqual(session.entries.map((entry) => entry.id));
		expect(conversationOf(path(session))).toEqual(conversationOf(entries));
	});

	test('both cache durations and all counts are written', () => {
		const { lines } = write(entries);
		expect(lines[1]?.message?.usage).toEqual({
			input_tokens: 1,
			cache_creation_input_tokens: 9,
			cache_read_input_tokens: 3,
			cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 5 },
			output_tokens: 2,
			service_tier: 'standard',
		});
	});

	test('every line has the envelope, and times strictly increase', () => {
		const { lines } = write(entries);
		let before = '';
		for (const line of lines) {
			expect(line).toMatchObject({
				sessionId: id,
				cwd: '/home/dev/app',
				gitBranch: 'main',
				userType: 'external',
				isSidechain: false,
			});
			expect(typeof line.version).toBe('string');
			expect(String(line.timestamp) > before).toBe(true);
			before = String(line.timestamp);
		}
	});

	test('a call that was never answered gets a result that says so', () => {
		const open = [...entries.slice(0, 3), user('e9', 'e3', [say('never mind')], 5)];
		const written = write(open);
		expect(losses(written)).toContain('e9  invented');
		expect(written.issues).toEqual([]);
	});

	test('a call that is open at the end stays open', () => {
		const written = write(entries.slice(0, 2));
		expect(written.lines).toHaveLength(5);
		expect(written.losses).toEqual([]);
	});

	test('thinking of another provider is written as text, and said', () => {
		const written = write([
			user('e1', null, [say('go')], 1),
			reply('e2', 'e1', [thinking, say('x')], 2, { provider: 'openai', api: 'openai-responses' }),
		]);
		expect(losses(written)).toEqual(['e2 content[0] approximated', 'e2 response.provider dropped']);
		expect(written.issues).toEqual([]);
	});

	test('ids that the API does not take are replaced in call and result alike', () => {
		const written = write([
			user('e1', null, [say('go')], 1),
			reply('e2', 'e1', [call('call_1|fc_2')], 2, { stop: 'tool' }),
			user('e3', 'e2', [result('call_1|fc_2')], 3),
		]);
		expect(losses(written)).toEqual(['e2 content[0].id approximated']);
		expect(written.issues).toEqual([]);
	});

	test('the price of a reply is a loss, because the format has no place for it', () => {
		const written = write([user('e1', null, [say('go')], 1), reply('e2', 'e1', [say('x')], 2, { costUsd: 0.1 })]);
		expect(losses(written)).toEqual(['e2 response.costUsd dropped']);
	});
});

describe('user lines', () => {
	test('details become toolUseResult, and the client style names the line of the call', () => {
		const details = { stdout: 'x', stderr: '', interrupted: false, isImage: false };
		const { lines } = write([
			user('e1', null, [say('go')], 1),
			reply('e2', 'e1', [call('t1')], 2, { stop: 'tool' }),
			user('e3', 'e2', [{ ...result('t1'), details } as Block], 3),
		]);
		expect(lines[2]).toMatchObject({ toolUseResult: details, sourceToolAssistantUUID: lines[1]?.uuid });
	});

	test('a message for the model only is isMeta, one for the user only is a notice', () => {
		const written = write([
			user('e1', null, [say('go')], 1),
			{ ...user('e2', 'e1', [say('hidden')], 2), audience: 'model' },
			{ ...user('e3', 'e2', [say('shown')], 3), audience: 'user' },
		]);
		expect(written.lines[1]).toMatchObject({ type: 'user', isMeta: true });
		expect(written.lines[2]).toMatchObject({ type: 'system', subtype: 'informational', content: 'shown' });
		expect(losses(written)).toEqual(['e3 audience approximated']);
	});

	test('a result without a call and blank text are not sent as they are', () => {
		const written = write([user('e1', null, [say('go'), result('t9'), say(' ')], 1)]);
		expect(losses(written)).toEqual(['e1 content[1] approximated', 'e1 content[2] dropped']);
		expect(written.issues).toEqual([]);
	});

	test('several results and a prompt in one message become one line each', () => {
		const written = write([
			user('e1', null, [say('go')], 1),
			reply('e2', 'e1', [call('t1'), call('t2')], 2, { stop: 'tool' }),
			user('e3', 'e2', [result('t1'), result('t2'), say('and now')], 3),
		]);
		expect(written.lines).toHaveLength(6);
		expect(written.issues).toEqual([]);
		expect(write(written.session.entries, 'published').issues).toEqual([]);
	});

	test('entries without a time get one after the line before, and it is said', () => {
		const { time: _, ...timeless } = user('e2', 'e1', [say('b')], 2);
		const written = write([user('e1', null, [say('a')], 1), timeless]);
		expect(losses(written)).toEqual(['e2 time invented']);
		expect(written.lines.map((line) => line.timestamp)).toEqual([time(1), '2026-03-01T00:00:01.001Z']);
	});
});

describe('compaction', () => {
	const entries: readonly Entry[] = [
		user('e1', null, [say('one')], 1),
		reply('e2', 'e1', [say('two')], 2),
		user('e3', 'e2', [say('three')], 3),
		reply('e4', 'e3', [say('four')], 4),
		{
			kind: 'compaction',
			id: 'c1',
			parent: 'e4',
			time: time(5),
			records: [],
			summary: 'SUMMARY',
			keptFrom: 'e3',
			tokensBefore: 99,
			trigger: 'manual',
		},
		user('e5', 'c1', [say('five')], 6),
	];

	test('the client style has summary line, boundary and the summary as a user line', () => {
		const { lines, issues } = write(entries);
		const [summary, boundary, text, next] = lines.slice(4);
		expect(summary).toEqual({ type: 'summary', summary: 'SUMMARY', leafUuid: lines[3]?.uuid });
		expect(boundary).toMatchObject({
			subtype: 'compact_boundary',
			parentUuid: null,
			logicalParentUuid: lines[3]?.uuid,
			compactMetadata: { trigger: 'manual', preTokens: 99 },
		});
		expect(text).toMatchObject({ type: 'user', parentUuid: boundary?.uuid, isCompactSummary: true });
		expect(next).toMatchObject({ parentUuid: text?.uuid });
		expect(issues).toEqual([]);
	});

	test('messages that stay in the context are named in the boundary', () => {
		const { lines } = write(entries);
		const kept = [lines[2]?.uuid, lines[3]?.uuid];
		expect(lines[5]).toMatchObject({
			compactMetadata: { preservedMessages: { anchorUuid: lines[6]?.uuid, uuids: kept } },
		});
	});

	test('the published style has summary, boundary and a new root', () => {
		const written = write(entries, 'published');
		const [summary, boundary, next] = written.lines.slice(4);
		expect(summary).toMatchObject({ type: 'summary', summary: 'SUMMARY' });
		expect(boundary).toMatchObject({ subtype: 'compact_boundary', parentUuid: null });
		expect(next).toMatchObject({ type: 'user', parentUuid: null });
		expect(written.issues).toEqual([]);
		expect(losses(written)).toContain('c1 keptFrom dropped');
	});

	test('the client’s own summary line becomes the summary of the published style', () => {
		const own = write(write(entries).session.entries, 'published');
		expect(own.lines.filter((line) => line.type === 'summary')).toHaveLength(1);
		expect(own.lines.some((line) => line.isCompactSummary)).toBe(false);
		expect(own.issues).toEqual([]);
	});
});

describe('lines beside the messages', () => {
	const prompt = user('e1', null, [say('go')], 1);
	const base = { parent: 'e1', time: time(2), records: [] };

	test('progress lines are never a parent', () => {
		const { lines, issues } = write(
			[
				prompt,
				{
					...base,
					kind: 'event',
					id: 'p',
					event: { type: 'progress', of: 'bash_progress', data: { output: 'x', fullOutput: 'x' } },
				},
				user('e2', 'p', [say('on')], 3),
			],
			'published',
		);
		expect(lines[1]).toMatchObject({ type: 'progress', data: { type: 'bash_progress', output: 'x' } });
		expect(lines[2]?.parentUuid).toBe(lines[0]?.uuid);
		expect(issues).toEqual([]);
	});

	test('timing, command, queue and link events are written in both styles', () => {
		const events: readonly Entry[] = [
			{ ...base, kind: 'event', id: 'a', event: { type: 'timing', durationMs: 5 } },
			{
				...base,
				kind: 'event',
				id: 'b',
				parent: 'a',
				event: { type: 'command', content: '<command-name>/x</command-name>' },
			},
			{ kind: 'event', id: 'c', records: [], event: { type: 'queue', operation: 'dequeue' } },
			{
				kind: 'event',
				id: 'd',
				records: [],
				event: { type: 'pr_link', number: 3, url: 'https://github.com/a/b/pull/3' },
			},
			{ ...base, kind: 'event', id: 'e', parent: 'b', event: { type: 'notice', level: 'info', message: 'N' } },
			{ ...base, kind: 'event', id: 'f', parent: 'e', event: { type: 'error', message: 'E', attempt: 1 } },
		];
		for (const profile of ['client', 'published'] as const) {
			const { lines, issues, losses: lost } = write([prompt, ...events], profile);
			expect(lines.map((line) => line.subtype ?? line.type)).toEqual([
				'user',
				'turn_duration',
				'local_command',
				'queue-operation',
				'pr-link',
				'informational',
				'api_error',
			]);
			expect(lines[4]).toMatchObject({ prRepository: 'a/b' });
			expect(issues).toEqual([]);
			expect(lost).toEqual([]);
		}
	});

	test('checkpoints are inline in the published style and by reference in the client style', () => {
		const checkpoint: Entry = {
			kind: 'checkpoint',
			id: 'k',
			records: [],
			time: time(2),
			of: 'e1',
			update: false,
			files: [
				{ path: 'a.md', state: { is: 'inline', text: 'old' } },
				{ path: 'b.md', state: { is: 'absent' } },
			],
		};
		const published = write([prompt, checkpoint], 'published');
		expect(published.lines[1]).toMatchObject({
			messageId: published.lines[0]?.uuid,
			snapshot: { trackedFileBackups: { 'a.md': 'old', 'b.md': null } },
		});
		const client = write([prompt, checkpoint]);
		expect(client.lines[1]).toMatchObject({
			snapshot: {
				trackedFileBackups: {
					'a.md': { backupFileName: expect.stringMatching(/^[0-9a-f]{16}@v1$/), version: 1 },
					'b.md': { backupFileName: null },
				},
			},
		});
		expect(client.beside).toEqual([
			{ path: expect.stringMatching(`^../../file-history/${id}/[0-9a-f]{16}@v1$`), bytes: Buffer.from('old') },
		]);
		expect([...published.losses, ...client.losses]).toEqual([]);
	});

	test('settings become one-value lines, and the permission mode goes on the prompt in the published style', () => {
		const setting: Entry = { kind: 'setting', id: 's', records: [], set: { title: 'T', permissionMode: 'plan' } };
		const client = write([setting, prompt]);
		expect(client.lines.slice(0, 2)).toEqual([
			{ type: 'custom-title', customTitle: 'T', sessionId: id },
			{ type: 'permission-mode', permissionMode: 'plan', sessionId: id },
		]);
		const published = write([setting, prompt], 'published');
		expect(published.lines[1]).toMatchObject({ type: 'user', permissionMode: 'plan' });
		expect(published.losses).toEqual([]);
	});

	test('a title that only the header has is written', () => {
		const { lines } = write([prompt], 'client', { header: { ...header, title: 'Mine' } });
		expect(lines[0]).toEqual({ type: 'custom-title', customTitle: 'Mine', sessionId: id });
	});

	test('what the format has no place for is a loss', () => {
		const written = write(
			[
				prompt,
				{ kind: 'label', id: 'l', records: [], target: 'e1', text: 'x' },
				{ kind: 'outcome', id: 'o', records: [], status: 'ok' },
				{ kind: 'edit', id: 'd', records: [], target: 'e1', replacement: null },
				{ kind: 'opaque', id: 'q', parent: 'e1', records: [], type: 'odd' },
				{ kind: 'event', id: 'v', records: [], event: { type: 'custom', of: 'app', data: 1 } },
				{ kind: 'setting', id: 'm', records: [], set: { model: 'x' } },
				{ ...user('e9', 'q', [say('on')], 9), extra: { taskId: 1 } },
			],
			'client',
			{ header: { ...header, systemPrompt: 'S' } },
		);
		expect(losses(written)).toEqual([
			' header.systemPrompt dropped',
			'l  dropped',
			'o  dropped',
			'd  dropped',
			'q  dropped',
			'v event dropped',
			'm set.model dropped',
			'e9 extra dropped',
		]);
		expect(written.lines).toHaveLength(2);
		expect(written.lines[1]?.parentUuid).toBe(written.lines[0]?.uuid);
	});
});

describe('sub-agents', () => {
	const side = (entry: MessageEntry): MessageEntry => ({ ...entry, agent: 'ab97f57' });
	const entries = [
		user('e1', null, [say('go')], 1),
		reply('e2', 'e1', [call('t1')], 2, { stop: 'tool' }),
		side(user('a1', null, [say('sub')], 3)),
		side(reply('a2', 'a1', [say('sub done')], 4)),
		user('e3', 'e2', [{ ...result('t1'), details: { agentId: 'ab97f57' } } as Block], 5),
	];

	test('a sub-agent gets a file of its own, where each style has it', () => {
		const client = write(entries);
		expect(client.beside.map((file) => file.path)).toEqual([
			`${id}/subagents/agent-ab97f57.jsonl`,
			`${id}/subagents/agent-ab97f57.meta.json`,
		]);
		expect(Buffer.from(client.beside[1]?.bytes ?? []).toString()).toContain('"toolUseId":"t1"');
		const published = write(entries, 'published');
		expect(published.beside.map((file) => file.path)).toEqual(['agent-ab97f57.jsonl']);
		const agent = decodeBytes(claudeCode, published.beside[0]?.bytes ?? new Uint8Array());
		expect(agent.header).toMatchObject({ id, agent: 'ab97f57' });
		expect(agent.entries[0]).toMatchObject({ parent: null, agent: 'ab97f57' });
		expect(client.issues).toEqual([]);
	});

	test('the published style has ids of seven hex digits', () => {
		const long = entries.map((entry) => (entry.agent ? { ...entry, agent: 'a410877998864d05a' } : entry));
		const written = write(long, 'published');
		expect(written.beside[0]?.path).toMatch(/^agent-[0-9a-f]{7}\.jsonl$/);
		expect(losses(written)).toEqual(['a1 agent approximated']);
	});

	test('the file of a sub-agent is written as sidechain lines', () => {
		const own = entries.slice(2, 4);
		const { lines } = write(own, 'client', { header: { ...header, agent: 'ab97f57' } });
		for (const line of lines) expect(line).toMatchObject({ isSidechain: true, agentId: 'ab97f57' });
	});
});

describe('appending', () => {
	const before = [user('e1', null, [say('one')], 1), reply('e2', 'e1', [say('two')], 2)];

	test('new lines follow the last line of the file', () => {
		const held = write(before);
		const added = write([user('e3', 'e2', [say('three')], 3)], 'client', { after: held.session });
		expect(added.lines).toHaveLength(1);
		expect(added.lines[0]?.parentUuid).toBe(held.lines.at(-1)?.uuid);
	});

	test('new lines are later than the file, whatever their own time says', () => {
		const held = write(before);
		const added = write([user('e3', 'e2', [say('three')], 0)], 'client', { after: held.session });
		expect(String(added.lines[0]?.timestamp) > String(held.lines.at(-1)?.timestamp)).toBe(true);
		expect(losses(added)).toEqual(['e3 time approximated']);
	});

	test('a branch beside the pointer of the file gets a pointer of its own', () => {
		const pointer: Entry = { kind: 'leaf', id: 'p', records: [], target: 'e2' };
		const held = write([...before, pointer]);
		expect(held.lines.at(-1)).toMatchObject({ type: 'last-prompt', leafUuid: held.lines[1]?.uuid, explicit: true });
		const on = write([user('e3', 'e2', [say('on')], 3)], 'client', { after: held.session });
		expect(on.lines).toHaveLength(1);
		const again = write([user('e4', 'e1', [say('again')], 3)], 'client', { after: held.session });
		expect(again.lines[1]).toEqual({
			type: 'last-prompt',
			lastPrompt: 'again',
			leafUuid: again.lines[0]?.uuid,
			sessionId: id,
		});
	});
});

describe('the same format again', () => {
	const files = corpusFiles('claude-code').filter((file) => !file.handWritten && file.scenario !== 'list-picker');

	test('a recorded session written again says the same and has no error', () => {
		for (const file of files) {
			const session = decodeBytes(claudeCode, file.bytes());
			const { bytes } = claudeCode.encode({
				profile: 'client',
				id: session.id,
				header: session.header,
				entries: session.entries,
			});
			const again = decodeBytes(claudeCode, bytes);
			expect(again.header, file.name).toEqual(session.header);
			expect([...conversationOf(again.entries)].sort(), file.name).toEqual([...conversationOf(session.entries)].sort());
			const graph = session.entries.filter((entry) => entry.parent !== undefined).map((entry) => entry.id);
			const written = new Set(again.entries.map((entry) => entry.id));
			expect(
				graph.filter((name) => !written.has(name)),
				file.name,
			).toEqual([]);
			const errors = checkBytes(claudeCode, bytes).filter((issue) => issue.severity === 'error');
			expect(errors, file.name).toEqual([]);
		}
	});

	test('fields that only this format has are written back', () => {
		const file = files.find((one) => one.name.includes('2.1.325/tools-all'));
		const source = Buffer.from(file?.bytes() ?? [])
			.toString('utf8')
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as Line);
		const session = decodeBytes(claudeCode, file?.bytes() ?? new Uint8Array());
		const written = write(session.entries, 'client', { id: session.id, header: session.header });
		const byUuid = new Map(written.lines.map((line) => [line.uuid, line]));
		for (const line of source) {
			if (typeof line.uuid !== 'string') continue;
			const { parentUuid: _, timestamp: __, rendered: ___, message: ____, ...fields } = line;
			expect(byUuid.get(line.uuid)).toMatchObject(fields);
		}
	});

	test('a recorded session in the published style passes its check', () => {
		for (const file of files) {
			const session = decodeBytes(claudeCode, file.bytes());
			const { issues } = write(session.entries, 'published', { id: session.id, header: session.header });
			expect(
				issues.filter((issue) => issue.severity === 'error'),
				file.name,
			).toEqual([]);
		}
	});

	test('values nested too deeply are cut, and said', () => {
		let deep: JsonObject = {};
		for (let i = 0; i < 20_000; i += 1) deep = { deep };
		const written = write([
			user('e1', null, [say('go')], 1),
			reply('e2', 'e1', [{ type: 'tool_call', id: 't', name: 'x', input: deep }], 2),
		]);
		expect(written.lines).toHaveLength(2);
		expect(losses(written)).toContain('e2  approximated');
	});
});
