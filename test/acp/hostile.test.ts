/** `reprise acp`: lines that are no messages, requests that are wrong, and an end at any moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { longestLine } from '../../src/frames/lines-in.ts';
import { ClientStage } from '../support/client.ts';
import { TestEditor } from '../support/editor.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const bash = (command: string) => ({
	content: [{ type: 'tool_use' as const, name: 'Bash', input: { command, description: 'test' } }],
});
const seed = Number(process.env.REPRISE_SEED ?? 1);

/** Errors without a request that they answer. */
const unnamed = (editor: TestEditor): readonly { error: { code: number } }[] =>
	editor.out
		.split('\n')
		.filter((line) => line.includes('"id":null'))
		.map((line) => JSON.parse(line));

describe('a bad line', () => {
	it('is answered with an error, and ends neither the connection nor a turn', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'Still here.', delayMs: 500 }] });
		const { sessionId } = await editor.begin();
		const turn = editor.prompt(sessionId, 'go');
		// The library's own line has to be on its way: a stream that is full would lose it.
		await sleep(100);
		const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
		const lines = [
			...['{', 'nonsense', '"text"', '17', 'null', '[]', '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]', '{}'],
			...['{"jsonrpc":"1.0","id":9,"method":"session/new"}', `{"jsonrpc":"2.0","method":${deep}}`, deep, '\u0000'],
		];
		for (const line of lines) editor.child.stdin.write(`${line}\n`);
		editor.child.stdin.write(Buffer.from([0xff, 0xfe, 10, 10, 13, 10]));
		expect(await turn).toBe('end_turn');
		expect(editor.said()).toBe('Still here.');
		const codes = unnamed(editor).map(({ error }) => error.code);
		expect(codes.length).toBe(lines.length + 1);
		expect(new Set(codes)).toEqual(new Set([-32700, -32600]));
		expect(await editor.end()).toBe(0);
	});

	it('that is too long to hold is dropped, and what comes behind it is heard', async () => {
		await using editor = new TestEditor(stage, { script: [] });
		await editor.initialize();
		const part = Buffer.alloc(1 << 20, 'x');
		for (let sent = 0; sent <= longestLine; sent += part.length)
			if (!editor.child.stdin.write(part)) await new Promise((resolve) => editor.child.stdin.once('drain', resolve));
		editor.child.stdin.write('\n');
		expect((await editor.session()).sessionId).not.toBe('');
		expect(unnamed(editor).length).toBe(1);
	});
});

describe('a bad request', () => {
	it('before the first greeting, of an unknown method, or with wrong parameters gets an error', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'ok' }] });
		await expect(editor.session()).rejects.toMatchObject({ code: -32600 });
		const { sessionId } = await editor.begin();
		const wrong: readonly (readonly [string, unknown, number])[] = [
			['session/fork', { sessionId }, -32601],
			['authenticate', { methodId: 'x' }, -32601],
			['_unknown', {}, -32601],
			['session/new', {}, -32602],
			['session/new', { cwd: 7, mcpServers: [] }, -32602],
			['session/new', { cwd: stage.cwd, mcpServers: [], additionalDirectories: ['here'] }, -32602],
			['session/new', { cwd: stage.file('a.txt'), mcpServers: [] }, -32602],
			['session/prompt', { sessionId }, -32602],
			['session/prompt', { sessionId, prompt: [{ type: 'from the future' }] }, -32602],
			['session/prompt', { sessionId: 'nobody', prompt: [] }, -32002],
			['session/set_mode', { sessionId, modeId: 'none' }, -32602],
			['session/set_mode', { sessionId: 'nobody', modeId: 'plan' }, -32002],
			['session/load', { sessionId: 'nobody', cwd: stage.cwd, mcpServers: [] }, -32002],
		];
		for (const [method, params, code] of wrong)
			await expect(editor.agent.request(method, params), method).rejects.toMatchObject({ code });
		await editor.agent.notify('session/cancel', { sessionId: 'nobody' });
		await editor.agent.notify('session/cancel', {} as never);
		await editor.agent.notify('from/the_future', { x: 1 });
		expect(await editor.prompt(sessionId, 'go')).toBe('end_turn');
	});

	it('of any shape never ends the process, and every right one is answered among them', async () => {
		await using editor = new TestEditor(stage, { script: { turns: [], default: { text: 'ok' } } });
		const { sessionId } = await editor.begin();
		const methods = ['initialize', 'session/new', 'session/load', 'session/list', 'session/close', 'session/cancel'];
		const more = ['session/set_mode', 'session/set_config_option', 'session/resume', '$/cancel_request', 'x'];
		const message = fc.record(
			{
				jsonrpc: fc.constantFrom('2.0', '1', 2),
				id: fc.oneof(fc.integer({ min: 1_000_000 }), fc.string(), fc.constant(null), fc.object()),
				method: fc.oneof(fc.constantFrom(...methods, ...more), fc.string(), fc.integer()),
				params: fc.oneof(fc.object(), fc.jsonValue(), fc.record({ sessionId: fc.string(), cwd: fc.string() })),
				result: fc.jsonValue(),
			},
			{ requiredKeys: [] },
		);
		const lines = fc.sample(
			fc.oneof(
				message.map((one) => JSON.stringify(one)),
				fc.string().map((text) => text.replaceAll('\n', ' ')),
			),
			{ seed, numRuns: 2000 },
		);
		for (let at = 0; at < lines.length; at += 200) {
			editor.child.stdin.write(`${lines.slice(at, at + 200).join('\n')}\n`);
			expect(await editor.prompt(sessionId, `round ${at}`)).toBe('end_turn');
		}
		expect(await editor.end()).toBe(0);
		for (const line of editor.out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
	});
});

describe('an end', () => {
	it('by a signal closes the sessions with what has happened, and leaves no process behind', async () => {
		await using editor = new TestEditor(stage, {
			script: [bash('sleep 61.7')],
			args: ['--allowedTools', 'Bash(sleep:*)'],
		});
		const { sessionId } = await editor.begin();
		const turn = editor.prompt(sessionId, 'go').catch(() => 'lost');
		await editor.until(() => editor.calls.some(({ status }) => status === 'in_progress'));
		editor.child.kill('SIGTERM');
		expect(await editor.exit).toBe(0);
		await turn;
		expect(JSON.stringify(await stage.lines(sessionId))).toContain('interrupted');
	});

	it('by kill at any moment leaves a session that goes on', async () => {
		for (const wait of [0, 40, 90]) {
			await using editor = new TestEditor(stage, {
				script: [bash('echo one'), { text: 'A long answer. '.repeat(30), chunk: 5, chunkDelayMs: 3 }],
				args: ['--allowedTools', 'Bash(echo:*)'],
			});
			const { sessionId } = await editor.begin();
			void editor.prompt(sessionId, 'go').catch(() => undefined);
			await editor.until(() => editor.calls.length > 0);
			await sleep(wait);
			editor.child.kill('SIGKILL');
			await editor.exit;
			await using next = new TestEditor(stage, { script: [{ text: 'Went on.' }] });
			await next.initialize();
			await next.agent.request('session/load', { sessionId, cwd: stage.cwd, mcpServers: [] });
			expect(await next.prompt(sessionId, 'and?')).toBe('end_turn');
			expect(next.said()).toContain('Went on.');
		}
	});
});
