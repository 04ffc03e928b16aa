/** MCP servers as users have them: set up in files or by a flag, used by the command with a scripted model. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage, type Frame, framesIn, initIn } from './support/client.ts';
import { dot, startHttpServer } from './support/mcp-server.ts';
import { startModelServer } from './support/model-server.ts';
import { hasTerminals, Terminal } from './support/terminal.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const script = join(import.meta.dirname, 'support/mcp-server.ts');
const server = { command: process.execPath, args: [script] };
const setUp = (one: object = server): string => JSON.stringify({ mcpServers: { test: one } });
const allowed = ['--mcp-config', setUp(), '--allowedTools', 'mcp__test'];

interface Call {
	readonly name: string;
	readonly input?: Record<string, string | number>;
}

const use = ({ name, input = {} }: Call) => ({ content: [{ type: 'tool_use' as const, name, input }] });

/** The lines of results that a run with these calls, one after the other, has left in its session. */
async function resultsOf(calls: readonly Call[], args: readonly string[] = allowed): Promise<readonly Result[]> {
	const played = stage.script([...calls.map(use), { text: 'done' }]);
	const { session_id } = await stage.json('-p', 'go', '--script', played, ...args);
	return (await stage.lines(session_id)).flatMap(resultIn);
}

interface Result {
	readonly content: unknown;
	readonly isError: boolean;
	readonly details: unknown;
}

function resultIn(line: Frame): readonly Result[] {
	const { content } = (line.message ?? {}) as { readonly content?: unknown };
	const [block] = Array.isArray(content) ? content : [];
	if (line.type !== 'user' || block?.type !== 'tool_result') return [];
	return [{ content: block.content, isError: block.is_error === true, details: line.toolUseResult }];
}

const text = (said: string): object => ({ type: 'text', text: said });

