/** MCP servers that the editor hands over: which kinds are taken (stdio, http), and what is said of one that is left out. */
import type { McpServer } from '@agentclientprotocol/sdk';
import type { ServerConfig } from '../mcp/config.ts';

const from = 'the editor';

/** One that cannot be reached as it is described is left out, and named. */
export function serversFrom(given: readonly McpServer[], note: (text: string) => void): readonly ServerConfig[] {
	return given.flatMap((server): readonly ServerConfig[] => {
		const { name } = server;
		if (!('type' in server)) {
			const { command, args, env } = server;
			return [{ name, from, reach: { kind: 'stdio', command, args, env: pairs(env) } }];
		}
		const problem =
			server.type === 'sse'
				? 'it speaks sse, the older way: use http where the server offers it'
				: isWeb(server.url)
					? undefined
					: 'its url is not an http address';
		if (problem === undefined)
			return [{ name, from, reach: { kind: 'http', url: server.url, headers: pairs(server.headers) } }];
		note(`the MCP server ${name} of the editor is left out: ${problem}`);
		return [];
	});
}

function isWeb(url: string): boolean {
	return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function pairs(list: readonly { readonly name: string; readonly value: string }[]): {
	readonly [name: string]: string;
} {
	return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
