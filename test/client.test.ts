/** The client on the command line: prompts, sessions, permissions and limits, as its users meet them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ScriptInput } from '../src/providers/script.ts';
import { ClientStage, framesIn } from './support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const working: ScriptInput = [
	{
		content: [
			{ type: 'text', text: 'Looking.' },
			{ type: 'tool_use', name: 'Read', input: { file_path: 'a.txt' } },
		],
	},
	{ content: [{ type: 'tool_use', name: 'Bash', input: { command: 'touch hi' } }] },
	{ text: 'All done.' },
];
const says = (text: string): string => stage.script([{ text }]);

describe('what is printed', () => {
	it('text is the last reply and nothing else', async () => {
		const ended = await stage.run([
			'-p',
			'do it',
			'--script',
			stage.script(working),
			'--allowedTools',
			'Bash(touch:*)',
		]);
		expect(ended).toEqual({ code: 0, out: 'All done.\n', err: '' });
	});

	it('json is one document with the result', async () => {
		const document = await stage.json('-p', 'do it', '--script', stage.script(working));
		expect(document).toMatchObject({ type: 'result', subtype: 'success', is_error: false, result: 'All done.' });
		expect(document).toMatchObject({ num_turns: 3, total_cost_usd: 0, usage: { input_tokens: 360 } });
		expect(document.permission_denials).toMatchObject([{ tool_name: 'Bash', tool_input: { command: 'touch hi' } }]);
	});

	it('stream-json is init, a frame per block and per result, and the result', async () => {
		const { out } = await stage.run(['do it', '--script', stage.script(working), '--output-format', 'stream-json']);
		const frames = framesIn(out);
		const types = frames.map((frame) => frame.type);
		// The third reply is denied: that is a frame of its own before its result.
		expect(types).toEqual([
			'system',
			'assistant',
			'assistant',
			'user',
			'assistant',
			'system',
			'user',
			'assistant',
			'result',
		]);
		expect(new Set(frames.map((frame) => frame.session_id)).size).toBe(1);
		expect(new Set(frames.map((frame) => frame.uuid)).size).toBe(frames.length);
	});

	it('pieces of replies come with --include-partial-messages, and make up the reply', async () => {
		const flags = ['--output-format', 'stream-json', '--include-partial-messages'];
		const { out } = await stage.run(['-p', 'x', '--script', says('a text in more than one piece'), ...flags]);
		const events = framesIn(out).flatMap((frame) => (frame.type === 'stream_event' ? [frame.event] : [])) as {
			readonly type: string;
			readonly delta?: { readonly text?: string };
		}[];
		expect(events[0]?.type).toBe('message_start');
		expect(events.at(-1)?.type).toBe('message_stop');
		expect(events.map((event) => event.delta?.text ?? '').join('')).toBe('a text in more than one piece');
	});
});

describe('where prompts come from', () => {
	it('stdin is the prompt, and stands behind words on the command line', async () => {
		const alone = await stage.run(['-p', '--script', says('fine')], { input: 'piped' });
		expect(alone).toEqual({ code: 0, out: 'fine\n', err: '' });
		const { out } = await stage.run(['-p', 'Explain this:', '--script', says('ok'), '--output-format', 'json'], {
			input: 'line one\nline two\n',
		});
		const [prompt] = await stage.lines((JSON.parse(out) as { session_id: string }).session_id);
		expect(prompt).toMatchObject({ message: { content: 'Explain this:\n\nline one\nline two' } });
	});

	it('one process answers many lines of stream-json, each with its own result', async () => {
		const script = stage.script([{ text: 'first' }, { text: 'second' }]);
		const input = [
			{ type: 'control_request', request_id: 'r1', request: { subtype: 'initialize' } },
			{ type: 'user', message: { role: 'user', content: 'one' } },
			{ type: 'keep_alive' },
			{ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'two' }] } },
		];
		const { code, out } = await stage.run(
			['--script', script, '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
			{ input: input.map((line) => `${JSON.stringify(line)}\n`).join('') },
		);
		expect(code).toBe(0);
		const frames = framesIn(out);
		expect(frames.filter(({ type }) => type === 'result').map(({ result }) => result)).toEqual(['first', 'second']);
		expect(frames.find(({ type }) => type === 'control_response')).toMatchObject({
			response: { subtype: 'success', request_id: 'r1' },
		});
		const lines = await stage.lines(String(frames.at(-1)?.session_id));
		const queue = lines.filter(({ type }) => type === 'queue-operation');
		expect(queue.map(({ operation, content }) => [operation, content])).toEqual([
			['enqueue', 'two'],
			['dequeue', undefined],
		]);
	});

	it('a line that is no JSON is one line on stderr and a frame, and what follows is answered', async () => {
		const args = ['--script', says('x'), '--input-format', 'stream-json', '--output-format', 'stream-json'];
		const prompt = JSON.stringify({ type: 'user', message: { role: 'user', content: 'go on' } });
		const { code, out, err } = await stage.run(args, { input: `nonsense\n${prompt}\n` });
		expect(code).toBe(0);
		expect(err.trim().split('\n')).toEqual([expect.stringContaining('is not JSON')]);
		expect(framesIn(out)[0]).toMatchObject({ subtype: 'informational', level: 'warning', tag: 'bad_input' });
		expect(framesIn(out).at(-1)).toMatchObject({ type: 'result', result: 'x' });
	});

	it('a slash command stands for the file of its name, which the model gets and nobody typed', async () => {
		mkdirSync(join(stage.home, '.claude/commands'), { recursive: true });
		writeFileSync(join(stage.home, '.claude/commands/review.md'), '---\nx: 1\n---\nReview $1. Mind: $ARGUMENTS\n');
		const { session_id } = await stage.json('-p', '/review a.txt twice', '--script', says('ok'));
		const users = (await stage.lines(session_id)).filter(({ type }) => type === 'user');
		expect(users).toMatchObject([
			{ message: { content: expect.stringContaining('<command-name>/review</command-name>') } },
			{ message: { content: [{ type: 'text', text: 'Review twice. Mind: a.txt twice\n' }] }, isMeta: true },
		]);
	});
});

describe('which session', () => {
	it.each(['claude-code', 'cline', 'clido', 'openclaw'])(
		'a new %s session is clean, listed, and goes on',
		async (format) => {
			const script = stage.script(working);
			const { session_id: id } = await stage.json('-p', `in ${format}`, '--script', script, '--session-format', format);
			const path = await stage.pathOf(id);
			const again = await stage.json('-p', 'go on', '-r', String(id), '--script', says('more'));
			expect(again).toMatchObject({ session_id: id, result: 'more' });
			const { out } = await stage.run(['check', path, '--profile', 'client', '--json']);
			expect(JSON.parse(out)).toMatchObject({ format, ok: true, issues: [] });
		},
	);

	it('-r finds a session by the beginning of its id, its title and its file, and -c the newest', async () => {
		const { session_id: id } = await stage.json('-p', 'a title of its own', '--script', says('first'));
		const path = await stage.pathOf(id);
		for (const which of [['-r', String(id).slice(0, 13)], ['-r', 'A title of its own'], [`--resume=${path}`], ['-c']]) {
			expect(await stage.json('-p', 'next', ...which, '--script', says('next'))).toMatchObject({ session_id: id });
		}
		const { out } = await stage.run(['context', path, '--json']);
		expect((JSON.parse(out) as { messages: unknown[] }).messages).toHaveLength(10);
	});

	it('--fork-session leaves the session as it is, and --resume-session-at forgets what came after', async () => {
		const { session_id: id } = await stage.json('-p', 'trunk', '--script', says('trunk reply'));
		const path = await stage.pathOf(id);
		const before = readFileSync(path);
		const reply = (await stage.lines(id)).find(({ type }) => type === 'assistant');
		const fork = await stage.json('-p', 'branch', '-r', String(id), '--fork-session', '--script', says('b'));
		expect(fork.session_id).not.toBe(id);
		expect(readFileSync(path).equals(before)).toBe(true);
		await stage.json('-p', 'soon forgotten', '-r', String(id), '--script', says('f'));
		const at = ['--resume-session-at', String(reply?.uuid)];
		await stage.json('-p', 'instead', '-r', String(id), ...at, '--script', says('i'));
		const { out } = await stage.run(['context', path]);
		expect(out).toContain('trunk reply');
		expect(out).toContain('instead');
		expect(out).not.toContain('soon forgotten');
	});

	it('the published profile wants a place of its own, and is clean there', async () => {
		const flags = ['--script', says('ok'), '--session-format', 'clido', '--session-profile', 'published'];
		expect(await stage.run(['-p', 'x', ...flags])).toMatchObject({ code: 1, out: '' });
		const file = stage.file('published.jsonl');
		expect(await stage.run(['-p', 'x', ...flags, '--session-file', file])).toMatchObject({ code: 0 });
		const { out } = await stage.run(['check', file, '--profile', 'published', '--json']);
		expect(JSON.parse(out)).toMatchObject({ format: 'clido', ok: true, issues: [] });
	});

	it('tools that the session has used and that are not here are named', async () => {
		const path = stage.file('foreign.jsonl');
		const base = {
			isSidechain: false,
			cwd: stage.cwd,
			sessionId: 'f0f0f0f0-0000-4000-8000-000000000001',
			version: '2.1.29',
		};
		const time = '2026-01-01T00:00:00.000Z';
		const lines = [
			{
				...base,
				type: 'user',
				uuid: 'u1',
				parentUuid: null,
				timestamp: time,
				message: { role: 'user', content: 'go' },
			},
			{
				...base,
				type: 'assistant',
				uuid: 'a1',
				parentUuid: 'u1',
				timestamp: time,
				message: {
					id: 'm1',
					role: 'assistant',
					content: [{ type: 'tool_use', id: 't1', name: 'Workflow', input: {} }],
				},
			},
			{
				...base,
				type: 'user',
				uuid: 'u2',
				parentUuid: 'a1',
				timestamp: time,
				message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
			},
		];
		writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
		const { code, out, err } = await stage.run(['-p', 'and now?', '-r', path, '--script', says('done')]);
		expect([code, out]).toEqual([0, 'done\n']);
		expect(err).toContain('the session has used tools that are not available here: Workflow');
	});

	it('files that changed since the session saw them are named before the first request', async () => {
		writeFileSync(stage.file('b.txt'), 'old\n');
		const reads = stage.script([
			{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: stage.file('b.txt') } }] },
			{ text: 'read' },
		]);
		const { session_id: id } = await stage.json('-p', 'read it', '--script', reads);
		writeFileSync(stage.file('b.txt'), 'new\n');
		const { err } = await stage.run(['-p', 'next', '-r', String(id), '--script', says('x')]);
		expect(err).toContain(`${stage.file('b.txt')} was edited since the session last saw it`);
	});

	it('a file that is as the session saw it may be edited without being read again', async () => {
		writeFileSync(stage.file('c.txt'), 'one\n');
		const input = { file_path: stage.file('c.txt'), old_string: 'one', new_string: 'two' };
		const reads = stage.script([
			{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: stage.file('c.txt') } }] },
			{ text: 'read' },
		]);
		const edits = stage.script([{ content: [{ type: 'tool_use', name: 'Edit', input }] }, { text: 'edited' }]);
		const { session_id: id } = await stage.json('-p', 'read it', '--script', reads);
		await stage.json('-p', 'edit', '-r', String(id), '--script', edits, '--permission-mode', 'acceptEdits');
		expect(readFileSync(stage.file('c.txt'), 'utf8')).toBe('two\n');
	});
});

describe('what it may do', () => {
	const writes = (name: string): string =>
		stage.script([
			{ content: [{ type: 'tool_use', name: 'Write', input: { file_path: stage.file(name), content: 'x' } }] },
			{ content: [{ type: 'tool_use', name: 'Bash', input: { command: `touch ${name}.bash` } }] },
			{ text: 'done' },
		]);

	it.each([
		['comma', ['--allowedTools', 'Write,Bash(touch:*)']],
		['blank', ['--allowedTools', 'Write Bash(touch:*)']],
		['several', ['--allowedTools', 'Write', 'Bash(touch:*)']],
		['dashed', ['--allowed-tools=Write, Bash(touch:*)']],
		['skip', ['--dangerously-skip-permissions']],
	])('rules may be spelled as users of Claude Code do: %s', async (name, flags) => {
		const { permission_denials } = await stage.json('-p', 'x', '--script', writes(name), ...flags);
		expect(permission_denials).toEqual([]);
		expect(existsSync(stage.file(`${name}.bash`))).toBe(true);
	});

	it('what nobody allowed is denied, and what is disallowed stays so in every mode', async () => {
		expect(await stage.json('-p', 'x', '--script', writes('none'))).toMatchObject({
			is_error: false,
			permission_denials: [{ tool_name: 'Write' }, { tool_name: 'Bash' }],
		});
		const flags = ['--permission-mode', 'bypassPermissions', '--disallowedTools', 'Bash'];
		expect(await stage.json('-p', 'x', '--script', writes('most'), ...flags)).toMatchObject({
			permission_denials: [],
		});
		expect(existsSync(stage.file('none'))).toBe(false);
		expect(existsSync(stage.file('most'))).toBe(true);
		expect(existsSync(stage.file('most.bash'))).toBe(false);
	});

	it('--max-turns ends the run with 1 and says why, and the session goes on afterwards', async () => {
		const script = stage.script(working);
		const { code, out, err } = await stage.run([
			...['-p', 'x', '--max-turns', '1', '--script', script, '--output-format', 'json'],
		]);
		const document = JSON.parse(out) as { session_id: string };
		expect({ code, err }).toEqual({ code: 1, err: 'reprise: the limit of 1 turn was reached\n' });
		expect(document).toMatchObject({ subtype: 'error_max_turns', is_error: true, num_turns: 1 });
		expect(await stage.json('-p', 'go on', '-r', document.session_id, '--script', says('ok'))).toMatchObject({
			is_error: false,
		});
	});
});

describe('wrong usage', () => {
	it.each([
		['a word that is no command', ['frobnicate'], 'after -p'],
		['an unknown flag', ['-p', 'x', '--frobnicate'], 'unknown option'],
		['a fork of nothing', ['-p', 'x', '--fork-session'], 'add -c or -r SESSION'],
		['a format for a session that is there', ['-p', 'x', '-c', '--session-format', 'clido'], 'for new sessions'],
		['nothing to do', ['-p'], 'give a prompt'],
		['a tool that does not exist', ['-p', 'x', '--tools', 'Fly', '--script', 'SCRIPT'], 'no tool Fly'],
	])('%s exits with 2 and a hint', async (_, args, hint) => {
		const given = args.map((arg) => (arg === 'SCRIPT' ? says('x') : arg));
		const { code, out, err } = await stage.run(given);
		expect({ code, out }).toEqual({ code: 2, out: '' });
		expect(err).toContain(hint);
	});

	it('without a key it says what to set, and offers what needs none', async () => {
		const { code, err } = await stage.run(['-p', 'hello']);
		expect(code).toBe(1);
		for (const word of ['ANTHROPIC_API_KEY', 'OLLAMA_HOST', 'offline/script:FILE', 'replay', 'demo']) {
			expect(err).toContain(word);
		}
	});

	it('help lists the commands and the flags of the client', async () => {
		const { code, out } = await stage.run(['--help']);
		expect(code).toBe(0);
		for (const word of ['--session-format', '--allowedTools', '--resume-session-at', 'inspect', 'replay', '--debug']) {
			expect(out).toContain(word);
		}
	});
});
