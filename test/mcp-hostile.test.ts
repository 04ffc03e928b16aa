/** MCP servers that misbehave: whatever they do, the run goes on and the session is whole. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage, type Frame, framesIn, initIn } from './support/client.ts';
import { isAlive } from './support/processes.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const script = join(import.meta.dirname, 'support/mcp-hostile-server.ts');
const configOf = (way: string, ...more: readonly string[]): string =>
	JSON.stringify({ mcpServers: { bad: { command: process.execPath, args: [script, way, ...more] } } });

interface Told {
	readonly init: Frame;
	readonly results: readonly string[];
	readonly err: string;
	readonly seconds: number;
}

/** A run that calls these tools one after the other. It always ends well, and its session is one that its client takes. */
async function runWith(
	config: string,
	tools: readonly string[],
	env: { readonly [name: string]: string } = {},
): Promise<Told> {
	const use = (name: string) => ({ content: [{ type: 'tool_use' as const, name: `mcp__bad__${name}`, input: {} }] });
	const played = stage.script([...tools.map(use), { text: 'done' }]);
	const args = ['-p', 'go', '--script', played, '--mcp-config', config, '--allowedTools', 'mcp__bad'];
	const began = Date.now();
	const { code, out, err } = await stage.run([...args, '--output-format', 'stream-json'], { env });
	const seconds = (Date.now() - began) / 1000;
	const frames = framesIn(out);
	expect(frames.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'done' });
	expect(code).toBe(0);
	const init = initIn(out);
	expect((await stage.run(['check', await stage.pathOf(init.session_id), '--profile', 'client'])).code).toBe(0);
	return {
		init,
		results: frames.filter(({ type }) => type === 'user').map((frame) => JSON.stringify(frame.message)),
		err,
		seconds,
	};
}

const toolsOf = ({ init }: Told): readonly unknown[] =>
	(init.tools as readonly string[]).filter((name) => name.startsWith('mcp__'));

describe('a server that cannot be used is one line, and the run goes on without it', () => {
	it.each([
		['dies-at-start', 'the MCP server bad cannot be used: it exited with 7: no licence key'],
		['no-list', 'the MCP server bad cannot be used: its list of tools is no list'],
	])('%s', async (way, line) => {
		const told = await runWith(configOf(way), []);
		expect(told.err).toBe(`reprise: ${line}\n`);
		expect(told.init.mcp_servers).toEqual([{ name: 'bad', status: 'failed' }]);
		expect(toolsOf(told)).toEqual([]);
	});

	it('silent', async () => {
		const told = await runWith(configOf('silent'), [], { MCP_TIMEOUT: '3000' });
		expect(told.err).toBe('reprise: the MCP server bad cannot be used: it did not answer within 3 s (MCP_TIMEOUT)\n');
		expect(told.seconds).toBeLessThan(20);
	});

	it('one that crashes is told of by its error, not by what its runtime prints last', async () => {
		const server = { command: process.execPath, args: ['-e', 'throw new TypeError("no database at db:5432")'] };
		const { err } = await runWith(JSON.stringify({ mcpServers: { bad: server } }), []);
		expect(err).toBe(
			'reprise: the MCP server bad cannot be used: it exited with 1: TypeError: no database at db:5432\n',
		);
	});

	it('a program that is not there', async () => {
		const config = JSON.stringify({ mcpServers: { bad: { command: '/nowhere/server' } } });
		expect((await runWith(config, [])).err).toBe(
			'reprise: the MCP server bad cannot be used: spawn /nowhere/server ENOENT\n',
		);
	});
});

describe('a server of the older kind works', () => {
	it.each(['good', 'ignores', 'dies-when-probed', 'chatty'])('%s', async (way) => {
		const told = await runWith(configOf(way), ['work']);
		expect(told.err).toBe('');
		expect(toolsOf(told)).toEqual(['mcp__bad__work', 'mcp__bad__other']);
		expect(told.results[0]).toContain('work worked');
	});
});

