/** Tools as a user of the client meets them: questions to a person, names of other agents, rules that reach searches. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage, framesIn, initIn } from '../support/client.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const call = (name: string, input: object) => ({ content: [{ type: 'tool_use', name, input }] });
const script = (...turns: readonly object[]): string => stage.script([...turns, { text: 'That was all.' }] as never);

function put(name: string, content: string): void {
	mkdirSync(dirname(stage.file(name)), { recursive: true });
	writeFileSync(stage.file(name), content);
}

const shown = async (): Promise<string> => (await stage.run(['show', 'last', '--full'])).out;

const question = call('AskUserQuestion', {
	questions: [
		{
			...{ question: 'Which colour?', header: 'Colour', multiSelect: false },
			options: [
				{ label: 'Red', description: 'like \u001b[31mfire' },
				{ label: 'Blue', description: 'like water' },
			],
		},
	],
});

describe.skipIf(!hasTerminals)('on a terminal', () => {
	const start = (turn: object, ...flags: readonly string[]) =>
		new Terminal(stage, ['-p', 'go', '--script', script(turn), ...flags], { NO_COLOR: '1' });

	it('a question is answered by a number, whatever the mode allows', async () => {
		await using terminal = start(question, '--dangerously-skip-permissions');
		await terminal.shows('A number, or your own words: ');
		expect(terminal.text).toContain('1: Red  like \\x1b[31mfire');
		terminal.type('7\n');
		await terminal.shows('7 is none of the numbers');
		terminal.type('2\n');
		await terminal.shows('That was all.');
		expect(await terminal.end()).toBe(0);
		expect(await shown()).toContain('User has answered your questions: "Which colour?"="Blue".');
	});

	it('a plan that is approved may be carried out from then on', async () => {
		const turns = [call('ExitPlanMode', { plan: '1. Paint' }), call('Write', { file_path: 'made.txt', content: 'x' })];
		const path = script(...turns);
		await using terminal = new Terminal(stage, ['-p', 'go', '--script', path, '--permission-mode', 'plan'], {
			NO_COLOR: '1',
		});
		await terminal.shows('Carry it out?');
		expect(terminal.text).toContain('1. Paint');
		terminal.type('e\n');
		await terminal.shows('That was all.');
		await terminal.end();
		expect(existsSync(stage.file('made.txt'))).toBe(true);
		expect(await shown()).toContain('User has approved your plan.');
	});

	it('a plan that is not approved changes nothing', async () => {
		await using terminal = start(call('ExitPlanMode', {}), '--permission-mode', 'plan');
		await terminal.shows('Carry it out?');
		terminal.type('not yet\n');
		await terminal.shows('That was all.');
		await terminal.end();
		expect(await shown()).toContain('the user wants to go on planning: not yet');
	});
});

describe('where a program answers', () => {
	const streaming = [
		'--input-format',
		'stream-json',
		'--output-format',
		'stream-json',
		'--permission-prompt-tool',
		'stdio',
	];

	it('its answers reach the model', async () => {
		const child = stage.start(['-p', ...streaming, '--script', script(question)]);
		let out = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			out += text;
			const asked = framesIn(text).find(({ type }) => type === 'control_request');
			if (!asked) return;
			const { request_id, request } = asked as unknown as { request_id: string; request: { input: object } };
			const updatedInput = { ...request.input, answers: { 'Which colour?': 'Red' } };
			const response = { subtype: 'success', request_id, response: { behavior: 'allow', updatedInput } };
			child.stdin.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
			child.stdin.end();
		});
		child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })}\n`);
		await new Promise((done) => child.on('close', done));
		expect(out).toContain('User has answered your questions: \\"Which colour?\\"=\\"Red\\".');
	});

	it('tools that need a person are offered only then', async () => {
		const { out } = await stage.run(['-p', 'go', '--output-format', 'stream-json', '--script', script(question)]);
		const init = initIn(out);
		expect(init?.tools).not.toContain('AskUserQuestion');
		expect(init?.tools).toContain('Grep');
		expect(init?.tools).not.toContain('KillShell');
		expect(out).toContain('No such tool available: AskUserQuestion');
	});
});

describe('a session of another agent', () => {
	it.each([
		[
			'pi',
			call('bash', { command: 'echo it ran' }),
			[call('read', { path: 'a.txt' }), call('edit', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] })],
		],
		[
			'cline',
			call('run_commands', { commands: ['echo it ran'] }),
			[
				call('read_files', { files: [{ path: 'a.txt' }] }),
				call('editor', { path: 'a.txt', old_text: 'one', new_text: 'two' }),
			],
		],
	])('%s goes on with the names that it knows', async (format, first, then) => {
		put('a.txt', 'one\n');
		const begin = ['-p', 'go', '--session-format', format, '--script', script(first)];
		expect((await stage.run(begin)).code).toBe(0);
		const flags = ['--permission-mode', 'acceptEdits', '--output-format', 'stream-json'];
		const { out, code } = await stage.run(['-c', '-p', 'on', ...flags, '--script', script(...then, first)]);
		expect(code).toBe(0);
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('two\n');
		const tools = initIn(out).tools as readonly string[];
		expect(tools).toContain(first.content[0]?.name);
		expect(tools).not.toContain('Bash');
		expect(tools).not.toContain('Read');
		expect(out).toContain('it ran');
	});

	it('what a rule denies is denied under every name', async () => {
		const turn = call('bash', { command: 'touch made' });
		await stage.run(['-p', 'go', '--session-format', 'pi', '--script', script(turn)]);
		const flags = ['--dangerously-skip-permissions', '--disallowedTools', 'Bash(touch:*)'];
		await stage.run(['-c', '-p', 'on', ...flags, '--script', script(turn)]);
		expect(existsSync(stage.file('made'))).toBe(false);
	});
});

describe('rules reach what a search comes upon', () => {
	it.each([
		['Grep', { pattern: 'word' }],
		['Grep', { pattern: 'word', output_mode: 'content' }],
		['Glob', { pattern: '**/*.txt' }],
	])('%s %j', async (tool, input) => {
		put('open.txt', 'a word\n');
		put('secrets/hidden.txt', 'a secret word\n');
		const flags = ['--disallowedTools', 'Read(secrets/**)', '--output-format', 'stream-json'];
		const { out } = await stage.run(['-p', 'go', ...flags, '--script', script(call(tool, input))]);
		expect(out).toContain('open.txt');
		expect(out).not.toContain('hidden.txt');
		expect(out).not.toContain('a secret word');
	});

	it('a text that looks like a path is no path', async () => {
		put('open.txt', 'get /etc/hosts\n');
		const turn = call('Grep', { pattern: '/etc/.*' });
		const { out } = await stage.run(['-p', 'go', '--output-format', 'stream-json', '--script', script(turn)]);
		expect(out).toContain('Found 1 file\\nopen.txt');
	});

	it.each([
		['Glob', { pattern: '/etc/*' }],
		['Glob', { pattern: '~/*' }],
		['Glob', { pattern: '../*' }],
		['Glob', { pattern: '*', path: '..' }],
		['Grep', { pattern: 'x', path: '~' }],
		['NotebookEdit', { notebook_path: '/etc/a.ipynb', new_source: 'x', cell_id: 'a' }],
		['WebFetch', { url: 'https://example.com/', prompt: 'x' }],
		['WebSearch', { query: 'words' }],
	])('%s %j is asked about', async (tool, input) => {
		const flags = ['--permission-mode', 'acceptEdits', '--output-format', 'stream-json'];
		const { out } = await stage.run(['-p', 'go', ...flags, '--script', script(call(tool, input))]);
		expect(out).toMatch(/Claude requested permissions to/);
	});

	it('a search outside of the project is asked about', async () => {
		const { out } = await stage.run([
			'-p',
			'go',
			'--output-format',
			'stream-json',
			'--script',
			script(call('Grep', { pattern: 'root', path: '/etc' })),
		]);
		expect(out).toContain('requested permissions to read from /etc');
	});
});

