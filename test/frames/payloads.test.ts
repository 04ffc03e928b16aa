/** What requests are answered with: the fields of the SDK's declarations, with what is true here. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { allow, Host, type HostSetting } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const host = (setting: HostSetting): Host => new Host(stage, setting);
const call = (name: string, input: object) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});
const server = join(import.meta.dirname, '../support/mcp-server.ts');
const servers = JSON.stringify({ mcpServers: { test: { command: process.execPath, args: [server] } } });

it('files are read as they are: bytes as base64, the beginning where no more was asked for', async () => {
	writeFileSync(stage.file('b.bin'), Buffer.from([0xff, 0xfe, 0, 1]));
	await using one = host({ script: [] });
	const whole = { absPath: stage.file('b.bin'), requested_path: 'b.bin' };
	const { request } = { request: (body: object) => one.agent.request('read_file', body as never) };
	expect(await request({ path: 'b.bin', encoding: 'base64' })).toEqual({
		...{ contents: '//4AAQ==', encoding: 'base64', ...whole },
	});
	expect(await request({ path: 'b.bin' })).toMatchObject({ lossy: true });
	expect(await request({ path: 'a.txt', max_bytes: 2 })).toMatchObject({ truncated: true, lossy: false });
	await expect(request({ path: '.' })).rejects.toThrow('is a folder');
	// The project is in no repository.
	expect(await one.agent.request('get_workspace_diff')).toEqual({ diff: '', noDiffReason: 'no-repository' });
});

it('rules and hooks are listed with where they are from', async () => {
	const hook = { type: 'command', command: 'echo "over"', timeout: 5 };
	const settings = { permissions: { deny: ['Bash(rm:*)'] }, hooks: { Stop: [{ hooks: [hook] }] } };
	mkdirSync(join(stage.home, '.claude'), { recursive: true });
	writeFileSync(join(stage.home, '.claude/settings.json'), JSON.stringify({ permissions: { allow: ['WebSearch'] } }));
	await using one = host({ script: [], args: ['--settings', JSON.stringify(settings), '--allowedTools', 'Read'] });
	expect(await one.agent.request('list_permission_rules')).toMatchObject({
		state: {
			rules: [
				{ behavior: 'allow', rule: 'WebSearch', source: 'userSettings', editability: 'persistent' },
				{ behavior: 'allow', rule: 'Read', source: 'cliArg', editability: 'session' },
				{ behavior: 'deny', rule: 'Bash(rm:*)', source: 'flagSettings', editability: 'readonly', ruleContent: 'rm:*' },
			],
			...{ originalCwd: stage.cwd, managedOnly: false },
		},
	});
	expect(await one.agent.request('get_hooks_listing')).toMatchObject({
		events: [{ name: 'Stop', hookCount: 1, supportsMatcher: false, summary: expect.any(String) }],
		hooks: [
			{ event: 'Stop', matcher: '', source: 'flagSettings', type: 'command', commandText: 'echo "over"', timeout: 5 },
		],
		eventCatalog: expect.arrayContaining([
			{ name: 'PreToolUse', summary: 'Before tool execution', supportsMatcher: true },
		]),
	});
});

it('a server’s tool is called by its whole name, a resource is read, and its status says whose it is', async () => {
	await using one = host({ script: [], args: ['--mcp-config', servers] });
	expect(await one.agent.request('mcp_call', { tool: 'mcp__test__echo', arguments: { text: 'again' } })).toMatchObject({
		content: [{ type: 'text', text: 'again' }],
	});
	expect(await one.agent.request('mcp_read_resource', { serverName: 'test', uri: 'note://one' })).toMatchObject({
		contents: [{ uri: 'note://one', text: 'the first note' }],
	});
	const { mcpServers } = (await one.agent.request('mcp_status')) as { mcpServers: object[] };
	expect(mcpServers).toMatchObject([
		{ name: 'test', scope: 'dynamic', serverInfo: { name: 'test' }, config: { type: 'stdio', args: [server] } },
	]);
	expect(await one.agent.request('get_context_usage')).toMatchObject({
		categories: expect.arrayContaining([
			expect.objectContaining({ id: 'system_tools', kind: 'used' }),
			expect.objectContaining({ id: 'mcp_tools' }),
			expect.objectContaining({ id: 'free_space', kind: 'free' }),
		]),
		mcpTools: expect.arrayContaining([expect.objectContaining({ name: 'mcp__test__echo', serverName: 'test' })]),
		...{ isAutoCompactEnabled: true, apiUsage: null, agents: expect.any(Array), memoryFiles: [] },
	});
});

it('skills are read anew', async () => {
	await using one = host({ script: [] });
	expect(await one.agent.request('reload_skills')).toEqual({ skills: [] });
	const folder = join(stage.home, '.claude/skills/fresh');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'SKILL.md'), '---\nname: fresh\ndescription: Made just now\n---\nDo it.');
	expect(await one.agent.request('reload_skills')).toEqual({
		skills: [{ name: 'fresh', description: 'Made just now', argumentHint: '' }],
	});
});

it('what was spent and changed is told, also lines', async () => {
	const write = call('Write', { file_path: stage.file('new.txt'), content: 'one\ntwo\n' });
	const edit = call('Edit', { file_path: stage.file('new.txt'), old_string: 'two', new_string: 'three' });
	await using one = host({ script: [write, edit, { text: 'done' }], args: ['--permission-mode', 'acceptEdits'] });
	await one.turn('write');
	expect(await one.agent.request('get_usage')).toMatchObject({
		session: {
			...{ total_cost_usd: 0, total_api_duration_ms: expect.any(Number), total_duration_ms: expect.any(Number) },
			...{ total_lines_added: 3, total_lines_removed: 1 },
			model_usage: { script: { inputTokens: expect.any(Number) } },
		},
		behaviors: null,
	});
});

describe('a task that somebody waits for', () => {
	const long = call('Bash', { command: 'echo begun; sleep 2; echo over', description: 'long' });

	it('goes to the background when the host says so: the call has its result, and its end begins a turn', async () => {
		await using one = host({
			script: [long, { text: 'it goes on' }, { text: 'it is over' }],
			args: ['--permission-mode', 'bypassPermissions'],
		});
		one.agent.say('go');
		const [asked] = await one.until('assistant');
		const { content = [] } = (asked?.message ?? {}) as { content?: { id: string }[] };
		const id = content[0]?.id ?? '';
		expect(await one.agent.request('background_tasks', { tool_use_id: 'nobody' })).toEqual({ backgrounded: false });
		let left: unknown = false;
		for (let tries = 0; left !== true && tries < 50; tries += 1) {
			await new Promise((resolve) => setTimeout(resolve, 50));
			left = (await one.agent.request('background_tasks', { tool_use_id: id })).backgrounded;
		}
		expect(left).toBe(true);
		expect((await one.until('result'))[0]).toMatchObject({ result: 'it goes on' });
		const [task] = one.of('task_started');
		expect(await one.agent.request('get_task_output', { task_id: task?.task_id as string })).toEqual({
			...{ output: 'begun\n', total_bytes: 6, truncated: false },
		});
		expect((await one.until('result', 2))[1]).toMatchObject({ result: 'it is over' });
		expect(one.of('task_notification')).toMatchObject([{ task_id: task?.task_id, status: 'completed' }]);
	});

	it('the same for a sub-agent: it is updated, and its report comes later', async () => {
		await using one = host({
			script: [
				{ when: { agent: 'general-purpose' }, ...call('Bash', { command: 'sleep 1.5' }) },
				{ when: { agent: 'general-purpose' }, text: 'the report' },
				call('Task', { description: 'Slow', prompt: 'go', subagent_type: 'general-purpose' }),
				{ text: 'left it' },
				{ text: 'heard it' },
			],
			args: ['--permission-mode', 'bypassPermissions'],
		});
		one.agent.say('go');
		const [started] = await one.until('task_started');
		expect(await one.agent.request('background_tasks')).toEqual({ backgrounded: true });
		expect((await one.until('result'))[0]).toMatchObject({ result: 'left it' });
		expect(one.of('task_updated')[0]).toMatchObject({ task_id: started?.task_id, patch: { is_backgrounded: true } });
		expect((await one.until('result', 2))[1]).toMatchObject({ result: 'heard it' });
		expect(one.of('background_tasks_changed').map(({ tasks }) => (tasks as []).length)).toEqual([1, 0]);
	});
});

it.each([
	['demo', 'demo'],
	['my demo__2.0', 'my_demo_2_0'],
])(
	'what a host rules about the tools of its own server holds, and what it asks for in vain is told: %s',
	async (server, part) => {
		const asked: unknown[] = [];
		const results: { [method: string]: object } = {
			initialize: {
				...{ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'demo', version: '1' } },
			},
			'tools/list': { tools: ['never', 'asked'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
			'tools/call': { content: [{ type: 'text', text: 'done' }] },
		};
		await using one = host({
			script: [call(`mcp__${part}__asked`, {}), { text: 'ok' }],
			args: ['--permission-mode', 'bypassPermissions'],
			answers: {
				mcp_message: ({ message }) => {
					const { id, method } = message as { id?: number; method: string };
					return { mcp_response: { jsonrpc: '2.0', id: id ?? 0, result: (results[method] ?? {}) as never } };
				},
				can_use_tool: (request, signal) => {
					asked.push(request.tool_name);
					return allow(request, signal);
				},
			},
		});
		const tools = [
			{ name: 'never', permission_policy: 'always_deny' },
			{ name: 'asked', permission_policy: 'always_ask' },
		];
		const body = { sdkMcpServers: [server], sdkMcpServerConfigs: { [server]: { tools } }, toolAliases: { A: 'B' } };
		const begun = await one.agent.request('initialize', body);
		expect(begun).toMatchObject({
			...{ claude_code_version: '2.1.325', account: { apiProvider: 'offline', tokenSource: 'none' } },
			models: [{ value: 'default' }, { value: 'script' }],
			commands: expect.arrayContaining([expect.objectContaining({ name: 'help', builtin: true })]),
		});
		expect(one.of('informational')).toMatchObject([{ content: expect.stringContaining('toolAliases') }]);
		await one.turn('call it');
		expect(one.of('init')[0]?.tools).toContain(`mcp__${part}__asked`);
		expect(one.of('init')[0]?.tools).not.toContain(`mcp__${part}__never`);
		expect(asked).toEqual([`mcp__${part}__asked`]);
	},
);
