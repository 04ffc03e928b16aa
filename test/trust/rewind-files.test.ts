/** Files go back with the conversation, whoever changed them through the session, and nobody else's work is lost. */
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { entries, git, prompt, runs, treeIn, writes } from '../support/rewinding.ts';

function newStage(withGit = true): ClientStage {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	mkdirSync(stage.file('lib'));
	writeFileSync(stage.file('lib/one.ts'), 'export const one = 1;\r\nexport const two = 2;\r\n');
	if (!withGit) return stage;
	writeFileSync(stage.file('.gitignore'), 'ignored/\n');
	git(stage.cwd, 'init');
	git(stage.cwd, 'add', '-A');
	git(stage.cwd, 'commit', '-m', 'begin');
	return stage;
}

const everything = [
	"sed -i 's/one = 1/one = 11/' lib/one.ts",
	'rm a.txt && mkdir a.txt && echo inner > a.txt/x',
	'printf "new\\r\\n" > new.txt && chmod 755 new.txt',
	'mv lib/one.ts lib/renamed.ts',
	'ln -s lib/renamed.ts link',
	'head -c 5242880 /dev/urandom > big.bin',
	'git add -A && git -c user.name=a -c user.email=a@b commit -qm work && git checkout -q -b other HEAD~1',
].map(runs);

for (const withGit of [true, false]) {
	describe(withGit ? 'in a repository' : 'in a folder without git', () => {
		const calls = withGit ? everything : everything.slice(0, -1);
		const more = withGit ? ', a checkout in between' : '';
		it(`what shell commands changed goes back: edits, deletes, renames, modes, links, large files${more}`, async () => {
			const stage = newStage(withGit);
			const before = treeIn(stage.cwd);
			await prompt(stage, calls);
			await prompt(stage, [writes('a2.txt', 'two\n'), runs('echo three >> a2.txt')], ['-c']);
			const after = treeIn(stage.cwd);
			const [first = '', second = ''] = await entries(stage, 'prompt');
			const back = await stage.run(['rewind', 'last', '--to', first, '--files', '-y']);
			expect(back).toMatchObject({ code: 0, err: '' });
			expect(treeIn(stage.cwd)).toEqual(before);
			expect(await entries(stage, 'prompt')).toEqual([]);
			expect(await stage.run(['rewind', 'last', '--undo', '-y'])).toMatchObject({ code: 0 });
			expect(treeIn(stage.cwd)).toEqual(after);
			expect(await entries(stage, 'prompt')).toEqual([first, second]);
		});
	});
}

it('only what came after the entry is undone, also inside a turn', async () => {
	const stage = newStage();
	await prompt(stage, [runs('echo 1 > s.txt'), runs('echo 2 > s.txt'), writes('t.txt', 't\n'), runs('echo 3 > s.txt')]);
	const tools = await entries(stage, 'tool');
	const { out } = await stage.run(['rewind', 'last', '--to', await resultOf(stage, 1), '--only-files', '-y', '--json']);
	expect(
		JSON.parse(out)
			.files.restored.map((path: string) => path.replace(`${stage.cwd}/`, ''))
			.sort(),
	).toEqual(['s.txt', 't.txt']);
	expect(readFileSync(stage.file('s.txt'), 'utf8')).toBe('2\n');
	expect(tools.length).toBe(4);
});

/** The entry of the nth result. */
async function resultOf(stage: ClientStage, index: number): Promise<string> {
	const [session] = await stage.sessions();
	const lines = await stage.lines(session?.id);
	const results = lines.filter(({ toolUseResult }) => toolUseResult !== undefined);
	return String(results[index]?.uuid);
}

