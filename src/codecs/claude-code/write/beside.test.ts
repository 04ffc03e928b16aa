/** How lines beside the messages and sub-agents are written. */
import { describe, expect, test } from 'vitest';
import {
	call,
	header,
	id,
	losses,
	reply,
	result,
	say,
	time,
	user,
	write,
} from '../../../../test/support/claude-code-entries.ts';
import type { Block, Entry, MessageEntry } from '../../../model/index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { claudeCode } from '../index.ts';

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
			{ path: expect.stringMatching(`^${id}/file-history/[0-9a-f]{16}@v1$`), bytes: Buffer.from('old') },
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

	test('the call that started a sub-agent is the first whose result names it', () => {
		const again = [
			...entries,
			reply('e4', 'e3', [call('t2')], 6, { stop: 'tool' }),
			user('e5', 'e4', [{ ...result('t2'), details: { agentId: 'ab97f57' } } as Block], 7),
		];
		expect(Buffer.from(write(again).beside[1]?.bytes ?? []).toString()).toContain('"toolUseId":"t1"');
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
