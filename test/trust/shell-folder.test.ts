/** Where the shell goes, relative paths of all tools go with it, and so do the rules about them. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';

const use = (name: string, input: object) => ({ content: [{ type: 'tool_use', name, input }] });

async function writesInSub(...flags: readonly string[]) {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	mkdirSync(stage.file('sub'));
	const turns = [
		use('Bash', { command: 'cd sub' }),
		use('Write', { file_path: 'x.txt', content: 'x\n' }),
		use('Bash', { command: 'pwd > where.txt' }),
		{ text: 'done' },
	];
	const ended = await stage.run([
		'-p',
		'x',
		'--script',
		stage.script(turns as never),
		'--allowedTools',
		'Bash',
		...flags,
	]);
	return { stage, ...ended };
}

it('a file is written in the folder that the shell went to, and the next command starts there', async () => {
	const { stage, err } = await writesInSub('Edit(sub/**)');
	expect(err).toBe('');
	expect(existsSync(stage.file('sub/x.txt'))).toBe(true);
	expect(readFileSync(stage.file('sub/where.txt'), 'utf8')).toBe(`${stage.file('sub')}\n`);
	const [session] = await stage.sessions();
	expect(JSON.stringify(await stage.lines(session?.id))).toContain('"trackedFileBackups":{"sub/x.txt":');
});

it.each([
	['an allow rule for a file of the same name elsewhere does not open it', ['Edit(/x.txt)']],
	['a deny rule for the folder holds', ['--permission-mode', 'acceptEdits', '--disallowedTools', 'Edit(sub/**)']],
])('%s', async (_, flags) => {
	const { stage, err } = await writesInSub(...flags);
	expect(err).toMatch(/tool calls? (was|were) denied/);
	expect(existsSync(stage.file('sub/x.txt'))).toBe(false);
	expect(existsSync(stage.file('x.txt'))).toBe(false);
});
