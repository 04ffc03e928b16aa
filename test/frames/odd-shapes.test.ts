/** Requests, answers and prompts of a wrong shape: each is answered or told of, and none is taken for something else. */
import { existsSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { RequestName } from '../../src/frames/index.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { ClientStage } from '../support/client.ts';
import { Host } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const talk = (...args: string[]): Host =>
	new Host(stage, { script: { turns: [{ text: 'one' }, { text: 'two' }], default: { text: 'more' } }, args });

it.each([
	[{ request: {} }, 'request.subtype'],
	[{}, 'request is missing'],
	[{ request: { subtype: 7 } }, 'request.subtype'],
	[{ request: 'x' }, 'request is missing'],
])('a request %j is answered with what is wrong with it', async (body, problem) => {
	await using one = talk();
	one.agent.send({ type: 'control_request', request_id: 'z1', ...body } as JsonObject);
	const [answer] = await one.until('control_response');
	expect(answer?.response).toMatchObject({ subtype: 'error', request_id: 'z1' });
	expect(JSON.stringify(answer?.response)).toContain(problem);
});

it.each([
	['a request without a name', { type: 'control_request', request: { subtype: 'interrupt' } }],
	['a prompt that is said by a model', { type: 'user', message: { role: 'assistant', content: 'hi' } }],
	['a prompt without content', { type: 'user', message: { role: 'user' } }],
	['a prompt of what is no block', { type: 'user', message: { role: 'user', content: [5] } }],
])('%s is bad input, and starts nothing', async (_, frame) => {
	await using one = talk();
	one.agent.send(frame as JsonObject);
	expect(await one.turn('hi')).toMatchObject({ result: 'one' });
	expect(one.of('informational')).toMatchObject([{ tag: 'bad_input' }]);
	expect(one.err.trim().split('\n')).toHaveLength(1);
});

const blank = { type: 'text', text: ' ' };

it.each([[''], [' \n\t'], [[]], [[{ type: 'text', text: '' }]], [[blank, blank]]])(
	'an empty prompt %j asks no model, is told of, and is a turn that ends as every turn does',
	async (content) => {
		await using one = talk();
		one.agent.say('hi');
		const uuid = one.agent.say(content);
		const [, result] = await one.until('result', 2);
		expect(result).toMatchObject({ subtype: 'success', is_error: false, num_turns: 0, user_message_uuid: uuid });
		expect(result).toMatchObject({ result: expect.stringContaining('nothing was sent') });
		expect(result).not.toHaveProperty('terminal_reason');
		expect(one.of('informational')).toMatchObject([{ level: 'warning', content: result?.result }]);
		expect(await one.turn('go on')).toMatchObject({ result: 'two' });
		const told = one.of('command_lifecycle').filter(({ command_uuid: of }) => of === uuid);
		expect(told.map(({ state }) => state)).toEqual(['queued', 'started', 'completed']);
		expect(one.of('init')).toHaveLength(3);
		await one.end();
		const lines = await stage.lines(result?.session_id);
		expect(lines.filter(({ type, message }) => type === 'user' && message !== undefined)).toHaveLength(2);
	},
);

it.each([
	['set_permission_mode', {}, 'mode'],
	['mcp_toggle', {}, 'serverName'],
	['mcp_reconnect', { serverName: 5 }, 'serverName'],
	['set_model', { model: 5 }, 'model'],
	['initialize', { hooks: 5 }, 'initialize: hooks'],
	['initialize', { hooks: { PreToolUse: 'x' } }, 'initialize: hooks'],
	['initialize', { hooks: { PreToolUse: [{}] } }, 'initialize: hooks'],
	['initialize', { hooks: { PreToolUse: [{ hookCallbackIds: ['a', 5] }] } }, 'initialize: hooks'],
	['initialize', { hooks: { PreToolUse: [{ matcher: 5, hookCallbackIds: ['a'] }] } }, 'initialize: hooks'],
	['stop_task', {}, 'task_id'],
	['get_task_output', { task_id: 'nobody' }, 'task_id'],
])('%s %j is refused, and the field is named', async (subtype, body, field) => {
	await using one = talk();
	await expect(one.agent.request(subtype as RequestName, body as never)).rejects.toThrow(new RegExp(`^${field}\\b`));
});

const oddInputs = ['{}', [], null, 5].map((updatedInput) => ({ behavior: 'allow', updatedInput }));
const grant = [{ type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash' }], destination: 'session' }];

it.each([{}, { behavior: 'maybe' }, 'yes', ...oddInputs])(
	'an answer %j to a question is no answer: nothing runs, nothing is granted, and nobody has said no',
	async (answer) => {
		const file = stage.file('never.txt');
		const content = [{ type: 'tool_use' as const, name: 'Bash', input: { command: `touch ${file}` } }];
		await using one = new Host(stage, {
			script: [{ content }, { content }, { text: 'ok' }],
			answers: {
				can_use_tool: () => (typeof answer === 'string' ? answer : { ...answer, updatedPermissions: grant }) as never,
			},
		});
		const { permission_denials: denials } = await one.turn('go');
		expect(denials).toHaveLength(2);
		expect(existsSync(file)).toBe(false);
		const told = JSON.stringify(one.of('user'));
		expect(told).not.toContain('user said no');
		expect(told).toMatch(/answer was not understood/);
		const said = { tag: 'bad_input', content: expect.stringContaining('not understood') };
		expect(one.of('informational')).toMatchObject([said, said]);
	},
);

it('a hook that lets through an input that is no object has decided nothing: the host is asked', async () => {
	const file = stage.file('hooked.txt');
	const content = [{ type: 'tool_use' as const, name: 'Bash', input: { command: `touch ${file}` } }];
	const own = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: 'text' };
	await using one = new Host(stage, {
		script: [{ content }, { text: 'ok' }],
		answers: {
			can_use_tool: () => ({ behavior: 'deny', message: 'not so' }),
			hook_callback: () => ({ hookSpecificOutput: own }),
		},
	});
	await one.agent.request('initialize', { hooks: { PreToolUse: [{ hookCallbackIds: ['mine'] }] } });
	expect(await one.turn('go')).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
	expect(existsSync(file)).toBe(false);
	expect(JSON.stringify(one.of('informational'))).toContain('updatedInput is not an object');
});

const deny = { permissionDecision: 'deny' };
const pre = (own: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...own } });
const slips: readonly (readonly [answer: unknown, runs: boolean])[] = [
	...['deny', null, [1], undefined].map((answer) => [answer, true] as const),
	...[{ decision: 'deny' }, { continue: 'no' }, { hookSpecificOutput: 5 }, { systemMessage: 5 }].map(
		(answer) => [answer, true] as const,
	),
	[pre({ permissionDecision: 'Deny' }), true],
	[pre({ additionalContext: 5 }), true],
	[{ hookSpecificOutput: { ...deny, hookEventName: 'Zzz' } }, true],
	[{ hookSpecificOutput: { ...deny, hookEventName: 'PostToolUse' } }, false],
	[{ hookSpecificOutput: { permissionDecision: 'allow', hookEventName: 'PostToolUse' } }, false],
];

