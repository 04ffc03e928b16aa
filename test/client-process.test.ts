/** The client as a process: servers it talks to, signals, a driver on its pipes, a reader that goes away, and the log. */
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage, type Frame, framesIn, onlyGoingOn } from './support/client.ts';
import { startModelServer } from './support/model-server.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const streaming = ['--input-format', 'stream-json', '--output-format', 'stream-json'];

describe('five kinds of servers, set up by the variables that their users know', () => {
	it.each([
		['anthropic/claude-sonnet-4-5', (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' })],
		['openai-responses/gpt-5.5', (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' })],
		['openai-chat/gpt-5.5', (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' })],
		['google/gemini-flash-latest', (url: string) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'k' })],
		['ollama/llama3.3', (url: string) => ({ OLLAMA_HOST: url })],
	])('%s answers, uses a tool, and is asked again by -c', async (model, env) => {
		await using server = await startModelServer({
			strict: true,
			turns: [
				{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: stage.file('a.txt') } }] },
				{ text: 'It says hello.' },
				{ text: 'Still here.' },
			],
		});
		const set = env(server.url);
		const first = await stage.run(['-p', `what does a.txt say? (${model})`, '--model', model], { env: set });
		expect(first).toEqual({ code: 0, out: 'It says hello.\n', err: '' });
		const second = await stage.run(['-p', 'and now?', '-c', '--model', model], { env: set });
		expect(second).toEqual({ code: 0, out: 'Still here.\n', err: expect.stringMatching(onlyGoingOn) });
		expect(server.requests.map(({ rejected }) => rejected)).toEqual([undefined, undefined, undefined]);
		expect(JSON.stringify(server.requests[2]?.body)).toContain('It says hello.');
	});

	it('the flags reach the server: system prompts, folders, tools, model', async () => {
		await using server = await startModelServer({ fallback: { text: 'ok' } });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' };
		const flags = [
			'--system-prompt',
			'You are brief.',
			'--append-system-prompt',
			'Mind the gap.',
			'--tools',
			'Read,Edit',
		];
		const elsewhere = stage.file('elsewhere');
		mkdirSync(elsewhere);
		await stage.run(['-p', 'x', '--model', 'claude-opus-4-5', ...flags, '--add-dir', elsewhere], { env });
		const body = JSON.stringify(server.requests[0]?.body);
		for (const told of ['claude-opus-4-5', 'You are brief.', 'Mind the gap.', elsewhere, '"name":"Edit"']) {
			expect(body).toContain(told);
		}
		expect(body).not.toContain('"name":"Bash"');
	});

	it('a budget that is spent ends the run with its own word', async () => {
		const usage = { input: 900_000, output: 10 };
		const content = [{ type: 'tool_use' as const, name: 'Read', input: { file_path: stage.file('a.txt') } }];
		await using server = await startModelServer({ turns: [{ content, usage }], fallback: { text: 'too much' } });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' };
		const args = ['-p', 'x', '--model', 'claude-sonnet-4-5', '--max-budget-usd', '0.5', '--output-format', 'json'];
		const { code, out } = await stage.run(args, { env });
		expect(code).toBe(1);
		expect(JSON.parse(out)).toMatchObject({ subtype: 'error_max_budget_usd', is_error: true, num_turns: 1 });
	});

	it('a budget is for all prompts of a client, and one that is spent asks nobody any more', async () => {
		const usage = { input: 900_000, output: 10 };
		await using server = await startModelServer({ fallback: { text: 'expensive', usage } });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' };
		const said = (content: string) => JSON.stringify({ type: 'user', message: { role: 'user', content } });
		const wire = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
		const { out } = await stage.run([...wire, '--model', 'claude-sonnet-4-5', '--max-budget-usd', '0.5'], {
			env,
			input: `${said('one')}\n${said('two')}\n`,
		});
		const results = framesIn(out).filter(({ type }) => type === 'result');
		expect(results.map(({ subtype }) => subtype)).toEqual(['success', 'error_max_budget_usd']);
		expect(server.requests).toHaveLength(1);
	});

	it('a budget for a model without a known price is said to be none', async () => {
		await using server = await startModelServer({ fallback: { text: 'hello' } });
		const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k' };
		const run = (model: string) =>
			stage.run(['-p', 'x', '--model', `openai-chat/${model}`, '--max-budget-usd', '1'], { env });
		expect((await run('my-own')).err).toContain(
			'the price of openai/my-own is not known: --max-budget-usd cannot be held',
		);
		expect((await run('gpt-5')).err).toBe('');
	});

	it('what another provider’s model costs is the same in the run and in `cost`', async () => {
		// Replies of scripted servers have the same ids again, and count once on a machine.
		using own = new ClientStage();
		const usage = { input: 1000, output: 100 };
		await using server = await startModelServer({ fallback: { text: 'hello', usage } });
		const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k' };
		const args = ['-p', 'x', '--model', 'openai-chat/gpt-5', '--output-format', 'json'];
		const { total_cost_usd: dollars, session_id: id } = JSON.parse((await own.run(args, { env })).out) as Frame;
		expect(dollars).toBeGreaterThan(0);
		const { rows } = JSON.parse((await own.run(['cost', '--by', 'session', '--json'])).out) as {
			readonly rows: readonly { readonly key: string; readonly costUsd: number }[];
		};
		expect(rows.find(({ key }) => key.endsWith(String(id)))?.costUsd).toBeCloseTo(Number(dollars), 9);
	});

	it('a refusal of the server exits with 3 and one clear line, and the session is intact', async () => {
		await using server = await startModelServer({ fallback: { error: { status: 401, message: 'invalid x-api-key' } } });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'wrong' };
		const args = ['-p', 'x', '--model', 'claude-sonnet-4-5', '--output-format', 'json'];
		const { code, out, err } = await stage.run(args, { env });
		expect(code).toBe(3);
		expect(err.trim().split('\n')).toHaveLength(1);
		expect(err).toContain('ANTHROPIC_API_KEY');
		const path = await stage.pathOf((JSON.parse(out) as Frame).session_id);
		expect((await stage.run(['check', path, '--profile', 'client'])).code).toBe(0);
	});
});

