/** Settings that a host applies while the client runs: they count from then on, and what cannot count is refused. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { Host, type HostSetting } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const host = (setting: HostSetting): Host => new Host(stage, setting);
const read = { content: [{ type: 'tool_use' as const, name: 'Read', input: { file_path: stage.file('a.txt') } }] };

it('a rule that a host applies denies from then on, and null takes it away again', async () => {
	await using one = host({
		script: [read, { text: 'read' }, read, { text: 'denied' }, read, { text: 'read' }],
		args: ['--settings', JSON.stringify({ permissions: { allow: ['WebFetch(domain:a.example)'] } })],
	});
	expect(await one.turn('one')).toMatchObject({ permission_denials: [] });
	const deny = { permissions: { deny: ['Read(./a.txt)'] } };
	await one.agent.request('apply_flag_settings', { settings: deny });
	expect(await one.turn('two')).toMatchObject({ permission_denials: [{ tool_name: 'Read' }] });
	const { state } = (await one.agent.request('list_permission_rules')) as { state: { rules: object[] } };
	expect(state.rules).toMatchObject([
		{ behavior: 'allow', rule: 'WebFetch(domain:a.example)' },
		{ behavior: 'deny', rule: 'Read(./a.txt)' },
	]);
	expect(await one.agent.request('get_settings')).toMatchObject({
		sources: [{ source: 'flagSettings', settings: deny }],
	});
	await one.agent.request('apply_flag_settings', { settings: { permissions: null } });
	expect(await one.turn('three')).toMatchObject({ permission_denials: [] });
});

it('what Reprise has no such setting for is refused, and nothing of it is applied', async () => {
	await using one = host({ script: [{ text: 'a' }] });
	const settings = { spinnerTipsEnabled: false, permissions: { deny: ['Read'] } };
	await expect(one.agent.request('apply_flag_settings', { settings })).rejects.toThrow('spinnerTipsEnabled');
	await expect(
		one.agent.request('apply_flag_settings', { settings: { permissions: { deny: ['Bash(('] } } }),
	).rejects.toThrow('Bash((');
	await expect(
		one.agent.request('apply_flag_settings', { settings: { permissions: { defaultMode: 'bypassPermissions' } } }),
	).rejects.toThrow('bypassPermissions');
	expect(await one.agent.request('list_permission_rules')).toMatchObject({ state: { rules: [] } });
	expect(await one.agent.request('get_settings')).toMatchObject({ sources: [] });
});

it('a mode and a model that are applied are told, and hold', async () => {
	const other = stage.script({ turns: [], default: { text: 'from the other' } });
	await using one = host({ script: [{ text: 'a' }] });
	const model = `offline/script:${other}`;
	await one.agent.request('apply_flag_settings', { settings: { model, permissions: { defaultMode: 'plan' } } });
	expect(one.of('user')).toMatchObject([
		{ isReplay: true, message: { content: expect.stringContaining('Set model to `') } },
	]);
	expect(one.of('status')).toMatchObject([{ permissionMode: 'plan' }]);
	expect(await one.turn('hi')).toMatchObject({ result: 'from the other' });
	expect(one.of('init')[0]).toMatchObject({ permissionMode: 'plan' });
	await one.agent.request('set_model', { model: 'default' });
	expect(await one.turn('hi')).toMatchObject({ result: 'a' });
});

it.each([
	['', false],
	['user', false],
	['user,project', true],
	[undefined, true],
])(
	'what the project tells the model counts as its settings files do (--setting-sources %j): sent %j',
	async (sources, isTold) => {
		const own = new ClientStage();
		mkdirSync(join(own.cwd, 'below'), { recursive: true });
		writeFileSync(own.file('CLAUDE.md'), 'Always say walrus.\n');
		writeFileSync(own.file('below/CLAUDE.md'), 'Below, say seal.\n');
		writeFileSync(own.file('below/a.txt'), 'text\n');
		const read = { type: 'tool_use' as const, name: 'Read', input: { file_path: own.file('below/a.txt') } };
		await using one = new Host(own, {
			script: {
				turns: [{ content: [read] }, { when: { system: 'walrus' }, text: 'told' }],
				default: { text: 'not told' },
			},
			args: sources === undefined ? [] : [`--setting-sources=${sources}`],
		});
		expect((await one.turn('look')).result).toBe(isTold ? 'told' : 'not told');
		const usage = await one.agent.request('get_context_usage');
		const memory = usage.categories.find((part) => (part as { id?: string }).id === 'memory_files');
		expect(((memory as { tokens?: number } | undefined)?.tokens ?? 0) > 0).toBe(isTold);
		expect(one.of('memory_recall')).toHaveLength(isTold ? 1 : 0);
		await one.end();
		own[Symbol.dispose]();
	},
);
