/** What the codec says about sub-agents and about the names of blocks. */
import { describe, expect, test } from 'vitest';
import { assistant, read, user } from '../../../../test/support/claude-code-lines.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import type { Block } from '../../../model/index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { claudeCode } from '../index.ts';

describe('the call that started a sub-agent', () => {
	const result = (call: string): object => ({ type: 'tool_result', tool_use_id: call, content: 'done' });

	test('is the one whose result names it', () => {
		const session = read(
			user([{ ...result('toolu_1') }], { uuid: 'a', toolUseResult: { agentId: 'a0b1c2d' } }),
			user([{ ...result('toolu_2') }], { uuid: 'b', toolUseResult: 'Error: no' }),
			user([{ ...result('toolu_3') }], { uuid: 'c', toolUseResult: { status: 'completed' } }),
		);
		expect(claudeCode.read.subagentCalls?.(session)).toEqual(new Map([['a0b1c2d', 'toolu_1']]));
	});

	test('is the one that the note beside its file names, result or not', () => {
		const session = read(user('go'));
		const subagents = [
			{ id: 'a1', meta: { toolUseId: 'toolu_9' }, session },
			{ id: 'a2', session },
		];
		expect(claudeCode.read.subagentCalls?.({ ...session, subagents })).toEqual(new Map([['a1', 'toolu_9']]));
	});

	test('is found for every recorded sub-agent', () => {
		const files = corpusFiles('claude-code').filter((file) => file.scenario === 'subagents');
		for (const version of ['2.1.29', '2.1.325']) {
			const own = files.filter((file) => file.version === version);
			const main = own.find((file) => file.role === 'main');
			const agents = own.filter((file) => file.role === 'subagent').map((file) => /agent-(\w+)/.exec(file.path)?.[1]);
			expect(agents.length).toBeGreaterThan(2);
			const calls = main && claudeCode.read.subagentCalls?.(decodeBytes(claudeCode, main.bytes()));
			for (const agent of agents) expect([agent, calls?.get(agent ?? '')]).toEqual([agent, expect.any(String)]);
		}
	});
});

test('blocks have the names of the format', () => {
	const blocks = read(
		assistant({ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }),
		assistant({ type: 'redacted_thinking', data: 'x' }),
		assistant({ type: 'thinking', thinking: 'hm', signature: 's' }),
	).entries.flatMap((entry): readonly Block[] => (entry.kind === 'message' ? entry.content : []));
	expect(blocks.map((block) => claudeCode.read.blockName?.(block))).toEqual([
		'tool_use',
		'redacted_thinking',
		undefined,
	]);
});