describe('interruption', () => {
	const running = [{ content: [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'sleep 30' } }] }];
	const talking = [{ text: 'on and on '.repeat(300), chunk: 4, chunkDelayMs: 20 }];
	const flags = [
		'--output-format',
		'stream-json',
		'--include-partial-messages',
		'--permission-mode',
		'bypassPermissions',
	];

	it.each([
		['SIGINT', 'a tool', 130, running, 'assistant'],
		['SIGTERM', 'a tool', 143, running, 'assistant'],
		['SIGHUP', 'a tool', 129, running, 'assistant'],
		['SIGINT', 'a reply', 130, talking, 'content_block_delta'],
	] as const)(
		'%s during %s exits with %d and leaves a session that goes on',
		async (signal, _, exit, script, moment) => {
			const child = stage.start(['-p', 'go', '--script', stage.script([...script]), ...flags]);
			child.stdin.end();
			const ended = once(child, 'close');
			let session = '';
			let seen = '';
			for await (const line of createInterface({ input: child.stdout })) {
				session = String((JSON.parse(line) as Frame).session_id);
				if (!seen.includes(moment) && line.includes(moment)) setTimeout(() => child.kill(signal), 100);
				seen += line;
			}
			expect((await ended)[0]).toBe(exit);
			expect(seen).toContain('"subtype":"error_during_execution"');
			const path = await stage.pathOf(session);
			expect((await stage.run(['check', path, '--profile', 'client'])).code).toBe(0);
			const next = await stage.json('-p', 'next', '-r', session, '--script', stage.script([{ text: 'on' }]));
			expect(next).toMatchObject({ session_id: session, result: 'on' });
		},
	);

	it('a reader that goes away ends the run, not the session', async () => {
		const child = stage.start(['-p', 'go', '--script', stage.script(talking), ...flags]);
		child.stdin.end();
		const ended = once(child, 'close');
		const [first] = (await once(child.stdout, 'data')) as [Buffer];
		child.stdout.destroy();
		expect((await ended)[0]).toBe(130);
		const path = await stage.pathOf(framesIn(String(first).split('\n')[0] ?? '')[0]?.session_id);
		expect((await stage.run(['check', path, '--profile', 'client'])).code).toBe(0);
	});
});

