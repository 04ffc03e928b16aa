/** The MCP servers of a session: found, started where there are any, and what they offer under the rules that hold here. */
import type { Tool } from '../agent/contracts.ts';
import { isRemoved } from '../agent/permissions/decide.ts';
import type { Rules } from '../agent/permissions/rule.ts';
import { readServers, type ServerFlags } from '../mcp/config.ts';
import type { McpOptions, McpServers } from '../mcp/servers.ts';
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

/** A tool that a rule denies as a whole is not offered. */
export function offeredTools(servers: McpServers | undefined, rules: Rules): readonly Tool[] {
	return (servers?.tools ?? []).filter(({ name }) => !isRemoved(name, rules));
}