it.each(slips)(
	'a hook’s answer with a slip in it, %j, is told, and is a block where its host wants that',
	async (answer, runs) => {
		const content = [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'echo it ran' } }];
		for (const onFailure of ['continue', 'block'] as const) {
			await using one = new Host(stage, {
				script: [{ content }, { text: 'ok' }],
				args: ['--allowedTools', 'Bash'],
				answers: { hook_callback: () => answer as never },
			});
			await one.agent.request('initialize', { hooks: { PreToolUse: [{ hookCallbackIds: ['gate'], onFailure }] } });
			await one.turn('go');
			const ran = JSON.stringify(one.of('user')).includes('"it ran');
			expect(ran).toBe(onFailure === 'continue' && runs);
			if (onFailure === 'continue' && runs)
				expect(one.of('informational')).toMatchObject([{ tag: 'hook_callback_failed', level: 'warning' }]);
		}
	},
);

it.each([
	['PreToolUse', { continue: false, stopReason: 'halt' }, 'hook_stopped', 'halt'],
	['PostToolUse', { continue: false, stopReason: 'halt' }, 'hook_stopped', 'halt'],
	['UserPromptSubmit', { continue: false, stopReason: 'halt' }, undefined, 'halt'],
	['UserPromptSubmit', { decision: 'block', reason: 'bad prompt' }, undefined, 'bad prompt'],
])(
	'what a hook of the host stops at %s with %j is no error, and the reason is told',
	async (event, answer, reason, told) => {
		const content = [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'echo it ran' } }];
		await using one = new Host(stage, {
			script: [{ content }, { text: 'no more' }],
			args: ['--allowedTools', 'Bash'],
			answers: { hook_callback: () => answer as never },
		});
		await one.agent.request('initialize', { hooks: { [event]: [{ hookCallbackIds: ['gate'] }] } });
		const result = await one.turn('go');
		expect(result).toMatchObject({ subtype: 'success', is_error: false });
		expect(result.terminal_reason).toBe(reason);
		expect(result.result).toEqual(reason === undefined ? expect.stringContaining(told) : '');
		expect(one.of('informational')).toMatchObject([{ level: 'warning', content: expect.stringContaining(told) }]);
		expect(await one.end()).toBe(0);
	},
);

