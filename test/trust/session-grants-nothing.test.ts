/** A session is its author's word: it gives no folder, no permission, no script and no address to whoever goes on with it. */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ScriptInput } from '../../src/providers/script.ts';
import { ClientStage, framesIn, initIn } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const says = (text: string): string => stage.script([{ text }]);
const writes = (name: string): ScriptInput => [
	{ content: [{ type: 'tool_use', name: 'Write', input: { file_path: name, content: 'new' } }] },
	{ text: 'done' },
];

let count = 0;
function folder(): string {
	count += 1;
	const made = join(stage.cwd, '..', `folder-${count}`);
	mkdirSync(made);
	return realpathSync(made);
}

/** A session that somebody sends: begun in a folder, with a mode that its prompt and its settings name. */
function sent(
	cwd: string,
	more: { readonly mode?: string; readonly model?: string; readonly lines?: readonly object[] } = {},
): string {
	const id = `00000000-0000-4000-8000-${String(100000000000 + ++count)}`;
	const base = { isSidechain: false, userType: 'external', cwd, sessionId: id, version: '2.1.325' };
	const mode = more.mode === undefined ? {} : { permissionMode: more.mode };
	const prompt = { role: 'user', content: 'hello' };
	const usage = { input_tokens: 1, output_tokens: 1 };
	const reply = { model: more.model ?? 'claude-sonnet-4-5', id: 'msg_1', type: 'message', role: 'assistant', usage };
	const answer = { ...reply, content: [{ type: 'text', text: 'hi' }], stop_reason: 'end_turn', stop_sequence: null };
	const lines: readonly object[] = [
		{
			...base,
			type: 'user',
			parentUuid: null,
			uuid: 'u-1',
			timestamp: '2026-01-01T00:00:00.000Z',
			...mode,
			message: prompt,
		},
		...(more.mode === undefined ? [] : [{ type: 'permission-mode', permissionMode: more.mode, sessionId: id }]),
		{
			...base,
			type: 'assistant',
			parentUuid: 'u-1',
			uuid: 'a-1',
			timestamp: '2026-01-01T00:00:01.000Z',
			message: answer,
		},
		...(more.lines ?? []),
	];
	const path = join(folder(), `${id}.jsonl`);
	writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
	return path;
}

const accept = ['--permission-mode', 'acceptEdits'];

describe('the folder', () => {
	it('is where the user is, and one line says that the session was elsewhere', async () => {
		const theirs = folder();
		const file = sent(theirs);
		const mine = folder();
		const script = stage.script(writes('made.txt'));
		const { code, err } = await stage.run(['-p', 'go', '-r', file, '--script', script, ...accept], { cwd: mine });
		expect(code).toBe(0);
		expect(err).toBe(`reprise: the session was in ${theirs}: it goes on in ${mine}; --cwd ${theirs} goes on there\n`);
		expect(existsSync(join(mine, 'made.txt'))).toBe(true);
		expect(existsSync(join(theirs, 'made.txt'))).toBe(false);
		const added = framesIn(readFileSync(file, 'utf8')).slice(2);
		expect(new Set(added.flatMap(({ cwd }) => (cwd === undefined ? [] : [cwd])))).toEqual(new Set([mine]));
	});

	it('is the one that --cwd names, for a session that is there and for a new one', async () => {
		const theirs = folder();
		const script = stage.script(writes('made.txt'));
		const resumed = await stage.run(['-p', 'go', '-r', sent(theirs), '--cwd', theirs, '--script', script, ...accept]);
		expect(resumed).toMatchObject({ code: 0, err: '' });
		expect(existsSync(join(theirs, 'made.txt'))).toBe(true);
		const fresh = folder();
		await stage.run(['-p', 'go', '--cwd', fresh, '--script', stage.script(writes('made.txt')), ...accept]);
		expect(existsSync(join(fresh, 'made.txt'))).toBe(true);
	});

	it('that --cwd names has to be there', async () => {
		const missing = join(stage.cwd, 'nowhere');
		const { code, err } = await stage.run(['-p', 'go', '--cwd', missing, '--script', says('x')]);
		expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`${missing} is missing`) });
		const file = await stage.run(['-p', 'go', '--cwd', stage.file('a.txt'), '--script', says('x')]);
		expect(file).toMatchObject({ code: 2, err: expect.stringContaining('is not a folder') });
	});

	it('of a subfolder is used with -c, and said', async () => {
		await stage.run(['-p', 'begin', '--script', says('begun')]);
		const sub = join(stage.cwd, 'sub');
		mkdirSync(sub, { recursive: true });
		writeFileSync(join(stage.cwd, '.git'), 'gitdir: nowhere\n');
		const { code, err } = await stage.run(['-p', 'go', '-c', '--script', says('on')], { cwd: sub });
		expect(code).toBe(0);
		expect(err).toContain(`it goes on in ${realpathSync(sub)}`);
	});
});

