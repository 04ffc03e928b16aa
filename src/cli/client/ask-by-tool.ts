/** `--permission-prompt-tool mcp__server__tool`: a tool of an MCP server is asked whether a call may run; an error, or an answer that is no JSON object, denies it. */
import type { Ask } from '../../agent/contracts.ts';
import { verdictOf } from '../../frames/control.ts';
import type { McpServers } from '../../mcp/servers.ts';
import { errorText, isObject, type Json, type JsonObject, parsedJson } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';

export function askByTool(name: string, servers: () => Promise<McpServers>): Ask {
	const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
	if (server === undefined || tool === undefined)
		throw new InputError('usage', `--permission-prompt-tool: ${name} is neither stdio nor a tool of an MCP server`);
	return async (call, signal) => {
		try {
			const input = { tool_name: call.tool.name, input: call.input, tool_use_id: call.id };
			const { content } = await (await servers()).call(server, tool, input, signal);
			const answer = parsedJson(textIn(content));
			if (isObject(answer)) return verdictOf({ ok: true, id: call.id, body: answer });
			return { allow: false, reason: `${name} did not answer with a JSON object` };
		} catch (error) {
			return { allow: false, reason: `${name}: ${errorText(error)}` };
		}
	};
}

function textIn(content: Json | undefined): string {
	const parts = Array.isArray(content) ? (content as readonly Json[]).filter(isObject) : [];
	return parts.map(({ text }: JsonObject) => (typeof text === 'string' ? text : '')).join('');
}