it('a clear no of a hook holds whatever else is odd about it, and a field that is null says nothing', async () => {
	const content = [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'echo it ran' } }];
	const answers = [
		{ decision: 'block', reason: 5 },
		pre({ ...deny, updatedInput: 'x' }),
		{ continue: true, systemMessage: null, hookSpecificOutput: null },
	];
	const ran: boolean[] = [];
	for (const answer of answers) {
		await using one = new Host(stage, {
			script: [{ content }, { text: 'ok' }],
			args: ['--allowedTools', 'Bash'],
			answers: { hook_callback: () => answer as never },
		});
		await one.agent.request('initialize', { hooks: { PreToolUse: [{ hookCallbackIds: ['gate'] }] } });
		await one.turn('go');
		ran.push(JSON.stringify(one.of('user')).includes('"it ran'));
		expect(one.of('informational')).toEqual([]);
	}
	expect(ran).toEqual([false, false, true]);
});

it('a script goes on where it was when its model is chosen again', async () => {
	await using one = talk();
	expect(await one.turn('hi')).toMatchObject({ result: 'one' });
	await one.agent.request('set_model', {});
	expect(await one.turn('hi')).toMatchObject({ result: 'two' });
	await one.agent.request('set_model', { model: 'sonnet' });
	expect(await one.turn('hi')).toMatchObject({ result: 'more' });
});

it('a sandbox that settings ask for is said to be none, and commands that need one do not run', async () => {
	const run = async (sandbox: JsonObject) => {
		const content = [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'echo ran' } }];
		const args = ['--settings', JSON.stringify({ sandbox }), '--permission-mode', 'bypassPermissions'];
		await using one = new Host(stage, { script: [{ content }, { text: 'ok' }], args });
		await one.turn('go');
		await one.end();
		return { told: JSON.stringify(one.of('informational')), err: one.err, ran: JSON.stringify(one.of('user')) };
	};
	const plain = await run({ enabled: true });
	expect(plain.told + plain.err).toContain('sandbox has no effect');
	expect(plain.told).toContain('sandbox has no effect');
	expect(plain.ran).toContain('ran');
	const strict = await run({ enabled: true, failIfUnavailable: true });
	expect(strict.told).toContain('Bash is refused');
	expect(strict.ran).not.toMatch(/"content":"ran/);
	expect((await run({ enabled: false })).told).toBe('[]');
});

it.each(['word ', 'x'])(
	'a first prompt of 10 MB of “%s” is answered, and its session is one of its project',
	async (piece) => {
		const own = new ClientStage();
		const script = own.script([{ text: 'hello' }]);
		const { code, out } = await own.run(['-p', '--script', script], { input: piece.repeat(10_000_000 / piece.length) });
		expect([code, out.trim()]).toEqual([0, 'hello']);
		const { out: list } = await own.run(['ls', '--json']);
		expect(JSON.parse(list)).toMatchObject({
			sessions: [{ cwd: own.cwd, title: expect.stringContaining(piece.trim()) }],
		});
		own[Symbol.dispose]();
	},
	60_000,
);