describe('tools of a server', () => {
	it('are offered with their schema, called, and recorded as Claude Code records them', async () => {
		await using model = await startModelServer({
			turns: [use({ name: 'mcp__test__echo', input: { text: 'hi' } }), { text: 'done' }],
		});
		const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'k' };
		const flags = ['--model', 'claude-sonnet-4-5', '--output-format', 'stream-json'];
		const { out } = await stage.run(['-p', 'go', ...flags, ...allowed], { env });
		const init = initIn(out);
		expect(init).toMatchObject({ mcp_servers: [{ name: 'test', status: 'connected' }] });
		expect(init?.tools).toContain('mcp__test__echo');
		expect(JSON.stringify(model.requests[0]?.body)).toContain(
			'# MCP servers\\n\\n## test\\nSpeak softly to this server.',
		);
		const body = model.requests[0]?.body as { readonly tools: readonly { readonly name: string }[] };
		expect(body.tools.find(({ name }) => name === 'mcp__test__echo')).toMatchObject({
			description: 'says it again',
			input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
		});
		expect((await stage.lines(init?.session_id)).flatMap(resultIn)).toEqual([
			{ content: [text('hi')], isError: false, details: [text('hi')] },
		]);
	});

	it('answer with images, data, links and structure, and fail in their own words', async () => {
		const calls = ['dot', 'structured', 'fail', 'nothing'].map((name) => ({ name: `mcp__test__${name}` }));
		const [image, structured, failed, missing] = await resultsOf(calls);
		const source = { type: 'base64', data: dot, media_type: 'image/png' };
		const blocks = [
			text('a dot'),
			{ type: 'image', source },
			text('[image left out: image/tiff, 1 KB, which models do not take]'),
			text('[audio left out: audio/wav, 1 KB, which models do not take]'),
			text('[Resource from test at note://one] inside'),
			text('[Resource link: two] note://two'),
		];
		expect(image).toMatchObject({ content: blocks, isError: false, details: blocks });
		expect(structured).toMatchObject({ content: '{"sum":3}', details: '{"sum":3}' });
		expect(failed).toMatchObject({ content: 'the disk is full', isError: true, details: 'Error: the disk is full' });
		expect(missing).toMatchObject({ isError: true });
		expect(JSON.stringify(missing)).toContain('No such tool available: mcp__test__nothing');
	});

	it('whose input is wrong say so, and the run goes on', async () => {
		const [wrong] = await resultsOf([{ name: 'mcp__test__echo', input: { text: 5 } }]);
		expect(wrong?.isError).toBe(true);
		expect(JSON.stringify(wrong?.content)).toContain('text');
	});

	it('say more than a conversation holds: it is beside the session, and the model is told where', async () => {
		const [long] = await resultsOf([{ name: 'mcp__test__long', input: { length: 200_000 } }]);
		const said = JSON.stringify(long?.content);
		expect(said.length).toBeLessThan(5000);
		const path = /saved to: (\S+?\.txt)/.exec(said)?.[1] ?? '';
		expect(readFileSync(path, 'utf8')).toBe(`begin ${'x'.repeat(200_000)}`);
		const env = { MAX_MCP_OUTPUT_TOKENS: '100000' };
		const played = stage.script([use({ name: 'mcp__test__long', input: { length: 200_000 } }), { text: 'ok' }]);
		const { out } = await stage.run(['-p', 'go', '--script', played, '--output-format', 'stream-json', ...allowed], {
			env,
		});
		expect(out).not.toContain('saved to');
	});

	// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the client puts the variable in.
	it('run in the project’s folder, with the variables of their entry', async () => {
		const config = setUp({ ...server, env: { MARK: '${MARK_OF_TEST:-marked}' } });
		const [where] = await resultsOf(
			[{ name: 'mcp__test__where' }],
			['--mcp-config', config, '--allowedTools', 'mcp__test'],
		);
		expect(where?.content).toEqual([text(`${stage.cwd} marked`)]);
	});

	// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
	it('tell that they began, how far they are, and how they ended', async () => {
		const played = stage.script([use({ name: 'mcp__test__wait' }), use({ name: 'mcp__test__fail' }), { text: 'ok' }]);
		const { session_id } = await stage.json('-p', 'go', '--script', played, ...allowed);
		const lines = await stage.lines(session_id);
		const progress = lines.filter(({ type }) => type === 'progress').map(({ data }) => data);
		const of = (toolName: string, status: string) => ({ type: 'mcp_progress', status, serverName: 'test', toolName });
		const elapsedTimeMs = expect.any(Number);
		expect(progress[0]).toEqual(of('wait', 'started'));
		expect(progress[1]).toEqual({ ...of('wait', 'progress'), progress: 1, total: 3, progressMessage: 'step 1' });
		expect(progress.slice(-3)).toEqual([
			{ ...of('wait', 'completed'), elapsedTimeMs },
			of('fail', 'started'),
			{ ...of('fail', 'failed'), elapsedTimeMs },
		]);
		expect((await stage.run(['check', await stage.pathOf(session_id)])).code).toBe(0);
	});

	it('that come while the run goes on are offered with the next request', async () => {
		const [grown, fresh] = await resultsOf([{ name: 'mcp__test__grow' }, { name: 'mcp__test__grown' }]);
		expect(grown?.content).toEqual([text('grown')]);
		expect(fresh?.content).toEqual([text('I am new')]);
	});

	it('are interrupted with the run, and the server is told', async () => {
		const CANCELLED = stage.file('cancelled');
		const flags = ['--mcp-config', setUp({ ...server, env: { CANCELLED } }), '--allowedTools', 'mcp__test'];
		const played = stage.script([use({ name: 'mcp__test__hang' }), { text: 'ok' }]);
		const child = stage.start(['-p', 'go', '--script', played, '--output-format', 'stream-json', ...flags]);
		child.stdin.end();
		let out = '';
		child.stdout.on('data', (piece) => {
			out += piece;
			if (String(piece).includes('mcp__test__hang') && out.includes('tool_use'))
				setTimeout(() => child.kill('SIGINT'), 500);
		});
		const began = Date.now();
		expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
		expect(Date.now() - began).toBeLessThan(30_000);
		expect(out).toContain('"subtype":"error_during_execution"');
		// A server whose connection only ends hears of another reason.
		expect(readFileSync(CANCELLED, 'utf8')).toBe('AbortError: This operation was aborted');
	});
});

