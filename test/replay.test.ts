/** `reprise replay`: the recording is the model, the tools are real, and what differs is told. */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { ClientStage } from './support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const formats = ['claude-code', 'cline', 'clido', 'openclaw'] as const;

/** A session that reads, edits, writes and runs, and a project as it was before. */
async function recorded(format: string): Promise<string> {
	writeFileSync(stage.file('a.txt'), 'hello\nworld\n');
	rmSync(stage.file('new.txt'), { force: true });
	const path = stage.file('a.txt');
	const script = stage.script([
		{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: path } }] },
		{
			content: [{ type: 'tool_use', name: 'Edit', input: { file_path: path, old_string: 'world', new_string: 'you' } }],
		},
		{ content: [{ type: 'tool_use', name: 'Write', input: { file_path: stage.file('new.txt'), content: 'new\n' } }] },
		{ content: [{ type: 'tool_use', name: 'Bash', input: { command: 'cat a.txt new.txt' } }] },
		{ content: [{ type: 'tool_use', name: 'Fly', input: { to: 'moon' } }] },
		{ text: 'Done.' },
	]);
	const flags = ['--script', script, '--session-format', format, '--permission-mode', 'bypassPermissions'];
	const { session_id } = await stage.json('-p', `work in ${format}`, ...flags);
	writeFileSync(stage.file('a.txt'), 'hello\nworld\n');
	rmSync(stage.file('new.txt'));
	return String(session_id);
}

it.each(formats)(
	'a %s session plays again with the same results, twice the same bytes, and the project untouched',
	async (format) => {
		const id = await recorded(format);
		const outs: Buffer[] = [];
		for (const n of [1, 2]) {
			const out = stage.file(`../${format}-${n}/out.jsonl`);
			const { code, out: said } = await stage.run(['replay', id, '-o', out, '--json', '--yes']);
			expect({ code, ...(JSON.parse(said) as object) }).toMatchObject({
				code: 0,
				turns: 1,
				calls: 5,
				same: 4,
				different: 0,
				recorded: 1,
				refused: [],
				notes: [],
			});
			outs.push(readFileSync(out));
			const checked = await stage.run(['check', out, '--profile', 'client', '--json']);
			expect(JSON.parse(checked.out)).toMatchObject({ format, ok: true });
		}
		expect(outs[0]?.equals(outs[1] as Buffer)).toBe(true);
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('hello\nworld\n');
	},
);

it('the first result that differs is shown, and the exit code is 1', async () => {
	const id = await recorded('claude-code');
	writeFileSync(stage.file('a.txt'), 'goodbye\nworld\n');
	const { code, out } = await stage.run(['replay', id, '-y']);
	expect(code).toBe(1);
	expect(out).toContain('first difference: Read');
	expect(out).toContain('-     1→hello');
	expect(out).toContain('+     1→goodbye');
});

it('a project that is no folder is refused', async () => {
	const id = await recorded('claude-code');
	const { code, err } = await stage.run(['replay', id, '-y', '--project', 'a.txt']);
	expect(code).toBe(2);
	expect(err).toContain('a.txt is not a folder');
});

it('a project that is named by a link is copied, not its link', async () => {
	const id = await recorded('claude-code');
	const link = stage.file('../link');
	symlinkSync(stage.cwd, link);
	const { out } = await stage.run(['replay', id, '-y', '--json', '--project', link]);
	expect(JSON.parse(out)).toMatchObject({ same: 4, different: 0, refused: [] });
	expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('hello\nworld\n');
});

it('a session whose project is gone says what is missing', async () => {
	const { code, out } = await stage.run(['replay', `${import.meta.dirname}/../samples/claude-code.jsonl`, '-y']);
	expect(code).toBe(1);
	expect(out).toContain('--project FOLDER');
});
