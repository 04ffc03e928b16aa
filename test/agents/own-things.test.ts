/** What an agent's file brings for the agent alone: skills that it is told, hooks that hold for it, servers that are started for it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentsStage, resultsIn, says, task, turn, use } from '../support/agents-stage.ts';
import { startModelServer } from '../support/model-server.ts';

let stage: AgentsStage;
beforeEach(() => {
	stage = new AgentsStage();
});
afterEach(() => stage[Symbol.dispose]());

function write(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

/** An agent called `own`; the fields are YAML, of which JSON is a part. */
const define = (folder: string, fields: object): void =>
	write(
		join(folder, '.claude/agents/own.md'),
		`---\nname: own\ndescription: d\n${Object.entries(fields)
			.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
			.join('\n')}\n---\nYou work.\n`,
	);

const skill = (folder: string, name: string, body: string): void =>
	write(join(folder, '.claude/skills', name, 'SKILL.md'), `---\nname: ${name}\ndescription: d\n---\n${body}\n`);

const own = (prompt: string) => task(prompt, { subagent_type: 'own' });

describe('skills', () => {
	it('are told to the agent with its first task, once, and to nobody else', async () => {
		define(stage.home, { skills: ['style', 'missing'] });
		skill(stage.home, 'style', 'Write in verse.');
		await using server = await startModelServer({
			turns: [
				{ when: { first: 'MAIN' }, content: [own('CHILD')] },
				{ when: { first: 'CHILD' }, text: 'a verse' },
				{ when: { first: 'MAIN' }, text: 'ok' },
				{ when: { first: 'CHILD' }, text: 'another' },
			],
		});
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' };
		const who = ['--model', 'anthropic/claude-sonnet-4-5'];
		const { err } = await stage.run(['-p', 'MAIN', ...who], { env });
		expect(err).toContain('there is no skill missing here: the agent own starts without it');
		const [agent] = await stage.agents();
		await stage.run(['agents', 'last', 'Once more', '--resume', agent?.id ?? '', ...who], { env });
		const told = server.requests.map(({ body }) => JSON.stringify(body.messages).split('Write in verse.').length - 1);
		expect(told).toEqual([0, 1, 0, 1]);
		const meta = stage.linesOf(agent).filter((line) => JSON.stringify(line).includes('Write in verse.'));
		expect(meta).toMatchObject([{ type: 'user', isMeta: true }]);
	});
});

describe('hooks', () => {
	const guard = {
		PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: 'echo not you >&2; exit 2' }] }],
		Stop: [{ hooks: [{ type: 'command', command: 'cat >> stopped.txt' }] }],
	};
	const turns = [
		turn('MAIN', own('CHILD')),
		turn('CHILD', use('Write', { file_path: 'theirs.txt', content: 'x' })),
		says('CHILD', 'tried'),
		turn('MAIN', use('Write', { file_path: 'ours.txt', content: 'x' })),
		says('MAIN', 'ok'),
	];

	it('hold for the agent and not for its session; Stop is called at the agent’s end', async () => {
		define(stage.home, { hooks: guard });
		await stage.play(turns);
		expect([existsSync(stage.file('theirs.txt')), existsSync(stage.file('ours.txt'))]).toEqual([false, true]);
		const [agent] = await stage.agents();
		expect(stage.linesOf(agent).flatMap(resultsIn)).toMatchObject([
			{ isError: true, text: expect.stringMatching(/not you/) },
		]);
		const heard = readFileSync(stage.file('stopped.txt'), 'utf8').trim().split('\n');
		expect(heard.map((line) => JSON.parse(line))).toMatchObject([
			{ hook_event_name: 'SubagentStop', agent_type: 'own' },
		]);
	});

	it('are not called where all hooks are switched off', async () => {
		define(stage.home, { hooks: guard });
		await stage.play(turns, '--settings', '{"disableAllHooks": true}');
		expect([existsSync(stage.file('theirs.txt')), existsSync(stage.file('stopped.txt'))]).toEqual([true, false]);
	});

	it('of a project wait for trust with their agent', async () => {
		define(stage.cwd, { hooks: { SubagentStart: [{ hooks: [{ type: 'command', command: 'touch begun' }] }] } });
		await stage.play([turn('MAIN', own('CHILD')), says('CHILD', 'c'), says('MAIN', 'ok')]);
		expect(existsSync(stage.file('begun'))).toBe(false);
		await stage.play([turn('MAIN', own('CHILD')), says('CHILD', 'c'), says('MAIN', 'ok')], '--trust');
		expect(existsSync(stage.file('begun'))).toBe(true);
	});
});

describe('servers', () => {
	const script = join(import.meta.dirname, '../support/mcp-server.ts');
	const server = { command: process.execPath, args: [script] };
	const echo = use('mcp__test__echo', { text: 'hi' });

	it.each([
		['by name', { test: server }],
		['in a list, beside the name of one that the session has', ['other', { test: server }]],
	])('are started for the agent alone, and end with it (%s)', async (_, mcpServers) => {
		define(stage.home, { mcpServers });
		await stage.play([
			turn('MAIN', own('CHILD')),
			turn('CHILD', echo),
			says('CHILD', 'heard'),
			turn('MAIN', echo),
			says('MAIN', 'ok'),
		]);
		const [agent] = await stage.agents();
		expect(stage.linesOf(agent).flatMap(resultsIn)).toMatchObject([{ isError: false, text: 'hi' }]);
		expect((await stage.results()).at(-1)).toMatchObject({
			isError: true,
			text: expect.stringContaining('No such tool available: mcp__test__echo'),
		});
		const again = stage.script([turn('CHILD', echo), says('CHILD', 'heard again')] as never);
		const flags = ['--script', again, '--permission-mode', 'bypassPermissions'];
		await stage.run(['agents', 'last', 'Once more', '--resume', agent?.id ?? '', ...flags]);
		expect(stage.linesOf(agent).flatMap(resultsIn)).toMatchObject([{ text: 'hi' }, { isError: false, text: 'hi' }]);
	});

	it('that cannot be used are a note, and the agent works without them', async () => {
		define(stage.home, { mcpServers: { test: { command: 5 } } });
		const turns = [turn('MAIN', own('CHILD')), says('CHILD', 'done'), says('MAIN', 'ok')];
		const { err, code } = await stage.play(turns);
		expect([code, err]).toEqual([0, expect.stringMatching(/the agent own: .*command/)]);
		expect(await stage.agents()).toMatchObject([{ state: 'completed' }]);
		expect((await stage.play(turns, '--strict-mcp-config')).err).toContain(
			'the agent own: its mcpServers are left out, because of --strict-mcp-config',
		);
	});
});

it('a session that is itself the agent is without them, which is said', async () => {
	define(stage.home, { skills: 'style', hooks: {}, mcpServers: { test: {} } });
	const { err } = await stage.play([says('MAIN', 'ok')], '--agent', 'own');
	expect(err).toContain('skills, hooks, mcpServers of the agent own are for sub-agents: the session is without them');
});
