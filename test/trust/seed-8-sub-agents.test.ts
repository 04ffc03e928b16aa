/** Session protocol §4.5.2, §7.3 Task, §8, §12.5 and §12.7: two sub-agents at once, held against what the command wrote. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Frame, framesIn } from '../support/client.ts';
import { blocks, isResult, type Line, messages, ofType, profiles, SeedStage } from '../support/seed-runs.ts';

const use = (name: string, input: { readonly [key: string]: string }) => ({ type: 'tool_use' as const, name, input });
const task = (prompt: string, description: string) =>
	use('Task', { description, prompt, subagent_type: 'general-purpose' });

interface TaskResult {
	readonly status: string;
	readonly prompt: string;
	readonly agentId: string;
	readonly content: readonly { readonly type: string; readonly text: string }[];
	readonly totalDurationMs: number;
	readonly totalTokens: number;
	readonly totalToolUseCount: number;
	readonly usage: { readonly [key: string]: unknown };
}

interface AgentLine extends Line {
	readonly isSidechain?: boolean;
	readonly agentId?: string;
}

describe.each(profiles)('a reply that starts two sub-agents (%s)', (profile) => {
	const stage = new SeedStage(profile);
	afterAll(() => stage[Symbol.dispose]());
	let lines: readonly Line[] = [];
	let answers: readonly Frame[] = [];
	let results: readonly TaskResult[] = [];
	const folder = (): string =>
		profile === 'published' ? dirname(stage.main) : join(stage.main.replace(/\.jsonl$/, ''), 'subagents');
	const fileOf = (agent: string): string => join(folder(), `agent-${agent}.jsonl`);
	const linesOf = (agent: string | undefined): readonly AgentLine[] =>
		framesIn(readFileSync(fileOf(agent ?? ''), 'utf8')) as readonly AgentLine[];

	beforeAll(async () => {
		await stage.begin('Let helpers look.', [
			{ when: { first: 'HELPER-A' }, content: [use('Read', { file_path: 'a.txt' })], usage: { input: 50, output: 5 } },
			{ when: { first: 'HELPER-A' }, text: 'A: it says hello.', usage: { input: 70, output: 7 }, delayMs: 300 },
			{ when: { first: 'HELPER-B' }, content: [use('Write', { file_path: 'b.txt', content: 'b' })] },
			{ when: { first: 'HELPER-B' }, text: 'B: written.' },
			{
				when: { first: 'Let helpers' },
				content: [task('HELPER-A: read a.txt', 'Read a'), task('HELPER-B: write', 'B')],
			},
			{ when: { first: 'Let helpers' }, text: 'Both are done.' },
		]);
		lines = stage.all();
		answers = lines.filter(isResult);
		results = answers.map(({ toolUseResult }) => toolUseResult as TaskResult);
	});

	it('1: the parent writes the call of Task', () => {
		const calls = lines.flatMap(blocks).filter(({ type }) => type === 'tool_use');
		expect(calls).toMatchObject([{ name: 'Task', input: { prompt: 'HELPER-A: read a.txt' } }, { name: 'Task' }]);
	});

	it('2, 12.5: each has a file of its own, named by its id', () => {
		const ids = results.map(({ agentId }) => agentId);
		expect(new Set(ids).size).toBe(2);
		for (const id of ids) {
			expect(id).toMatch(profile === 'published' ? /^[0-9a-f]{7}$/ : /^a[0-9a-f]{16}$/);
			expect(existsSync(fileOf(id))).toBe(true);
		}
		const files = readdirSync(folder()).filter((name) => name !== basename(stage.main) && name.endsWith('.jsonl'));
		expect(files.length).toBe(2);
	});

	it('3, 12.5: its first message is a sidechain’s root with its task, its id and the session of its parent', () => {
		const [first] = linesOf(results[0]?.agentId);
		expect(first).toMatchObject({
			...{ type: 'user', isSidechain: true, agentId: results[0]?.agentId, parentUuid: null },
			sessionId: lines.find(({ type }) => type === 'user')?.sessionId,
			message: { role: 'user', content: 'HELPER-A: read a.txt' },
		});
	});

	it('4, 12.5: it runs by itself, and its calls and results are in its own file alone, all of them marked', () => {
		const own = linesOf(results[0]?.agentId);
		const kinds = messages(own).map((line) => blocks(line)[0]?.type ?? 'prompt');
		expect(kinds).toEqual(['prompt', 'tool_use', 'tool_result', 'text']);
		for (const line of own.filter(({ uuid }) => uuid !== undefined))
			expect(line).toMatchObject({ isSidechain: true, agentId: results[0]?.agentId });
		expect(readFileSync(stage.file('b.txt'), 'utf8')).toBe('b');
		const inParent = messages(lines)
			.flatMap(blocks)
			.filter(({ type }) => type === 'tool_use');
		expect(inParent).toMatchObject([{ name: 'Task' }, { name: 'Task' }]);
	});

	it('5, 12.5: the parent gets the report as the result of the call', () => {
		const [first] = answers;
		const [block] = blocks(first as Line) as readonly { readonly content?: unknown }[];
		expect(block?.content).toEqual([
			{ type: 'text', text: 'A: it says hello.' },
			{ type: 'text', text: `agentId: ${results[0]?.agentId} (for resuming to continue this agent's work if needed)` },
		]);
	});

	it('6, §7.3, 12.5: its structured result names the agent, and says what it said, took and used', () => {
		expect(results[0]).toEqual({
			status: 'completed',
			prompt: 'HELPER-A: read a.txt',
			agentId: expect.any(String),
			content: [{ type: 'text', text: 'A: it says hello.' }],
			totalDurationMs: expect.any(Number),
			totalTokens: 77,
			totalToolUseCount: 1,
			usage: {
				...{ input_tokens: 70, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 7 },
				service_tier: 'standard',
			},
		});
		expect(results[0]?.totalDurationMs).toBeGreaterThanOrEqual(300);
	});

	it('4.5.2, 12.7: what they do is told in the parent while they do it, and no line follows that', () => {
		const told = ofType(lines, 'progress') as readonly (Line & {
			readonly data: { readonly type: string; readonly message: { readonly type: string; readonly message: object } };
			readonly parentToolUseID: string;
		})[];
		const calls = lines.flatMap(blocks).filter(({ type }) => type === 'tool_use');
		expect(told.length).toBe(4);
		for (const { data, parentToolUseID } of told) {
			expect(data).toMatchObject({ type: 'agent_progress', message: { message: { role: data.message.type } } });
			expect(calls.map(({ id }) => id)).toContain(parentToolUseID);
		}
		const ids = new Set(told.map(({ uuid }) => uuid));
		expect(lines.filter(({ parentUuid }) => ids.has(parentUuid ?? ''))).toEqual([]);
	});

	it('what a sub-agent changes can be undone with the prompt that it worked for', () => {
		const kept = ofType(lines, 'file-history-snapshot').at(-1)?.snapshot?.trackedFileBackups ?? {};
		expect(Object.keys(kept)).toEqual(['b.txt']);
	});

	it('the session passes the check, each sub-agent too, and they are shown where they were called', async () => {
		for (const path of [stage.main, ...results.map(({ agentId }) => fileOf(agentId))]) {
			const { out } = await stage.run(['check', path, '--json', '--profile', profile]);
			expect(JSON.parse(out)).toMatchObject({ ok: true, issues: [] });
		}
		const { out } = await stage.run(['show', stage.main, '--subagents', '--json']);
		const shown = (JSON.parse(out) as { readonly parts: readonly { readonly kind: string; readonly agent?: string }[] })
			.parts;
		expect(shown.map(({ kind }) => kind)).toEqual(['prompt', 'tool', 'subagent', 'tool', 'subagent', 'reply']);
		expect(shown.flatMap(({ agent }) => agent ?? [])).toEqual(results.map(({ agentId }) => agentId));
	});
});
