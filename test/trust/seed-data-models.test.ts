/** Data models and frame schemas: the records, layers and storage areas of a session, held against what the command wrote. */
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { framesIn } from '../support/client.ts';
import { blocks, copyOf, isResult, keptIn, type Line, messages, ofType, SeedStage } from '../support/seed-runs.ts';

const use = (name: string, input: { readonly [key: string]: string }) => ({ type: 'tool_use' as const, name, input });

describe('a session of the client', () => {
	const stage = new SeedStage('client');
	afterAll(() => stage[Symbol.dispose]());
	let lines: readonly Line[] = [];
	const id = (): string => String(lines[0]?.sessionId);

	beforeAll(async () => {
		await stage.begin('look and write', [
			{
				content: [
					use('Read', { file_path: 'a.txt' }),
					use('Write', { file_path: 'a.txt', content: 'changed\n' }),
					use('Read', { file_path: 'nowhere.txt' }),
				],
			},
			{ text: 'Done.' },
		]);
		lines = stage.all();
	});

	it('identity: its id is a UUID and the name of its file, and a name that people give it leads to it', async () => {
		expect(stage.main.endsWith(`/${id()}.jsonl`)).toBe(true);
		expect((await stage.run(['rename', id(), 'The great rewrite'])).code).toBe(0);
		const { out } = await stage.run(['inspect', 'The great rewrite', '--json']);
		expect(JSON.parse(out)).toMatchObject({ sessionId: id(), format: 'claude-code' });
	});

	it('transcript: a local file of JSON lines that runs only append to', async () => {
		const before = readFileSync(stage.main, 'utf8');
		await stage.goOn('once more', [{ text: 'Again.' }]);
		const after = readFileSync(stage.main, 'utf8');
		expect(after.startsWith(before)).toBe(true);
		expect(after.length).toBeGreaterThan(before.length);
		for (const line of after.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
		lines = stage.all();
	});

	it('message records: role, content blocks, model, ids and times', () => {
		for (const line of messages(lines)) {
			expect(line).toMatchObject({
				message: { role: line.type },
				timestamp: expect.any(String),
				uuid: expect.any(String),
			});
		}
		for (const line of ofType(lines, 'assistant')) {
			expect(line).toMatchObject({
				message: { model: expect.any(String), id: expect.any(String) },
				requestId: expect.any(String),
			});
		}
	});

	it('tool records: name, input and result, and an error where there was one', () => {
		const calls = messages(lines)
			.flatMap(blocks)
			.filter(({ type }) => type === 'tool_use');
		expect(calls).toMatchObject([{ name: 'Read' }, { name: 'Write' }, { name: 'Read' }]);
		const results = messages(lines).filter(isResult);
		expect(results).toHaveLength(3);
		expect(blocks(results[2])[0]).toMatchObject({ type: 'tool_result', is_error: true });
		for (const result of results) expect(result.toolUseResult).toBeDefined();
	});

	it('a denied call is a result that says so, and stops nothing', async () => {
		const script = stage.script([
			{ content: [use('Bash', { command: 'touch denied.txt' })] },
			{ text: 'I could not.' },
		]);
		const { code, out } = await stage.run([
			'-p',
			'try',
			'-r',
			stage.main,
			'--script',
			script,
			'--disallowedTools',
			'Bash(touch:*)',
		]);
		expect({ code, out }).toEqual({ code: 0, out: 'I could not.\n' });
		expect(existsSync(stage.file('denied.txt'))).toBe(false);
		const result = messages(stage.all()).filter(isResult).at(-1);
		expect(blocks(result)[0]).toMatchObject({ is_error: true, content: expect.stringMatching(/denied|permission/i) });
	});

	it('file-history records: the path, the state before the change, and the copy beside the sessions', () => {
		const kept = keptIn(lines);
		expect(Object.keys(kept)).toEqual(['a.txt']);
		const folder = join(stage.home, '.claude/file-history', id());
		expect(readdirSync(folder)).toContain(copyOf(kept, 'a.txt'));
		expect(readFileSync(join(folder, copyOf(kept, 'a.txt')), 'utf8')).toBe('hello\nworld\n');
	});

	it('checkpoints: the conversation goes back to an entry, and goes on from there', async () => {
		const result = ofType(lines, 'user')[1]?.uuid ?? '';
		const { code } = await stage.run(['rewind', stage.main, '--to', result]);
		expect(code).toBe(0);
		expect(stage.all().at(-1)).toMatchObject({ type: 'last-prompt', leafUuid: result });
		const { out } = await stage.run(['context', stage.main, '--json']);
		expect(out).toContain('look and write');
		expect(out).not.toContain('Done.');
	});

	it('metadata: the list has title, folder, branch and times', async () => {
		const { out } = await stage.run(['ls', '--json']);
		const { sessions } = JSON.parse(out) as { sessions: object[] };
		expect(sessions).toMatchObject([
			{
				id: id(),
				agent: 'claude-code',
				cwd: stage.cwd,
				gitBranch: 'main',
				title: 'The great rewrite',
				createdAt: expect.any(String),
				updatedAt: expect.any(String),
			},
		]);
	});

	it('discovery: the newest session of the project is the one that goes on', async () => {
		await stage.run(['-p', 'newer', '--script', stage.script([{ text: 'I am newer.' }])]);
		const [newest] = await stage.sessions();
		await stage.run(['-p', 'on', '-c', '--script', stage.script([{ text: 'Still me.' }])]);
		const said = framesIn(readFileSync(newest?.path ?? '', 'utf8'));
		expect(JSON.stringify(said)).toContain('Still me.');
		expect(JSON.stringify(stage.all())).not.toContain('Still me.');
	});

	it('logs: what happened is in a file outside the transcript, which a link called latest leads to', async () => {
		await stage.run(['--debug', '-p', 'log it', '--script', stage.script([{ text: 'Logged.' }])]);
		const folder = join(stage.own, 'debug');
		expect(existsSync(join(folder, readlinkSync(join(folder, 'latest'))))).toBe(true);
		expect(readFileSync(join(folder, 'latest'), 'utf8')).toContain('prompt');
	});
});

describe('queue records', () => {
	const stage = new SeedStage('client');
	afterAll(() => stage[Symbol.dispose]());

	it('a prompt that comes while another is answered is recorded when it comes and when its turn begins', async () => {
		const prompt = (content: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
		const script = stage.script([{ text: 'one' }, { text: 'two' }]);
		const flags = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
		await stage.run(['-p', '--script', script, ...flags], { input: prompt('first') + prompt('second') });
		const [session] = await stage.sessions();
		const lines = framesIn(readFileSync(session?.path ?? '', 'utf8'));
		const queue = lines.filter(({ type }) => type === 'queue-operation');
		expect(queue).toMatchObject([{ operation: 'enqueue', content: 'second' }, { operation: 'dequeue' }]);
		for (const line of queue) expect(line).toMatchObject({ sessionId: session?.id, timestamp: expect.any(String) });
	});
});

describe('what nobody has described', () => {
	const stage = new SeedStage('client');
	afterAll(() => stage[Symbol.dispose]());

	it('unknown lines, fields and blocks are no error, and every byte of them stays when the session goes on', async () => {
		await stage.begin('hello', [{ text: 'Hi.' }]);
		const odd = [
			{ type: 'relevant_memories', sessionId: 'x', memories: [{ path: 'a' }] },
			{ type: 'marble-origami', something: { new: true } },
		];
		const text = readFileSync(stage.main, 'utf8').replace('"type":"user"', '"type":"user","fromTheFuture":{"a":1.0}');
		const before = text + odd.map((line) => `${JSON.stringify(line)}\n`).join('');
		writeFileSync(stage.main, before);
		const checked = await stage.run(['check', stage.main]);
		expect(checked.code).toBe(0);
		await stage.goOn('more', [{ text: 'More.' }]);
		const after = readFileSync(stage.main, 'utf8');
		expect(after.startsWith(before)).toBe(true);
		expect(JSON.stringify(stage.all())).toContain('More.');
	});
});
