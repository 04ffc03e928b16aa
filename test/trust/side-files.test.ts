/** What belongs to a session stays beside it, wherever the user keeps it. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ClientStage } from '../support/client.ts';
import { newStage } from '../support/new-stage.ts';

const use = (name: string, input: object) => ({ content: [{ type: 'tool_use', name, input }] });
const work = [
	use('Read', { file_path: 'a.txt' }),
	use('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'bye' }),
	{ text: 'done' },
];

async function sessionIn(stage: ClientStage, name: string): Promise<string> {
	const folder = stage.file('kept/deep');
	mkdirSync(folder, { recursive: true });
	const path = join(folder, name);
	const script = stage.script(work as never);
	const flags = ['--session-file', path, '--permission-mode', 'acceptEdits'];
	expect((await stage.run(['-p', 'x', '--script', script, ...flags])).err).toBe('');
	return path;
}

const listed = (folder: string): readonly string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((item) => item.isFile())
		.map((item) => join(item.parentPath, item.name).slice(folder.length + 1))
		.sort();

it('copies of changed files lie in the folder that is named after the session file', async () => {
	const stage = newStage();
	await sessionIn(stage, 'mine.jsonl');
	expect(listed(stage.file('kept'))).toEqual([
		'deep/mine.jsonl',
		expect.stringMatching(/^deep\/mine\/file-history\/[0-9a-f]{16}@v1$/),
	]);
});

it('a folder that is called projects is not taken for a client’s home', async () => {
	const stage = newStage();
	mkdirSync(stage.file('projects/web'), { recursive: true });
	const path = stage.file('projects/web/mine.jsonl');
	const flags = ['--session-file', path, '--permission-mode', 'acceptEdits'];
	await stage.run(['-p', 'x', '--script', stage.script(work as never), ...flags]);
	expect(existsSync(stage.file('file-history'))).toBe(false);
	expect(listed(stage.file('projects'))).toHaveLength(2);
});

it('a session file without an ending gets a folder of its own too', async () => {
	const stage = newStage();
	await sessionIn(stage, 'mine');
	expect(listed(stage.file('kept'))[1]).toMatch(/^deep\/mine\.files\/file-history\/[0-9a-f]{16}@v1$/);
});

it('they go where the session goes: copied and deleted with it', async () => {
	const stage = newStage();
	const path = await sessionIn(stage, 'mine.jsonl');
	mkdirSync(stage.file('elsewhere/deep'), { recursive: true });
	const to = stage.file('elsewhere/deep/other.jsonl');
	const copied = await stage.run(['convert', path, '--to', 'claude-code', '-o', to]);
	expect(copied.code).toBe(0);
	expect(listed(stage.file('elsewhere'))).toEqual([
		'deep/other.jsonl',
		expect.stringMatching(/^deep\/other\/file-history\/[0-9a-f]{16}@v1$/),
	]);
	const deleted = await stage.run(['delete', path, '-y']);
	expect(deleted.err).toBe('');
	expect(existsSync(path)).toBe(false);
	expect(existsSync(stage.file('kept/deep/mine'))).toBe(false);
});

it('a copy of a session from the client’s home keeps its copies beside it', async () => {
	const stage = newStage();
	const script = stage.script(work as never);
	await stage.run(['-p', 'x', '--script', script, '--permission-mode', 'acceptEdits']);
	const [session] = await stage.sessions();
	mkdirSync(stage.file('out/deep'), { recursive: true });
	const to = stage.file('out/deep/copy.jsonl');
	const { code } = await stage.run(['convert', session?.path ?? '', '--to', 'claude-code', '-o', to]);
	expect(code).toBe(0);
	expect(listed(stage.cwd).filter((name) => name.includes('file-history'))).toEqual([
		expect.stringMatching(/^out\/deep\/copy\/file-history\/[0-9a-f]{16}@v1$/),
	]);
});

it('output that was too long for the conversation lies beside the session, and the model may read it there', async () => {
	const stage = newStage();
	const path = stage.file('kept/mine.jsonl');
	mkdirSync(stage.file('kept'));
	mkdirSync(stage.file('elsewhere'));
	const output = stage.file('kept/mine/tool-results/call_1.txt');
	const turns = [
		{ content: [{ type: 'tool_use', id: 'call_1', name: 'Bash', input: { command: 'seq 1 20000' } }] },
		use('Read', { file_path: output, offset: 19_999, limit: 2 }),
		{ text: 'done' },
	];
	const flags = ['--session-file', path, '--allowedTools', 'Bash', '--cwd', stage.file('elsewhere')];
	const { err } = await stage.run(['-p', 'x', '--script', stage.script(turns as never), ...flags]);
	expect(err).toBe('');
	expect(readFileSync(output, 'utf8')).toMatch(/^1\n[\s\S]*\n20000\n$/);
	expect(readFileSync(path, 'utf8')).toContain(' 19999→19999\\n 20000→20000');
});
