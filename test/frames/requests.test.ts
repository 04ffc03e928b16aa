/** The requests that a host may make: each is answered once, what is not known is refused, and none of them ends the client. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { RequestName } from '../../src/frames/index.ts';
import { ClientStage } from '../support/client.ts';
import { allow, Host, type HostSetting } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const host = (setting: HostSetting): Host => new Host(stage, setting);
const call = (name: string, input: object) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});

it('every request that was recorded from the real client is answered, any other is refused as unsupported', async () => {
	await using one = host({ script: { turns: [], default: { text: 'Some words.' } } });
	const { agent } = one;
	expect(await agent.request('initialize', {})).toMatchObject({
		...{
			commands: expect.any(Array),
			agents: expect.any(Array),
			models: expect.any(Array),
			account: expect.any(Object),
		},
		...{ output_style: 'default', available_output_styles: ['default'], current_permission_mode: 'default' },
	});
	const { session_id: id } = await one.turn('hi');
	// Everywhere `version` is the one whose frames these are, as in `init`.
	const [init] = one.of('init');
	const versions = { version: init?.claude_code_version, reprise_version: init?.reprise_version };
	const answered: { [subtype: string]: object } = {};
	const asked: { readonly [subtype: string]: object } = {
		...{ set_permission_mode: { mode: 'acceptEdits' }, set_max_thinking_tokens: { max_thinking_tokens: 2000 } },
		...{ apply_flag_settings: { settings: {} }, get_settings: {}, cancel_async_message: { message_uuid: 'x' } },
		...{ rewind_files: { user_message_id: 'none' }, stop_task: { task_id: 'x' }, background_tasks: {}, mcp_status: {} },
		...{
			mcp_set_servers: { servers: {} },
			get_context_usage: {},
			get_usage: {},
			get_session_cost: {},
			list_models: {},
		},
		...{ get_binary_version: {}, list_permission_rules: {}, get_hooks_listing: {}, file_suggestions: { query: 'a.t' } },
		...{ read_file: { path: 'a.txt' }, seed_read_state: { path: 'a.txt', mtime: Date.now() }, reload_skills: {} },
		...{ rename_session: { title: 'Better' }, side_question: { question: 'why?' }, generate_session_title: {} },
		...{
			get_status: {},
			get_plan: {},
			export_conversation: {},
			get_workspace_diff: {},
			remote_control: { enabled: true },
		},
		...{ set_mcp_permission_mode_override: { serverName: 'x', mode: 'default' }, interrupt: {} },
	};
	for (const [subtype, body] of Object.entries(asked))
		answered[subtype] = await agent.request(subtype as RequestName, body as never);
	expect(answered).toMatchObject({
		set_permission_mode: { mode: 'acceptEdits' },
		rewind_files: { canRewind: false, error: 'No file checkpoint found for this message.' },
		read_file: { contents: expect.any(String), requested_path: 'a.txt', lossy: false },
		mcp_set_servers: { added: [], removed: [], errors: {} },
		get_context_usage: { categories: expect.any(Array), totalTokens: expect.any(Number) },
		...{ get_status: { session_id: id, ...versions }, get_binary_version: versions },
		side_question: { response: 'Some words.' },
		generate_session_title: { title: 'Some words.' },
		export_conversation: { text: expect.stringContaining('hi'), default_filename: expect.stringMatching(/\.md$/) },
	});
	expect(one.of('session_title_changed')).toMatchObject([{ title: 'Better' }]);
	expect(one.of('bridge_state')).toMatchObject([{ state: 'failed' }]);
	for (const subtype of ['set_color', 'from_the_future', 'constructor', '__proto__'])
		await expect(agent.request(subtype as RequestName, {} as never)).rejects.toThrow(
			'Unsupported control request subtype',
		);
	await expect(agent.request('set_permission_mode', { mode: 'bogus' })).rejects.toThrow('bogus');
	await expect(agent.request('set_permission_mode', { mode: 'bypassPermissions' })).rejects.toThrow(
		'bypassPermissions',
	);
	await expect(agent.request('get_task_output', { task_id: 'x' })).rejects.toThrow('no task');
	await expect(agent.request('mcp_call', { tool: 'mcp__x__y' })).rejects.toThrow('mcp__x__y');
	expect(await one.turn('still there?')).toMatchObject({ result: 'Some words.' });
	await agent.request('end_session');
	expect(await agent.exit).toBe(0);
});

it('a refusal says so in the word that hosts know', async () => {
	await using one = host({ script: [] });
	one.agent.send({ type: 'control_request', request_id: 'a', request: { subtype: 'nonsense' } });
	one.agent.send({
		type: 'control_request',
		request_id: 'b',
		request: { subtype: 'set_permission_mode', mode: 'bogus' },
	});
	const [first, second] = await one.until('control_response', 2);
	expect(first).toMatchObject({ response: { subtype: 'error', request_id: 'a', error_code: 'unsupported_request' } });
	expect(second).toMatchObject({ response: { subtype: 'error', request_id: 'b', error_code: 'invalid_mode' } });
});

it('answers come out of order: a question beside the conversation does not hold up what is quick', async () => {
	await using one = host({ script: [{ delayMs: 1500, text: 'slow' }] });
	const order: string[] = [];
	const slow = one.agent.request('side_question', { question: 'x' }).then(() => order.push('slow'));
	await one.agent.request('mcp_status').then(() => order.push('quick'));
	await slow;
	expect(order).toEqual(['quick', 'slow']);
});

it('prompts that wait are taken back by their names, and one that comes twice is answered once', async () => {
	await using one = host({ script: { turns: [{ delayMs: 1000, text: 'first' }], default: { text: 'later' } } });
	one.agent.say('one');
	await one.until('init');
	const waiting = one.agent.say('two');
	one.agent.send({ type: 'user', message: { role: 'user', content: 'two again' }, uuid: waiting });
	expect(await one.agent.request('cancel_async_message', { message_uuid: waiting })).toEqual({ cancelled: true });
	expect(await one.agent.request('cancel_async_message', { message_uuid: waiting })).toEqual({ cancelled: false });
	await one.until('result');
	expect(await one.end()).toBe(0);
	expect(one.of('result')).toHaveLength(1);
	expect(
		one.of('command_lifecycle').at(-2)?.state === 'cancelled' ||
			one.of('command_lifecycle').some(({ state }) => state === 'cancelled'),
	).toBe(true);
});

it('a prompt that comes again after a restart is not answered again', async () => {
	const paid = stage.file('paid.log');
	const script = [call('Bash', { command: `echo paid >> ${paid}` }), { text: 'done' }];
	const prompt = (uuid: string) => ({
		type: 'user' as const,
		message: { role: 'user' as const, content: 'pay' },
		uuid,
	});
	const known = randomUUID();
	let id = '';
	{
		await using one = host({ script, args: ['--permission-mode', 'bypassPermissions'] });
		one.agent.send(prompt(known));
		const [result] = await one.until('result');
		id = String(result?.session_id);
		await one.end();
	}
	const args = ['--permission-mode', 'bypassPermissions', '--resume', id];
	await using again = host({ script: { turns: [], default: { text: 'fresh' } }, args });
	again.agent.send(prompt(known));
	const fresh = randomUUID();
	again.agent.send(prompt(fresh));
	await again.until('result');
	await again.end();
	expect(again.of('command_lifecycle').map(({ command_uuid, state }) => [command_uuid, state])).toEqual([
		[known, 'completed'],
		[fresh, 'queued'],
		[fresh, 'started'],
		[fresh, 'completed'],
	]);
	expect(readFileSync(paid, 'utf8')).toBe('paid\n');
});

it('files go back to where they were when a message was said', async () => {
	writeFileSync(stage.file('story.txt'), 'before\n');
	const read = call('Read', { file_path: stage.file('story.txt') });
	const write = call('Write', { file_path: stage.file('story.txt'), content: 'after\n' });
	await using one = host({ script: [read, write, { text: 'written' }], answers: { can_use_tool: allow } });
	const result = await one.turn('rewrite it');
	const id = result.user_message_uuid as string;
	const dry = await one.agent.request('rewind_files', { user_message_id: id, dry_run: true });
	expect(dry).toMatchObject({ canRewind: true, filesChanged: [stage.file('story.txt')], insertions: 1, deletions: 1 });
	expect(dry).not.toHaveProperty('skippedLinks');
	expect(await one.agent.request('rewind_files', { user_message_id: id })).toEqual({
		canRewind: true,
		skippedLinks: 0,
	});
	expect(await one.agent.request('read_file', { path: 'story.txt' })).toMatchObject({ contents: 'before\n' });
});

it('what somebody else has changed since stays as it is when files go back, and the host hears which', async () => {
	const [ours, theirs] = [stage.file('ours.txt'), stage.file('theirs.txt')];
	const write = (path: string) => call('Write', { file_path: path, content: 'by the model\n' });
	const script = [write(ours), write(theirs), { text: 'written' }];
	await using one = host({ script, answers: { can_use_tool: allow } });
	const { user_message_uuid: id } = await one.turn('write both');
	writeFileSync(theirs, 'by a person\n');
	expect(await one.agent.request('rewind_files', { user_message_id: id as string })).toMatchObject({ canRewind: true });
	expect([existsSync(ours), readFileSync(theirs, 'utf8')]).toEqual([false, 'by a person\n']);
	expect(one.of('informational')).toMatchObject([{ level: 'warning', content: expect.stringContaining(theirs) }]);
});

it('the differences of a project are told without running what its repository names', async () => {
	const trap = stage.file('trapped');
	const git = (...args: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: stage.cwd });
	git('init', '-q');
	writeFileSync(stage.file('lines.txt'), 'one\n');
	git('add', 'lines.txt');
	git('commit', '-qm', 'first');
	writeFileSync(stage.file('.gitattributes'), '*.txt filter=x diff=x\n');
	for (const key of ['filter.x.clean', 'diff.x.textconv', 'diff.x.command', 'diff.external', 'core.fsmonitor'])
		git('config', key, `touch ${trap}`);
	writeFileSync(stage.file('lines.txt'), 'two\n');
	await using one = host({ script: [] });
	const { diff } = await one.agent.request('get_workspace_diff');
	expect(diff).toContain('-one\n+two\n');
	expect(existsSync(trap)).toBe(false);
});

it('a rule that keeps a file from being read keeps it out of the differences, however git names it', async () => {
	using own = new ClientStage();
	const git = (...args: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: own.cwd });
	git('init', '-q');
	for (const name of ['.env', 'lines.txt', 'moved.env'])
		writeFileSync(own.file(name), `${name} before, with some words\n`);
	mkdirSync(own.file('below'));
	writeFileSync(own.file('below/kept.txt'), 'kept before\n');
	git('add', '.');
	git('commit', '-qm', 'first');
	for (const [key, value] of Object.entries({ 'diff.relative': 'true', 'diff.renames': 'copies' }))
		git('config', key, value);
	git('mv', 'moved.env', 'moved.txt');
	for (const name of ['.env', 'lines.txt', 'below/kept.txt']) writeFileSync(own.file(name), 'KEY=secret\n');
	const args = ['--cwd', own.file('below'), '--disallowedTools', `Read(/${own.file('*.env')})`, 'Read(kept.txt)'];
	await using one = new Host(own, { script: [], args });
	const { diff, omitted } = await one.agent.request('get_workspace_diff');
	expect(omitted).toEqual(['.env', 'below/kept.txt', 'moved.env']);
	expect(diff.match(/^diff .*/gm)).toEqual([
		'diff --git a/lines.txt b/lines.txt',
		'diff --git a/moved.txt b/moved.txt',
	]);
	await expect(one.agent.request('read_file', { path: '../.env' })).rejects.toThrow('a rule forbids to read');
});

