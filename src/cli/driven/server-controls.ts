/** Requests of a host about MCP servers: status, set, reconnect, toggle, call, read; which servers it may replace, and the fields of their status. */
import type { ServerConfig } from '../../mcp/config.ts';
import { readServer } from '../../mcp/config-entry.ts';
import { serverPart } from '../../mcp/names.ts';
import type { ServerStatus } from '../../mcp/servers.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import type { ControlTable } from './controls.ts';
import { textIn } from './request-fields.ts';
import type { Serving } from './serving.ts';

/** Marks servers that the host has set, so that it can set others in their place. */
const byHost = 'dynamic';

export const serverControls: ControlTable = {
	mcp_status(_, { client }) {
		return { mcpServers: (client.station().servers?.status ?? []).map(statusFields) };
	},

	/** What a server of the host says by itself. */
	mcp_message(body, { hostServers }) {
		const name = textIn(body, 'server_name');
		if (!hostServers.hear(name, body.message ?? null)) throw unknown(name);
		return undefined;
	},

	async mcp_set_servers({ servers: wanted }, serving) {
		if (!isObject(wanted)) throw new InputError('bad-value', 'servers is not an object');
		const servers = await serving.client.withServers();
		const now = servers.status.filter(({ from }) => from === byHost).map(({ name }) => name);
		const removed = now.filter((name) => !Object.hasOwn(wanted, name));
		await Promise.all(removed.map((name) => servers.remove(name)));
		const errors: { [name: string]: string } = {};
		const fresh = Object.entries(wanted).filter(([name]) => !servers.status.some((one) => one.name === name));
		const configs = fresh.flatMap(([name, entry]) => configOf(name, entry ?? null, serving, errors));
		// A server of the host is reached over the wire that this request came by: it is not waited for.
		const theirs = configs.filter(({ reach }) => reach.kind === 'host');
		if (theirs.length > 0) serving.ready = Promise.all([serving.ready, servers.add(theirs)]);
		await servers.add(configs.filter(({ reach }) => reach.kind !== 'host'));
		for (const { name, problem } of servers.status)
			if (problem !== undefined && configs.some((one) => one.name === name)) errors[name] = problem;
		return { added: configs.map(({ name }) => name), removed, errors };
	},

	async mcp_reconnect(body, { client }) {
		const name = textIn(body, 'serverName');
		await (await client.withServers()).restart(name);
		return undefined;
	},

	async mcp_toggle(body, { client }) {
		const name = textIn(body, 'serverName');
		await (await client.withServers()).restart(name, body.enabled !== false);
		return undefined;
	},

	/**
	 * Calls of a server are asked about in a mode that asks about nothing; null takes that back. There is no classifier here to which
	 * `auto` could leave them. A host may be stricter so and never freer: that is decided when the client is started.
	 */
	set_mcp_permission_mode_override(body, { client }) {
		const name = named(body, 'serverName');
		const { mode = 'undefined' } = body;
		if (mode !== null && mode !== 'default' && mode !== 'auto') {
			const given = typeof mode === 'string' ? mode.slice(0, 100) : JSON.stringify(mode).slice(0, 100);
			const only = "is tighten-only ('default', 'auto', or null)";
			throw new InputError(
				'bad-mode',
				`Permission mode override over the control channel ${only}; rejected '${given}'`,
			);
		}
		client.live.askServer(`mcp__${serverPart(name)}`, mode !== null);
		if (client.station().servers?.status.some((one) => one.name === name)) return {};
		const later = mode === null ? '' : '; it holds for one of that name that comes later';
		return { warning: `there is no MCP server ${name.slice(0, 100)} here${later}` };
	},

	/** By the name that models know it by. The host's own servers are not reached by a detour over this process. */
	async mcp_call(body, { client }, signal) {
		const name = textIn(body, 'tool');
		const given = body.arguments;
		const servers = await client.withServers();
		const found = servers.status.find(({ tools = [] }) => tools.some((one) => one.name === name));
		const tool = found?.tools?.find((one) => one.name === name);
		if (!found || !tool) throw new InputError('unknown-tool', `there is no MCP tool ${name.slice(0, 100)}`);
		if (found.host)
			throw new InputError('bad-value', `${found.name} is a server of the host, which can call it itself`);
		return await servers.call(found.name, tool.own, isObject(given) ? given : {}, signal);
	},

	async mcp_read_resource(body, { client }, signal) {
		const uri = stringAt(body, 'uri');
		if (uri === undefined) throw new InputError('bad-value', 'uri is missing');
		return await (await client.withServers()).resource(named(body, 'server'), uri, signal);
	},
};

/** The name of the server, under whichever field a request has it. */
function named(body: JsonObject, short: string): string {
	const name = stringAt(body, short) ?? stringAt(body, 'serverName') ?? stringAt(body, 'server_name');
	if (name === undefined) throw new InputError('bad-value', 'the name of the server is missing');
	return name;
}

function configOf(
	name: string,
	entry: Json,
	{ hostServers }: Serving,
	errors: { [name: string]: string },
): readonly ServerConfig[] {
	if (isObject(entry) && entry.type === 'sdk') return [{ ...hostServers.configOf(name), from: byHost }];
	const reach = readServer(entry, process.env, (field, what) => {
		errors[name] = `${field === '' ? 'it' : field} ${what}`;
	});
	return reach ? [{ name, from: byHost, reach }] : [];
}

function statusFields({ name, status, from, scope, config, info, problem, tools }: ServerStatus): JsonObject {
	return {
		name,
		status,
		...(info ? { serverInfo: info } : {}),
		...(problem === undefined ? {} : { error: problem }),
		...(config ? { config } : {}),
		scope: from === 'sdk' || from === byHost ? 'dynamic' : scope,
		...(tools
			? {
					tools: tools.map(({ own, description, looksOnly }) => ({
						...{ name: own, description },
						...(looksOnly ? { annotations: { readOnly: true } } : {}),
					})),
				}
			: {}),
	};
}

function unknown(name: string): InputError {
	return new InputError('unknown-server', `there is no MCP server ${name.slice(0, 100)}`);
}
