/** What a run knows of its sub-agents: hooks, budgets, costs, frames, and what a person sees. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { AgentsStage, resultsIn, says, task, turn, use } from '../support/agents-stage.ts';
import { framesIn } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';

let stage: AgentsStage;
beforeEach(() => {
	stage = new AgentsStage();
});
afterEach(() => stage[Symbol.dispose]());

const model = ['--model', 'anthropic/claude-sonnet-4-5'];
const keyed = (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key' });

it('calls at once run at once, and are listed in their order', async () => {
	const began = Date.now();
	const three = ['ONE', 'TWO', 'THREE'];
	await stage.play([
		turn('MAIN', ...three.map((name) => task(name))),
		...three.map((name) => says(name, `${name} done`, { delayMs: 2500 })),
		says('MAIN', 'all done'),
	]);
	expect((await stage.results()).map(({ text }) => text.split('\n')[0])).toEqual([
		'ONE done',
		'TWO done',
		'THREE done',
	]);
	expect(Date.now() - began).toBeLessThan(7000);
	expect((await stage.agents()).map(({ report }) => report)).toEqual(three.map((name) => `${name} done`));
});

it('hooks hear of its start and its end, may tell it something, and may want more of it', async () => {
	const heard = join(stage.cwd, '../heard.jsonl');
	const keep = `cat >> ${heard}; echo >> ${heard}`;
	const told = JSON.stringify({
		hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: 'use metres' },
	});
	const once = `${keep}; grep -q stop_hook_active.:true ${heard} || { echo 'one more thing' >&2; exit 2; }`;
	const hook = (command: string, matcher?: string) => [
		{ ...(matcher ? { matcher } : {}), hooks: [{ type: 'command', command }] },
	];
	mkdirSync(join(stage.home, '.claude'), { recursive: true });
	writeFileSync(
		join(stage.home, '.claude/settings.json'),
		JSON.stringify({
			hooks: {
				SubagentStart: [...hook(`${keep}; echo '${told}'`, 'Explore'), ...hook('exit 7', 'Plan')],
				SubagentStop: hook(once),
				UserPromptSubmit: hook(`echo prompt >> ${heard}.prompts`),
			},
		}),
	);
	const { code } = await stage.play([
		turn('MAIN', task('CHILD', { subagent_type: 'Explore' })),
		{ when: { first: 'CHILD', any: 'one more thing' }, text: 'and that too' },
		{ when: { first: 'CHILD', any: 'use metres' }, text: 'done in metres' },
		says('MAIN', 'ok'),
	]);
	expect(code).toBe(0);
	const [agent] = await stage.agents();
	const [session] = await stage.sessions();
	const [start, stop, again] = framesIn(readFileSync(heard, 'utf8'));
	expect(start).toMatchObject({
		...{ hook_event_name: 'SubagentStart', agent_id: agent?.id, agent_type: 'Explore' },
		...{ session_id: session?.id, transcript_path: session?.path },
	});
	expect(stop).toMatchObject({
		...{ hook_event_name: 'SubagentStop', agent_id: agent?.id, agent_transcript_path: agent?.path },
		...{ stop_hook_active: false, last_assistant_message: 'done in metres' },
	});
	expect(again).toMatchObject({ stop_hook_active: true, last_assistant_message: 'and that too' });
	expect(await stage.results()).toMatchObject([{ text: expect.stringMatching(/^and that too\n/) }]);
	// The prompt of a sub-agent is nobody's prompt.
	expect(readFileSync(`${heard}.prompts`, 'utf8')).toBe('prompt\n');
});

it('what they spend counts: in the result, in cost, and against the budget of the run', async () => {
	const usage = { input: 100_000, output: 1000, cacheRead: 0, cacheWrite: 0 };
	const turns = [
		{ ...turn('MAIN', task('CHILD')), usage },
		{ ...turn('CHILD', use('Read', { file_path: 'a.txt' })), usage },
		{ ...says('CHILD', 'read'), usage },
		{ ...says('MAIN', 'done'), usage },
	];
	await using server = await startModelServer({ turns });
	const env = keyed(server.url);
	const { out } = await stage.run(['-p', 'MAIN', ...model, '--output-format', 'json'], { env });
	const { total_cost_usd: total } = JSON.parse(out) as { readonly total_cost_usd: number };
	const { out: cost } = await stage.run(['cost', '--json']);
	const { totals } = JSON.parse(cost) as { readonly totals: { readonly costUsd: number; readonly responses: number } };
	expect(totals.responses).toBe(4);
	expect(total).toBeGreaterThan(4 * 0.3);
	expect(totals.costUsd).toBeCloseTo(total, 6);

	await using second = await startModelServer({ turns });
	const budget = ['--max-budget-usd', '0.5', '--output-format', 'json'];
	const { code, out: ended } = await stage.run(['-p', 'MAIN', ...model, ...budget], { env: keyed(second.url) });
	expect(code).toBe(1);
	expect(JSON.parse(ended)).toMatchObject({ subtype: 'error_max_budget_usd' });
	// The child's second request would have been beyond it: it was not made.
	expect(second.requests).toHaveLength(2);
});

it('frames of a sub-agent name the call that started it', async () => {
	const { out } = await stage.play(
		[
			turn('MAIN', { ...task('CHILD'), id: 'call_task' } as never),
			turn('CHILD', use('Read', { file_path: 'a.txt' })),
			says('CHILD', 'read'),
			says('MAIN', 'ok'),
		],
		...['--output-format', 'stream-json'],
	);
	const frames = framesIn(out);
	expect(frames[0]).toMatchObject({ subtype: 'init', agents: ['general-purpose', 'Explore', 'Plan'] });
	const told = frames.slice(1, -1).filter(({ type }) => type === 'system');
	expect(told.map(({ subtype }) => subtype)).toEqual([
		...['task_started', 'task_progress', 'task_updated', 'task_notification'],
	]);
	const said = frames.slice(1, -1).filter(({ type }) => type !== 'system');
	const kinds = said.map(({ type, parent_tool_use_id: parent }) => `${type} ${String(parent)}`);
	expect(kinds).toEqual([
		'assistant null',
		...['user call_task', 'assistant call_task', 'user call_task', 'assistant call_task'],
		...['user null', 'assistant null'],
	]);
});

it('on a terminal each of its calls is one line under the call that started it', async () => {
	const script = stage.script([
		turn('MAIN', task('CHILD')),
		turn('CHILD', use('Read', { file_path: 'a.txt' })),
		says('CHILD', 'read'),
		says('MAIN', 'ok'),
	] as never);
	const { err } = await stage.run(['-p', 'MAIN', '--script', script, '--verbose']);
	const [agent] = await stage.agents();
	expect(err).toBe(`reprise: Task about CHILD\nreprise:   ${agent?.id} Read a.txt\n`);
});

it('a sub-agent has read nothing yet: a file that its parent knows it has to read itself', async () => {
	const edit = use('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hullo' });
	await stage.play([
		turn('MAIN', use('Read', { file_path: 'a.txt' })),
		turn('MAIN', task('CHILD')),
		turn('CHILD', edit),
		says('CHILD', 'no'),
		says('MAIN', 'ok'),
	]);
	const [agent] = await stage.agents();
	expect(stage.linesOf(agent).flatMap(resultsIn)).toMatchObject([{ isError: true }]);
});

it('whoever is asked about a call of a sub-agent is told that it is one', async () => {
	const { out } = await stage.play(
		[
			turn('MAIN', task('CHILD')),
			turn('CHILD', use('Write', { file_path: 'x', content: 'x' })),
			says('CHILD', 'no'),
			says('MAIN', 'ok'),
		],
		...['--permission-mode', 'default', '--output-format', 'json'],
	);
	expect(JSON.parse(out)).toMatchObject({ subtype: 'success' });
	const [agent] = await stage.agents();
	const [denied] = stage.linesOf(agent).flatMap(resultsIn);
	expect(denied).toMatchObject({ isError: true });
	const { out: shown } = await stage.run(['agents', 'last', agent?.id ?? '']);
	expect(shown).toContain(`the sub-agent ${agent?.id} (general-purpose) asks; `);
});

it('a session that is gone on with sends what was sent before word for word, so that a cache holds: calls keep the names they had', async () => {
	await using server = await startModelServer({
		turns: [
			turn('MAIN', task('CHILD'), use('Read', { file_path: 'a.txt' })),
			says('CHILD', 'looked'),
			says('MAIN', 'done'),
			{ text: 'again' },
		],
	});
	const env = keyed(server.url);
	await stage.run(['-p', 'MAIN', ...model], { env });
	await stage.run(['-c', '-p', 'and now?', ...model], { env });
	const isMain = ({ body }: { readonly body: JsonObject }) => JSON.stringify(body.messages).includes('MAIN');
	const [live, resumed] = server.requests.filter(isMain).slice(-2);
	const unmarked = (value: unknown) =>
		JSON.parse(JSON.stringify(value, (name, one) => (name === 'cache_control' ? undefined : one)));
	const { messages, tools, system } = unmarked(live?.body);
	expect(JSON.stringify(messages)).toContain('"name":"Task"');
	const again = unmarked(resumed?.body);
	expect(again.messages.slice(0, messages.length)).toEqual(messages);
	expect([again.tools, again.system]).toEqual([tools, system]);
});