describe('a server that goes wrong while it is used', () => {
	it('dies: the call says so, the next one starts it again, and not for ever', async () => {
		const { results } = await runWith(configOf('dies'), ['work', 'other', 'work', 'other', 'work', 'other']);
		for (const result of results.slice(0, 4))
			expect(result).toContain('the server is gone: it exited with 139: segmentation fault');
		for (const result of results.slice(4)) expect(result).toContain('it has ended too often to be started again');
		expect(results).toHaveLength(6);
	});

	it('hangs: the call ends after the time that calls have', async () => {
		const { results, seconds } = await runWith(configOf('hangs'), ['work', 'other'], { MCP_TOOL_TIMEOUT: '1000' });
		expect(results).toHaveLength(2);
		for (const result of results) expect(result).toContain('it has not answered for 1 s');
		expect(seconds).toBeLessThan(20);
	});

	it('floods: a line of 100 MB ends the server before it fills the memory', async () => {
		const { results } = await runWith(configOf('floods'), ['work'], { NODE_OPTIONS: '--max-old-space-size=150' });
		expect(results[0]).toContain('it sent a message of more than 16 MB and was ended');
	});

	it('floods with questions whose answers it does not read: it is ended', async () => {
		const { results } = await runWith(configOf('floods-questions'), ['work'], { MCP_TOOL_TIMEOUT: '60000' });
		expect(results[0]).toContain('it asked for more than it reads and was ended');
	});

	it('floods with progress: the session keeps a few lines of it', async () => {
		const { results, init } = await runWith(configOf('floods-progress'), ['work']);
		expect(results[0]).toContain('flooded');
		const progress = (await stage.lines(init.session_id)).filter(({ type }) => type === 'progress');
		expect(progress.length).toBeLessThan(50);
	});

	it.each([
		['floods-lists', 'flooded'],
		['garbage', 'still here'],
	])('%s', async (way, said) => {
		expect((await runWith(configOf(way), ['work', 'other'])).results[1]).toContain(said);
	});

	it('sends its user to what is no address of the web: nobody is asked', async () => {
		const { results } = await runWith(configOf('sends-to-file'), ['work']);
		expect(results[0]).toContain('the user said: decline');
	});

	it('speaks to the terminal: what it says is spelled out', async () => {
		const { err, results } = await runWith(configOf('escapes'), ['work', 'other']);
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
		expect(`${err}${results.join('')}`).not.toMatch(/[\u0000-\u0008\u001b\u009b]/);
	});

	it('answers with what is no result: the call fails in one line', async () => {
		const { results } = await runWith(configOf('no-result'), ['work']);
		expect(results[0]).toContain('"is_error":true');
		expect(results[0]).toContain('MCP server bad: ');
	});

	it('renames its tools: the call that runs is answered, the old name is gone and the new one is there', async () => {
		const { results } = await runWith(configOf('renames'), ['work', 'work', 'renamed_0']);
		expect(results[0]).toContain('work worked');
		expect(results[1]).toContain('No such tool available: mcp__bad__work');
		expect(results[2]).toContain('renamed_0 worked');
	});
});

describe('a server that lies', () => {
	it('about its schemas: a tool that a provider would refuse is left out, and the others are offered', async () => {
		const told = await runWith(configOf('lies'), ['honest']);
		expect(toolsOf(told)).toEqual(['mcp__bad__honest']);
		const lines = told.err.trim().split('\n');
		expect(lines).toHaveLength(5);
		expect(lines[0]).toBe('reprise: the tool no_object of the MCP server bad is left out: its schema is not an object');
		expect(lines[1]).toContain('wrong_type');
	});

	it('about the end of its list: it is left after some pages', async () => {
		expect(toolsOf(await runWith(configOf('endless-list'), [])).length).toBe(50);
	});
});

/** A server of the older kind at an address; `answer` makes what it will of a call. */
async function hostileAddress(answer: (response: ServerResponse, id: number, calls: number) => void) {
	let calls = 0;
	const http = createServer(async (request, response) => {
		let body = '';
		for await (const piece of request) body += piece;
		if (request.method !== 'POST') return void response.writeHead(405).end();
		const { id, method } = JSON.parse(body) as { readonly id?: number; readonly method: string };
		const send = (result: object): void => {
			response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' });
			response.end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
		};
		const hello = {
			protocolVersion: '2025-06-18',
			capabilities: { tools: {} },
			serverInfo: { name: 'x', version: '1' },
		};
		if (id === undefined) response.writeHead(202).end();
		else if (method === 'initialize') send({ result: hello });
		else if (method === 'tools/list') send({ result: { tools: [{ name: 'work', inputSchema: { type: 'object' } }] } });
		else if (method === 'tools/call') answer(response, id, ++calls);
		else send({ error: { code: -32601, message: 'Method not found' } });
	});
	await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
	const address = http.address();
	const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
	const headers = { Authorization: 'Bearer a-very-secret-token' };
	return {
		config: JSON.stringify({ mcpServers: { bad: { type: 'http', url, headers } } }),
		async [Symbol.asyncDispose]() {
			http.closeAllConnections();
			await new Promise((done) => http.close(done));
		},
	};
}