describe('a driver', () => {
	const asks = (name: string) =>
		stage.script([
			{ content: [{ type: 'tool_use', name: 'Bash', input: { command: `touch ${name}` } }] },
			{ text: 'done' },
		]);

	/** Answers every question of the client with `verdict`, and ends the input after the result. */
	async function drive(script: string, verdict: object, flags: readonly string[] = []): Promise<readonly Frame[]> {
		const child = stage.start(['--script', script, ...streaming, '--permission-prompt-tool', 'stdio', ...flags]);
		const frames: Frame[] = [];
		const send = (frame: object): void => void child.stdin.write(`${JSON.stringify(frame)}\n`);
		send({ type: 'user', message: { role: 'user', content: 'go' } });
		for await (const line of createInterface({ input: child.stdout })) {
			const frame = JSON.parse(line) as Frame;
			frames.push(frame);
			if (frame.type === 'result') child.stdin.end();
			if (frame.type !== 'control_request') continue;
			send({
				type: 'control_response',
				response: { subtype: 'success', request_id: frame.request_id, response: verdict },
			});
		}
		return frames;
	}

	it('is asked before something is run, and may change it', async () => {
		const updatedInput = { command: `touch ${stage.file('changed')}` };
		const frames = await drive(asks('wanted'), { behavior: 'allow', updatedInput });
		expect(frames.find(({ type }) => type === 'control_request')).toMatchObject({
			request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'touch wanted' } },
		});
		expect([existsSync(stage.file('wanted')), existsSync(stage.file('changed'))]).toEqual([false, true]);
	});

	it('is asked in plan mode too, as drivers of Claude Code are', async () => {
		const frames = await drive(asks('planned'), { behavior: 'deny', message: 'no' }, ['--permission-mode', 'plan']);
		expect(frames.find(({ type }) => type === 'control_request')).toMatchObject({
			request: { subtype: 'can_use_tool', tool_name: 'Bash' },
		});
	});

	it('may say no, which the model is told', async () => {
		const frames = await drive(asks('refused'), { behavior: 'deny', message: 'not today' });
		expect(JSON.stringify(frames.find(({ type }) => type === 'user'))).toContain('not today');
		expect(frames.at(-1)).toMatchObject({ type: 'result', subtype: 'success', permission_denials: [{}] });
		expect(existsSync(stage.file('refused'))).toBe(false);
	});

	it('is told what the client cannot do', async () => {
		const input = `${JSON.stringify({ type: 'control_request', request_id: 'q', request: { subtype: 'fly' } })}\n`;
		const { code, out } = await stage.run(['--script', asks('x'), ...streaming], { input });
		expect(code).toBe(0);
		expect(framesIn(out)).toMatchObject([{ response: { subtype: 'error', error_code: 'unsupported_request' } }]);
	});
});

describe('stdin and the log', () => {
	it('a pipe that nobody writes to does not hold up a prompt that is there', async () => {
		const child = stage.start(['-p', 'x', '--script', stage.script([{ text: 'ok' }])]);
		const [code] = (await Promise.race([once(child, 'close'), sleep(20_000, ['late'])])) as [number | string];
		child.stdin.end();
		expect(code).toBe(0);
	});

	it('--debug logs any command in our own folder, with a link to the latest', async () => {
		await stage.run(['ls', '--debug']);
		await stage.run(['-p', 'x', '--debug', '--script', stage.script([{ text: 'ok' }])]);
		const folder = join(stage.own, 'debug');
		const latest = join(folder, 'latest');
		expect(lstatSync(latest).isSymbolicLink()).toBe(true);
		const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
		expect(logs).toHaveLength(2);
		const text = readFileSync(latest, 'utf8');
		expect(text).toMatch(/ start reprise=/);
		expect(text).toMatch(/ result outcome=success/);
		expect(text).toMatch(/ end code=0/);
	});
});
