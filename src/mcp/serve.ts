/** Our own sessions as an MCP server: any client may list, search and read them, price them, and ask why one would not resume. */
import type { Readable, Writable } from 'node:stream';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { codeOf } from '../log/errors.ts';
import { errorText } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import type { SessionTool } from './session-tools.ts';

export interface ServeOptions {
	/** What clients are told of this server. */
	readonly version?: string;
	readonly input?: Readable;
	readonly output?: Writable;
}

/** Serves until the input ends. Nothing is ever written but the index that makes listing and searching quick. */
export async function serveSessions(options: ServeOptions = {}): Promise<void> {
	const { input = process.stdin, output = process.stdout, version = '0' } = options;
	const [{ McpServer }, { serveStdio, StdioServerTransport }, { sessionTools }] = await Promise.all([
		import('@modelcontextprotocol/server'),
		import('@modelcontextprotocol/server/stdio'),
		import('./session-tools.ts'),
	]);
	const ended = new Promise<void>((done) => {
		for (const event of ['end', 'close', 'error']) input.once(event, () => done());
	});
	const handle = serveStdio(
		() => {
			const server = new McpServer({ name: 'reprise', version }, { instructions });
			for (const tool of sessionTools) offer(server, tool);
			return server;
		},
		{ transport: new StdioServerTransport(input, output) },
	);
	await ended;
	await handle.close();
}

const instructions =
	'The sessions of the coding agents on this machine: what was asked, said and done in them, and what it cost. ' +
	'search_sessions finds what was said; read_session shows it where it was said; nothing can be changed.';

function offer(server: McpServer, tool: SessionTool<z.ZodObject>): void {
	const { name, description, input } = tool;
	const annotations = { readOnlyHint: true, openWorldHint: false };
	server.registerTool(name, { description, inputSchema: input, annotations }, async (given) => {
		try {
			return text(await tool.run(given));
		} catch (error) {
			// What its caller got wrong, and what the disk does: both are answers. Everything else is a mistake of ours, and told as one.
			const isKnown = error instanceof InputError || codeOf(error) !== undefined;
			const message = errorText(error);
			return { ...text(isKnown ? message : `${name} failed: ${message}`), isError: true };
		}
	});
}

function text(said: string): CallToolResult {
	return { content: [{ type: 'text', text: said }] };
}