describe('a file that somebody else has changed', () => {
	it('is never replaced without an answer, and nothing else is either', async () => {
		const stage = newStage();
		await prompt(stage, [runs('echo session > s.txt; echo session > t.txt')]);
		appendFileSync(stage.file('t.txt'), 'mine\n');
		const before = treeIn(stage.cwd);
		const [first = ''] = await entries(stage, 'prompt');
		const go = ['rewind', 'last', '--to', first, '--files', '-y'];
		const stopped = await stage.run(go);
		expect(stopped.code).toBe(1);
		expect(stopped.err).toContain('t.txt: somebody has changed it since');
		expect(treeIn(stage.cwd)).toEqual(before);
		expect(await entries(stage, 'reply')).toHaveLength(1);
		expect(await stage.run([...go, '--conflicts', 'keep'])).toMatchObject({ code: 0 });
		expect(existsSync(stage.file('s.txt'))).toBe(false);
		expect(readFileSync(stage.file('t.txt'), 'utf8')).toBe('session\nmine\n');
	});

	it('comes back with --undo where it was overwritten', async () => {
		const stage = newStage();
		await prompt(stage, [writes('t.txt', 'session\n')]);
		appendFileSync(stage.file('t.txt'), 'mine\n');
		const [first = ''] = await entries(stage, 'prompt');
		const go = ['rewind', 'last', '--to', first, '--only-files', '-y', '--conflicts', 'overwrite'];
		expect(await stage.run(go)).toMatchObject({ code: 0 });
		expect(existsSync(stage.file('t.txt'))).toBe(false);
		expect(await stage.run(['rewind', 'last', '--undo', '-y'])).toMatchObject({ code: 0 });
		expect(readFileSync(stage.file('t.txt'), 'utf8')).toBe('session\nmine\n');
	});

	it('counts as such also where the session has changed it again since', async () => {
		const stage = newStage();
		await prompt(stage, [writes('t.txt', 'session\n')]);
		writeFileSync(stage.file('t.txt'), 'mine\n');
		await prompt(stage, [runs('echo more >> t.txt')], ['-c']);
		const [first = '', second = ''] = await entries(stage, 'prompt');
		const { err, code } = await stage.run(['rewind', 'last', '--to', first, '--only-files', '-y']);
		expect([code, err]).toEqual([
			1,
			expect.stringContaining('somebody else changed it between two changes of the session'),
		]);
		expect(await stage.run(['rewind', 'last', '--to', second, '--only-files', '-y'])).toMatchObject({ code: 0 });
		expect(readFileSync(stage.file('t.txt'), 'utf8')).toBe('mine\n');
	});

	it('stays where a folder was, and what was in the folder stays away', async () => {
		const stage = newStage();
		await prompt(stage, [runs('rm -r lib; echo session > lib; echo s > s.txt')]);
		appendFileSync(stage.file('lib'), 'mine\n');
		const [first = ''] = await entries(stage, 'prompt');
		const go = ['rewind', 'last', '--to', first, '--only-files', '-y', '--conflicts', 'keep'];
		const { code, err } = await stage.run(go);
		expect([code, err]).toEqual([0, expect.stringContaining('lib/one.ts was changed meanwhile')]);
		expect(readFileSync(stage.file('lib'), 'utf8')).toBe('session\nmine\n');
		expect(existsSync(stage.file('s.txt'))).toBe(false);
	});

	it('is not written through a link that was put on its way', async () => {
		const stage = newStage();
		const outside = join(stage.home, 'outside');
		mkdirSync(outside);
		await prompt(stage, [runs('mkdir d; echo 1 > d/f'), runs('rm d/f')]);
		const target = await resultOf(stage, 0);
		rmSync(stage.file('d'), { recursive: true, force: true });
		symlinkSync(outside, stage.file('d'));
		const go = ['rewind', 'last', '--to', target, '--only-files', '-y', '--conflicts', 'overwrite'];
		expect((await stage.run(go)).code).toBe(0);
		expect(existsSync(join(outside, 'f'))).toBe(false);
	});
});

