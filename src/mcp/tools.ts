/** What servers offer as tools of the loop: their own, and two that list and read their resources; how often the progress of a call is told. */
import { join } from 'node:path';
import { z } from 'zod';
import { failed } from '../agent/calls/outputs.ts';
import type { Tool, ToolContext, ToolOutput } from '../agent/contracts.ts';
import { compact, isObject, type Json, type JsonObject } from '../model/index.ts';
import { defineTool } from '../tools/define.ts';
import { type Connection, messageOf, type Progress } from './connection.ts';
import type { OfferedTool } from './lists.ts';
import { ruledName } from './names.ts';
import { outputOf, type ResultPlace } from './results.ts';

/** How often at most somebody is told how far a call is: a server may say so thousands of times in a second. */
const progressEvery = 500;
/** What is kept of a server's words on how far it is: a line of the session is not the place for a document. */
const longestTold = 500;

/** The server itself checks the input: its schema may say what no checker here knows. */
export function serverTool(connection: Connection, offered: OfferedTool, tokens: number): Tool {
	const { name, own, description, inputSchema, looksOnly } = offered;
	const ruled = ruledName(connection.name, own);
	const words = { judgedAs: (input: Json) => ({ name: ruled, input }), givenAs: (_: Json, input: Json) => input };
	const tool: Tool<JsonObject> = {
		name,
		description,
		inputSchema,
		effect: looksOnly ? 'read' : 'exec',
		...(ruled === name ? {} : words),
		parse: (input: Json) =>
			isObject(input) ? { ok: true, input } : { ok: false, issues: 'the input is not an object' },
		subjects: () => [],
		run: (input, context) => run(connection, own, input, context, tokens),
	};
	return tool as Tool;
}

async function run(
	connection: Connection,
	tool: string,
	input: JsonObject,
	context: ToolContext,
	tokens: number,
): Promise<ToolOutput> {
	const server = connection.name;
	const { signal, callId, host } = context;
	const place: ResultPlace = { server, tokens, context };
	const began = host.now();
	let told = 0;
	const tell = (status: string, more: JsonObject): void =>
		context.update({ type: 'mcp_progress', status, serverName: server, toolName: tool, ...more });
	const ends = (status: 'completed' | 'failed'): void => tell(status, { elapsedTimeMs: host.now() - began });
	const progress = ({ progress, total, message }: Progress): void => {
		if (host.now() - told < progressEvery) return;
		told = host.now();
		tell('progress', compact({ progress, total, progressMessage: message?.slice(0, longestTold) }));
	};
	tell('started', {});
	try {
		const result = await connection.call(tool, input, { signal, callId, progress });
		const output = await outputOf(result, place);
		ends(output.isError === true ? 'failed' : 'completed');
		return output;
	} catch (error) {
		ends('failed');
		if (signal.aborted) return failed('The user interrupted the call.');
		return failed(`MCP server ${server}: ${messageOf(error)}`);
	}
}

/** Offered where a server has resources. */
export function resourceTools(connections: () => readonly Connection[], tokens: number): readonly Tool[] {
	const named = (server: string): Connection | undefined => connections().find(({ name }) => name === server);
	const unknown = (server: string): ToolOutput => {
		const names = connections().map(({ name }) => name);
		return failed(`Server "${server}" not found. Available servers: ${names.join(', ')}`);
	};
	const list = defineTool({
		name: 'ListMcpResourcesTool',
		description:
			'Lists the resources that MCP servers offer, each with the server that it is from. Give `server` for those of one server.',
		effect: 'read',
		input: z.strictObject({ server: z.string().describe('Only the resources of this server').optional() }),
		subjects: () => [],
		async run({ server }, context) {
			if (server !== undefined && !named(server)) return unknown(server);
			const chosen = server === undefined ? connections() : connections().filter(({ name }) => name === server);
			return await listed(chosen, context, tokens);
		},
	});
	const read = defineTool({
		name: 'ReadMcpResourceTool',
		description: 'Reads a resource of an MCP server, by the name of the server and the address of the resource.',
		effect: 'read',
		input: z.strictObject({
			server: z.string().describe('The name of the MCP server'),
			uri: z.string().describe('The address of the resource'),
		}),
		subjects: ({ uri }) => [uri],
		async run({ server, uri }, context) {
			const connection = named(server);
			return connection ? await resource(connection, uri, context, tokens) : unknown(server);
		},
	});
	return [list, read];
}

async function listed(chosen: readonly Connection[], context: ToolContext, tokens: number): Promise<ToolOutput> {
	const answers = await Promise.all(
		chosen.map(async (connection) => {
			try {
				const found = await connection.resources(context.signal);
				return found.map((one): JsonObject => ({ ...one, server: connection.name }));
			} catch (error) {
				return [{ server: connection.name, error: messageOf(error) }];
			}
		}),
	);
	const all = answers.flat();
	if (all.length === 0) {
		const text = 'No resources found. MCP servers may still provide tools even if they have no resources.';
		return { content: [{ type: 'text', text }], details: [] };
	}
	const text = JSON.stringify(all);
	const place: ResultPlace = { server: '', tokens, context };
	return { ...(await outputOf({ content: [{ type: 'text', text }] }, place)), details: all };
}

/** Data that is no text goes to a file, whose path is told. */
async function resource(
	connection: Connection,
	uri: string,
	context: ToolContext,
	tokens: number,
): Promise<ToolOutput> {
	const { host, outputFolder, signal } = context;
	const place: ResultPlace = { server: connection.name, tokens, context };
	try {
		const { contents } = await connection.resource(uri, signal);
		const told = await Promise.all(
			contents.map(async (one) => {
				const about = { uri: one.uri, ...(one.mimeType === undefined ? {} : { mimeType: one.mimeType }) };
				if ('text' in one) return { ...about, text: one.text };
				const path = join(outputFolder, `mcp-resource-${host.randomHex(16)}`);
				await host.files.write(path, Buffer.from(one.blob, 'base64'));
				return { ...about, blobSavedTo: path };
			}),
		);
		const text = JSON.stringify({ contents: told });
		return { ...(await outputOf({ content: [{ type: 'text', text }] }, place)), details: { contents: told } };
	} catch (error) {
		return failed(`MCP server ${connection.name}: ${messageOf(error)}`);
	}
}