describe('permission', () => {
	const call = [{ name: 'mcp__test__echo', input: { text: 'hi' } }];
	const with_ = (...rules: readonly string[]): readonly string[] => ['--mcp-config', setUp(), ...rules];

	it('a tool of a server is not called unless a rule allows it', async () => {
		const [denied] = await resultsOf(call, with_());
		expect(denied?.isError).toBe(true);
		expect(JSON.stringify(denied?.content)).toContain('mcp__test__echo');
	});

	it('what a server says of itself grants nothing', async () => {
		const [denied] = await resultsOf([{ name: 'mcp__test__dot' }], with_());
		expect(denied?.isError).toBe(true);
	});

	it.each(['mcp__test', 'mcp__test__*', 'mcp__test__echo'])('%s allows it', async (rule) => {
		const [done] = await resultsOf(call, with_('--allowedTools', rule));
		expect(done?.content).toEqual([text('hi')]);
	});

	it.each(['mcp__other', 'mcp__test__dot', 'Bash'])('%s does not', async (rule) => {
		expect((await resultsOf(call, with_('--allowedTools', rule)))[0]?.isError).toBe(true);
	});

	it.runIf(hasTerminals)(
		'on a terminal the user is asked, sees the input, and may allow the tool for the session',
		async () => {
			const again = [...call, { name: 'mcp__test__echo', input: { text: 'again' } }];
			const played = stage.script([...again.map(use), { text: 'both done' }]);
			await using terminal = new Terminal(stage, ['-p', 'go', '--script', played, '--mcp-config', setUp()]);
			await terminal.shows('mcp__test__echo');
			await terminal.shows('hi');
			await terminal.shows('Allow?');
			terminal.type('a\r');
			await terminal.shows('The rule would be mcp__test__echo');
			terminal.type('s\r');
			await terminal.shows('both done');
			expect(await terminal.end()).toBe(0);
			expect(terminal.text.match(/Allow\?/g)).toHaveLength(1);
		},
	);

	it('rules hold for a name that is too long to be offered as it is', async () => {
		const name = `a${'_long'.repeat(14)}`;
		const config = ['--mcp-config', JSON.stringify({ mcpServers: { [name]: server } })];
		await using model = await startModelServer({ turns: [{ text: 'ok' }] });
		const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'k' };
		await stage.run(['-p', 'go', ...config], { env });
		const body = model.requests[0]?.body as { readonly tools: readonly { readonly name: string }[] };
		const [cut] = body.tools.filter((tool) => tool.name.startsWith('mcp__a_long'));
		expect(cut?.name).toHaveLength(64);
		for (const rule of [`mcp__${name}`, `mcp__${name}__*`]) {
			const skip = ['--permission-mode', 'bypassPermissions', '--disallowedTools', rule];
			const [denied] = await resultsOf([{ name: cut?.name ?? '' }], [...config, ...skip]);
			expect(JSON.stringify(denied)).toMatch(/denied/);
		}
	});

	it('a tool that a rule denies is not offered', async () => {
		const [gone] = await resultsOf(
			call,
			with_('--permission-mode', 'bypassPermissions', '--disallowedTools', 'mcp__test'),
		);
		expect(JSON.stringify(gone?.content)).toContain('No such tool available');
	});
});

