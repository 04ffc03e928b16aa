/** The kinds of sub-agents: built in, of the user, of the project, and what each may do. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentsStage, resultsIn, says, task, turn, use } from '../support/agents-stage.ts';
import { startModelServer } from '../support/model-server.ts';
import { envFor, modelNames } from '../support/model-server-ask.ts';

let stage: AgentsStage;
beforeEach(() => {
	stage = new AgentsStage();
});
afterEach(() => stage[Symbol.dispose]());

function define(folder: string, name: string, text: string): string {
	const path = join(folder, '.claude/agents', `${name}.md`);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	return path;
}

const front = (fields: string, body = 'You count words.'): string => `---\n${fields}\n---\n\n${body}\n`;
const counter = front('name: counter\ndescription: counts: words, lines\ntools: Read, Bash(wc:*)\nmaxTurns: 2');

it.each(['Explore', 'Plan'])('%s only reads, whatever the mode allows', async (kind) => {
	await stage.play([
		turn('MAIN', task('CHILD', { subagent_type: kind })),
		turn('CHILD', use('Write', { file_path: 'x', content: 'x' }), use('Bash', { command: 'touch y' })),
		turn('CHILD', use('Read', { file_path: 'a.txt' }), use('Bash', { command: 'ls' })),
		says('CHILD', 'nothing was changed'),
		says('MAIN', 'done'),
	]);
	expect([existsSync(stage.file('x')), existsSync(stage.file('y'))]).toEqual([false, false]);
	const [agent] = await stage.agents();
	const results = stage.linesOf(agent).flatMap(resultsIn);
	expect(results.map(({ isError }) => isError)).toEqual([true, true, false, false]);
	expect(results[0]?.text).toContain('No such tool available: Write');
});

describe('an agent that is defined in a file', () => {
	it('has its words, its tools and its limit; the project’s instructions are told to it', async () => {
		define(stage.home, 'any-name', counter);
		writeFileSync(stage.file('AGENTS.md'), 'Count twice.');
		await using server = await startModelServer({
			turns: [
				{ when: { first: 'MAIN' }, content: [task('CHILD', { subagent_type: 'counter' })] },
				{ when: { first: 'CHILD' }, content: [use('Read', { file_path: 'a.txt' })] },
				{ when: { first: 'CHILD' }, content: [use('Read', { file_path: 'a.txt', offset: 1 })] },
				{ when: { first: 'MAIN' }, text: 'done' },
			],
		});
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' };
		const { code } = await stage.run(['-p', 'MAIN', '--model', 'anthropic/claude-sonnet-4-5'], { env });
		expect(code).toBe(0);
		const bodies = server.requests.map(({ body }) => body as { system: unknown; tools?: readonly { name: string }[] });
		expect(bodies[1]?.tools?.map(({ name }) => name).sort()).toEqual(['Bash', 'Read']);
		expect(JSON.stringify(bodies[1]?.system)).toMatch(/You count words[\s\S]*Count twice/);
		expect(JSON.stringify(bodies[0]?.tools)).toContain('- counter: counts: words, lines (Tools: Read, Bash)');
		const [{ text, isError } = { text: '', isError: true }] = await stage.results();
		expect({ text, isError }).toEqual({
			text: expect.stringContaining('NOTE: this agent stopped before finishing: the limit of 2 turns was reached.'),
			isError: false,
		});
	});

	describe('is answered by the model that it names', () => {
		/** The models that were asked: by the session, and by its agents in the order of their calls. */
		async function asked(model: string, env: { readonly [name: string]: string } = {}) {
			define(stage.home, 'small', front('name: small\ndescription: small work\nmodel: haiku'));
			await using server = await startModelServer({
				turns: [
					{ when: { first: 'MAIN' }, content: [task('CHILD', { subagent_type: 'small' })] },
					{ when: { first: 'CHILD' }, text: 'Small.' },
					{ when: { first: 'MAIN' }, content: [task('OTHER', { subagent_type: 'small', model: 'opus' })] },
					{ when: { first: 'OTHER' }, text: 'Large.' },
					{ when: { first: 'MAIN' }, content: [task('AGAIN', { subagent_type: 'small' })] },
					{ when: { first: 'AGAIN' }, text: 'Small again.' },
					{ when: { first: 'MAIN' }, text: 'done' },
				],
			});
			const all = { ...(envFor(server.url) as { readonly [name: string]: string }), ...env };
			const { code, err } = await stage.run(['-p', 'MAIN', '--model', model], { env: all });
			expect(code).toBe(0);
			const names = server.requests.map(({ body }) => body.model);
			return { agents: [names[1], names[3], names[5]], err };
		}

		it('opus, sonnet and haiku are the newest of their kind where a Claude answers, and what their variables say', async () => {
			const newest = await asked('anthropic/claude-sonnet-4-5');
			expect(newest.agents).toEqual([
				expect.stringMatching(/^claude-haiku-\d/),
				expect.stringMatching(/^claude-opus-\d/),
				newest.agents[0],
			]);
			expect(newest.err).toBe('');
			const said = await asked('anthropic/claude-sonnet-4-5', { ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-mine' });
			expect(said.agents[0]).toBe('claude-mine');
		});

		it('by its parent’s where another provider answers, which is said once for each name', async () => {
			const { agents, err } = await asked(modelNames.chat);
			expect(new Set(agents)).toEqual(new Set([modelNames.chat.replace(/^[^/]*\//, '')]));
			expect(err.match(/no model is known here as haiku: sub-agents that want it are answered by/g)).toHaveLength(1);
			expect(err.match(/no model is known here as opus/g)).toHaveLength(1);
		});
	});

	it('counts for a project only where its folder is trusted', async () => {
		define(stage.cwd, 'counter', counter);
		const turns = [turn('MAIN', task('CHILD', { subagent_type: 'counter' })), says('CHILD', '3'), says('MAIN', 'ok')];
		const untrusted = await stage.play(turns);
		expect(untrusted.err).toContain('agents (counter)');
		expect(await stage.results()).toMatchObject([
			{ isError: true, text: "Agent type 'counter' not found. Available agents: general-purpose, Explore, Plan" },
		]);
		await stage.play(turns, '--trust');
		expect(await stage.results()).toMatchObject([{ isError: false, text: expect.stringMatching(/^3\n/) }]);
	});

	it('is not taken from a folder of the project that is a link to elsewhere', async () => {
		const elsewhere = join(stage.home, 'elsewhere');
		define(elsewhere, 'counter', counter);
		mkdirSync(stage.file('.claude'));
		symlinkSync(join(elsewhere, '.claude/agents'), stage.file('.claude/agents'));
		const turns = [turn('MAIN', task('CHILD', { subagent_type: 'counter' })), says('MAIN', 'ok')];
		const { err } = await stage.play(turns, '--trust');
		expect(err).toContain('.claude/agents leads out of the project: nothing of it is used');
		expect(await stage.results()).toMatchObject([{ isError: true, text: expect.stringContaining('not found') }]);
		expect((await stage.play([says('MAIN', 'ok')])).err).not.toContain('agents (');
	});

	it('is left out where it is wrong, with one line that names the file and the field', async () => {
		const bad = {
			unnamed: front('description: d'),
			described: front('name: n\ndescription: [1]'),
			broken: front('name: [n\ndescription: "d'),
			tools: front('name: t\ndescription: d\ntools: 7'),
			mode: front('name: m\ndescription: d\npermissionMode: bypassPermissions'),
			hooked: front('name: h\ndescription: d\nhooks: { Stop: 5 }'),
			keen: front('name: k\ndescription: d\neffort: high\nmemory: user'),
			readme: 'not an agent',
		};
		for (const [name, text] of Object.entries(bad)) define(stage.home, name, text);
		const { err } = await stage.play([says('MAIN', 'ok')]);
		const said = err.split('\n').filter((line) => line.includes('.claude/agents/'));
		expect(said.map((line) => line.replace(/^.*agents\//, ''))).toEqual([
			expect.stringMatching(/^broken\.md: its front matter cannot be read: /),
			'described.md: description is not a text',
			'hooked.md: hooks.Stop is not a list',
			'keen.md: effort is left out: Reprise does not have that for agents yet',
			'keen.md: memory is left out: Reprise does not have that for agents yet',
			'mode.md: permissionMode is left out: it is none of default, acceptEdits, plan, dontAsk',
			'tools.md: the agent is left out: tools is not a list of names',
			'unnamed.md: name is missing',
		]);
	});

	it('that was to have fewer tools does not have all of them because of a slip', async () => {
		define(stage.home, 'm', front('name: m\ndescription: d\ndisallowedTools: { Bash: true }'));
		const turns = [turn('MAIN', task('CHILD', { subagent_type: 'm' })), says('MAIN', 'ok')];
		const { err } = await stage.play(turns);
		expect(err).toContain('m.md: the agent is left out: disallowedTools is not a list of names');
		expect(await stage.results()).toMatchObject([{ isError: true, text: expect.stringContaining('not found') }]);
	});

	it('is never freer than the run that starts it', async () => {
		define(stage.home, 'm', front('name: m\ndescription: d\npermissionMode: bypassPermissions'));
		await stage.play(
			[
				turn('MAIN', task('CHILD', { subagent_type: 'm' })),
				turn('CHILD', use('Write', { file_path: 'x', content: 'x' })),
				says('CHILD', 'tried'),
				says('MAIN', 'ok'),
			],
			...['--permission-mode', 'default'],
		);
		expect(existsSync(stage.file('x'))).toBe(false);
	});
});

it('agents may start agents, and those none', async () => {
	await stage.play([
		turn('MAIN', task('CHILD')),
		turn('^CHILD', task('GRANDCHILD')),
		turn('^GRANDCHILD', task('TOO-DEEP')),
		says('^GRANDCHILD', 'grandchild done'),
		says('^CHILD', 'child done'),
		says('MAIN', 'done'),
	]);
	const agents = await stage.agents();
	expect(agents.map(({ state }) => state)).toEqual(['completed', 'completed']);
	const grandchild = agents.find(({ description }) => description === 'about GRANDCHILD');
	expect(stage.linesOf(grandchild).flatMap(resultsIn)).toMatchObject([
		{ isError: true, text: expect.stringContaining('No such tool available: Task') },
	]);
	expect(readFileSync(grandchild?.path.replace('.jsonl', '.meta.json') ?? '', 'utf8')).toContain('"spawnDepth":2');
});

it('a rule that denies a kind of agent denies it, under both names of the tool', async () => {
	const other = { ...use('Agent', { description: 'd', prompt: 'CHILD', subagent_type: 'Explore' }) };
	await stage.play(
		[turn('MAIN', task('CHILD', { subagent_type: 'Explore' }), other), says('MAIN', 'ok')],
		...['--disallowedTools', 'Task(Explore)'],
	);
	expect((await stage.results()).map(({ isError }) => isError)).toEqual([true, true]);
	expect(await stage.agents()).toEqual([]);
});

it('the newer name of the tool needs no kind', async () => {
	await stage.play([
		turn('MAIN', use('Agent', { description: 'd', prompt: 'CHILD' })),
		says('CHILD', 'here'),
		says('MAIN', 'ok'),
	]);
	expect(await stage.agents()).toMatchObject([{ type: 'general-purpose', state: 'completed', report: 'here' }]);
});