it('an MCP server of the host is asked through it, answers through it, and is taken away again', async () => {
	const methods: string[] = [];
	let goOn = (): void => undefined;
	const slow = new Promise<void>((resolve) => {
		goOn = resolve;
	});
	const answers: HostSetting['answers'] = {
		async mcp_message({ message }) {
			const { id, method } = message as { id?: number; method: string };
			methods.push(method);
			if (method === 'tools/list') await slow;
			const results: { [method: string]: object } = {
				initialize: {
					protocolVersion: '2025-06-18',
					capabilities: { tools: {} },
					serverInfo: { name: 'demo', version: '1' },
				},
				'tools/list': { tools: [{ name: 'add', description: 'adds', inputSchema: { type: 'object' } }] },
				'tools/call': { content: [{ type: 'text', text: 'sum=3' }] },
			};
			return { mcp_response: { jsonrpc: '2.0', id: id ?? 0, result: (results[method] ?? {}) as never } };
		},
	};
	await using one = host({
		script: [call('mcp__demo__add', { a: 1 }), { text: 'ok' }],
		answers,
		args: ['--allowedTools', 'mcp__demo'],
	});
	await one.agent.request('initialize', { sdkMcpServers: ['demo'] });
	// Until it has said what it has, nobody may take it for a server without tools.
	const { mcpServers: early } = (await one.agent.request('mcp_status')) as { mcpServers: object[] };
	expect(early).toEqual([{ name: 'demo', status: 'pending', scope: 'dynamic', config: expect.anything() }]);
	goOn();
	await one.turn('add');
	expect(one.of('init')[0]).toMatchObject({ mcp_servers: [{ name: 'demo', status: 'connected' }] });
	expect(JSON.stringify(one.of('user'))).toContain('sum=3');
	expect(methods).toContain('tools/call');
	expect(await one.agent.request('mcp_status')).toMatchObject({
		mcpServers: [{ name: 'demo', status: 'connected', tools: [{ name: 'add' }] }],
	});
	const message = {
		jsonrpc: '2.0',
		method: 'notifications/elicitation/complete',
		params: { elicitationId: 'visit-1' },
	};
	await one.agent.request('mcp_message', { server_name: 'demo', message });
	expect(await one.until('elicitation_complete')).toMatchObject([
		{ mcp_server_name: 'demo', elicitation_id: 'visit-1' },
	]);
	const servers = { other: { type: 'stdio', command: '/nowhere/at/all' } };
	expect(await one.agent.request('mcp_set_servers', { servers })).toMatchObject({
		added: ['other'],
		errors: { other: expect.any(String) },
	});
	expect(await one.agent.request('mcp_set_servers', { servers: {} })).toMatchObject({ removed: ['other'] });
});