describe('resources and prompts', () => {
	it('resources are listed and read by two tools', async () => {
		const rules = ['--mcp-config', setUp(), '--allowedTools', 'ListMcpResourcesTool', 'ReadMcpResourceTool'];
		const [all, note, blob, strange] = await resultsOf(
			[
				{ name: 'ListMcpResourcesTool' },
				{ name: 'ReadMcpResourceTool', input: { server: 'test', uri: 'note://one' } },
				{ name: 'ReadMcpResourceTool', input: { server: 'test', uri: 'note://dot' } },
				{ name: 'ReadMcpResourceTool', input: { server: 'nobody', uri: 'note://one' } },
			],
			rules,
		);
		expect(all?.details).toMatchObject([
			{ uri: 'note://one', name: 'note', mimeType: 'text/plain', server: 'test' },
			{ uri: 'note://dot', name: 'dot', server: 'test' },
		]);
		expect(note?.details).toEqual({
			contents: [{ uri: 'note://one', mimeType: 'text/plain', text: 'the first note' }],
		});
		const saved = /"blobSavedTo":"([^"]+)"/.exec(JSON.stringify(blob?.details))?.[1] ?? '';
		expect(readFileSync(saved).toString('base64')).toBe(dot);
		expect(strange).toMatchObject({ isError: true, content: 'Server "nobody" not found. Available servers: test' });
	});

	it('a prompt that a server has only now is a slash command from then on', async () => {
		const played = stage.script([
			...[use({ name: 'mcp__test__grow' }), { text: 'grown' }],
			{ when: { last: 'Say that you are new.' }, text: 'I am new.' },
		]);
		const prompts = ['/mcp__test__grown', 'go', '/mcp__test__grown'].map((content) =>
			JSON.stringify({ type: 'user', message: { role: 'user', content } }),
		);
		const wire = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
		const input = `${prompts.join('\n')}\n`;
		const { out } = await stage.run(['-p', '--script', played, ...wire, ...allowed], { input });
		const results = framesIn(out).filter(({ type }) => type === 'result');
		expect(results.map(({ result }) => result)).toEqual([
			expect.stringContaining('/mcp__test__grown'),
			'grown',
			'I am new.',
		]);
	});

	it.each([
		['mcp__test', false],
		['mcp__test__*', false],
		['mcp__test__echo', true],
		['mcp__other', true],
	])('a rule for all of a server is about its resources, too: %s', async (rule, isError) => {
		const calls = [
			{ name: 'ListMcpResourcesTool', input: { server: 'test' } },
			{ name: 'ReadMcpResourceTool', input: { server: 'test', uri: 'note://one' } },
		];
		const results = await resultsOf(calls, ['--mcp-config', setUp(), '--allowedTools', rule]);
		for (const result of results) expect(result?.isError === true).toBe(isError);
	});

	it('a prompt is a slash command, its arguments in order', async () => {
		await using model = await startModelServer({ fallback: { text: 'ok' } });
		const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'k' };
		const prompt = '/mcp__test__greet Ada with great joy';
		const flags = ['--model', 'claude-sonnet-4-5', '--output-format', 'stream-json'];
		const { out } = await stage.run(['-p', prompt, ...flags, ...allowed], { env });
		expect(initIn(out).slash_commands).toContain('mcp__test__greet');
		expect(JSON.stringify(model.requests[0]?.body)).toContain('Greet Ada, with great joy.');
		const second = await stage.run(['-p', '/mcp__test__greet', ...flags, ...allowed], { env });
		expect(second.code).toBe(0);
		expect(second.err).toContain('/mcp__test__greet could not be had from its MCP server');
	});
});