describe('--dry-run', () => {
	it('shows every file with its difference and changes nothing', async () => {
		const stage = newStage();
		await prompt(stage, [runs("sed -i 's/two = 2/two = 22/' lib/one.ts; chmod 600 a.txt")]);
		const before = treeIn(stage.cwd);
		const [first = ''] = await entries(stage, 'prompt');
		const { out, code } = await stage.run(['rewind', 'last', '--to', first, '--files', '--dry-run']);
		expect(code).toBe(0);
		expect(out).toContain('changed back  lib/one.ts');
		expect(out).toContain('mode 600 → 644  a.txt');
		expect(out).toContain('-export const two = 22;');
		expect(out).toContain('+export const two = 2;');
		expect(treeIn(stage.cwd)).toEqual(before);
		expect(await entries(stage, 'reply')).toHaveLength(1);
	});

	it('says what is not covered: a repository inside, and a command that went on in the background', async () => {
		const stage = newStage();
		mkdirSync(stage.file('inner'));
		git(stage.file('inner'), 'init');
		writeFileSync(stage.file('inner/f'), 'f\n');
		const left = { name: 'Bash', input: { command: 'sleep 1; echo late > late.txt', run_in_background: true } };
		await prompt(stage, [runs('echo 1 > inner/f'), { content: [{ type: 'tool_use', ...left }] }]);
		const [first = ''] = await entries(stage, 'prompt');
		const { out } = await stage.run(['rewind', 'last', '--to', first, '--files', '--dry-run', '--json']);
		const { missed } = JSON.parse(out) as { missed: readonly string[] };
		expect(missed.join('\n')).toContain('inner/ is a repository of its own');
		expect(missed.join('\n')).toContain('it went on in the background');
	});
});

it('the session says which files were restored, by which checkpoint', async () => {
	const stage = newStage();
	await prompt(stage, [writes('t.txt', 'session\n')]);
	const [first = ''] = await entries(stage, 'prompt');
	const { out } = await stage.run(['rewind', 'last', '--to', first, '--files', '-y', '--json']);
	const { files } = JSON.parse(out) as { files: { checkpoint: string; restored: readonly string[] } };
	expect(files.restored).toEqual([stage.file('t.txt')]);
	const [session] = await stage.sessions();
	const told = (await stage.lines(session?.id)).findLast(({ subtype }) => subtype === 'informational');
	expect(told?.content).toContain(`(checkpoint ${files.checkpoint}): ${stage.file('t.txt')}`);
	expect((await stage.run(['check', 'last'])).code).toBe(0);
});

it('a command that only looks is not watched, and nothing is copied for it', async () => {
	const stage = newStage();
	await prompt(stage, [runs('ls -la && cat lib/one.ts && git status')]);
	expect(existsSync(join(stage.own, 'checkpoints/copies'))).toBe(false);
});

it('copies are private, and of one content there is one', async () => {
	const stage = newStage();
	chmodSync(stage.file('a.txt'), 0o644);
	await prompt(stage, [runs('cp a.txt b.txt; cp a.txt c.txt; rm a.txt'), runs('rm b.txt c.txt')]);
	const copies = treeIn(join(stage.own, 'checkpoints/copies'));
	expect(Object.values(copies)).toHaveLength(1);
	expect(Object.values(copies)[0]).toMatch(/^600 /);
});

for (const format of ['cline', 'clido', 'pi'] as const) {
	it(`files of a ${format} session go back too`, async () => {
		const stage = newStage();
		const before = treeIn(stage.cwd);
		const script = stage.script([runs('echo 1 > s.txt; rm lib/one.ts'), { text: 'Done.' }] as never);
		const go = ['-p', 'go', '--script', script, '--dangerously-skip-permissions', '--session-format', format];
		expect((await stage.run(go)).code).toBe(0);
		const [first = ''] = await entries(stage, 'prompt');
		expect(await stage.run(['rewind', 'last', '--to', first, '--only-files', '-y'])).toMatchObject({ code: 0 });
		expect(treeIn(stage.cwd)).toEqual(before);
		expect((await stage.run(['check', 'last'])).code).toBe(0);
	});
}
