/** What each permission mode lets through, with tools that really write. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { bash, put, read, settings, tryCalls, write } from '../support/permission-run.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
	put(stage, '../outside/f', 'keep', 'sub/f');
});
afterEach(() => stage[Symbol.dispose]());

const mode = (name: string): readonly string[] => ['--permission-mode', name];

it('by default looking is free in the project, and nothing else is', async () => {
	const calls = [
		read('a.txt'),
		bash('ls'),
		bash('cat a.txt'),
		read('../outside/f'),
		bash('cat ../outside/f'),
		bash('ls ..'),
		write('new'),
		bash('touch new'),
		bash('rm keep'),
	];
	const { denied } = await tryCalls(stage, calls);
	expect(denied).toEqual(calls.slice(3).map(({ input }) => input));
	expect([existsSync(stage.file('new')), existsSync(stage.file('keep'))]).toEqual([false, true]);
});

it('acceptEdits ends at the project’s and the added folders', async () => {
	put(stage, '../added/f');
	const allowed = [
		write('new'),
		write('../added/new'),
		bash('mkdir -p m/n'),
		bash('touch t'),
		bash('mv keep moved'),
		bash('cp a.txt copy'),
		bash('rm copy'),
		bash("sed -i 's/as/AS/' moved"),
		bash('echo x > w'),
		bash('rmdir m/n'),
		bash('touch ../added/t'),
	];
	const asked = [
		write('../outside/new'),
		bash('touch ../outside/t'),
		bash('cp ../outside/f here'),
		bash('rm -rf .'),
		bash('rm *'),
		bash('npm test > w'),
		bash('chmod +x a.txt'),
		bash('ln -s /etc e'),
		bash('cd sub && touch t'),
	];
	const { denied } = await tryCalls(stage, [...allowed, ...asked], ...mode('acceptEdits'), '--add-dir', '../added');
	expect(denied).toEqual(asked.map(({ input }) => input));
});

it('protected files are asked about, whatever is allowed', async () => {
	const names = [
		'.git/hooks/pre-commit',
		'.claude/settings.json',
		'.vscode/tasks.json',
		'.idea/x',
		'.husky/x',
		'.bashrc',
		'sub/.bashrc',
		'.npmrc',
		'.envrc',
		'.mcp.json',
		'.GIT/config',
		'.cargo/config.toml',
	];
	const calls = [
		...names.map(write),
		bash('touch .git/x'),
		bash('echo x > .bashrc'),
		bash('cp a.txt .claude/x'),
		bash("bash -c 'echo x > .npmrc'"),
	];
	for (const flags of [
		mode('acceptEdits'),
		['--allowedTools', 'Write', 'Edit', 'Edit(.git/**)', 'Edit(.claude/**)', 'Bash'],
	]) {
		expect((await tryCalls(stage, calls, ...flags)).denied).toHaveLength(calls.length);
	}
	expect(names.some((name) => existsSync(stage.file(name)))).toBe(false);
	const free = [
		write('.github/workflows/x.yml'),
		write('CLAUDE.md'),
		write('.gitattributes'),
		write('.claude/worktrees/w/x'),
	];
	expect((await tryCalls(stage, free, ...mode('acceptEdits'))).denied).toEqual([]);
});

it('a rule for all of Bash does not reach protected files', async () => {
	const names = ['.git/made', '.claude/made', '.bashrc'];
	const calls = names.map((name) => bash(`mkdir -p .git .claude; echo x > ${name}`));
	const { denied } = await tryCalls(stage, calls, '--allowedTools', 'Bash');
	expect(names.filter((name) => existsSync(stage.file(name)))).toEqual([]);
	expect(denied).toHaveLength(calls.length);
});

it('plan changes no file, although flags allow it', async () => {
	const calls = [write('one'), bash('touch two'), bash('echo x > three')];
	const { denied } = await tryCalls(stage, calls, ...mode('plan'), '--allowedTools', 'Write', 'Edit', 'Bash(touch:*)');
	expect(['one', 'two', 'three'].filter((name) => existsSync(stage.file(name)))).toEqual([]);
	expect(denied).toHaveLength(calls.length);
});

it('plan changes no file, whatever is allowed, and runs what only looks or is allowed', async () => {
	settings(stage, 'user', { allow: ['Write', 'Edit(**)', 'Bash(touch:*)', 'Bash(true)', 'Bash(echo:*)'] });
	const asked = [write('new'), bash('touch new'), bash('echo x > new'), bash('rm keep')];
	const { denied } = await tryCalls(stage, [read('a.txt'), bash('ls'), bash('true'), ...asked], ...mode('plan'));
	expect(denied).toEqual(asked.map(({ input }) => input));
	expect(existsSync(stage.file('new'))).toBe(false);
});

it('dontAsk denies what would be asked, and says so', async () => {
	const script = stage.script([{ content: [{ type: 'tool_use', ...write('new') }] }, { text: 'done' }]);
	const { out } = await stage.run([
		'-p',
		'x',
		'--script',
		script,
		'--output-format',
		'stream-json',
		'--verbose',
		...mode('dontAsk'),
	]);
	expect(out).toContain('Permission to use Write has been denied');
	expect((await tryCalls(stage, [read('a.txt'), bash('ls')], ...mode('dontAsk'))).denied).toEqual([]);
});

it('bypassPermissions lets everything through but what rules deny or ask about', async () => {
	settings(stage, 'user', { ask: ['Bash(touch asked)'], deny: ['Bash(touch denied)'] });
	const calls = [
		write('.git/x'),
		write('../outside/new'),
		bash('mkdir $(echo made)'),
		bash('touch asked'),
		bash('touch denied'),
	];
	const { denied } = await tryCalls(stage, calls, ...mode('bypassPermissions'));
	expect(denied).toEqual([{ command: 'touch asked' }, { command: 'touch denied' }]);
	expect(existsSync(stage.file('made'))).toBe(true);
});

it('bare Edit allows Edit alone, and denies every way to change a file', async () => {
	const { denied } = await tryCalls(stage, [write('new')], '--allowedTools', 'Edit');
	expect(denied).toHaveLength(1);
	const calls = [bash('touch new'), bash('echo x > new')];
	expect((await tryCalls(stage, calls, ...mode('acceptEdits'), '--disallowedTools', 'Edit')).denied).toHaveLength(2);
	expect(existsSync(stage.file('new'))).toBe(false);
});

it('bare Edit that is denied denies every way to change a file, although all of them are allowed', async () => {
	const calls = [write('one'), bash('touch two'), bash('echo x > three'), bash('cp a.txt four'), bash('rm keep')];
	const flags = ['--allowedTools', 'Write', 'Bash', '--disallowedTools', 'Edit'];
	await tryCalls(stage, calls, ...flags);
	expect(['one', 'two', 'three', 'four'].filter((name) => existsSync(stage.file(name)))).toEqual([]);
	expect(existsSync(stage.file('keep'))).toBe(true);
});
