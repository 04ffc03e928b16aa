/** `reprise acp`: MCP servers that the editor hands over, what they ask, and what is chosen for a session. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { TestEditor } from '../support/editor.ts';
import { Host } from '../support/host.ts';
import { startHttpServer } from '../support/mcp-server.ts';
import { startModelServer } from '../support/model-server.ts';
import { envFor } from '../support/model-server-ask.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const program = join(import.meta.dirname, '../support/mcp-server.ts');
const stdio = (name: string, env: { name: string; value: string }[] = []) => ({
	...{ name, command: process.execPath, args: [program], env },
});
const call = (name: string, input: object = {}) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});

describe('MCP servers of the editor', () => {
	it('over stdio and http bring their tools and prompts, with the variables that were given', async () => {
		await using http = await startHttpServer();
		await using editor = new TestEditor(stage, {
			script: [call('mcp__here__where'), call('mcp__there__echo', { text: 'over http' }), { text: 'ok' }],
		});
		const { sessionId } = await editor.begin({
			mcpServers: [
				stdio('here', [{ name: 'MARK', value: `$${'{HOME}'} as it is` }]),
				{ type: 'http', name: 'there', url: http.url, headers: [] },
				{ type: 'sse', name: 'old', url: http.url, headers: [] },
			],
		});
		expect(await editor.prompt(sessionId, 'use them')).toBe('end_turn');
		const [where, echo] = editor.calls;
		expect(where).toMatchObject({ title: 'here: where', kind: 'other', status: 'completed' });
		expect(JSON.stringify(where?.content)).toContain(`${stage.cwd} $${'{HOME}'} as it is`);
		expect(JSON.stringify(echo?.content)).toContain('over http');
		expect(editor.asked.length).toBe(2);
		expect(editor.said()).toContain('the MCP server old of the editor is left out');
		const names = editor
			.of('available_commands_update')
			.at(-1)
			?.availableCommands.map(({ name }) => name);
		expect(names).toContain('mcp__here__greet');
		expect(await editor.prompt(sessionId, '/mcp')).toBe('end_turn');
		expect(editor.said()).toContain('there');
	});

	it('that cannot be started are one line, and the session works without them', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'All the same.' }] });
		const broken = { name: 'broken', command: '/no/such/program', args: [], env: [] };
		const { sessionId } = await editor.begin({ mcpServers: [broken] });
		expect(await editor.prompt(sessionId, 'go')).toBe('end_turn');
		expect(editor.said()).toContain('the MCP server broken cannot be used');
		expect(editor.said()).toContain('All the same.');
	});
});

describe('choices', () => {
	it('of mode, model and thinking are taken, told, and refused where there is no such thing', async () => {
		await using editor = new TestEditor(stage, {
			args: ['--model', `offline/script:${stage.script([{ text: 'ok' }])}`],
			env: { OPENAI_API_KEY: 'none', OPENAI_MODEL: 'gpt-test' },
		});
		const { sessionId, configOptions } = await editor.begin();
		const model = configOptions?.find(({ id }) => id === 'model');
		expect(model).toMatchObject({ currentValue: 'offline/script' });
		const set = async (configId: string, value: string) =>
			(await editor.agent.request('session/set_config_option', { sessionId, configId, value })).configOptions;
		const now = (options: Awaited<ReturnType<typeof set>>) =>
			Object.fromEntries(options.map(({ id, currentValue }) => [id, currentValue]));
		expect(now(await set('thinking', 'high'))).toMatchObject({ thinking: 'high' });
		expect(now(await set('thinking', 'default'))).toMatchObject({ thinking: 'default' });
		expect(now(await set('mode', 'plan'))).toMatchObject({ mode: 'plan' });
		expect(editor.of('current_mode_update')).toMatchObject([{ currentModeId: 'plan' }]);
		expect(now(await set('model', 'openai/gpt-test'))).toMatchObject({ model: 'openai/gpt-test' });
		for (const [option, value] of [
			['mode', 'bypassPermissions'],
			['model', 'offline/script:/etc/passwd'],
			['thinking', 'very'],
			['colour', 'red'],
		] as const)
			await expect(set(option, value)).rejects.toMatchObject({ code: -32602 });
		await expect(
			editor.agent.request('session/set_mode', { sessionId, modeId: 'bypassPermissions' }),
		).rejects.toMatchObject({ code: -32602 });
	});

	it('of a model are those that a host is offered, and any other that a provider here answers by is taken', async () => {
		await using server = await startModelServer({ turns: Array(5).fill({ text: 'ok' }) });
		const { OLLAMA_HOST: _, ...env } = { ...envFor(server.url), OLLAMA_HOST: '' };
		const args = ['--model', 'claude-sonnet-5-5'];
		await using editor = new TestEditor(stage, { args, env });
		const { sessionId, configOptions } = await editor.begin();
		const listed = (options: typeof configOptions) => {
			const model = options?.find(({ id }) => id === 'model');
			return model?.type === 'select' ? model : undefined;
		};
		await using host = new Host(stage, { args, env });
		const { models } = (await host.agent.request('list_models')) as { models: readonly { displayName: string }[] };
		const names = listed(configOptions)?.options.map(({ name }) => name);
		expect(names).toEqual(models.map(({ displayName }) => displayName));
		expect(names).toContain('claude-haiku-4-5');
		const set = async (value: string) =>
			(await editor.agent.request('session/set_config_option', { sessionId, configId: 'model', value })).configOptions;
		for (const [value, provider, model] of [
			['haiku', 'anthropic', 'claude-haiku-4-5'],
			['claude-opus-4-1', 'anthropic', 'claude-opus-4-1'],
			['openai/gpt-any', 'openai', 'gpt-any'],
			['google/gemini-any', 'google', 'gemini-any'],
			['default', 'anthropic', 'claude-sonnet-5-5'],
		] as const) {
			const now = await set(value);
			expect(listed(now)).toMatchObject({ currentValue: `${provider}/${model}` });
			expect(listed(now)?.options.map((one) => 'value' in one && one.value)).toContain(`${provider}/${model}`);
			await editor.prompt(sessionId, 'go');
			const { path, body } = server.requests.at(-1) ?? {};
			expect(`${path} ${body?.model}`).toContain(model);
		}
		for (const [value, why] of [
			['nobody/knows', /does not name a known provider/],
			['ollama/', /does not name a model/],
			['offline/script:/etc/passwd', /there is no model offline/],
		] as const) {
			await expect(set(value)).rejects.toThrow(why);
		}
	});

	it('that never asks is offered only to whoever has started the command with it', async () => {
		await using editor = new TestEditor(stage, { script: [], args: ['--dangerously-skip-permissions'] });
		const { modes } = await editor.begin();
		expect(modes?.currentModeId).toBe('bypassPermissions');
		expect(modes?.availableModes.map(({ id }) => id)).toContain('bypassPermissions');
	});
});
