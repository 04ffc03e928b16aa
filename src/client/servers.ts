/** The MCP servers of a session: found, started where there are any, and what they offer under the rules that hold here. */
import type { AgentServers, AgentType, Tool } from '../agent/contracts.ts';
import { isRemoved } from '../agent/permissions/decide.ts';
import type { Rules } from '../agent/permissions/rule.ts';
import { readServers, type ServerFlags } from '../mcp/config.ts';
import type { McpOptions, McpServers } from '../mcp/servers.ts';
import { InputError } from '../store/errors.ts';
import { claudeJson, type PermissionsHere } from './permissions.ts';
import { claudeHome } from './session.ts';

/** Undefined where none is set up: then nothing of the protocol is loaded. */
export async function startServers(
	flags: ServerFlags,
	cwd: string,
	{ trusted, env: more }: Pick<PermissionsHere, 'trusted' | 'env'>,
	options: Omit<McpOptions, 'cwd' | 'env'>,
): Promise<McpServers | undefined> {
	const env = { ...process.env, ...more };
	const place = { cwd, claudeHome: claudeHome(), claudeJson: claudeJson(), trusted, env };
	const { servers, notes } = readServers(place, flags);
	for (const note of notes) options.note(note);
	if (servers.length === 0) return undefined;
	const mcp = await import('../mcp/servers.ts');
	return await mcp.McpServers.start(servers, { ...options, cwd, env });
}

/** The servers of one agent alone. What is wrong with them is a note: the agent works without. */
export async function agentServers(
	{ name, servers }: Pick<AgentType, 'name' | 'servers'>,
	{ cwd, ...permissions }: Pick<PermissionsHere, 'cwd' | 'trusted' | 'env' | 'rules'>,
	{ strictMcpConfig }: ServerFlags,
	options: Omit<McpOptions, 'cwd' | 'env'>,
): Promise<AgentServers | undefined> {
	if (!servers) return undefined;
	const note = (text: string): void => options.note(`the agent ${name}: ${text}`);
	if (strictMcpConfig) {
		note('its mcpServers are left out, because of --strict-mcp-config');
		return undefined;
	}
	const flags = { mcpConfig: [JSON.stringify({ mcpServers: servers })], strictMcpConfig: true };
	try {
		const started = await startServers(flags, cwd, permissions, { ...options, note });
		return (
			started && {
				get tools() {
					return offeredTools(started, permissions.rules);
				},
				[Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
			}
		);
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		note(error.message.replace('--mcp-config: ', ''));
		return undefined;
	}
}

/** A set of servers that is empty until a host or an editor adds some. */
export async function noServers(
	cwd: string,
	{ env: more }: Pick<PermissionsHere, 'env'>,
	options: Omit<McpOptions, 'cwd' | 'env'>,
): Promise<McpServers> {
	const mcp = await import('../mcp/servers.ts');
	return await mcp.McpServers.start([], { ...options, cwd, env: { ...process.env, ...more } });
}

/** A tool that a rule denies as a whole is not offered. */
export function offeredTools(servers: McpServers | undefined, rules: Rules): readonly Tool[] {
	return (servers?.tools ?? []).filter(({ name }) => !isRemoved(name, rules));
}