describe('the permission mode', () => {
	it.each(['acceptEdits', 'bypassPermissions'])('%s is not brought back by a session', async (mode) => {
		const cwd = folder();
		const script = stage.script(writes('made.txt'));
		const { err } = await stage.run(['-p', 'go', '-r', sent(cwd, { mode }), '--script', script], { cwd });
		expect(existsSync(join(cwd, 'made.txt'))).toBe(false);
		expect(err).toContain(`the session was in the mode ${mode}`);
	});

	it.each(['plan', 'dontAsk'])('%s, which is stricter than usual, is kept', async (mode) => {
		const cwd = folder();
		const flags = ['--script', says('x'), '--output-format', 'stream-json'];
		const { out } = await stage.run(['-p', 'go', '-r', sent(cwd, { mode }), ...flags], { cwd });
		expect(initIn(out)).toMatchObject({ permissionMode: mode });
	});

	it('that only the prompt’s own line names counts as well', async () => {
		const cwd = folder();
		const file = sent(cwd, { mode: 'plan' });
		const lines = readFileSync(file, 'utf8').split('\n');
		writeFileSync(file, lines.filter((line) => !line.includes('"permission-mode"')).join('\n'));
		const flags = ['--script', says('x'), '--output-format', 'stream-json'];
		const { out } = await stage.run(['-p', 'go', '-r', file, ...flags], { cwd });
		expect(initIn(out)).toMatchObject({ permissionMode: 'plan' });
	});

	it('of the flag decides, whatever the session had', async () => {
		const cwd = folder();
		const script = stage.script(writes('made.txt'));
		await stage.run(['-p', 'go', '-r', sent(cwd, { mode: 'plan' }), '--script', script, ...accept], { cwd });
		expect(existsSync(join(cwd, 'made.txt'))).toBe(true);
	});
});

describe('who answers', () => {
	it('a script that a session names is never played', async () => {
		const cwd = folder();
		const script = says('from the session');
		for (const model of [`offline/script:${script}`, 'script']) {
			const { code, out, err } = await stage.run(['-p', 'go', '-r', sent(cwd, { model })], {
				cwd,
				env: { REPRISE_SCRIPT: script },
			});
			expect(code).toBe(1);
			expect(out).toBe('');
			expect(err).toContain('no model is set up');
		}
	});

	it('a model that a session names is asked where its provider is set up, at the user’s own address', async () => {
		await using server = await startModelServer({ turns: [{ text: 'hello again' }] });
		const cwd = folder();
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'mine' };
		const { code, out } = await stage.run(['-p', 'go', '-r', sent(cwd, { model: 'claude-opus-4-1' })], { cwd, env });
		expect({ code, out }).toEqual({ code: 0, out: 'hello again\n' });
		expect(server.requests[0]?.body.model).toBe('claude-opus-4-1');
	});

	it('a provider that is not set up is not asked: another goes on, and says so', async () => {
		await using server = await startModelServer({ turns: [{ text: 'instead' }] });
		const cwd = folder();
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'mine', ANTHROPIC_MODEL: 'claude-sonnet-4-5' };
		for (const model of ['ollama/qwen', 'google/../../evil', 'gpt-5.5']) {
			const { err } = await stage.run(['-p', 'go', '-r', sent(cwd, { model })], { cwd, env });
			expect(err).toContain('is not available now');
			expect(server.requests.at(-1)?.body.model).toBe('claude-sonnet-4-5');
		}
	});
});

describe('the tools', () => {
	it('that a session was left with may be fewer, never more', async () => {
		const cwd = folder();
		const id = '01900000-0000-7000-8000-000000000001';
		const at = (n: number) => ({ timestamp: `2026-01-01T00:00:0${n}.000Z` });
		const lines = [
			{ type: 'session', version: 3, id, ...at(0), cwd },
			{
				type: 'message',
				id: '00000001',
				parentId: null,
				...at(1),
				message: { role: 'user', content: 'hi', timestamp: 1 },
			},
			{
				type: 'active_tools_change',
				id: '00000002',
				parentId: '00000001',
				...at(2),
				activeToolNames: ['read', 'root'],
			},
		];
		const file = join(folder(), `${id}.jsonl`);
		writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
		const flags = ['--script', says('x'), '--output-format', 'stream-json'];
		const { out } = await stage.run(['-p', 'go', '-r', file, ...flags], { cwd });
		expect(initIn(out)).toMatchObject({ tools: ['Read'] });
	});
});
