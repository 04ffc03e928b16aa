/** Session protocol §10: a reply is a line per block, held against what the command wrote. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocks, type Line, ofType, profiles, SeedStage } from '../support/seed-runs.ts';

const read = { type: 'tool_use' as const, name: 'Read', input: { file_path: 'a.txt' } };

describe.each(profiles)('thinking, text and two calls in one reply, then an answer (%s)', (profile) => {
	const stage = new SeedStage(profile);
	afterAll(() => stage[Symbol.dispose]());
	let replies: readonly Line[] = [];

	beforeAll(async () => {
		const thinking = { type: 'thinking' as const, thinking: 'Hm.', signature: 'c2lnbmVk' };
		await stage.begin('go', [
			{
				content: [
					thinking,
					{ type: 'text', text: 'I look.' },
					read,
					{ ...read, input: { file_path: 'a.txt', offset: 2 } },
				],
			},
			{ text: 'Done.' },
		]);
		await stage.goOn('more', [{ text: 'cut here', stop: 'stop_sequence' }]);
		replies = ofType(stage.all(), 'assistant');
	});

	it('four blocks are four lines with one request id and one message id', () => {
		const four = replies.slice(0, 4);
		expect(four.map((line) => blocks(line).map(({ type }) => type))).toEqual([
			['thinking'],
			['text'],
			['tool_use'],
			['tool_use'],
		]);
		for (const key of ['requestId'] as const) expect(new Set(four.map((line) => line[key])).size).toBe(1);
		expect(new Set(four.map((line) => line.message?.id)).size).toBe(1);
		expect(four[0]?.requestId).toMatch(/^req_/);
		expect(replies[4]?.requestId).not.toBe(four[0]?.requestId);
		expect(replies[4]?.message?.id).not.toBe(four[0]?.message?.id);
	});

	it('null is the stop reason of every block before the last', () => {
		expect(replies.slice(0, 3).map((line) => line.message?.stop_reason)).toEqual([null, null, null]);
	});

	it('tool_use is that of the last block of a reply that wants tools', () => {
		expect(replies[3]?.message?.stop_reason).toBe('tool_use');
	});

	it('end_turn is that of the last block of a reply that is done', () => {
		expect(replies[4]?.message?.stop_reason).toBe('end_turn');
	});

	it('stop_sequence is that of a reply that met one', () => {
		expect(replies[5]?.message?.stop_reason).toBe('stop_sequence');
	});

	it('grouped by request id, the lines are the reply again', async () => {
		const { out } = await stage.run(['context', stage.main, '--rules', 'seed', '--json']);
		const { messages } = JSON.parse(out) as { messages: { role: string; content: { type: string }[] }[] };
		const first = messages.find(({ role }) => role === 'assistant');
		expect(first?.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use']);
		expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(3);
	});
});
