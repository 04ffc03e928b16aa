/** How strictly the calls of a server are judged is a host’s to say while the client runs, and only to the stricter side. */
import { afterAll, expect, it } from 'vitest';
import type { ScriptInput } from '../../src/providers/script.ts';
import { ClientStage } from '../support/client.ts';
import { Host } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const pays = { content: [{ type: 'tool_use' as const, name: 'mcp__my_till__pay', input: {} }] };

/** A host with a server of its own, that says no whenever it is asked. */
function till(
	args: readonly string[],
	script: ScriptInput,
	paying: (host: Host) => Promise<void> = async () => undefined,
): { readonly host: Host; readonly did: string[] } {
	const did: string[] = [];
	const results: { readonly [method: string]: object } = {
		initialize: {
			protocolVersion: '2025-06-18',
			capabilities: { tools: {} },
			serverInfo: { name: 'till', version: '1' },
		},
		'tools/list': { tools: [{ name: 'pay', description: 'pays', inputSchema: { type: 'object' } }] },
		'tools/call': { content: [{ type: 'text', text: 'paid' }] },
	};
	const host: Host = new Host(stage, {
		script,
		args,
		answers: {
			mcp_message: async ({ message }) => {
				const { id, method } = message as { id?: number; method: string };
				if (method === 'tools/call') {
					did.push('paid');
					await paying(host);
				}
				return { mcp_response: { jsonrpc: '2.0', id: id ?? 0, result: (results[method] ?? {}) as never } };
			},
			can_use_tool: () => {
				did.push('asked');
				return { behavior: 'deny', message: 'no' };
			},
		},
	});
	return { host, did };
}

it('in a mode that asks about nothing a host is asked about a server that it has overridden, until it takes that back', async () => {
	const script = Array.from({ length: 4 }, () => [pays, { text: 'ok' }]).flat();
	const { host, did } = till(['--dangerously-skip-permissions'], script);
	await using one = host;
	await one.agent.request('initialize', { sdkMcpServers: ['my till'] });
	const said = [];
	for (const mode of [undefined, 'default', 'auto', null]) {
		const body = { serverName: 'my till', mode: mode ?? null };
		if (mode !== undefined) expect(await one.agent.request('set_mcp_permission_mode_override', body)).toEqual({});
		await one.turn('pay');
		said.push(did.splice(0));
	}
	expect(said).toEqual([['paid'], ['asked'], ['asked'], ['paid']]);
});

it('no override makes a server freer, and one for a server that is not there holds when it comes', async () => {
	const { host, did } = till(['--dangerously-skip-permissions'], [pays, { text: 'ok' }]);
	await using one = host;
	const set = (mode: unknown): Promise<unknown> =>
		one.agent.request('set_mcp_permission_mode_override', { serverName: 'my till', mode: mode as never });
	for (const mode of ['bypassPermissions', 'zzz', 'acceptEdits', 7, undefined])
		await expect(set(mode)).rejects.toThrow(/tighten-only \('default', 'auto', or null\); rejected '/);
	expect(await set('default')).toEqual({ warning: expect.stringContaining('no MCP server my till here') });
	await one.agent.request('initialize', { sdkMcpServers: ['my till'] });
	await one.turn('pay');
	expect(did).toEqual(['asked']);
});

it('an override changes nothing where the mode asks anyway: what a rule allows is allowed', async () => {
	const { host, did } = till(['--allowedTools', 'mcp__my_till'], [pays, { text: 'ok' }]);
	await using one = host;
	await one.agent.request('initialize', { sdkMcpServers: ['my till'] });
	await one.agent.request('set_mcp_permission_mode_override', { serverName: 'my till', mode: 'default' });
	await one.turn('pay');
	expect(did).toEqual(['paid']);
});

it('an override holds for a sub-agent that is at work already', async () => {
	const input = { description: 'd', prompt: 'p', subagent_type: 'general-purpose' };
	const task = { content: [{ type: 'tool_use' as const, name: 'Task', input }] };
	const script = [task, pays, pays, { text: 'report' }, { text: 'ok' }];
	const { host, did } = till(['--dangerously-skip-permissions'], script, async (one) => {
		await one.agent.request('set_mcp_permission_mode_override', { serverName: 'my till', mode: 'default' });
	});
	await using one = host;
	await one.agent.request('initialize', { sdkMcpServers: ['my till'] });
	await one.turn('go');
	expect(did).toEqual(['paid', 'asked']);
}, 30_000);
