/** Every flag that the Agent SDK passes: taken, and done where it can be; where it cannot, the host is told, and the run goes on. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { Host, type HostSetting } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const host = (setting: HostSetting): Host => new Host(stage, setting);
const call = (name: string, input: object) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});

const taken: readonly (readonly string[])[] = [
	['--thinking=adaptive', '--thinking-display=summarized', '--effort=xhigh', '--await-initialize'],
	['--thinking=disabled', '--debug-to-stderr', '--managed-settings-in-initialize', '--permission-prompts=host'],
	['--max-thinking-tokens=4000', '--effort=low', '--settings={}', '--managed-settings={}'],
];

it.each(taken)('%s %s %s %s: a turn as always, and no warning', async (...args) => {
	await using one = host({ script: [{ text: 'hello' }], args });
	expect(await one.turn('hi')).toMatchObject({ subtype: 'success', result: 'hello' });
	expect(one.of('informational')).toEqual([]);
	expect(await one.end()).toBe(0);
});

it('what has no effect here is said to the host once each, and the turn is as always', async () => {
	const args = [
		...['--betas=context-1m-2025-08-07', '--task-budget=1000', '--plugin-dir=/nowhere', '--plugin-dir-no-mcp=/nowhere'],
		...['--channels=a', '--resume-drops-turn=x', '--project-config-root=/nowhere', '--permission-mode=auto'],
	];
	await using one = host({ script: [{ text: 'hello' }], args });
	expect(await one.turn('hi')).toMatchObject({ subtype: 'success' });
	expect(one.of('init')[0]).toMatchObject({ permissionMode: 'default' });
	const told = one.of('informational').map(({ content, level }) => [String(content).split(/[ =:]/)[0], level]);
	expect(new Set(told.map(([flag]) => flag))).toEqual(new Set(args.map((arg) => arg.split('=')[0])));
	expect(told.every(([, level]) => level === 'warning')).toBe(true);
});

it('how hard the model thinks is what was asked for, in any of the words', async () => {
	const levelFor = async (...args: string[]): Promise<unknown> => {
		await using one = host({ script: [{ text: 'a' }], args: ['--session-format', 'pi', ...args] });
		const { session_id: id } = await one.turn('hi');
		await one.end();
		return (await stage.lines(id)).find(({ type }) => type === 'thinking_level_change')?.thinkingLevel;
	};
	expect(await levelFor('--effort=max')).toBe('high');
	expect(await levelFor('--max-thinking-tokens=5000')).toBe('low');
	expect(await levelFor('--thinking=adaptive')).toBe('medium');
});

it('a model that cannot answer is stood in for by another one, and host and terminal hear of both, once a turn', async () => {
	const other = stage.script({ turns: [call('Read', { file_path: stage.file('a.txt') })], default: { text: 'other' } });
	const busy = { turns: [], default: { error: { status: 529, type: 'overloaded_error', message: 'busy' } } };
	const flag = `--fallback-model=offline/script:${other}`;
	await using one = host({ script: busy, args: [flag] });
	const told = /^offline\/script has not answered \(.*busy.*\): offline\/script answers in its place$/;
	for (const turn of [1, 2]) {
		expect(await one.turn('hi')).toMatchObject({ subtype: 'success', result: 'other' });
		expect(one.of('informational').map(({ content }) => content)).toEqual(
			Array(turn).fill(expect.stringMatching(told)),
		);
	}
	expect(one.of('api_retry')).toEqual([]);
	const { err } = await stage.run(['-p', 'hi', '--script', stage.script(busy), flag]);
	expect(err).toContain('answers in its place');
});

it('what a person reads on stderr is a frame, too: a host may read nothing else', async () => {
	await using first = host({ script: [{ text: 'a' }], args: ['--permission-mode', 'bypassPermissions'] });
	const { session_id: id } = await first.turn('hi');
	await first.end();
	await using one = host({ script: [{ text: 'b' }, { text: 'c' }], args: ['--resume', String(id), '--effort=bogus'] });
	await one.turn('hi');
	await using two = host({ script: [{ text: 'elsewhere' }], args: ['--resume', String(id)] });
	await two.turn('meanwhile');
	await two.end();
	await one.turn('and now?');
	const notes = one.of('informational').map(({ content, level, session_id: of }) => [content, level, of]);
	expect(notes).toEqual([
		[expect.stringContaining('--effort: bogus'), 'warning', id],
		[expect.stringContaining('was in the mode bypassPermissions'), 'warning', id],
		[expect.stringContaining('gone on elsewhere: 2 messages were read'), 'warning', id],
	]);
	await one.end();
	expect(one.err.trim().split('\n')).toHaveLength(3);
});

it.each(['abc', '', '1e999'])('--max-thinking-tokens=%s is wrong usage, and says what is right', async (given) => {
	const { code, err } = await stage.run(['-p', 'hi', '--script', stage.script([]), `--max-thinking-tokens=${given}`]);
	expect([code, err]).toEqual([2, expect.stringContaining('Use a number of tokens')]);
});

it('the session itself can be a kind of agent, and an unknown kind is said and changes nothing', async () => {
	await using one = host({ script: [{ text: 'seen' }], args: ['--agent=mine'] });
	await one.agent.request('initialize', {
		agents: { mine: { description: 'reads', prompt: 'You only read.', tools: ['Read', 'Grep'] } },
	});
	await one.turn('look');
	expect(one.of('init')[0]?.tools).toEqual(['Read', 'Grep']);
	await using two = host({ script: [{ text: 'seen' }, { text: 'seen' }], args: ['--agent=nobody'] });
	expect(await two.turn('look')).toMatchObject({ subtype: 'success' });
	expect(two.err).toContain('nobody');
	await two.turn('look again');
	expect(two.of('informational')).toMatchObject([
		{ content: expect.stringContaining('no kind of agent called nobody') },
	]);
});

it('a session that is not to be kept leaves nothing, and goes on until the client ends', async () => {
	const temporary = join(stage.home, 'temporary');
	mkdirSync(temporary);
	await using one = host({
		script: [call('Write', { file_path: stage.file('made.txt'), content: 'x' }), { text: 'a' }, { text: 'b' }],
		args: ['--no-session-persistence', '--permission-mode', 'acceptEdits'],
		env: { TMPDIR: temporary },
	});
	const { session_id: id } = await one.turn('one');
	expect((await one.turn('two')).session_id).toBe(id);
	expect(await one.end()).toBe(0);
	await expect(stage.pathOf(id)).rejects.toThrow('no session');
	expect(readdirSync(temporary)).toEqual([]);
	expect(existsSync(stage.file('made.txt'))).toBe(true);
});

it('an answer has the asked shape: a wrong one is told so, a missing one is asked for, and the result carries it', async () => {
	const schema = JSON.stringify({ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] });
	await using one = host({
		script: [
			{ text: 'It is 4.' },
			call('StructuredOutput', { a: 'four' }),
			call('StructuredOutput', { a: 4 }),
			{ text: 'ok' },
		],
		args: [`--json-schema=${schema}`],
	});
	expect(await one.turn('2 + 2')).toMatchObject({ subtype: 'success', structured_output: { a: 4 } });
	expect(JSON.stringify(one.of('user'))).toContain('expected number');
	await using two = host({ script: { turns: [], default: { text: 'no' } }, args: [`--json-schema=${schema}`] });
	expect(await two.turn('2 + 2')).toMatchObject({ subtype: 'error_max_structured_output_retries', is_error: true });
});

it('managed settings come before all others, and their rules hold', async () => {
	const managed = JSON.stringify({ permissions: { deny: ['Read'] } });
	await using one = host({
		script: [call('Read', { file_path: stage.file('a.txt') }), { text: 'ok' }],
		args: [`--managed-settings=${managed}`, '--settings', JSON.stringify({ permissions: { allow: ['Read'] } })],
	});
	await one.turn('read');
	expect(one.of('init')[0]?.tools).not.toContain('Read');
});

it('nobody is asked where the host says that nobody answers', async () => {
	let asked = 0;
	await using one = host({
		script: [call('Bash', { command: 'touch x.txt' }), { text: 'ok' }],
		args: ['--permission-prompts=none'],
		answers: {
			can_use_tool: () => {
				asked += 1;
				return { behavior: 'allow' };
			},
		},
	});
	expect(await one.turn('go')).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
	expect(asked).toBe(0);
});

it('a log goes to the file that is named', async () => {
	const path = stage.file('host.log');
	await using one = host({ script: [{ text: 'a' }], args: [`--debug-file=${path}`] });
	await one.turn('hi');
	await one.end();
	expect(readFileSync(path, 'utf8')).toContain('prompt session=');
});

it('a tool of an MCP server answers what may run', async () => {
	const server = stage.file('asked.mjs');
	writeFileSync(server, permissionServer);
	const config = { mcpServers: { judge: { type: 'stdio', command: process.execPath, args: [server] } } };
	const command = (text: string) => call('Bash', { command: text });
	await using one = host({
		script: [command('touch good.txt'), command('touch bad.txt'), { text: 'ok' }],
		args: ['--permission-prompt-tool=mcp__judge__decide', '--mcp-config', JSON.stringify(config)],
	});
	expect(await one.turn('go')).toMatchObject({ permission_denials: [{ tool_input: { command: 'touch bad.txt' } }] });
	expect([existsSync(stage.file('good.txt')), existsSync(stage.file('bad.txt'))]).toEqual([true, false]);
});

const permissionServer = `
import { createInterface } from 'node:readline';
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === 'initialize')
		answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'judge', version: '1' } });
	else if (method === 'tools/list')
		answer(id, { tools: [{ name: 'decide', description: 'decides', inputSchema: { type: 'object' } }] });
	else if (method === 'tools/call') {
		const { input } = params.arguments;
		const verdict = input.command.includes('bad') ? { behavior: 'deny', message: 'bad' } : { behavior: 'allow', updatedInput: input };
		answer(id, { content: [{ type: 'text', text: JSON.stringify(verdict) }] });
	} else if (id !== undefined) answer(id, {});
});
`;
