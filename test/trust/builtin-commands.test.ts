/** The built-in commands, as prompts of the command line and of a program that drives the client: no model is asked. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinNames } from '../../src/client/commands/builtins.ts';
import { ClientStage, type Frame, framesIn } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';
import { envFor, modelNames } from '../support/model-server-ask.ts';

interface Line extends Frame {
	readonly content?: string;
	readonly uuid?: string;
	readonly message?: { readonly content: unknown };
}

describe('a built-in command', () => {
	const stage = new ClientStage();
	const path = join(stage.home, 'session.jsonl');
	afterAll(() => stage[Symbol.dispose]());
	beforeAll(async () => {
		const usage = { input: 100, output: 20 };
		const script = stage.script([{ text: 'One.', usage }]);
		await stage.run(['-p', 'first prompt', '--script', script, '--session-file', path]);
	});

	const lines = (): readonly Line[] => framesIn(readFileSync(path, 'utf8')) as readonly Line[];
	/** Without any model that is set up. */
	const call = async (prompt: string, ...flags: string[]) => await stage.run(['-r', path, '-p', prompt, ...flags]);

	it.each([
		['/help', /\/cost +what this session has cost/],
		['/cost', /Total: .* for 1 reply/],
		['/context', /The next request holds about [\d,]+ tokens: \d+ messages? and \d+ tools/],
		['/permissions', /^mode +default\n[\s\S]*\nallow +Bash\(ls:\*\)\n[\s\S]*\nThe folder is (not )?trusted\./],
		['/agents', /^Kinds of sub-agents:\n[\s\S]* Explore: [^\n]+\n/],
		['/mcp', /No MCP server is set up here/],
		['/hooks', /No hook is called here/],
		['/model', /No model is set up here/],
		['/rewind', /^[0-9a-f-]{36} {2}first prompt/],
		['/resume', /There is no session of this project yet/],
		['/resume --check', /^session [\s\S]*\nnot sent +nothing/],
		['/fork', /goes on in a copy\.\n[^\n]* \/resume [\da-f-]{36} goes back to it/],
		['/export', /# first prompt[\s\S]*One\./],
	])('%s answers where no model is set up', async (prompt, said) => {
		const { code, out } = await call(prompt, '--allowedTools', 'Bash(ls:*)');
		expect(out).toMatch(said);
		expect(code).toBe(0);
	});

	it('/model NAME lets that model answer from then on, and says so', async () => {
		await using server = await startModelServer({ turns: [{ text: 'first' }, { text: 'second' }] });
		const prompts = ['one', '/model anthropic/claude-other', 'two', '/model'];
		const input = prompts.map((content) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
		const { out } = await stage.run(
			['-p', ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--model', modelNames.anthropic]],
			{ input: input.join(''), env: envFor(server.url) as { readonly [name: string]: string } },
		);
		const results = framesIn(out).filter(({ type }) => type === 'result');
		expect(results.map(({ result }) => result)).toEqual([
			...['first', 'anthropic/claude-other answers from now on', 'second'],
			'anthropic/claude-other answers',
		]);
		expect(server.requests.map(({ body }) => body.model)).toEqual(['claude-sonnet-4-5', 'claude-other']);
	});

	it('is recorded with its three tags and with what it said, and the session goes on', async () => {
		const before = lines().length;
		await call('/cost now');
		const [called, answered] = lines().slice(before);
		expect(called).toMatchObject({ type: 'system', subtype: 'local_command', level: 'info', isMeta: false });
		expect(called?.content).toBe(
			'<command-name>/cost</command-name>\n<command-message>cost</command-message>\n<command-args>now</command-args>',
		);
		expect(answered?.content).toMatch(/^<local-command-stdout>Total: [\s\S]*<\/local-command-stdout>$/);
		expect((await stage.run(['check', path])).code).toBe(0);
		const script = stage.script([{ text: 'Two.' }]);
		expect(await call('second prompt', '--script', script)).toMatchObject({ code: 0, out: 'Two.\n' });
	});

	it('that asks a model is not carried out where none is set up, and one that cannot be is one line', async () => {
		expect(await call('/compact')).toMatchObject({ code: 1, err: expect.stringContaining('no model is set up') });
		const { code, err } = await call('/uncompact');
		expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^reprise: \/uncompact: .*compact.*\n$/) });
	});

	it('in a session in which nothing was said begins no session', async () => {
		const other = join(stage.home, 'none.jsonl');
		const { code, out } = await stage.run(['-p', '/cost', '--session-file', other]);
		expect({ code, out }).toEqual({ code: 0, out: 'Nothing was asked yet: this session has cost nothing.\n' });
		expect(existsSync(other)).toBe(false);
	});

	it('/export writes a file, and never over one that is there', async () => {
		const { out } = await call('/export notes/../story.md');
		expect(out).toContain(stage.file('story.md'));
		const told = readFileSync(stage.file('story.md'), 'utf8');
		expect(told).toContain('first prompt');
		const again = await call('/export story.md');
		expect(again.code).toBe(1);
		expect(again.err).toMatch(/exists already/);
		expect(readFileSync(stage.file('story.md'), 'utf8')).toBe(told);
	});

	it('~ is the home folder in their paths, and what is wrong with a file is said in words', async () => {
		const home = async (prompt: string) => await stage.run(['-r', path, '-p', prompt], { env: { HOME: stage.home } });
		expect((await home('/export ~/at-home.md')).out).toContain(join(stage.home, 'at-home.md'));
		expect(readFileSync(join(stage.home, 'at-home.md'), 'utf8')).toContain('first prompt');
		expect((await home('/resume --check ~/session.jsonl')).code).toBe(0);
		const nowhere = await call('/export nodir/x.md');
		expect(nowhere.err).toContain(`there is no folder ${stage.file('nodir')}`);
		expect(nowhere.err).not.toContain('ENOENT');
		expect((await call('/return')).err).toContain('was not handed off');
	});

	it('/rewind goes on from before an earlier prompt', async () => {
		const second = lines().filter(({ type }) => type === 'user')[1]?.uuid ?? '';
		expect((await call(`/rewind ${second}`)).out).toContain('The conversation goes on from');
		const { out } = await stage.run(['context', path]);
		expect(out).toContain('first prompt');
		expect(out).not.toContain('second prompt');
		expect((await call('/rewind nothing')).code).toBe(1);
	});

	it('/handoff gives the session to another agent, and says how to go on there', async () => {
		const { code, out } = await call('/handoff pi');
		expect(code).toBe(0);
		expect(out).toMatch(/A copy of the session is where pi finds it: pi:\S+\.\n[\s\S]*Go on with:\n.*pi .*\n$/);
		expect((await call('/handoff nobody')).err).toMatch(/\/handoff: .*nobody/);
	});

	it('is one document with --output-format json', async () => {
		const { out } = await call('/mcp', '--output-format', 'json');
		expect(JSON.parse(out)).toMatchObject({
			type: 'result',
			subtype: 'success',
			is_error: false,
			num_turns: 0,
			result: 'No MCP server is set up here.',
		});
	});

	it('leaves a session of any format as its client reads it', async () => {
		for (const format of ['openclaw', 'clido', 'cline']) {
			const other = join(stage.home, `session-${format}.json`);
			const script = stage.script([{ text: 'One.' }, { text: 'Two.' }]);
			const flags = ['--session-format', format, '--session-file', other, '--script', script];
			await stage.run(['-p', 'first prompt', ...flags]);
			expect((await stage.run(['-r', other, '-p', '/cost'])).code, format).toBe(0);
			expect((await stage.run(['check', other])).code, format).toBe(0);
			expect((await stage.run(['-r', other, '-p', 'go on', '--script', script])).code, format).toBe(0);
		}
	});
});

