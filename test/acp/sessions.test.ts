/** `reprise acp`: sessions as an editor begins, opens, lists and closes them. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { TestEditor } from '../support/editor.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const call = (name: string, input: object) => ({
	content: [{ type: 'tool_use' as const, name, input: input as never }],
});

describe('an editor that begins', () => {
	it('learns the version, what can be done, and who answers it', async () => {
		await using editor = new TestEditor(stage, { script: [] });
		const answer = await editor.initialize();
		expect(answer).toMatchObject({
			protocolVersion: 1,
			agentInfo: { name: 'reprise', title: 'Reprise' },
			authMethods: [],
			agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
		});
		expect(await editor.agent.request('initialize', { protocolVersion: 7 })).toMatchObject({ protocolVersion: 1 });
		expect(await editor.end()).toBe(0);
	});

	it('gets a session with modes, choices and commands, and an answer as it streams', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'Hello, editor.', chunk: 5 }] });
		const { sessionId, modes, configOptions } = await editor.begin();
		expect(modes?.currentModeId).toBe('default');
		expect(modes?.availableModes.map(({ id }) => id)).toEqual(['default', 'acceptEdits', 'plan', 'dontAsk']);
		expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([
			['mode', 'mode'],
			['model', 'model'],
			['thinking', 'thought_level'],
		]);
		await editor.until(() => editor.of('available_commands_update').length > 0);
		const names = editor.of('available_commands_update')[0]?.availableCommands.map(({ name }) => name);
		expect(names).toContain('compact');
		expect(names).not.toContain('clear');
		expect(await editor.prompt(sessionId, 'hi')).toBe('end_turn');
		expect(editor.said(sessionId)).toBe('Hello, editor.');
		expect(editor.of('agent_message_chunk').length).toBeGreaterThan(1);
		expect(new Set(editor.of('agent_message_chunk').map(({ messageId }) => messageId)).size).toBe(1);
		expect(editor.of('session_info_update')).toMatchObject([{ title: 'hi' }]);
		// The session is one like any other.
		expect(await editor.end()).toBe(0);
		expect((await stage.lines(sessionId)).map(({ type }) => type)).toContain('assistant');
		const next = await stage.json('-p', 'again', '-c', '--script', stage.script([{ text: 'Still here.' }]));
		expect(next).toMatchObject({ session_id: sessionId, result: 'Still here.' });
		for (const line of editor.out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
	});

	it('is shown what others have said in its session meanwhile, once, before the next answer', async () => {
		await using editor = new TestEditor(stage, {
			script: [{ text: 'First.' }, { text: 'Third.' }, { text: 'Fourth.' }],
		});
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'one');
		const other = ['-p', 'two', '--resume', sessionId, '--script', stage.script([{ text: 'Second.' }])];
		expect(await stage.json(...other)).toMatchObject({ result: 'Second.' });
		await editor.prompt(sessionId, 'three');
		await editor.prompt(sessionId, 'four');
		expect(editor.of('user_message_chunk')).toMatchObject([{ content: { text: 'two' } }]);
		expect(editor.said(sessionId)).toMatch(/^First\.[\s\S]*2 messages were read[\s\S]*Second\.Third\.Fourth\.$/);
	});

	it('works in several sessions at once, each with its own answers', async () => {
		await using editor = new TestEditor(stage, {
			script: [{ when: 'one', text: 'First.', delayMs: 300 }, { text: 'Second.' }],
		});
		const { sessionId: one } = await editor.begin();
		const { sessionId: two } = await editor.session();
		const ends = await Promise.all([editor.prompt(one, 'one'), editor.prompt(two, 'two')]);
		expect(ends).toEqual(['end_turn', 'end_turn']);
		expect([editor.said(one), editor.said(two)]).toEqual(['First.', 'Second.']);
	});

	it('writes the format that the flag names', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'ok' }], args: ['--session-format', 'clido'] });
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'in another format');
		await editor.end();
		expect((await stage.sessions()).find(({ id }) => id === sessionId)?.agent).toBe('clido');
	});
});

describe('an editor that comes back', () => {
	const script = [
		{
			content: [
				{ type: 'thinking' as const, thinking: 'Let me look.' },
				{ type: 'text' as const, text: 'Looking.' },
				{ type: 'tool_use' as const, name: 'Read', input: { file_path: 'old.txt' } },
			],
		},
		call('Edit', { file_path: 'old.txt', old_string: 'before', new_string: 'after' }),
		call('TodoWrite', { todos: [{ content: 'Test it', status: 'in_progress', activeForm: 'Testing it' }] }),
		{ text: 'Done.' },
	];

	it('loads a session with all that was said and done in it, and goes on with it', async () => {
		writeFileSync(stage.file('old.txt'), 'one\nbefore\nthree\n');
		await using first = new TestEditor(stage, { script });
		const { sessionId } = await first.begin();
		expect(await first.prompt(sessionId, 'change it')).toBe('end_turn');
		await first.end();
		expect(readFileSync(stage.file('old.txt'), 'utf8')).toBe('one\nafter\nthree\n');

		await using second = new TestEditor(stage, { script: [{ text: 'Going on.' }] });
		await second.initialize();
		const loaded = await second.agent.request('session/load', { sessionId, cwd: stage.cwd, mcpServers: [] });
		expect(loaded.modes?.currentModeId).toBe('default');
		const kinds = second.updates.map(({ update }) => update.sessionUpdate);
		expect(kinds.filter((kind) => kind !== 'available_commands_update')).toEqual([
			...['user_message_chunk', 'agent_thought_chunk', 'agent_message_chunk', 'tool_call', 'tool_call_update'],
			...['tool_call', 'tool_call_update', 'plan', 'agent_message_chunk'],
		]);
		// What is told of a call later is what was told of it then.
		for (const [index, now] of second.calls.entries()) {
			const { sessionUpdate: _, ...then } = first.calls[index] ?? {};
			expect(now).toMatchObject(then);
		}
		expect(second.of('plan')).toEqual(first.of('plan'));
		expect(await second.prompt(sessionId, 'and now?')).toBe('end_turn');
		expect(second.said(sessionId)).toBe('Looking.Done.Going on.');
	});

	it('a stricter mode that was chosen holds when the session is loaded again, also without a prompt', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'Once.' }] });
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'hello');
		await editor.agent.request('session/set_mode', { sessionId, modeId: 'plan' });
		const loaded = await editor.agent.request('session/load', { sessionId, cwd: stage.cwd, mcpServers: [] });
		expect(loaded.modes?.currentModeId).toBe('plan');
	});

	it('resumes without hearing it again, also what it has open already', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'Once.' }] });
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'hello');
		const before = editor.of('user_message_chunk').length;
		await editor.agent.request('session/resume', { sessionId, cwd: stage.cwd });
		expect(await editor.prompt(sessionId, 'hello again')).toBe('end_turn');
		expect(editor.of('user_message_chunk').length).toBe(before);
		expect(editor.said()).toBe('Once.Once.');
	});

	it('lists the sessions of all agents, or of a folder alone, and opens them', async () => {
		await stage.json('-p', 'from cline', '--session-format', 'cline', '--script', stage.script([{ text: 'ok' }]));
		await using editor = new TestEditor(stage, { script: [] });
		await editor.initialize();
		const all = await editor.agent.request('session/list', {});
		const known = (await stage.sessions()).map(({ id }) => id);
		expect(all.sessions.map(({ sessionId }) => sessionId)).toEqual(known);
		expect(all.sessions[0]).toMatchObject({ cwd: stage.cwd, title: 'from cline', _meta: { 'reprise/agent': 'cline' } });
		expect(all.nextCursor).toBeUndefined();
		expect((await editor.agent.request('session/list', { cwd: stage.home })).sessions).toEqual([]);
		expect((await editor.agent.request('session/list', { cwd: stage.cwd })).sessions.length).toBe(known.length);
		await expect(editor.agent.request('session/list', { cursor: 'nonsense' })).rejects.toThrow('none of ours');
		// A session of another agent is opened like one's own.
		const [{ sessionId = '' } = {}] = all.sessions;
		await editor.agent.request('session/load', { sessionId, cwd: stage.cwd, mcpServers: [] });
		expect(editor.said(sessionId)).toBe('ok');
	});

	it('gets a long list page by page, each session once', async () => {
		using many = new ClientStage();
		const { session_id } = await many.json('-p', 'the first', '--script', many.script([{ text: 'ok' }]));
		const path = await many.pathOf(session_id);
		const text = readFileSync(path, 'utf8');
		for (let index = 10; index < 130; index += 1) {
			const name = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
			const copy = join(dirname(path), `${name}.jsonl`);
			writeFileSync(copy, text.replaceAll(String(session_id), name));
			// Within one millisecond, the last of the alphabet being the oldest.
			utimesSync(copy, 1.7e9, 1.7e9 + (index % 7) / 1e4);
		}
		await using editor = new TestEditor(many, { script: [] });
		await editor.initialize();
		const ids: string[] = [];
		for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
			const page = await editor.agent.request('session/list', cursor === undefined ? {} : { cursor });
			expect(page.sessions.length).toBeLessThanOrEqual(50);
			ids.push(...page.sessions.map(({ sessionId }) => sessionId));
			cursor = page.nextCursor ?? undefined;
		}
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.length).toBe((await many.sessions()).length);
		expect(ids.length).toBeGreaterThan(100);
	});

	it('closes a session, which then takes no prompts, and deletes one, which goes to the trash', async () => {
		await using editor = new TestEditor(stage, { script: [{ text: 'Bye.' }] });
		const { sessionId } = await editor.begin();
		await editor.prompt(sessionId, 'to be closed');
		await editor.agent.request('session/close', { sessionId });
		await expect(editor.prompt(sessionId, 'more')).rejects.toMatchObject({ code: -32002 });
		await editor.agent.request('session/delete', { sessionId });
		expect((await stage.sessions()).some(({ id }) => id === sessionId)).toBe(false);
		const { out } = await stage.run(['restore']);
		expect(out).toContain('to be closed');
		await expect(
			editor.agent.request('session/load', { sessionId, cwd: stage.cwd, mcpServers: [] }),
		).rejects.toMatchObject({ code: -32002 });
	});

	it('is told what is wrong with a folder, a title in an id’s place, and a missing model, and goes on', async () => {
		await using editor = new TestEditor(stage, {});
		await editor.initialize();
		await expect(editor.session({ cwd: 'here' })).rejects.toMatchObject({ code: -32602 });
		await expect(editor.session({ cwd: '/no/such/folder' })).rejects.toThrow(
			/(?<!--)cwd: \/no\/such\/folder is missing/,
		);
		await expect(editor.session()).rejects.toThrow('no model is set up');
		for (const sessionId of ['last', 'from cline', '../../etc/passwd', ''])
			await expect(
				editor.agent.request('session/load', { sessionId, cwd: stage.cwd, mcpServers: [] }),
			).rejects.toMatchObject({ code: -32002 });
		expect(await editor.end()).toBe(0);
	});
});
