/** What a host is told beside a turn: how much a model can take, that a call is cancelled, how the client ended, what a question beside the conversation sees. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { Host } from '../support/host.ts';
import { startModelServer } from '../support/model-server.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const call = (name: string, input: object = {}) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});

it('a question beside the conversation sees what tools were called with and what they said, and get_usage how much the model can take', async () => {
	const turns = [call('Bash', { command: 'echo 42 passed' }), { text: 'done' }, { text: 'aside' }];
	await using server = await startModelServer({ turns: turns as never });
	await using one = new Host(stage, {
		args: ['--model', 'anthropic/claude-sonnet-5-5', '--allowedTools', 'Bash'],
		env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' },
	});
	const { modelUsage } = (await one.turn('run the tests')) as {
		modelUsage?: { [model: string]: { contextWindow: number } };
	};
	const [known] = Object.values(modelUsage ?? {});
	expect(known?.contextWindow).toBeGreaterThan(0);
	const usage = (await one.agent.request('get_usage', {})) as unknown as {
		session: { model_usage: { [model: string]: { contextWindow: number } } };
	};
	expect(Object.values(usage.session.model_usage)[0]?.contextWindow).toBe(known?.contextWindow);
	expect(await one.agent.request('side_question', { question: 'what did it print?' })).toMatchObject({
		response: 'aside',
	});
	const asked = JSON.stringify(server.requests.at(-1)?.body);
	expect(asked).toContain('echo 42 passed');
	expect(asked).toContain('result of Bash: 42 passed');
	expect(asked).not.toContain('assistant: \\n');
});

it('an interrupt takes back what a server of the host was asked', async () => {
	const results: { readonly [method: string]: object } = {
		initialize: {
			protocolVersion: '2025-06-18',
			capabilities: { tools: {} },
			serverInfo: { name: 'demo', version: '1' },
		},
		'tools/list': { tools: [{ name: 'wait', description: 'waits', inputSchema: { type: 'object' } }] },
	};
	const called = Promise.withResolvers<void>();
	await using one = new Host(stage, {
		script: [call('mcp__demo__wait'), { text: 'ok' }],
		args: ['--allowedTools', 'mcp__demo'],
		answers: {
			mcp_message: async ({ message }) => {
				const { id, method } = message as { id?: number; method: string };
				if (method === 'tools/call') {
					called.resolve();
					await new Promise(() => undefined);
				}
				return { mcp_response: { jsonrpc: '2.0', id: id ?? 0, result: (results[method] ?? {}) as never } };
			},
		},
	});
	await one.agent.request('initialize', { sdkMcpServers: ['demo'] });
	one.agent.say('go');
	await called.promise;
	await one.agent.request('interrupt', {});
	// While the client lives on, and its server is not closed.
	expect(await one.until('control_cancel_request')).toHaveLength(1);
	await one.until('result');
}, 30_000);

it('SIGTERM ends a prompt with its own exit code', async () => {
	const script = stage.script([call('Bash', { command: 'touch begun; sleep 20' }), { text: 'ok' }]);
	const child = stage.start(['-p', 'go', '--script', script, '--allowedTools', 'Bash']);
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	const isThere = (): boolean => spawnSync('test', ['-e', join(stage.cwd, 'begun')]).status === 0;
	for (const end = Date.now() + 15_000; !isThere() && Date.now() < end; ) await pause(50);
	child.kill('SIGTERM');
	expect(await ended).toBe(143);
}, 30_000);

it('where stdin is closed first, callbacks for the end of the session are not asked, and nothing is said about them', async () => {
	await using one = new Host(stage, { script: [{ text: 'ok' }], answers: { hook_callback: () => ({}) } });
	await one.agent.request('initialize', { hooks: { SessionEnd: [{ hookCallbackIds: ['bye'] }] } });
	await one.turn('hi');
	expect(await one.end()).toBe(0);
	expect(one.of('informational')).toEqual([]);
	expect(one.err).toBe('');
});

it('nobody is offered a mode that is not there', async () => {
	const { err } = await stage.run(['-p', 'go', '--permission-mode', 'zzz']);
	expect(err).toMatch(/Use one of: default/);
	expect(err).not.toContain('auto');
});

it.each([
	['SIGTERM', 143],
	['SIGINT', 130],
] as const)('%s ends the client in the moment of a result, and between two turns', async (signal, code) => {
	const args = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
	for (const waitMs of [0, 0, 0, 0, 400]) {
		const child = stage.start([...args, '--script', stage.script({ turns: [], default: { text: 'said' } })]);
		child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: 'hi' } })}\n`);
		let out = '';
		const answered = new Promise<void>((resolve) => {
			child.stdout.on('data', (piece) => {
				out += String(piece);
				if (!out.includes('"type":"result"')) return;
				if (waitMs === 0) child.kill(signal);
				resolve();
			});
		});
		const ended = new Promise((resolve) => child.on('close', resolve));
		await answered;
		if (waitMs > 0) await pause(waitMs).then(() => child.kill(signal));
		expect(await Promise.race([ended, pause(20_000).then(() => 'still alive')])).toBe(code);
	}
});