describe('a program that drives the client', () => {
	const stage = new ClientStage();
	afterAll(() => stage[Symbol.dispose]());

	async function drive(prompts: readonly string[], ...flags: string[]): Promise<readonly Frame[]> {
		const frames = prompts.map((content) => ({ type: 'user', message: { role: 'user', content } }));
		const first = { type: 'control_request', request_id: '1', request: { subtype: 'initialize' } };
		const input = [first, ...frames].map((frame) => `${JSON.stringify(frame)}\n`).join('');
		const wire = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
		const script = stage.script({ turns: [], default: { text: 'Said.' } });
		const { out } = await stage.run(['--script', script, ...wire, ...flags], { input });
		return framesIn(out);
	}

	it('is told of the commands, and each is a reply that no model gave and a result', async () => {
		const mine = join(stage.home, '.claude/commands/mine.md');
		mkdirSync(dirname(mine), { recursive: true });
		writeFileSync(mine, '---\ndescription: My own\nargument-hint: [x]\n---\nDo it.');
		const frames = await drive(['hello', '/context', '/nothing', 'again']);
		const { response } = frames[0] as unknown as { response: { response: { commands: object[] } } };
		expect(response.response.commands).toContainEqual({ name: 'mine', description: 'My own', argumentHint: '[x]' });
		const init = frames.find(({ subtype }) => subtype === 'init') as unknown as { slash_commands: string[] };
		expect(init.slash_commands).toEqual([...builtinNames, 'mine']);
		const results = frames.filter(({ type }) => type === 'result');
		expect(results.map(({ is_error, num_turns }) => [is_error, num_turns])).toEqual([
			[false, 1],
			[false, 0],
			[true, 0],
			[false, 1],
		]);
		const synthetic = frames.filter(
			({ type, message }) => type === 'assistant' && JSON.stringify(message).includes('<synthetic>'),
		);
		expect(synthetic).toHaveLength(1);
		expect(JSON.stringify(synthetic[0])).toContain('The next request holds');
	});

	it('a command that waited is taken from the queue, as a prompt is', async () => {
		const [result] = (await drive(['one', '/cost', 'two'])).filter(({ type }) => type === 'result');
		const lines = (await stage.lines(result?.session_id)).filter(({ type }) => type === 'queue-operation');
		expect(lines.map(({ operation, content }) => content ?? operation).sort()).toEqual([
			...['/cost', 'dequeue', 'dequeue', 'two'],
		]);
		for (const line of lines)
			expect(line).toMatchObject({ sessionId: result?.session_id, timestamp: expect.any(String) });
	});

	it('/clear goes on in a new session, and /resume goes back', async () => {
		const frames = await drive(['one', '/clear', 'two']);
		const [first, cleared, second] = frames.filter(({ type }) => type === 'result').map(({ session_id }) => session_id);
		expect(cleared).toBe(second);
		expect(second).not.toBe(first);
		const said = (lines: readonly Frame[]) => lines.filter(({ type }) => type === 'user').map(({ message }) => message);
		expect(said(await stage.lines(first))).toEqual([{ role: 'user', content: 'one' }]);
		expect(said(await stage.lines(second))).toEqual([{ role: 'user', content: 'two' }]);
		const back = await drive(['three', `/resume ${String(first)}`, 'four', '/model offline/script:none.json']);
		const ids = back.filter(({ type }) => type === 'result').map(({ session_id }) => session_id);
		expect(ids.slice(1)).toEqual([first, first, first]);
		expect(JSON.stringify(await stage.lines(first))).toContain('four');
		expect(back.at(-1)).toMatchObject({ type: 'result', is_error: true });
	});
});
