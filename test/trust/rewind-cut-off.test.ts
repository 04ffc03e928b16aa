/** A command that was killed with its client is rewound too: what the project was is written down before it runs. */
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { entries, git, prompt, runs, treeIn, writes } from '../support/rewinding.ts';

function newStage(withGit: boolean): ClientStage {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	mkdirSync(stage.file('lib'));
	for (const name of ['lib/one.ts', 'gone.txt', 'untouched.txt', 'edited.txt'])
		writeFileSync(stage.file(name), `${name}\r\n`);
	if (!withGit) return stage;
	git(stage.cwd, 'init');
	git(stage.cwd, 'add', '-A');
	git(stage.cwd, 'commit', '-m', 'begin');
	writeFileSync(stage.file('new.txt'), 'not tracked\n');
	return stage;
}

const work = (withGit: boolean): string =>
	[
		'echo changed > a.txt; rm gone.txt; mv lib/one.ts lib/two.ts; chmod 755 lib/two.ts; echo more >> new.txt; echo x > made.txt',
		...(withGit ? ['git add -A; git -c user.name=a -c user.email=a@b commit -qm work; echo again > a.txt'] : []),
		'touch begun; sleep 60',
	].join('; ');

/** Runs the command, and kills the client in the midst of it. */
async function killIn(stage: ClientStage, command: string, flags: readonly string[] = []): Promise<void> {
	const script = stage.script([runs(command), { text: 'Done.' }] as never);
	const child = stage.start(['-p', 'go', '--script', script, '--dangerously-skip-permissions', ...flags]);
	const ended = once(child, 'close');
	for (let waited = 0; !existsSync(stage.file('begun')) && waited < 20_000; waited += 50) await sleep(50);
	child.kill('SIGKILL');
	await ended;
}

const go = (to: string) => ['rewind', 'last', '--to', to, '--only-files', '-y'];

it.each([true, false])('what it has changed comes back, byte by byte (in a repository: %s)', async (withGit) => {
	const stage = newStage(withGit);
	const before = treeIn(stage.cwd);
	await killIn(stage, work(withGit));
	const after = treeIn(stage.cwd);
	const [first = ''] = await entries(stage, 'prompt');
	// Nobody knows when it was killed: what has changed since may be somebody's work, so that is asked.
	const asked = await stage.run(go(first));
	expect(asked.code).toBe(1);
	expect(asked.err).toContain('a.txt: nobody knows whether it was changed since');
	expect(asked.err).not.toContain('untouched.txt');
	expect(treeIn(stage.cwd)).toEqual(after);
	const back = await stage.run([...go(first), '--conflicts', 'overwrite']);
	expect(back).toMatchObject({ code: 0, err: '' });
	expect(back.out).toContain('it was cut off: what has changed since then may be its work, or somebody else’s');
	expect(treeIn(stage.cwd)).toEqual(before);
	expect(await stage.run(['rewind', 'last', '--undo', '-y'])).toMatchObject({ code: 0 });
	expect(treeIn(stage.cwd)).toEqual(after);
	expect((await stage.run([...go(first), '--conflicts', 'overwrite'])).code).toBe(0);
	expect(treeIn(stage.cwd)).toEqual(before);
});

it('an ignored file that is kept comes back as it was, and one that the command left alone stays', async () => {
	const stage = newStage(true);
	writeFileSync(stage.file('.gitignore'), '.env\n*.local\n');
	writeFileSync(stage.file('.env'), 'KEY=1\n');
	writeFileSync(stage.file('mine.local'), 'mine\n');
	const before = treeIn(stage.cwd);
	const kept = ['--settings', '{"keepIgnored": [".env", "*.local"]}'];
	await killIn(stage, 'echo KEY=2 > .env; touch begun; sleep 60', kept);
	const [first = ''] = await entries(stage, 'prompt');
	const { out } = await stage.run([...go(first), '--dry-run']);
	expect(out).toContain('changed back  .env');
	expect(out).not.toContain('mine.local');
	expect((await stage.run([...go(first), '--conflicts', 'overwrite'])).code).toBe(0);
	expect(treeIn(stage.cwd)).toEqual(before);
});

it('what the session does afterwards is its own work, and what others do afterwards theirs', async () => {
	const stage = newStage(true);
	const before = treeIn(stage.cwd);
	await killIn(stage, work(true));
	const killed = treeIn(stage.cwd);
	await prompt(stage, [writes('later.txt', 'later\n'), runs('echo later >> untouched.txt')], ['-c']);
	appendFileSync(stage.file('edited.txt'), 'mine\n');
	const [first = '', second = ''] = await entries(stage, 'prompt');
	expect(await stage.run(go(second))).toMatchObject({ code: 0 });
	expect({ ...treeIn(stage.cwd), 'edited.txt': '' }).toEqual({ ...killed, 'edited.txt': '' });
	const plan = JSON.parse((await stage.run([...go(first), '--dry-run', '--json'])).out) as {
		readonly files: readonly { readonly path: string; readonly conflict?: string }[];
	};
	expect(plan.files.map(({ path }) => path)).not.toContain(stage.file('edited.txt'));
	expect((await stage.run([...go(first), '--conflicts', 'overwrite'])).code).toBe(0);
	expect({ ...treeIn(stage.cwd), 'edited.txt': '' }).toEqual({ ...before, 'edited.txt': '' });
	expect(readFileSync(stage.file('edited.txt'), 'utf8')).toBe('edited.txt\r\nmine\n');
});

it('what git ignored before it is not its work', async () => {
	const stage = newStage(true);
	writeFileSync(stage.file('.gitignore'), 'lib/\n.env\n');
	git(stage.cwd, 'rm', '-r', '-q', '--cached', 'lib');
	writeFileSync(stage.file('.env'), 'A=1\n');
	await killIn(stage, 'echo > .gitignore; echo x > made.txt; touch begun; sleep 60');
	const [first = ''] = await entries(stage, 'prompt');
	const { code, out } = await stage.run([...go(first), '--conflicts', 'overwrite']);
	expect([code, out]).toEqual([0, expect.stringContaining('.env, lib/ existed before it and was not looked at')]);
	const left = ['.env', 'lib/one.ts', 'made.txt'].map((name) => existsSync(stage.file(name)));
	expect(left).toEqual([true, true, false]);
});
