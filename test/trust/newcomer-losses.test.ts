/** What somebody is told about what is lost, left out or not kept: plainly, and nothing that is not so. */
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { corpusRoot } from '../support/corpus.ts';
import { newStage } from '../support/new-stage.ts';
import { entries, git, prompt, runs } from '../support/rewinding.ts';

it('a handoff promises no way back where none is kept', async () => {
	const stage = newStage();
	cpSync(join(corpusRoot, 'openclaw/2026.9.6/resume/home'), stage.home, { recursive: true });
	const { out, code } = await stage.run(['handoff', '11111111', '--to', 'claude-code', '--cwd', stage.cwd]);
	expect(code).toBe(0);
	expect(out).toContain('gone: the way back: none is kept: ');
	expect(out).toContain('none of this comes back from the new session: no way back is kept\n');
	expect(out).not.toContain('brings all of this back');
	expect((await stage.run(['return', '--list', '--all'])).out).toBe('nothing is stored\n');
});

it.each(['cline', 'clido'])(
	'in a %s session the model hears of an interruption before the next prompt, and nobody has typed that',
	async (format) => {
		const stage = newStage();
		const turns = [{ text: 'Half of an answer is here, and more of it comes.', chunk: 20, chunkDelayMs: 2000 }];
		const args = ['-p', 'first', '--session-format', format, '--script', stage.script(turns)];
		const child = stage.start([...args, '--output-format', 'stream-json', '--include-partial-messages', '--verbose']);
		child.stdin.end();
		child.stdout.on('data', (data) => String(data).includes('content_block_delta') && child.kill('SIGINT'));
		await new Promise((resolve) => child.on('close', resolve));
		await stage.run(['-c', '-p', 'second', '--script', stage.script([{ text: 'I see.' }])]);
		const { out } = await stage.run(['show', 'last']);
		expect(out.match(/❯ .*/g)).toEqual(['❯ first', '❯ second']);
		expect(out).not.toContain('has interrupted your last turn');
		const sent = (await stage.run(['context', 'last', '--json'])).out;
		expect(sent).toMatch(/has interrupted your last turn[\s\S]*second/);
		expect(sent).not.toMatch(/second[\s\S]*has interrupted your last turn/);
	},
);

it('of two lines with one id that say different things, everybody is told which one counts', async () => {
	const stage = newStage();
	const line = (uuid: string, parentUuid: string | null, type: string, message: object) =>
		`${JSON.stringify({ type, uuid, parentUuid, isSidechain: false, sessionId: id('2'), cwd: '/p', version: '2.1.325', userType: 'external', timestamp: '2026-01-01T00:00:00.000Z', message })}\n`;
	const said = (content: string) => line(id('1'), null, 'user', { role: 'user', content });
	const content = [{ type: 'text', text: 'hi' }];
	const reply = line(id('3'), id('1'), 'assistant', {
		id: 'msg_1',
		type: 'message',
		role: 'assistant',
		model: 'm',
		content,
	});
	writeFileSync(stage.file('a.jsonl'), said('one') + said('two') + reply);
	const check = await stage.run(['check', 'a.jsonl']);
	expect(check.code).toBe(1);
	expect(check.out).toContain('is that of line 1 too: Claude Code keeps this line and loses the other');
	expect((await stage.run(['resume', 'a.jsonl', '--check'])).out).toMatch(/LOST +1 message: a later line has its id/);
	const { out } = await stage.run(['show', 'a.jsonl']);
	expect(out).toContain('❯ two');
	expect(out).toContain('Line 1 of the file is not shown: a later one has its id; reprise check');
	writeFileSync(stage.file('b.jsonl'), said('one') + said('one') + reply);
	expect((await stage.run(['check', 'b.jsonl'])).out).toContain('this line repeats line 1');
	expect((await stage.run(['show', 'b.jsonl'])).out).not.toContain('not shown');
});

function id(digit: string): string {
	return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', digit);
}

it('a rewind names a file that it leaves because a link is on its way, and does not count it', async () => {
	const stage = newStage();
	mkdirSync(stage.file('docs'));
	mkdirSync(stage.file('elsewhere'));
	writeFileSync(stage.file('docs/d1.md'), 'one\n');
	await prompt(stage, [runs('echo two > docs/d1.md')]);
	const [first = ''] = await entries(stage, 'prompt');
	renameSync(stage.file('docs'), stage.file('d2'));
	symlinkSync(stage.file('elsewhere'), stage.file('docs'));
	const left = 'docs/d1.md is left as it is: a link on its way leads elsewhere';
	const rewind = ['rewind', 'last', '--to', first, '--only-files', '-y', '--conflicts', 'overwrite'];
	expect((await stage.run([...rewind, '--dry-run'])).out).toMatch(/^no file would change/);
	const asJson = JSON.parse((await stage.run([...rewind, '--json'])).out) as { missed: string[] };
	expect(asJson.missed).toEqual([expect.stringContaining(left)]);
	expect((await stage.run(rewind)).out).toContain(left);
});

it('a rewind says that git’s own data stays, and which ignored files were kept', async () => {
	const stage = newStage();
	writeFileSync(stage.file('.gitignore'), '.env\n');
	writeFileSync(stage.file('.env'), 'A=1\n');
	git(stage.cwd, 'init');
	const calls = [runs('echo B=2 >> .env; git status; git log | head'), runs('git -C . add .gitignore')];
	await prompt(stage, calls, ['--settings', '{"keepIgnored": [".env"]}']);
	const [first = ''] = await entries(stage, 'prompt');
	const { out } = await stage.run(['rewind', 'last', '--to', first, '--files', '-y']);
	expect(out).toContain('  Bash git -C . add .gitignore: git’s own data (branch, commits, index) stays as it is now\n');
	expect(out.match(/git’s own data/g)).toHaveLength(1);
	expect(out).toContain('1 file restored');
	expect(out).toContain('files that git ignores are not kept, except those that keepIgnored names (.env): ');
});
