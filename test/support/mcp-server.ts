/** A well-behaved MCP server, made with the protocol's own library: over stdio, or over HTTP where a port is asked for (`http`). */
import { writeFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** One red dot. */
export const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

function makeServer(): McpServer {
	const server = new McpServer({ name: 'test', version: '1' }, { instructions: 'Speak softly to this server.' });
	answering(server);
	asking(server);
	server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, async (uri) => ({
		contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'the first note' }],
	}));
	server.registerResource('dot', 'note://dot', { mimeType: 'image/png' }, async (uri) => ({
		contents: [{ uri: uri.href, mimeType: 'image/png', blob: dot }],
	}));
	const argsSchema = z.object({ name: z.string(), mood: z.string().optional() });
	server.registerPrompt('greet', { description: 'greets', argsSchema }, ({ name, mood }) => ({
		messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}, ${mood ?? 'plainly'}.` } }],
	}));
	return server;
}

function answering(server: McpServer): void {
	const inputSchema = z.object({ text: z.string() });
	server.registerTool('echo', { description: 'says it again', inputSchema }, async ({ text: said }) => text(said));
	server.registerTool('long', { inputSchema: z.object({ length: z.number() }) }, async ({ length }) =>
		text(`begin ${'x'.repeat(length)}`),
	);
	server.registerTool('dot', { annotations: { readOnlyHint: true } }, async () => ({
		content: [
			{ type: 'text', text: 'a dot' },
			{ type: 'image', data: dot, mimeType: 'image/png' },
			{ type: 'image', data: 'AAAA', mimeType: 'image/tiff' },
			{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
			{ type: 'resource', resource: { uri: 'note://one', text: 'inside' } },
			{ type: 'resource_link', uri: 'note://two', name: 'two' },
		],
	}));
	const outputSchema = z.object({ sum: z.number() });
	server.registerTool('structured', { outputSchema }, async () => ({
		...text('{"sum": 3}'),
		structuredContent: { sum: 3 },
	}));
	server.registerTool('fail', {}, async () => ({ ...text('the disk is full'), isError: true }));
	server.registerTool('where', {}, async () => text(`${process.cwd()} ${process.env.MARK ?? ''}`));
	server.registerTool('wait', {}, async (context) => {
		const progressToken = context.mcpReq._meta?.progressToken;
		for (let done = 1; done <= 3; done += 1) {
			if (progressToken !== undefined)
				await context.mcpReq.notify({
					method: 'notifications/progress',
					params: { progressToken, progress: done, total: 3, message: `step ${done}` },
				});
			await sleep(600);
		}
		return text('done');
	});
	server.registerTool('hang', {}, async (context) => {
		await sleep(60_000, undefined, { signal: context.mcpReq.signal }).catch(() => {
			if (process.env.CANCELLED !== undefined)
				writeFileSync(process.env.CANCELLED, String(context.mcpReq.signal.reason));
		});
		return text('too late');
	});
	server.registerTool('grow', {}, async () => {
		server.registerTool('grown', {}, async () => text('I am new'));
		server.registerPrompt('grown', {}, () => ({
			messages: [{ role: 'user', content: { type: 'text', text: 'Say that you are new.' } }],
		}));
		await sleep(1000);
		return text('grown');
	});
}

function asking(server: McpServer): void {
	server.registerTool('ask_form', {}, async (context) => {
		const { inputResponses } = context.mcpReq;
		const given = acceptedContent(inputResponses, 'who');
		if (given) return text(`hello ${String(given.name)}, ${String(given.age)}`);
		if (inputResponses && 'who' in inputResponses) return text('nobody answered');
		return inputRequired({
			inputRequests: {
				who: inputRequired.elicit({
					message: 'Who are you?',
					requestedSchema: {
						type: 'object',
						properties: { name: { type: 'string', title: 'Your name' }, age: { type: 'integer' } },
						required: ['name'],
					},
				}),
			},
		});
	});
	server.registerTool('ask_url', {}, async (context) => {
		const answer = context.mcpReq.inputResponses?.visit as { readonly action?: string } | undefined;
		if (answer) return text(`visit: ${answer.action}`);
		const url = 'https://example.com/login';
		return inputRequired({ inputRequests: { visit: inputRequired.elicitUrl({ message: 'Log in please', url }) } });
	});
}

/** As a part of this process, for those who want to look at the requests. */
export async function startHttpServer(look: (request: IncomingMessage) => number | undefined = () => undefined) {
	const handler = createMcpHandler(makeServer);
	const http = createHttp((request, response) => void answer(request, response));
	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const refused = look(request);
		if (refused !== undefined) {
			response.writeHead(refused).end();
			return;
		}
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
		const { method = 'GET' } = request;
		const body = method === 'POST' ? { body: Buffer.concat(pieces) } : {};
		const answered = await handler.fetch(new Request(`http://localhost${request.url}`, { method, headers, ...body }));
		response.writeHead(answered.status, Object.fromEntries(answered.headers));
		for await (const piece of answered.body ?? []) response.write(piece);
		response.end();
	}
	await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
	const address = http.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}/mcp`,
		async [Symbol.asyncDispose]() {
			http.closeAllConnections();
			await new Promise((done) => http.close(done));
		},
	};
}

if (process.argv[1] === import.meta.filename) serveStdio(makeServer);
