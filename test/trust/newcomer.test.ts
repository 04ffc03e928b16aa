/** What somebody meets who tries things out: damaged files, slips of the hand, files that changed meanwhile. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newStage } from '../support/new-stage.ts';

const done = [{ text: 'done' }];
const use = (name: string, input: object) => ({ content: [{ type: 'tool_use', name, input }] });

it.each(['claude-code', 'cline', 'clido', 'pi'])('repair leaves garbage alone and says so (%s)', async (format) => {
	const stage = newStage();
	writeFileSync(stage.file('g.jsonl'), 'garbage\n');
	const ended = await stage.run(['repair', 'g.jsonl', '--format', format]);
	expect(ended.code).toBe(1);
	expect(ended.out).toMatch(/nothing would be left to resume|there is nothing to put together/);
	expect(ended.out).toContain('g.jsonl: cannot be repaired');
	expect(readFileSync(stage.file('g.jsonl'), 'utf8')).toBe('garbage\n');
	expect(existsSync(stage.file('g.jsonl.reprise-original'))).toBe(false);
});

it.each([
	// An edit whose text is still there is applied; a file as a whole is not written over.
	[
		'Edit',
		{ old_string: 'one', new_string: 'two' },
		'had been modified on disk since you last read it',
		'two, and more\n',
	],
	['Write', { content: 'two' }, 'File has been modified since read', 'one, and more\n'],
])('after -c, %s tells the model that a file was changed since it was read', async (tool, input, told, after) => {
	const stage = newStage();
	const file = stage.file('a.txt');
	writeFileSync(file, 'one\n');
	await stage.run(['-p', 'read', '--script', stage.script([use('Read', { file_path: file }), ...done] as never)]);
	writeFileSync(file, 'one, and more\n');
	const script = stage.script([use(tool, { file_path: file, ...input }), ...done] as never);
	const args = ['-c', '-p', 'change', '--script', script, '--permission-mode', 'acceptEdits'];
	expect(await stage.run(args)).toMatchObject({ code: 0 });
	const { out } = await stage.run(['context', 'last', '--json']);
	expect(out).toContain(told);
	expect(out).not.toContain('has not been read yet');
	expect(readFileSync(file, 'utf8')).toBe(after);
});

describe('a slip of the hand is one line', () => {
	it.each([
		['notes.txt', 'notes.txt: this is not JSON'],
		['nothing.json', 'the script nothing.json does not exist'],
	])('in --script %s', async (name, said) => {
		const stage = newStage();
		writeFileSync(stage.file('notes.txt'), 'buy milk\nand bread\n');
		const ended = await stage.run(['-p', 'x', '--script', name]);
		expect(ended.code).toBe(1);
		expect(ended.err).toBe(
			`reprise: ${said}; a script is a JSON file such as [{"text": "Hello"}], one item per reply\n`,
		);
	});

	it('in --add-dir, and no session is begun', async () => {
		const stage = newStage();
		writeFileSync(stage.file('file'), '');
		for (const [folder, why] of [
			['gone', 'missing'],
			['file', 'not a folder'],
		] as const) {
			const args = ['-p', 'x', '--script', stage.script(done), '--add-dir', folder];
			const ended = await stage.run(args);
			expect(ended.code).toBe(2);
			expect(ended.err).toContain(`--add-dir: ${stage.file(folder)} is ${why}`);
			expect(await stage.run(['allowed', 'Read', 'a', '--add-dir', folder])).toMatchObject({ code: 2 });
		}
		expect(JSON.parse((await stage.run(['ls', '--json'])).out)).toEqual({ sessions: [] });
	});

	it('in the JSON of allowed; a command may begin with a brace', async () => {
		const stage = newStage();
		for (const tool of ['Read', 'Bash', 'WebFetch']) {
			const ended = await stage.run(['allowed', tool, '{"file_path":']);
			expect(ended).toMatchObject({ code: 2, out: '' });
			expect(ended.err).toContain('the input begins as JSON and is none: {"file_path":');
		}
		expect(await stage.run(['allowed', 'Bash', '{ ls; }'])).toMatchObject({ code: 0 });
		expect(await stage.run(['allowed', 'Read', '{"file_path": "a"}'])).toMatchObject({ code: 0 });
	});
});

it('what a folder brings that is not trusted is named, with the way to make it count', async () => {
	const stage = newStage();
	mkdirSync(stage.file('.claude'));
	writeFileSync(stage.file('.claude/settings.json'), JSON.stringify({ permissions: { allow: ['Bash(ls)'] } }));
	const { err } = await stage.run(['allowed', 'Bash', 'ls']);
	expect(err).toContain('does not count: allow rules (Bash(ls)). --trust makes it count\n');
});

it('check speaks of a single message as one', async () => {
	const stage = newStage();
	const line = (at: number, time: number, role: string) =>
		JSON.stringify({
			type: role,
			uuid: `00000000-0000-4000-8000-00000000000${at}`,
			parentUuid: at === 1 ? null : `00000000-0000-4000-8000-00000000000${at - 1}`,
			sessionId: '00000000-0000-4000-8000-000000000000',
			timestamp: `2026-01-01T00:00:0${time}.000Z`,
			cwd: '/gone',
			message: { role, content: [{ type: 'text', text: 'Paint the shed' }] },
		});
	const lines = [line(1, 1, 'user'), line(2, 5, 'assistant'), line(3, 3, 'user')];
	writeFileSync(stage.file('a.jsonl'), `${lines.join('\n')}\n`);
	const { out } = await stage.run(['check', 'a.jsonl', '--json']);
	expect(out).toContain('1 message of the conversation that 2.1.325 continues is not sent');
});

it('a loss is told with the right article', async () => {
	const stage = newStage();
	const line = (more: object, at: number) =>
		JSON.stringify({
			uuid: `00000000-0000-4000-8000-00000000000${at}`,
			parentUuid: at === 1 ? null : `00000000-0000-4000-8000-00000000000${at - 1}`,
			sessionId: '00000000-0000-4000-8000-000000000000',
			timestamp: `2026-01-01T00:00:0${at}.000Z`,
			cwd: '/gone',
			...more,
		});
	const lines = [
		line({ type: 'user', message: { role: 'user', content: 'Paint the shed' } }, 1),
		line({ type: 'attachment', attachment: { type: 'todo_reminder', content: [], itemCount: 0 } }, 2),
	];
	writeFileSync(stage.file('a.jsonl'), `${lines.join('\n')}\n`);
	const { out } = await stage.run(['convert', 'a.jsonl', '--to', 'clido', '-o', 'b.jsonl']);
	expect(out).not.toMatch(/\ba "?[aeiou]/);
	expect(out).toContain('an attachment event');
});

it('show hides nothing: control characters are spelled out, and a line that was written over has a mark', async () => {
	const stage = newStage();
	const text = 'I deleted everything.\rAll is well.\u001b[2K';
	const command = String.raw`printf '10%%\r100%%\n\033[1mbold\033[0m\033]0;name\007\033[2Agone\n'`;
	await stage.run([
		'-p',
		'Say\rit',
		'--script',
		stage.script([use('Bash', { command }), { text }] as never),
		'--trust',
		'--allowedTools',
		'Bash',
	]);
	const { out } = await stage.run(['show', 'last']);
	expect(out).toContain(String.raw`I deleted everything.\x0dAll is well.\x1b[2K`);
	expect(out).toContain(String.raw`Say\x0dit`);
	expect(out).toContain(String.raw`  …\x0d100%`);
	expect(out).toContain(String.raw`  bold\x1b]0;name\x07\x1b[2Agone`);
});

describe('a session with token counts that are none', () => {
	const line = (input: string) =>
		`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","cwd":"/p","timestamp":"2026-01-02T03:04:05.000Z","message":{"role":"user","content":"hello there"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s1","cwd":"/p","timestamp":"2026-01-02T03:04:06.000Z","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"hello"}],"usage":{"input_tokens":${input},"output_tokens":5}}}
`;

	it.each(['1.5', '-3', '1e19', '1e300', '9007199254740993', '"7"'])(
		'%s breaks no search and no sum',
		async (input) => {
			const stage = newStage();
			const folder = `${stage.home}/.claude/projects/-p`;
			mkdirSync(folder, { recursive: true });
			writeFileSync(`${folder}/0b8e9a34-1111-4222-8333-444455556666.jsonl`, line(input));
			for (const args of [
				['search', 'hello', '--all'],
				['stats', '--all'],
				['ls', '--all', '--count'],
				['cost', '--all'],
			]) {
				const { code, err, out } = await stage.run(args);
				expect([args, code, err]).toEqual([args, 0, '']);
				expect(out).not.toMatch(/e\+|,000,000,000/);
			}
		},
	);
});

it('check says which line is the last of many only where it knows', async () => {
	const stage = newStage();
	writeFileSync(
		stage.file('many.jsonl'),
		`{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}\n${'nonsense\n'.repeat(1500)}`,
	);
	const { out } = await stage.run(['check', 'many.jsonl']);
	expect(out).toMatch(/1,498 more of these \[/);
	expect(out).toContain('1,500 errors');
});
