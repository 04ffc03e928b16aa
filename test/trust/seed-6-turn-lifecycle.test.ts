/** Session protocol §6: the life of a turn, step by step, held against what the command wrote. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { framesIn } from '../support/client.ts';
import { blocks, isResult, type Line, messages, ofType, profiles, SeedStage } from '../support/seed-runs.ts';

const use = (name: string, input: { readonly [key: string]: string }) => ({ type: 'tool_use' as const, name, input });

describe.each(profiles)('a turn that thinks, runs a long command, writes a file and answers (%s)', (profile) => {
	const stage = new SeedStage(profile);
	afterAll(() => stage[Symbol.dispose]());
	let lines: readonly Line[] = [];
	let streamed: readonly string[] = [];
	const at = (line: Line | undefined): number => (line ? lines.indexOf(line) : -1);

	beforeAll(async () => {
		const { out } = await stage.begin(
			'/implement-spec 003',
			[
				{
					content: [
						{ type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmVk' },
						{ type: 'text', text: 'I run it.' },
						use('Bash', { command: 'echo one; sleep 4; echo two' }),
						use('Write', { file_path: 'new.txt', content: 'new\n' }),
					],
				},
				{ content: [use('Edit', { file_path: 'new.txt', old_string: 'new', new_string: 'newer' })] },
				{ text: 'Done.' },
			],
			'--output-format',
			'stream-json',
			'--include-partial-messages',
		);
		lines = stage.all();
		streamed = framesIn(out).flatMap(({ event }) =>
			(event as { type?: string })?.type ? [(event as { type: string }).type] : [],
		);
	}, 60_000);

	it('step 1: the prompt is written, then the state of the files before it', () => {
		const [prompt] = ofType(lines, 'user');
		const [snapshot] = ofType(lines, 'file-history-snapshot');
		expect(at(prompt)).toBe(0);
		expect(at(snapshot)).toBeGreaterThan(at(prompt));
		expect(at(snapshot)).toBeLessThan(at(ofType(lines, 'assistant')[0]));
		expect(snapshot).toMatchObject({
			messageId: prompt?.uuid,
			isSnapshotUpdate: false,
			snapshot: { messageId: prompt?.uuid, trackedFileBackups: {}, timestamp: expect.any(String) },
		});
	});

	it('step 2: what the command stands for is a line of its own before the first reply', () => {
		const [, expansion] = ofType(lines, 'user');
		expect(expansion).toMatchObject({ isMeta: true });
		expect(at(expansion)).toBeLessThan(at(ofType(lines, 'assistant')[0]));
	});

	it('step 3: the reply streams as it comes', () => {
		expect(streamed[0]).toBe('message_start');
		expect(streamed).toContain('content_block_delta');
		expect(streamed.filter((type) => type === 'message_stop')).toHaveLength(3);
	});

	it('step 4: every block of a reply is a line; thinking has its text and its signature', () => {
		const replies = ofType(lines, 'assistant');
		for (const reply of replies) expect(blocks(reply)).toHaveLength(1);
		expect(replies.map((reply) => blocks(reply)[0]?.type)).toEqual([
			'thinking',
			'text',
			'tool_use',
			'tool_use',
			'tool_use',
			'text',
		]);
		expect(blocks(replies[0])[0]).toEqual({ type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmVk' });
	});

	it('step 5: tools run, long ones tell their progress, each has a result line, changed files a snapshot, then the next reply', () => {
		const replies = ofType(lines, 'assistant');
		const results = messages(lines).filter(isResult);
		expect(results).toHaveLength(3);
		expect(readFileSync(stage.file('new.txt'), 'utf8')).toBe('newer\n');
		const [progress] = ofType(lines, 'progress');
		expect(progress).toMatchObject({ data: { type: 'bash_progress', output: expect.stringContaining('one') } });
		expect(at(progress)).toBeGreaterThan(at(replies[3]));
		expect(at(progress)).toBeLessThan(at(results[0]));
		const updates = ofType(lines, 'file-history-snapshot').filter(({ isSnapshotUpdate }) => isSnapshotUpdate === true);
		expect(updates.length).toBeGreaterThan(0);
		expect(JSON.stringify(updates[0])).toContain('new.txt');
		expect(at(results[1])).toBeLessThan(at(replies[4]));
	});

	it('step 6: the turn ends with how long it took, behind its last reply', () => {
		const [duration, ...others] = ofType(lines, 'system').filter(({ subtype }) => subtype === 'turn_duration');
		expect(others).toEqual([]);
		const last = ofType(lines, 'assistant').at(-1);
		expect(last?.message?.stop_reason).toBe('end_turn');
		expect(duration).toMatchObject({ parentUuid: last?.uuid, isMeta: false });
		expect(Number(duration?.durationMs)).toBeGreaterThanOrEqual(4000);
		expect(at(duration)).toBeGreaterThan(at(last));
	});
});