describe('a server at an address', () => {
	it.each(['application/json', 'text/event-stream'])('that sends %s without end is cut off', async (type) => {
		await using server = await hostileAddress((response) => {
			response.writeHead(200, { 'content-type': type });
			const piece = `${type === 'text/event-stream' ? 'data: ' : ''}${'x'.repeat(1024 * 1024)}\n`;
			const more = (): void => {
				while (!response.destroyed && response.write(piece));
				if (!response.destroyed) response.once('drain', more);
			};
			more();
		});
		const { results } = await runWith(server.config, ['work']);
		expect(results[0]).toContain('it sent a message of more than 16 MB');
	});

	it('that hangs is given up', async () => {
		await using server = await hostileAddress(() => undefined);
		const { results } = await runWith(server.config, ['work'], { MCP_TOOL_TIMEOUT: '1000' });
		expect(results[0]).toContain('it has not answered for 1 s');
	});

	it('that answers a drop at a time is given up', async () => {
		await using server = await hostileAddress((response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			const drip = setInterval(() => response.write(': still here\n'), 50);
			response.on('close', () => clearInterval(drip));
		});
		const { results, seconds } = await runWith(server.config, ['work'], { MCP_TOOL_TIMEOUT: '1000' });
		expect(results[0]).toContain('it has not answered for 1 s');
		expect(seconds).toBeLessThan(20);
	});

	it('that leads to another address is not followed there, and the keys stay here', async () => {
		let visits = 0;
		const other = createServer((_, response) => {
			visits += 1;
			response.end('{}');
		});
		await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
		const address = other.address();
		const place = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
		await using server = await hostileAddress((response) => {
			response.writeHead(307, { location: `${place}/latest/meta-data` }).end();
		});
		const { results } = await runWith(server.config, ['work']);
		other.close();
		expect(results[0]).toContain(`it leads to ${place}, which is not followed`);
		expect(visits).toBe(0);
	});

	it('that moves within its own address is followed, and not for ever', async () => {
		await using server = await hostileAddress((response) => {
			response.writeHead(308, { location: '/mcp' }).end();
		});
		const { results } = await runWith(server.config, ['work']);
		expect(results[0]).toContain('it leads from one address to the next without end');
	});

	it('that has forgotten the session is greeted again', async () => {
		await using server = await hostileAddress((response, id, calls) => {
			if (calls === 1) return void response.writeHead(404).end('no such session');
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'again' }] } }));
		});
		expect((await runWith(server.config, ['work'])).results[0]).toContain('again');
	});

	it('that repeats its key in an error does not show it', async () => {
		await using server = await hostileAddress((response) => {
			response.writeHead(500).end('the key a-very-secret-token is not known');
		});
		const { results, err } = await runWith(server.config, ['work']);
		expect(results[0]).toContain('"is_error":true');
		expect(`${results[0]}${err}`).not.toContain('a-very-secret-token');
	});
});

describe('what a server has started', () => {
	it('ends with the run, whether it wants to or not', async () => {
		const file = stage.file('pids');
		writeFileSync(file, '');
		await runWith(configOf('stubborn', file), ['work']);
		await gone(readFileSync(file, 'utf8'));
	});

	it('ends with the client, however that ends', async () => {
		const file = stage.file('pids');
		writeFileSync(file, '');
		const use = { content: [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'sleep 60' } }] };
		const flags = ['--output-format', 'stream-json', '--permission-mode', 'bypassPermissions'];
		const child = stage.start([
			'-p',
			'go',
			'--script',
			stage.script([use]),
			...flags,
			'--mcp-config',
			configOf('stubborn', file),
		]);
		child.stdin.end();
		let seen = '';
		child.stdout.on('data', (piece) => {
			seen += piece;
			if (seen.includes('tool_use')) child.kill('SIGKILL');
		});
		await new Promise((resolve) => child.on('close', resolve));
		await gone(readFileSync(file, 'utf8'));
	});
});

/** Every process of the list is gone, or soon will be. */
async function gone(list: string): Promise<void> {
	const pids = list.trim().split(/\s+/).map(Number);
	expect(pids.length).toBeGreaterThan(1);
	for (let tries = 0; tries < 100 && pids.some(isAlive); tries += 1) await sleep(50);
	expect(pids.filter(isAlive)).toEqual([]);
}