function isGone(group: number): boolean {
	try {
		return !process.kill(-group, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ESRCH';
	}
}

it('a client that ends takes what runs in the background with it', async () => {
	// The second call waits until the first one runs: how busy the machine is decides nothing here.
	const turns = [
		call('Bash', { command: 'echo $$ > pid; sleep 600; touch late', run_in_background: true }),
		call('Bash', { command: 'until test -s pid; do sleep 0.05; done' }),
	];
	expect((await stage.run(['-p', 'go', '--allowedTools', 'Bash', '--script', script(...turns)])).code).toBe(0);
	const group = Number(readFileSync(stage.file('pid'), 'utf8'));
	expect(group).toBeGreaterThan(1);
	// What was killed stays in the table of processes until the system has taken note of its end.
	await expect.poll(() => isGone(group), { timeout: 20_000 }).toBe(true);
	expect(existsSync(stage.file('late'))).toBe(false);
});

it('the model hears of a command that ended in the background', async () => {
	const turns = [
		call('Bash', { command: 'sleep 0.1; echo done', run_in_background: true }),
		call('Bash', { command: 'sleep 1' }),
	];
	await stage.run(['-p', 'go', '--allowedTools', 'Bash', '--script', script(...turns)]);
	const { out } = await stage.run(['context', 'last', '--json']);
	expect(out).toContain('<task-notification>');
});

it('a list of tasks goes on where the session was left', async () => {
	await stage.run(['-p', 'go', '--script', script(call('TaskCreate', { subject: 'First', description: 'd' }))]);
	const { out } = await stage.run([
		'-c',
		'-p',
		'on',
		'--output-format',
		'stream-json',
		'--script',
		script(call('TaskList', {})),
	]);
	expect(out).toContain('#1 [pending] First');
	expect(initIn(out).tools).toContain('TaskCreate');
});