describe('a server that asks its user', () => {
	const calls = [{ name: 'mcp__test__ask_form' }, { name: 'mcp__test__ask_url' }];

	it('is told no where nobody can be asked', async () => {
		const [form, url] = await resultsOf(calls);
		expect(form?.content).toEqual([text('nobody answered')]);
		expect(url?.content).toEqual([text('visit: decline')]);
	});

	it('asks the driver with the frames that its users know', async () => {
		const played = stage.script([...calls.map(use), { text: 'done' }]);
		// No flag says that it answers questions about permissions: what servers ask is another matter.
		const streaming = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
		const child = stage.start(['-p', '--script', played, ...streaming, ...allowed]);
		child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })}\n`);
		let rest = '';
		const asked: Frame[] = [];
		const seen: Frame[] = [];
		child.stdout.setEncoding('utf8').on('data', (piece: string) => {
			const lines = (rest + piece).split('\n');
			rest = lines.pop() ?? '';
			for (const frame of framesIn(lines.join('\n'))) {
				seen.push(frame);
				if (frame.type === 'result') child.stdin.end();
				if (frame.type !== 'control_request') continue;
				asked.push(frame);
				const content = (frame.request as Frame).mode === 'form' ? { content: { name: 'Ada', age: 36 } } : {};
				const response = {
					subtype: 'success',
					request_id: frame.request_id,
					response: { action: 'accept', ...content },
				};
				child.stdin.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
			}
		});
		expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
		expect(asked.map(({ request }) => request)).toMatchObject([
			{
				subtype: 'elicitation',
				mcp_server_name: 'test',
				message: 'Who are you?',
				mode: 'form',
				property_order: ['name', 'age'],
			},
			{ subtype: 'elicitation', mcp_server_name: 'test', mode: 'url', url: 'https://example.com/login' },
		]);
		expect(JSON.stringify(seen)).toContain('hello Ada, 36');
		expect(JSON.stringify(seen)).toContain('visit: accept');
	});

	it.runIf(hasTerminals)('asks on the terminal, field by field', async () => {
		const played = stage.script([...calls.map(use), { text: 'done' }]);
		await using terminal = new Terminal(stage, ['-p', 'go', '--script', played, ...allowed]);
		await terminal.shows('The MCP server test asks:\n  │ Who are you?');
		await terminal.shows('Answer it?');
		terminal.type('y\r');
		await terminal.shows('Your name');
		terminal.type('Ada\r');
		await terminal.shows('age');
		terminal.type('old\r');
		await terminal.shows('a whole number is wanted');
		terminal.type('36\r');
		await terminal.shows('https://example.com/login');
		terminal.type('n\r');
		await terminal.shows('done');
		expect(await terminal.end()).toBe(0);
		const { out } = await stage.run(['show', 'last', '--md']);
		expect(out).toContain('hello Ada, 36');
		expect(out).toContain('visit: decline');
	});
});

describe('where servers are set up', () => {
	it('a project’s file counts once its folder is trusted', async () => {
		writeFileSync(stage.file('.mcp.json'), setUp());
		const played = stage.script([{ text: 'ok' }]);
		const args = ['-p', 'go', '--script', played, '--output-format', 'stream-json'];
		const before = await stage.run(args);
		expect(initIn(before.out)).toMatchObject({ mcp_servers: [] });
		const waits = `${stage.cwd} is not trusted, so what it brings does not count: MCP servers (test). --trust makes it count`;
		expect(before.err).toBe(`reprise: ${waits}\n`);
		const trust = { projects: { [stage.cwd]: { hasTrustDialogAccepted: true } } };
		mkdirSync(join(stage.home, '.claude'), { recursive: true });
		writeFileSync(join(stage.home, '.claude/.claude.json'), JSON.stringify(trust));
		const after = await stage.run(args);
		expect(initIn(after.out)).toMatchObject({ mcp_servers: [{ name: 'test', status: 'connected' }] });
		expect(after.err).toBe('');
		const strict = await stage.run([...args, '--strict-mcp-config']);
		expect(initIn(strict.out)).toMatchObject({ mcp_servers: [] });
		writeFileSync(stage.file('.mcp.json'), '{}');
	});

	it('the user’s own file counts everywhere, and a bad entry is one line', async () => {
		const user = { mcpServers: { mine: server, broken: { command: 7 } } };
		writeFileSync(join(stage.home, '.claude/.claude.json'), JSON.stringify(user));
		const { out, err } = await stage.run([
			'-p',
			'go',
			'--script',
			stage.script([{ text: 'ok' }]),
			'--output-format',
			'stream-json',
		]);
		expect(initIn(out)).toMatchObject({ mcp_servers: [{ name: 'mine', status: 'connected' }] });
		expect(err).toBe(
			`reprise: ${join(stage.home, '.claude/.claude.json')}: mcpServers.broken.command is not a text; the server is left out\n`,
		);
		writeFileSync(join(stage.home, '.claude/.claude.json'), '{}');
	});
});

describe('a server at an address', () => {
	it('works like any other, and gets its headers', async () => {
		const keys = new Set<unknown>();
		await using http = await startHttpServer((request) => {
			keys.add(request.headers['x-key']);
			return undefined;
		});
		const config = setUp({ type: 'http', url: http.url, headers: { 'x-key': 'secret' } });
		const args = ['--mcp-config', config, '--allowedTools', 'mcp__test'];
		const [echo, form] = await resultsOf(
			[{ name: 'mcp__test__echo', input: { text: 'over the wire' } }, { name: 'mcp__test__ask_form' }],
			args,
		);
		expect(echo?.content).toEqual([text('over the wire')]);
		expect(form?.content).toEqual([text('nobody answered')]);
		expect([...keys]).toEqual(['secret']);
	});

	it('that wants a login says in one line that this is not done here', async () => {
		await using http = await startHttpServer(() => 401);
		const config = setUp({ type: 'http', url: http.url });
		const { code, err } = await stage.run([
			'-p',
			'go',
			'--script',
			stage.script([{ text: 'ok' }]),
			'--mcp-config',
			config,
		]);
		expect(code).toBe(0);
		expect(err).toBe(
			'reprise: the MCP server test cannot be used: it wants its user to log in (OAuth), which Reprise does not do: put a token into its headers\n',
		);
	});

	it('where nobody listens is one line', async () => {
		const config = setUp({ type: 'http', url: 'http://127.0.0.1:9/mcp' });
		const { code, err } = await stage.run([
			'-p',
			'go',
			'--script',
			stage.script([{ text: 'ok' }]),
			'--mcp-config',
			config,
		]);
		expect(code).toBe(0);
		expect(err.trim().split('\n')).toHaveLength(1);
		expect(err).toContain('the MCP server test cannot be used: ');
	});
});
