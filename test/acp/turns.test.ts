/** `reprise acp`: what an editor sees of a turn, what its user is asked, and how a turn ends. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { TestEditor } from '../support/editor.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const call = (name: string, input: object) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});
const bash = (command: string) => call('Bash', { command, description: 'test' });

describe('a turn', () => {
	it('shows thoughts, calls with kind, place and output, and changes as diffs with their lines', async () => {
		writeFileSync(stage.file('shed.txt'), 'red\ngreen\nblue\n');
		const thinking = {
			content: [
				{ type: 'thinking' as const, thinking: 'Which colour?' },
				...call('Read', { file_path: 'shed.txt', offset: 2 }).content,
			],
		};
		await using editor = new TestEditor(stage, {
			script: [
				thinking,
				call('Edit', { file_path: 'shed.txt', old_string: 'green', new_string: 'yellow' }),
				call('Write', { file_path: 'new/door.txt', content: 'open\n' }),
				bash('echo painted; exit 3'),
				call('Grep', { pattern: 'yellow' }),
				{ text: 'Painted.' },
			],
			args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(echo:*)', 'Bash(exit:*)'],
		});
		const { sessionId } = await editor.begin();
		expect(await editor.prompt(sessionId, 'paint it')).toBe('end_turn');
		expect(editor.of('agent_thought_chunk').map(({ content }) => content)).toMatchObject([{ text: 'Which colour?' }]);
		const [read, edit, write, run, grep] = editor.calls;
		const path = stage.file('shed.txt');
		expect(read).toMatchObject({
			title: 'Read shed.txt',
			kind: 'read',
			status: 'completed',
			locations: [{ path, line: 2 }],
		});
		expect(edit).toMatchObject({
			...{ title: 'Edit shed.txt', kind: 'edit', status: 'completed', locations: [{ path, line: 2 }] },
			content: [{ type: 'diff', path, oldText: 'red\ngreen\nblue', newText: 'red\nyellow\nblue' }],
			rawInput: { old_string: 'green' },
		});
		expect(edit?.rawOutput).not.toHaveProperty('originalFile');
		expect(write).toMatchObject({
			...{ kind: 'edit', status: 'completed' },
			content: [{ type: 'diff', path: stage.file('new/door.txt'), oldText: null, newText: 'open\n' }],
		});
		expect(run).toMatchObject({ title: 'echo painted; exit 3', kind: 'execute', status: 'failed' });
		expect(JSON.stringify(run?.content)).toContain('```console\\nExit code 3\\npainted\\n```');
		expect(grep).toMatchObject({ title: 'Grep yellow', kind: 'search', status: 'completed' });
		expect(editor.asked).toEqual([]);
		// Nothing is told of a call before the call itself.
		const known = new Set<string>();
		for (const { update } of editor.updates) {
			if (update.sessionUpdate === 'tool_call') known.add(update.toolCallId);
			if (update.sessionUpdate === 'tool_call_update') expect(known).toContain(update.toolCallId);
		}
	});

	it.each(['/clear', '/resume', '/fork', '/uncompact'])(
		'%s goes nowhere that the editor does not know of: it is told what to do instead',
		async (command) => {
			await using editor = new TestEditor(stage, { script: [{ text: 'First.' }, { text: 'Second.' }] });
			const { sessionId } = await editor.begin();
			await editor.prompt(sessionId, 'begin');
			expect(await editor.prompt(sessionId, command)).toBe('end_turn');
			expect(JSON.stringify(editor.of('agent_message_chunk'))).toContain(`${command} would go on in another session`);
			await editor.prompt(sessionId, 'go on here');
			const { out } = await stage.run(['show', sessionId]);
			expect(out).toContain('go on here');
		},
	);

	it('shows what a command prints while it runs', async () => {
		await using editor = new TestEditor(stage, {
			script: [bash('echo begun; sleep 4; echo over'), { text: 'ok' }],
			args: ['--dangerously-skip-permissions'],
		});
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'run it');
		const shown = editor.of('tool_call_update').map(({ content }) => JSON.stringify(content ?? ''));
		expect(shown.some((text) => text.includes('begun') && !text.includes('over'))).toBe(true);
		expect(shown.at(-1)).toContain('begun\\nover');
	});

	it('shows lists of what is to be done as a plan, and not as calls', async () => {
		const todo = (status: string) => call('TodoWrite', { todos: [{ content: 'Dig', status, activeForm: 'Digging' }] });
		await using editor = new TestEditor(stage, {
			script: [
				todo('in_progress'),
				call('TodoWrite', { todos: 'none' }),
				call('TaskCreate', { subject: 'Fill', description: 'Fill it in' }),
				call('TaskUpdate', { taskId: '1', status: 'completed' }),
				{ text: 'ok' },
			],
		});
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'dig');
		const entry = (content: string, status: string) => ({ content, priority: 'medium', status });
		expect(editor.of('plan').map(({ entries }) => entries)).toEqual([
			[entry('Dig', 'in_progress')],
			[entry('Fill', 'pending')],
			[entry('Fill', 'completed')],
		]);
		expect(editor.calls).toMatchObject([{ name: 'TodoWrite', status: 'failed' }]);
	});

	it('shows the calls of sub-agents, with the call that they belong to, and asks about them', async () => {
		await using editor = new TestEditor(stage, {
			script: [
				{ when: { agent: '.' }, ...bash('touch by-agent.txt') },
				{ when: { agent: '.' }, text: 'Touched.' },
				call('Task', { description: 'touch', prompt: 'touch it', subagent_type: 'general-purpose' }),
				{ text: 'Done.' },
			],
		});
		const { sessionId } = await editor.begin();
		expect(await editor.prompt(sessionId, 'let somebody touch it')).toBe('end_turn');
		const [task, inner] = editor.calls;
		expect(task).toMatchObject({ name: 'Task', kind: 'think', status: 'completed' });
		expect(inner).toMatchObject({ kind: 'execute', status: 'completed' });
		expect(inner?._meta).toEqual({ reprise: { parentToolCallId: task?.toolCallId } });
		expect(editor.asked.map(({ toolCall }) => toolCall.toolCallId)).toEqual([inner?.toolCallId]);
		expect(existsSync(stage.file('by-agent.txt'))).toBe(true);
	});

	it('takes files that are named, files that come along, and pictures, and no sound', async () => {
		await using editor = new TestEditor(stage, {
			script: [{ when: 'a walrus', text: 'Seen.' }, { text: 'Not seen.' }],
		});
		const { sessionId } = await editor.begin();
		writeFileSync(stage.file('notes.md'), 'about animals\n');
		const uri = `file://${stage.file('notes.md')}`;
		const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
		expect(
			await editor.prompt(sessionId, [
				{ type: 'text', text: 'Look at ' },
				{ type: 'resource_link', uri, name: 'notes.md' },
				{ type: 'resource', resource: { uri: 'zed:///selection', text: 'a walrus' } },
				{ type: 'image', data: png, mimeType: 'image/png' },
			]),
		).toBe('end_turn');
		expect(editor.said()).toBe('Seen.');
		const text = JSON.stringify(await stage.lines(sessionId));
		expect(text).toContain(`Look at @${stage.file('notes.md')} [@selection](zed:///selection)`);
		expect(text).toContain('about animals');
		expect(text).toContain('image/png');
		await expect(editor.prompt(sessionId, [{ type: 'audio', data: '', mimeType: 'audio/wav' }])).rejects.toMatchObject({
			code: -32602,
		});
		await expect(editor.prompt(sessionId, [])).rejects.toThrow('empty');
		// A provider would refuse it, and every later request of the session.
		await expect(
			editor.prompt(sessionId, [{ type: 'image', data: 'bm8gcGljdHVyZQ==', mimeType: 'image/png' }]),
		).rejects.toThrow('no picture');
	});

	it('carries out commands, and says what is wrong with one', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'ok' }] });
		const { sessionId } = await editor.begin();
		expect(await editor.prompt(sessionId, '/help')).toBe('end_turn');
		expect(editor.said()).toContain('/compact');
		expect(editor.said()).toMatch(/^```\n/m);
		expect(await editor.prompt(sessionId, '/nonsense')).toBe('end_turn');
		expect(editor.said()).toContain('there is no command /nonsense');
	});

	it('says why a reply begins again that broke off', async () => {
		await using editor = new TestEditor(stage, {
			script: [{ text: 'Half an ans', chunk: 4, cut: { chunks: 2 } }, { text: 'A whole answer.' }],
		});
		const { sessionId } = await editor.begin();
		expect(await editor.prompt(sessionId, 'go')).toBe('end_turn');
		expect(editor.said()).toMatch(/Half an .*\n\n> .*Asking again in 1 s \(1 of 5\)\n\nA whole answer\.$/s);
	});

	it('ends with why it ended: the limit, the length, a refusal, or an error in words', async () => {
		const ended = async (script: object[], args: string[] = []) => {
			await using editor = new TestEditor(stage, { script: script as never, args });
			const { sessionId } = await editor.begin();
			return await editor.prompt(sessionId, 'go').catch((error: Error) => error.message);
		};
		expect(await ended([bash('true'), { text: 'x' }], ['--max-turns', '1'])).toBe('max_turn_requests');
		expect(await ended([{ text: 'no', stop: 'refusal' }])).toBe('refusal');
		expect(await ended([{ error: { status: 401, message: 'wrong key' } }])).toContain('wrong key');
		expect(await ended(Array.from({ length: 9 }, () => ({ text: 'cut', stop: 'max_tokens' })))).toBe('max_tokens');
	});
});

describe('permissions', () => {
	const script = [call('Write', { file_path: 'asked.txt', content: 'yes\n' }), bash('mkdir -p made'), { text: 'ok' }];

	it('are asked for with the whole change and a choice, and what is said counts', async () => {
		await using editor = new TestEditor(stage, {
			script,
			permit: ({ toolCall }) => (toolCall.kind === 'edit' ? 'allow' : 'reject'),
		});
		const { sessionId } = await editor.begin();
		expect(await editor.prompt(sessionId, 'go')).toBe('end_turn');
		const [write, run] = editor.asked;
		expect(write?.options.map(({ kind }) => kind)).toEqual([
			...['allow_once', 'allow_always', 'allow_always', 'reject_once'],
		]);
		expect(write?.toolCall).toMatchObject({ status: 'pending', kind: 'edit', title: 'Write asked.txt' });
		expect(write?.toolCall.content?.[0]).toEqual({
			...{ type: 'diff', path: stage.file('asked.txt'), oldText: null, newText: 'yes\n' },
		});
		expect(readFileSync(stage.file('asked.txt'), 'utf8')).toBe('yes\n');
		expect(run?.options.some(({ name }) => name.includes('Bash(mkdir'))).toBe(true);
		expect(existsSync(stage.file('made'))).toBe(false);
		expect(editor.calls.map(({ status }) => status)).toEqual(['completed', 'failed']);
	});

	it('given for always are saved in the project’s own settings, and count from then on', async () => {
		const runs = [bash('mkdir -p first'), bash('mkdir -p second'), { text: 'ok' }];
		await using editor = new TestEditor(stage, { script: runs, permit: () => 'always' });
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'go');
		expect(existsSync(stage.file('second'))).toBe(true);
		const settings = JSON.parse(readFileSync(stage.file('.claude/settings.local.json'), 'utf8'));
		expect(editor.asked.length).toBe(settings.permissions.allow.length);
		expect(settings.permissions.allow[0]).toMatch(/^Bash\(mkdir/);
	});

	it('are not asked for in plan mode, and a plan that is approved ends it', async () => {
		await using editor = new TestEditor(stage, {
			script: [
				call('Write', { file_path: 'unplanned.txt', content: 'x' }),
				call('ExitPlanMode', { plan: '# Paint\nthe shed' }),
				{ text: 'ok' },
			],
			permit: () => 'edits',
		});
		const { sessionId } = await editor.begin();
		await editor.agent.request('session/set_mode', { sessionId, modeId: 'plan' });
		await editor.prompt(sessionId, 'plan it');
		expect(existsSync(stage.file('unplanned.txt'))).toBe(false);
		expect(editor.asked.map(({ toolCall }) => toolCall.kind)).toEqual(['switch_mode']);
		expect(JSON.stringify(editor.asked[0]?.toolCall.content)).toContain('# Paint');
		expect(editor.of('current_mode_update')).toMatchObject([{ currentModeId: 'acceptEdits' }]);
		const told = editor
			.of('config_option_update')
			.at(-1)
			?.configOptions.find(({ id }) => id === 'mode');
		expect(told).toMatchObject({ currentValue: 'acceptEdits' });
	});
});

describe('questions of the model', () => {
	const question = (more: object = {}) =>
		call('AskUserQuestion', {
			questions: [
				{
					...{ question: 'Which colour?', header: 'Colour', multiSelect: false, ...more },
					options: [
						{ label: 'Red', description: 'like a barn' },
						{ label: 'Blue', description: 'like the sky' },
					],
				},
			],
		});

	it('are forms where the editor has forms', async () => {
		await using editor = new TestEditor(stage, {
			script: [question(), { when: 'Which colour.{1,5}=.{1,5}Blue', text: 'Blue it is.' }, { text: 'What?' }],
			capabilities: { elicitation: { form: {} } },
			fill: () => ({ action: 'accept', content: { choice0: 'Blue' } }),
		});
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'ask me');
		expect(editor.forms).toMatchObject([{ mode: 'form', sessionId }]);
		expect(editor.said()).not.toBe('');
		expect(JSON.stringify(await stage.lines(sessionId))).toContain('\\"Which colour?\\"=\\"Blue\\"');
	});

	it('are choices where it has none, and may be left open', async () => {
		const answers = ['1', 'none'];
		await using editor = new TestEditor(stage, {
			script: [question(), question(), { text: 'ok' }],
			permit: () => answers.shift(),
		});
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'ask me');
		expect(editor.asked[0]?.options.map(({ name }) => name)).toEqual([
			...['Red: like a barn', 'Blue: like the sky', 'No answer'],
		]);
		expect(JSON.stringify(await stage.lines(sessionId))).toContain('\\"Which colour?\\"=\\"Blue\\"');
		expect(editor.calls.map(({ status }) => status)).toEqual(['completed', 'failed']);
	});
});

describe('cancelling', () => {
	it('ends a reply, a command and a question, each with cancelled, and the session goes on', async () => {
		await using editor = new TestEditor(stage, {
			script: [
				{ text: 'This takes long. '.repeat(200), chunk: 4, chunkDelayMs: 30 },
				bash('sleep 60'),
				call('Write', { file_path: 'never.txt', content: 'x' }),
				{ text: 'Back again.' },
			],
			args: ['--allowedTools', 'Bash(sleep:*)'],
			permit: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
		});
		const { sessionId } = await editor.begin();
		const cancelled = async (when: () => boolean) => {
			const began = Date.now();
			const turn = editor.prompt(sessionId, 'go');
			await editor.until(when);
			await editor.agent.notify('session/cancel', { sessionId });
			expect(await turn).toBe('cancelled');
			expect(Date.now() - began).toBeLessThan(20_000);
		};
		await cancelled(() => editor.said().includes('takes long'));
		await cancelled(() => editor.calls.some(({ status }) => status === 'in_progress'));
		await cancelled(() => editor.asked.length > 0);
		expect(existsSync(stage.file('never.txt'))).toBe(false);
		expect(editor.calls.map(({ status }) => status)).toEqual(['failed', 'failed']);
		expect(await editor.prompt(sessionId, 'still there?')).toBe('end_turn');
		expect(editor.said()).toContain('Back again.');
	});

	it('reaches prompts that wait, and one that was just sent', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'slow', delayMs: 20_000 }] });
		const { sessionId } = await editor.begin();
		const turns = [editor.prompt(sessionId, 'one'), editor.prompt(sessionId, 'two')];
		await editor.agent.notify('session/cancel', { sessionId });
		expect(await Promise.all(turns)).toEqual(['cancelled', 'cancelled']);
	});

	it('is what closing a session, and going away, do', async () => {
		await using editor = new TestEditor(stage, {
			script: [bash('sleep 60')],
			args: ['--allowedTools', 'Bash(sleep:*)'],
		});
		const { sessionId } = await editor.begin();
		const turn = editor.prompt(sessionId, 'go');
		await editor.until(() => editor.calls.some(({ status }) => status === 'in_progress'));
		await editor.agent.request('session/close', { sessionId });
		expect(await turn).toBe('cancelled');
		const { sessionId: other } = await editor.session();
		const lost = editor.prompt(other, 'go').catch(() => 'lost');
		await editor.until(() => editor.calls.filter(({ status }) => status === 'in_progress').length > 0);
		expect(await editor.end()).toBe(0);
		await lost;
		expect(JSON.stringify(await stage.lines(other))).toContain('interrupted');
	});
});

describe('what a folder brings', () => {
	it('waits for trust, which is said once, in a notice where the editor has those', async () => {
		const cwd = join(stage.home, 'theirs');
		mkdirSync(join(cwd, '.claude'), { recursive: true });
		const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${join(cwd, 'hooked')}` }] }] };
		writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks }));
		await using editor = new TestEditor(stage, { script: [{ text: 'ok' }] });
		const { sessionId } = await editor.begin({ cwd });
		await editor.prompt(sessionId, 'go');
		await editor.prompt(sessionId, 'again').catch(() => undefined);
		expect(editor.said().match(/is not trusted/g)?.length).toBe(1);
		expect(editor.err).toContain('is not trusted');
		expect(existsSync(join(cwd, 'hooked'))).toBe(false);
		await using other = new TestEditor(stage, { script: [], capabilities: { session: { notices: {} } } });
		await other.begin({ cwd });
		await other.until(() => other.of('notice').length > 0);
		expect(other.of('notice')[0]?.title).toContain('is not trusted');
	});
});
