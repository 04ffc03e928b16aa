/** How entries of any origin are written, and what is said about what cannot be. */
import { describe, expect, test } from 'vitest';
import {
	call,
	id,
	type Line,
	losses,
	reply,
	result,
	say,
	time,
	user,
	write,
} from '../../../../test/support/claude-code-entries.ts';
import { conversationOf } from '../../../../test/support/laws.ts';
import { type Block, type Entry, path } from '../../../model/index.ts';

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

	test('an entry at the end of all time keeps nobody from following it', () => {
		const far = { ...user('e1', null, [say('a')], 1), time: '+275760-09-13T00:00:00.000Z' };
		const written = write([far, user('e2', 'e1', [say('b')], 2)]);
		expect(losses(written)).toEqual(['e1 time invented']);
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
