/** Clido's notes about files, in sessions that the command wrote: what was read, searched and written, and how it was then. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage, type Frame, framesIn } from '../support/client.ts';

const use = (name: string, input: object) => ({ type: 'tool_use', id: `call_${name}`, name, input });
const turns = [
	{
		content: [
			use('Read', { file_path: 'a.txt' }),
			use('Grep', { pattern: 'hello', path: 'a.txt' }),
			use('Glob', { pattern: '*.txt' }),
		],
	},
	{ content: [use('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hi' })] },
	{ text: 'Done.' },
];
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe.each(['published', 'client'] as const)('%s', (profile) => {
	const stage = new ClientStage();
	afterAll(() => stage[Symbol.dispose]());
	let lines: readonly Frame[] = [];
	let text = '';
	const resultOf = (name: string): Frame | undefined =>
		lines.find(({ type, tool_use_id }) => type === 'tool_result' && tool_use_id === `call_${name}`);
	const hash = (content: string): string => (profile === 'published' ? `sha256:${sha256(content)}` : sha256(content));

	beforeAll(async () => {
		const file = join(stage.cwd, '..', 'session.jsonl');
		const where = ['--session-format', 'clido', '--session-profile', profile, '--session-file', file];
		const mode = ['--permission-mode', 'acceptEdits'];
		await stage.run(['-p', 'go', ...where, ...mode, '--script', stage.script(turns as never)]);
		text = readFileSync(file, 'utf8');
		lines = framesIn(text);
	});

	it('a file that was changed is noted as it is afterwards, to the nanosecond', () => {
		const path = stage.file('a.txt');
		expect(resultOf('Edit')).toMatchObject({ path, content_hash: hash('hi\nworld\n') });
		expect(text).toContain(`"mtime_nanos":${statSync(path, { bigint: true }).mtimeNs}}`);
	});

	it.each(['Read', 'Grep'])('a file that was only looked at (%s) is noted as it was', (name) => {
		const noted = { path: stage.file('a.txt'), mtime_nanos: expect.any(Number) };
		expect(resultOf(name)).toMatchObject(noted);
		// The client compares every hash that it finds: one of before the change would keep it from going on.
		if (profile === 'client') expect(resultOf(name)).not.toHaveProperty('content_hash');
		else expect(resultOf(name)).toMatchObject({ content_hash: hash('hello\nworld\n') });
	});

	it('a folder that was searched is noted with its time; it has no content of its own', () => {
		expect(resultOf('Glob')).toMatchObject({ path: stage.cwd, mtime_nanos: expect.any(Number) });
		expect(resultOf('Glob')).not.toHaveProperty('content_hash');
	});

	it('the session goes on without a word about its own changes, and tells of those of others', async () => {
		const more = async () =>
			await stage.run([
				'-p',
				'on',
				'-r',
				join(stage.cwd, '..', 'session.jsonl'),
				'--script',
				stage.script([{ text: 'On.' }]),
			]);
		expect(await more()).toMatchObject({ code: 0, err: '' });
		writeFileSync(stage.file('a.txt'), 'other\n');
		expect((await more()).err).toContain('a.txt');
	});
});
