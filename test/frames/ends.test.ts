/** How turns end that do not end well, and what a host is told of it: the words of the SDK's declarations, and its exit codes. */
import { afterAll, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { Host, type HostSetting } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const host = (setting: HostSetting): Host => new Host(stage, setting);
const call = (name: string, input: object) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});

it('a request that is refused is answered by a reply of nobody, and the result says the status', async () => {
	await using one = host({ script: [{ error: { status: 400, type: 'invalid_request_error', message: 'bad thing' } }] });
	const told = { api_error_status: 400, api_error_type: 'invalid_request_error' };
	expect(await one.turn('hi')).toMatchObject({
		...{ subtype: 'success', is_error: true, terminal_reason: 'api_error', stop_reason: 'stop_sequence', ...told },
		...{ result: expect.stringContaining('bad thing'), modelUsage: {} },
	});
	expect(one.of('result')[0]).not.toHaveProperty('errors');
	expect(one.of('assistant')).toMatchObject([
		{ message: { model: '<synthetic>' }, error: 'invalid_request', is_api_error_message: true, ...told },
	]);
	expect(await one.end()).toBe(1);
});

it('after a turn that went well the client ends well, whatever happened before', async () => {
	await using one = host({ script: [{ error: { status: 401, message: 'no key' } }, { text: 'better' }] });
	expect(await one.turn('one')).toMatchObject({ is_error: true, api_error_status: 401 });
	expect(one.of('assistant')[0]).toMatchObject({ error: 'authentication_failed' });
	expect(await one.turn('two')).toMatchObject({ is_error: false, api_error_status: null, result: 'better' });
	expect(await one.end()).toBe(0);
});

it('an interrupt ends the turn, and the client with 1', async () => {
	await using one = host({ script: [{ delayMs: 5000, text: 'never' }] });
	one.agent.say('wait');
	await one.until('init');
	await one.agent.request('interrupt');
	expect((await one.until('result'))[0]).toMatchObject({
		...{ subtype: 'error_during_execution', terminal_reason: 'aborted_streaming', errors: expect.any(Array) },
	});
	expect(await one.end()).toBe(1);
});

it('limits are told in the words that hosts know', async () => {
	const looking = call('Read', { file_path: stage.file('a.txt') });
	await using one = host({ script: { turns: [], default: looking }, args: ['--max-turns', '1'] });
	expect(await one.turn('look')).toMatchObject({ subtype: 'error_max_turns', terminal_reason: 'max_turns' });
	expect(await one.end()).toBe(1);
	const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }] };
	await using two = host({ script: [{ text: 'never' }], args: ['--settings', JSON.stringify({ hooks })] });
	const stopped = await two.turn('look');
	expect(stopped).toMatchObject({ subtype: 'success', is_error: false, result: expect.stringContaining('no') });
	expect(stopped).not.toHaveProperty('terminal_reason');
});

it('a client that cannot start says why in the frame that its host waits for, too', async () => {
	const id = '11111111-1111-4111-8111-111111111111';
	await using missing = new Host(stage, { script: { turns: [] }, args: ['--resume', id] });
	missing.agent.say('still there?');
	const [frame] = await missing.until('result');
	const why = `No conversation found with session ID: ${id}`;
	expect(frame).toMatchObject({ subtype: 'error_during_execution', is_error: true, session_id: id, errors: [why] });
	expect(frame).not.toHaveProperty('terminal_reason');
	expect(await missing.end()).toBe(1);
	expect(missing.err).toContain('no session has the id');

	const slow = { text: 'late', delayMs: 8_000 };
	await using first = new Host(stage, { script: { turns: [{ text: 'mine' }, slow] } });
	const { session_id: held } = await first.turn('one');
	first.agent.say('take your time');
	await first.until('init', 2);
	await using second = new Host(stage, { script: { turns: [] }, args: ['--resume', String(held)] });
	second.agent.say('two');
	expect(await second.until('result')).toMatchObject([{ errors: [expect.stringContaining('is being written by')] }]);
	expect([await second.end(), await first.end()]).toEqual([1, 0]);
	expect([...missing.parsed, ...second.parsed].filter(({ is }) => is !== 'frame')).toEqual([]);
	expect([missing.of('result').length, second.of('result').length]).toEqual([1, 1]);
});

it.each([
	['asks for the end', 'the hook says goodbye', 0],
	['says no more', '', 1],
])(
	'a hook of the host hears that the session ends where the host %s, and is waited for where it can answer',
	async (_, told, left) => {
		const heard: unknown[] = [];
		await using one = host({
			script: [{ text: 'done' }],
			answers: {
				hook_callback: async ({ input }) => {
					heard.push(input);
					await new Promise((resolve) => setTimeout(resolve, 500));
					return { systemMessage: 'the hook says goodbye' };
				},
			},
		});
		await one.agent.request('initialize', { hooks: { SessionEnd: [{ hookCallbackIds: ['mine'] }] } });
		await one.turn('go');
		const began = Date.now();
		if (left === 0) await one.agent.request('end_session');
		else one.agent.end();
		expect(await one.agent.exit).toBe(0);
		expect(heard).toMatchObject(left === 0 ? [{ hook_event_name: 'SessionEnd' }] : []);
		const said = one.of('informational').map(({ content }) => String(content));
		expect(said).toEqual(told === '' ? [] : [expect.stringContaining(told)]);
		expect(one.of('control_cancel_request')).toEqual([]);
		if (left === 1) expect(Date.now() - began).toBeLessThan(3000);
	},
);
