/** What a host may count on that says several things at once, attaches pictures, or goes while something still runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { allow, Host, type HostSetting } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const host = (setting: HostSetting): Host => new Host(stage, setting);
const call = (name: string, input: object) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});
const made = (name: string): boolean => existsSync(join(stage.cwd, name));
const said = (content: string, more: object = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
const lifeOf = (one: Host, uuid: string) =>
	one.of('command_lifecycle').flatMap((frame) => (frame.command_uuid === uuid ? [frame.state] : []));

it('idle is told when no prompt waits any more: a host that says no more from then on was asked all that it had to be', async () => {
	const second = call('Bash', { command: 'touch second.txt', description: 'make' });
	await using one = host({
		script: [{ text: 'first', delayMs: 700 }, second, { text: 'done' }],
		answers: { can_use_tool: allow },
	});
	one.agent.say('one');
	one.agent.say('two');
	await one.until('session_state_changed', 2);
	while (one.of('session_state_changed').at(-1)?.state !== 'idle')
		await one.until('session_state_changed', one.of('session_state_changed').length + 1);
	expect(await one.end()).toBe(0);
	expect(one.of('result').map(({ result, queued_turn_count: left }) => [result, left])).toEqual([
		['first', 1],
		['done', 0],
	]);
	expect(one.of('session_state_changed').map(({ state }) => state)).toEqual([
		...['running', 'requires_action', 'running', 'idle'],
	]);
	expect(made('second.txt')).toBe(true);
});

it('prompts that wait are counted, whether they have names or not', async () => {
	await using one = host({ script: [{ text: 'first', delayMs: 500 }, { text: 'second' }] });
	one.agent.send(said('one'));
	one.agent.send(said('two'));
	expect((await one.until('result', 2)).map(({ queued_turn_count: left }) => left)).toEqual([1, 0]);
});

it.each(['Bash', 'Task'])(
	'what runs in the background (%s) is waited for where the host says no more, and the model is told of its end',
	async (tool) => {
		const file = `${tool}.txt`;
		const started =
			tool === 'Bash'
				? call('Bash', { command: `sleep 1; touch ${file}`, description: 'make', run_in_background: true })
				: call('Task', {
						prompt: 'report',
						description: 'report',
						subagent_type: 'general-purpose',
						run_in_background: true,
					});
		await using one = host({
			script: {
				turns: [
					{ when: { first: '^report' }, ...call('Bash', { command: `sleep 1; touch ${file}`, description: 'make' }) },
					{ when: { first: '^report' }, text: 'reported' },
					{ when: { not: '^report' }, ...started },
					{ when: { not: '^report' }, text: 'started it' },
					{ when: { not: '^report' }, text: 'so it is over' },
				],
			},
			args: ['--dangerously-skip-permissions'],
		});
		await one.turn('go');
		expect(await one.end()).toBe(0);
		expect(one.of('result').map(({ result }) => result)).toEqual(['started it', 'so it is over']);
		expect(one.of('result')[1]).toMatchObject({ origin: { kind: 'task-notification' } });
		expect(one.of('task_notification')).toMatchObject([{ status: 'completed' }]);
		expect(made(file)).toBe(true);
		expect(one.err).not.toContain('ended with this run');
	},
);

it('what is said without a wish for an answer is a turn without a model, and stands before the prompt that follows', async () => {
	await using one = host({ script: [{ text: 'hello' }, { text: 'yes' }] });
	const uuid = '22222222-1111-4111-8111-111111111111';
	const first = await one.turn('hi');
	one.agent.send(said('the code is 42', { shouldQuery: false, uuid }));
	const [, heard] = await one.until('result', 2);
	expect(heard).toMatchObject({ subtype: 'success', is_error: false, result: '', num_turns: 0 });
	// It is kept at once, and not only when somebody says more.
	const texts = async () => JSON.stringify((await stage.lines(first.session_id)).filter(({ type }) => type === 'user'));
	expect(await texts()).toContain('the code is 42');
	expect((await one.turn('which code?')).result).toBe('yes');
	await one.end();
	const written = await texts();
	expect(written.indexOf('the code is 42')).toBeLessThan(written.indexOf('which code?'));
	expect(one.of('init')).toHaveLength(3);
	expect(lifeOf(one, uuid)).toEqual(['queued', 'started', 'completed']);
});

it('prompts that are for now end the turn that goes on, and are answered before those that wait, in their order', async () => {
	const slow = { text: 'never', delayMs: 20_000 };
	const script = { turns: [slow], default: { text: 'answered' } };
	await using one = host({ script, args: ['--include-partial-messages'] });
	const began = Date.now();
	const first = one.agent.say('take your time');
	await one.until('status');
	const later = one.agent.say('and then');
	const [now, next] = ['33333333-1111-4111-8111-111111111111', '44444444-1111-4111-8111-111111111111'];
	for (const uuid of [now, next]) one.agent.send(said('stop, this first', { priority: 'now', uuid }));
	const results = await one.until('result', 4);
	expect(results[0]).toMatchObject({ terminal_reason: 'aborted_streaming', user_message_uuid: first });
	expect(results.at(-1)).toMatchObject({ result: 'answered', queued_turn_count: 0 });
	const started = one.of('command_lifecycle').filter(({ state }) => state === 'started');
	expect(started.map(({ command_uuid: uuid }) => uuid)).toEqual([first, now, next, later]);
	expect(lifeOf(one, first)).toEqual(['queued', 'started', 'cancelled']);
	expect(Date.now() - began).toBeLessThan(15_000);
	expect(await one.end()).toBe(0);
});

it.each(['claude-code', 'cline', 'clido', 'pi'])(
	'files go back to a prompt of a %s session by the name under which it was shown to its host',
	async (format) => {
		const script = [call('Write', { file_path: stage.file('fresh.txt'), content: 'x' }), { text: 'written' }];
		await using one = host({
			script,
			args: ['--replay-user-messages', '--permission-mode', 'acceptEdits', '--session-format', format],
		});
		one.agent.send(said('write it'));
		await one.until('result');
		expect(made('fresh.txt')).toBe(true);
		const [shown] = one.of('user').filter(({ isReplay }) => isReplay === true);
		const back = await one.agent.request('rewind_files', { user_message_id: String(shown?.uuid) });
		expect(back).toMatchObject({ canRewind: true });
		expect(made('fresh.txt')).toBe(false);
		expect(one.of('command_lifecycle')).toEqual([]);
	},
);

it('a hook that should say whether a call may run, and says nothing in time, keeps it from running', async () => {
	const script = [call('Bash', { command: 'touch unasked.txt', description: 'make' }), { text: 'it did not run' }];
	await using one = host({
		script,
		args: ['--dangerously-skip-permissions'],
		answers: {
			hook_callback: async (_, signal) =>
				await new Promise((resolve) => signal.addEventListener('abort', () => resolve({}), { once: true })),
		},
	});
	await one.agent.request('initialize', {
		hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['gate'], timeout: 1 }] },
	});
	expect((await one.turn('go')).result).toBe('it did not run');
	expect(made('unasked.txt')).toBe(false);
	expect(JSON.stringify(one.of('user')[0])).toContain('it took longer than 1 s');
});

it('a picture is what its data is: what is none is left out and told of, and what is called by another name is shown by its own', async () => {
	await using one = host({ script: [{ text: 'seen' }] });
	const gif = Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1').toString('base64');
	const picture = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
	one.agent.say([{ type: 'text', text: 'look' }, picture('!!!'), picture(gif)] as never);
	const [result] = await one.until('result');
	expect(one.of('informational')).toMatchObject([
		{ tag: 'attachment_dropped', content: expect.stringContaining('picture') },
	]);
	await one.end();
	const written = JSON.stringify((await stage.lines(result?.session_id)).find(({ type }) => type === 'user'));
	expect(written).toContain('image/gif');
	expect(written).not.toContain('!!!');
});

it('a prompt that is taken back is not answered, although it stands behind a request that takes its time', async () => {
	await using one = host({ script: [{ text: 'first', delayMs: 4000 }, { text: 'never' }] });
	one.agent.say('one');
	await one.until('init');
	const slow = one.agent.request('mcp_set_servers', { servers: { slow: { command: 'sleep', args: ['1'] } } });
	const second = one.agent.say('two');
	expect(await one.agent.request('cancel_async_message', { message_uuid: second })).toEqual({ cancelled: true });
	await slow;
	expect(await one.end()).toBe(0);
	expect(one.of('result').map(({ result }) => result)).toEqual(['first']);
	expect(lifeOf(one, second)).toEqual(['queued', 'cancelled']);
});
