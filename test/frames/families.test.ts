/** Every family of frames, sent by the client itself as a host sees it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { allow, Host, type HostSetting } from '../support/host.ts';
import { withPages } from '../support/pdf.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const call = (name: string, input: object) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});
const host = (setting: HostSetting): Host => new Host(stage, setting);
const odd = (one: Host) => one.parsed.filter(({ is }) => is !== 'frame');

describe('a turn', () => {
	it('begins with running and init, ends with its result and idle, and all its frames have the known shapes', async () => {
		await using one = host({ script: [{ text: 'Hello.' }], args: ['--add-dir', stage.home] });
		await one.agent.request('initialize', {});
		const result = await one.turn('hi');
		expect(one.of('init')[0]).toMatchObject({
			...{ original_cwd: stage.cwd, additional_directories: [stage.home], capabilities: expect.any(Array) },
			user_message_uuids: [result.user_message_uuid],
		});
		expect(result).toMatchObject({
			...{ ttft_ms: expect.any(Number), api_error_status: null },
			usage: { server_tool_use: expect.any(Object), cache_creation: expect.any(Object) },
			modelUsage: { script: { contextWindow: expect.any(Number), webSearchRequests: 0 } },
			model_usage_since_last_result: { script: { inputTokens: expect.any(Number) } },
		});
		await one.until('session_state_changed', 2);
		expect(await one.end()).toBe(0);
		expect(one.kinds).toEqual([
			...['command_lifecycle', 'session_state_changed', 'command_lifecycle', 'init', 'assistant', 'result'],
			...['command_lifecycle', 'session_state_changed'],
		]);
		expect(one.of('session_state_changed').map(({ state }) => state)).toEqual(['running', 'idle']);
		expect(one.of('command_lifecycle').map(({ state }) => state)).toEqual(['queued', 'started', 'completed']);
		expect(odd(one)).toEqual([]);
	});

	it('that a host has named is written under that name, and said again only where the flag asks for it', async () => {
		await using one = host({ script: [{ text: 'ok' }], args: ['--replay-user-messages'] });
		await one.turn('say it again');
		const [replayed] = one.of('user');
		expect(replayed).toMatchObject({ isReplay: true, message: { content: 'say it again' } });
		const [result] = one.of('result');
		expect(result?.user_message_uuid).toBe(replayed?.uuid);
		await one.end();
		expect((await stage.lines(result?.session_id)).find(({ uuid }) => uuid === replayed?.uuid)?.type).toBe('user');
	});

	it('is the same with unknown frames and fields around it', async () => {
		await using one = host({ script: [{ text: 'ok' }] });
		one.agent.send({ type: 'keep_alive' });
		one.agent.send({ type: 'from_the_future', x: 1 });
		one.agent.send({ type: 'control_cancel_request', request_id: 'nobody' });
		one.agent.send({
			type: 'control_response',
			response: { subtype: 'success', request_id: 'never asked', response: {} },
		});
		const message = { role: 'user', content: 'hi', extra: [1] };
		one.agent.send({ type: 'user', message, unknown_field: { deep: true } });
		expect((await one.until('result'))[0]).toMatchObject({ subtype: 'success', result: 'ok' });
	});
});

describe('permissions', () => {
	const script = [call('Bash', { command: 'touch made.txt', description: 'make' }), { text: 'done' }];

	it('a host is asked with the tool, its input, its call and what would allow more, and its answer counts', async () => {
		const asked: object[] = [];
		const answer: HostSetting['answers'] = {
			can_use_tool: (request) => {
				asked.push(request);
				return { behavior: 'deny', message: 'not today' };
			},
		};
		await using one = host({ script, answers: answer });
		const result = await one.turn('make it');
		expect(asked).toMatchObject([
			{ tool_name: 'Bash', display_name: 'Bash', input: { command: 'touch made.txt' }, description: 'make' },
		]);
		expect(asked[0]).toHaveProperty('tool_use_id');
		expect(asked[0]).toHaveProperty('permission_suggestions');
		// That nothing allows it is no reason of its own.
		expect(asked[0]).not.toHaveProperty('decision_reason');
		expect(result.permission_denials).toMatchObject([{ tool_name: 'Bash' }]);
		expect(JSON.stringify(one.of('user'))).toContain('not today');
		expect(
			one
				.of('session_state_changed')
				.map(({ state }) => state)
				.slice(0, 3),
		).toEqual(['running', 'requires_action', 'running']);
		expect(one.of('permission_denied')).toEqual([]);
	});

	it('who let a call run is told with its result', async () => {
		await using one = host({ script, answers: { can_use_tool: allow } });
		await one.turn('make it');
		expect(one.of('user')[0]?.tool_result_meta).toMatchObject([
			{ permission_decision: { decision: 'accept', source: 'user_temporary' } },
		]);
	});

	it('what a sub-agent is denied although nobody was asked names it', async () => {
		await using one = host({
			script: [
				{ when: { agent: 'general-purpose' }, ...call('Bash', { command: 'touch by-agent.txt' }) },
				{ when: { agent: 'general-purpose' }, text: 'could not' },
				call('Task', { description: 'Make it', prompt: 'make', subagent_type: 'general-purpose' }),
				{ text: 'done' },
			],
			args: ['--allowedTools', 'Task'],
		});
		await one.turn('delegate');
		const [started] = one.of('task_started');
		expect(one.of('permission_denied')).toMatchObject([{ tool_name: 'Bash', agent_id: started?.task_id }]);
	});

	it('what is denied although nobody was asked is told with its reason', async () => {
		await using one = host({ script });
		const result = await one.turn('make it');
		expect(one.of('permission_denied')).toMatchObject([
			{ tool_name: 'Bash', decision_reason_type: 'mode', message: expect.any(String) },
		]);
		expect(one.of('permission_denied')[0]?.tool_use_id).toBe(
			(result.permission_denials as { tool_use_id: string }[])[0]?.tool_use_id,
		);
		expect(odd(one)).toEqual([]);
	});

	it('the call of a sub-agent names it', async () => {
		const asked: { agent_id?: unknown }[] = [];
		await using one = host({
			script: [
				{ when: { agent: 'general-purpose' }, ...call('Bash', { command: 'touch by-agent.txt' }) },
				{ when: { agent: 'general-purpose' }, text: 'made' },
				call('Task', { description: 'Make it', prompt: 'make', subagent_type: 'general-purpose' }),
				{ text: 'done' },
			],
			answers: {
				can_use_tool: (request, signal) => {
					asked.push(request);
					return allow(request, signal);
				},
			},
		});
		await one.turn('delegate');
		const [started] = one.of('task_started');
		expect(started).toMatchObject({
			task_type: 'local_agent',
			is_backgrounded: false,
			subagent_type: 'general-purpose',
		});
		expect(asked.at(-1)?.agent_id).toBe(started?.task_id);
		expect(one.of('task_progress')[0]).toMatchObject({
			...{ task_id: started?.task_id, last_tool_name: 'Bash', description: 'Running touch by-agent.txt' },
		});
		expect(one.of('task_updated')[0]).toMatchObject({ task_id: started?.task_id, patch: { status: 'completed' } });
		expect(one.of('task_notification')[0]).toMatchObject({
			task_id: started?.task_id,
			status: 'completed',
			output_file: expect.stringContaining(String(started?.task_id)),
			summary: 'made',
		});
		const own = one.of('assistant').filter((frame) => frame.parent_tool_use_id === started?.tool_use_id);
		expect(own[0]).toMatchObject({ agent_id: started?.task_id, task_description: 'Make it' });
		expect(odd(one)).toEqual([]);
	});

	it('an interrupt takes the question back, and the turn is over', async () => {
		const waiting = Promise.withResolvers<void>();
		const taken = Promise.withResolvers<boolean>();
		await using one = host({
			script: [...script],
			answers: {
				can_use_tool: async (_, signal) => {
					signal.addEventListener('abort', () => taken.resolve(true));
					waiting.resolve();
					return await new Promise(() => undefined);
				},
			},
		});
		one.agent.say('make it');
		await waiting.promise;
		expect(await one.agent.request('interrupt')).toEqual({ still_queued: [] });
		expect(await taken.promise).toBe(true);
		expect((await one.until('result'))[0]).toMatchObject({
			subtype: 'error_during_execution',
			terminal_reason: 'aborted_tools',
		});
		expect(one.kinds).toContain('control_cancel_request');
	});
});

describe('hooks and servers of the host', () => {
	it('a hook decides with what it was told, and one that fails decides nothing and is reported', async () => {
		const heard: { input?: unknown }[] = [];
		await using one = host({
			script: [call('Bash', { command: 'echo original' }), { text: 'a' }],
			answers: {
				hook_callback: (request) => {
					heard.push(request);
					if (request.callback_id === 'broken') throw new Error('blew up');
					const updatedInput = { command: 'echo changed' };
					return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput } };
				},
			},
		});
		const started = await one.agent.request('initialize', {
			hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['mine', 'broken'] }] },
		});
		expect(started).toMatchObject({ hooks_applied: true });
		await one.turn('run it');
		expect(heard[0]?.input).toMatchObject({
			hook_event_name: 'PreToolUse',
			tool_name: 'Bash',
			tool_input: { command: 'echo original' },
		});
		expect(JSON.stringify(one.of('user'))).toContain('changed');
		expect(one.of('informational')).toMatchObject([{ tag: 'hook_callback_failed', level: 'warning' }]);
	});

	it.each([
		['the hook', 'can_use_tool', 'by the hook'],
		['the person', 'hook_callback', 'by the person'],
	])(
		'of a question and a hook that answers it, %s counts that answers first, and the other is taken back',
		async (_, silent, text) => {
			const asked: string[] = [];
			const never = new Promise<never>(() => undefined);
			const answer = (who: string, body: object) => (request: { readonly [field: string]: unknown }) => {
				asked.push(who);
				if (who === 'hook_callback') expect(request.tool_use_id).toEqual(expect.any(String));
				return who === silent ? never : body;
			};
			const deny = (message: string) => ({ behavior: 'deny', message });
			const hooked = { hookEventName: 'PermissionRequest', decision: deny('by the hook') };
			await using one = host({
				script: [call('Bash', { command: 'touch raced' }), { text: 'a' }],
				args: ['--permission-prompt-tool', 'stdio'],
				answers: {
					can_use_tool: answer('can_use_tool', deny('by the person')) as never,
					hook_callback: answer('hook_callback', { hookSpecificOutput: hooked }) as never,
				},
			});
			await one.agent.request('initialize', { hooks: { PermissionRequest: [{ hookCallbackIds: ['mine'] }] } });
			await one.turn('run it');
			expect(asked.toSorted()).toEqual(['can_use_tool', 'hook_callback']);
			expect(JSON.stringify(one.of('user'))).toContain(text);
			expect(one.of('control_cancel_request')).toHaveLength(1);
			// The person knows what was said; that a hook has denied something is told.
			expect(one.of('permission_denied')).toHaveLength(text === 'by the hook' ? 1 : 0);
		},
	);

	it('commands of hooks are shown where the flag asks for it', async () => {
		const settings = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo stopping' }] }] } });
		await using one = host({ script: [{ text: 'a' }], args: ['--include-hook-events', '--settings', settings] });
		await one.turn('go');
		expect(one.of('hook_started')).toMatchObject([{ hook_event: 'Stop' }]);
		expect(one.of('hook_response')).toMatchObject([{ stdout: 'stopping\n', outcome: 'success', exit_code: 0 }]);
		expect(one.of('hook_response')[0]?.hook_id).toBe(one.of('hook_started')[0]?.hook_id);
	});
});

describe('what is still at work', () => {
	it('thinking is told in tokens, before the thought itself', async () => {
		const thinking = 'hm, '.repeat(150);
		await using one = host({
			script: [
				{
					content: [
						{ type: 'thinking', thinking },
						{ type: 'text', text: 'a' },
					],
					chunk: 40,
				},
			] as never,
		});
		await one.turn('think');
		const told = one.of('thinking_tokens') as unknown as { estimated_tokens: number; estimated_tokens_delta: number }[];
		expect(told.length).toBeGreaterThan(1);
		expect(told.at(-1)?.estimated_tokens).toBe(thinking.length / 4);
		expect(told.reduce((sum, one) => sum + one.estimated_tokens_delta, 0)).toBe(thinking.length / 4);
		expect(one.kinds.lastIndexOf('thinking_tokens')).toBeLessThan(one.kinds.indexOf('assistant'));
	});

	it('calls are summed up where the host wants it, by a model that is asked beside the conversation', async () => {
		const tools = { when: { tools: true } };
		await using one = host({
			script: {
				turns: [
					{ ...call('Read', { file_path: 'a.txt' }), ...tools },
					{ text: 'read', ...tools },
					{ when: { system: 'Say in one line' }, text: 'Read a.txt' },
				],
			},
			env: { CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: '1' },
		});
		await one.turn('read it');
		const [summary] = await one.until('tool_use_summary');
		expect(summary).toMatchObject({ summary: 'Read a.txt' });
		const { preceding_tool_use_ids: calls } = summary as unknown as { preceding_tool_use_ids: string[] };
		expect(JSON.stringify(one.of('assistant')[0])).toContain(`"id":${JSON.stringify(calls[0])}`);
	});

	it('a side question says that it was taken up, and a refusal which model has refused', async () => {
		await using one = host({
			script: [{ text: 'an answer beside' }, { text: '', stop: 'refusal' }] as never,
		});
		await one.agent.request('initialize', {});
		expect(await one.agent.request('side_question', { question: 'why?' })).toMatchObject({
			response: 'an answer beside',
		});
		expect(one.of('control_request_progress')).toMatchObject([{ status: 'started', request_id: expect.any(String) }]);
		await one.turn('something bad');
		expect(one.of('model_refusal_no_fallback')).toMatchObject([{ original_model: 'script', request_id: null }]);
		expect(odd(one)).toEqual([]);
	});
});

describe('what happens beside the conversation', () => {
	it('a command in the background is a task, and its end begins a turn by itself', async () => {
		await using one = host({
			script: [
				call('Bash', { command: 'sleep 0.5; echo over', description: 'bg', run_in_background: true }),
				{ text: 'launched' },
				{ text: 'It is over.' },
			],
			args: ['--permission-mode', 'bypassPermissions'],
		});
		await one.turn('start it');
		const results = await one.until('result', 2);
		expect(results[1]).toMatchObject({ result: 'It is over.', origin: { kind: 'task-notification' } });
		const [started] = one.of('task_started');
		expect(started).toMatchObject({ task_type: 'local_bash', is_backgrounded: true, description: 'bg' });
		expect(one.of('task_notification')[0]).toMatchObject({ task_id: started?.task_id, status: 'completed' });
		expect(one.of('background_tasks_changed').map(({ tasks }) => (tasks as []).length)).toEqual([1, 0]);
		expect(odd(one)).toEqual([]);
	});

	it('a provider that refuses is tried again, and its limits are told', async () => {
		const limited = { status: 429, message: 'slow', headers: { 'retry-after': '0' } };
		const near = { 'x-ratelimit-limit-requests': '100', 'x-ratelimit-remaining-requests': '3' };
		await using one = host({ script: [{ error: limited }, { text: 'a', headers: near }] });
		await one.turn('go');
		expect(one.of('api_retry')).toMatchObject([{ attempt: 1, error_status: 429, error: 'rate_limit' }]);
		expect(one.of('rate_limit_event')).toMatchObject([
			{ rate_limit_info: { status: 'rejected' } },
			{ rate_limit_info: { status: 'allowed_warning', rateLimitType: 'requests', utilization: 0.97 } },
		]);
		expect(odd(one)).toEqual([]);
		await using two = host({ script: [{ error: limited }, { text: 'a' }, { text: 'b' }] });
		await two.turn('go');
		await two.turn('on');
		const told = two.of('rate_limit_event').map(({ rate_limit_info: info }) => (info as { status?: string }).status);
		expect(told).toEqual(['rejected', 'allowed']);
	});

	it('instructions of a folder are recalled when a file there is read, once, and none where nothing holds', async () => {
		mkdirSync(stage.file('deep/er'), { recursive: true });
		mkdirSync(stage.file('.claude/rules'), { recursive: true });
		writeFileSync(stage.file('deep/CLAUDE.md'), 'Mind the depth.');
		writeFileSync(stage.file('.claude/rules/er.md'), '---\npaths: "deep/er/**"\n---\nErr not.');
		writeFileSync(stage.file('deep/er/x.txt'), 'x');
		const read = (name: string) => call('Read', { file_path: stage.file(name) });
		await using one = host({ script: [read('a.txt'), read('deep/er/x.txt'), read('deep/er/x.txt'), { text: 'seen' }] });
		const result = await one.turn('read');
		expect(one.of('memory_recall')).toMatchObject([
			{
				memories: [
					{ path: stage.file('deep/CLAUDE.md'), content: 'Mind the depth.' },
					{ path: stage.file('.claude/rules/er.md') },
				],
			},
		]);
		await one.end();
		const lines = await stage.lines(result.session_id);
		const attached = lines.filter(({ attachment }) => (attachment as { type?: string })?.type === 'relevant_memories');
		expect(attached).toHaveLength(1);
		expect(odd(one)).toEqual([]);
	});

	it('a guess at the next prompt comes after the second turn, where the host wants one', async () => {
		await using one = host({
			script: [{ text: 'a' }, { text: 'b' }, { when: { system: 'guess' }, text: 'run the tests' }],
		});
		await one.agent.request('initialize', { promptSuggestions: true });
		await one.turn('one');
		await one.turn('two');
		expect(await one.until('prompt_suggestion')).toMatchObject([{ suggestion: 'run the tests' }]);
		expect(one.kinds.indexOf('prompt_suggestion')).toBeGreaterThan(one.kinds.lastIndexOf('session_state_changed'));
	});

	it('no guess at the next prompt follows a turn that no model was asked in, and its result has no reason of a model', async () => {
		const guess = { when: { system: 'guess' }, text: 'run the tests' };
		await using one = host({ script: { turns: [{ text: 'a' }, { text: 'b' }, guess], default: { text: 'a guess' } } });
		await one.agent.request('initialize', { promptSuggestions: true });
		await one.turn('one');
		await one.turn('two');
		await one.until('prompt_suggestion');
		for (const command of ['/context', '/nosuch', '/compact', '/clear'])
			expect(await one.turn(command), command).not.toHaveProperty('terminal_reason');
		expect(await one.end()).toBe(0);
		expect(one.of('prompt_suggestion')).toHaveLength(1);
	});

	it('a mirror has every line of the file, in order, before the result', async () => {
		await using one = host({
			script: [call('Read', { file_path: stage.file('a.txt') }), { text: 'read' }],
			args: ['--session-mirror'],
		});
		const result = await one.turn('read it');
		const atResult = one.kinds.indexOf('result');
		const before = one.frames.slice(0, atResult).filter(({ type }) => type === 'transcript_mirror');
		expect(JSON.stringify(before)).toContain('"text":"read"');
		await one.end();
		const path = await stage.pathOf(result.session_id);
		const mirrored = one.of('transcript_mirror').flatMap(({ entries }) => entries as object[]);
		const written = readFileSync(path, 'utf8')
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as object);
		expect(mirrored).toEqual(written);
		expect(new Set(one.of('transcript_mirror').map(({ filePath }) => filePath))).toEqual(new Set([path]));
	});

	it('/compact is told with what it came to, and the summary that takes the place of all before', async () => {
		const long = 'many words '.repeat(2000);
		await using one = host({
			script: [{ text: long }, { text: 'short' }, { text: 'We talked.' }],
		});
		await one.turn('one');
		await one.turn('two');
		const result = await one.turn('/compact');
		expect(result).toMatchObject({ subtype: 'success', local_command: 'compact' });
		expect(one.of('status').map(({ status, compact_result: how }) => [status, how])).toEqual([
			['compacting', undefined],
			[null, 'success'],
		]);
		expect(one.of('compact_boundary')).toMatchObject([
			{ compact_metadata: { trigger: 'manual', duration_ms: expect.any(Number) } },
		]);
		expect(one.of('user')).toMatchObject([
			{ isSynthetic: true, message: { content: expect.stringContaining('compacted') } },
			{ isReplay: true, message: { content: expect.stringContaining('<local-command-stdout>Compacted') } },
		]);
		expect(odd(one)).toEqual([]);
	});

	it('/clear is a conversation that begins anew, under another id, and is counted by itself', async () => {
		await using one = host({ script: [{ text: 'a' }, { text: 'b' }] });
		const first = await one.turn('one');
		const cleared = await one.turn('/clear');
		expect(cleared).toMatchObject({ result: '', local_command: 'clear', modelUsage: {} });
		expect(one.of('assistant')).toHaveLength(1);
		expect(one.of('background_tasks_changed')).toMatchObject([{ tasks: [] }]);
		const second = await one.turn('two');
		expect(one.of('conversation_reset')).toMatchObject([{ trigger: 'clear', new_conversation_id: second.session_id }]);
		expect(second.session_id).not.toBe(first.session_id);
	});
});

describe('what a host attaches', () => {
	it('a document is told to the model as its text; what nobody can read is told to the host', async () => {
		await using one = host({ script: [{ text: 'seen' }] });
		const document = (source: object, more: object = {}) => ({ type: 'document', source, ...more });
		const data = withPages(['The first page', 'The second page']).toString('base64');
		const content = [
			{ type: 'text', text: 'look' },
			document({ type: 'base64', media_type: 'application/pdf', data }, { title: 'Report' }),
			document({ type: 'text', media_type: 'text/plain', data: 'plain words' }),
			{ type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } },
			document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }),
		];
		one.agent.say(content as never);
		const [result] = await one.until('result');
		const told = one.of('informational').map(({ content: text, tag }) => [tag, text]);
		expect(told).toEqual([
			['attachment_dropped', expect.stringContaining('https://example.com/x.png')],
			['attachment_dropped', expect.stringContaining('PDF')],
		]);
		await one.end();
		const written = JSON.stringify((await stage.lines(result?.session_id)).find(({ type }) => type === 'user'));
		for (const text of ['The first page', 'The second page', 'plain words', 'Report', 'left out'])
			expect(written).toContain(text);
	});
});
