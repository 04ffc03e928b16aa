/** What a rewind could not bring back is said wherever files go back, not only by whoever asks beforehand. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { entries, git, prompt, runs } from '../support/rewinding.ts';

/** A project with a repository inside, and a file that git ignores. */
function newStage(): ClientStage {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	mkdirSync(stage.file('inner'));
	git(stage.file('inner'), 'init');
	writeFileSync(stage.file('inner/f'), 'f\n');
	writeFileSync(stage.file('.gitignore'), '.env\n');
	writeFileSync(stage.file('.env'), 'A=1\n');
	git(stage.cwd, 'init');
	git(stage.cwd, 'add', '-A', '--', 'a.txt', '.gitignore');
	git(stage.cwd, 'commit', '-m', 'begin');
	return stage;
}

const inner = 'inner/ is a repository of its own: what commands change there is not kept';
const ignored = 'files that git ignores are not kept: what commands changed in them stays';

describe('what could not be brought back is said', () => {
	it('by rewind -y, by /rewind, and to programs, where files were restored', async () => {
		const stage = newStage();
		await prompt(stage, [runs('echo 1 > inner/f; echo B=2 >> .env; echo n > n.txt')]);
		const [first = ''] = await entries(stage, 'prompt');
		const saved = join(stage.home, '..', 'saved');
		for (const part of ['home', 'own', 'project'])
			cpSync(join(saved, '..', part), join(saved, part), { recursive: true });
		const rounds = [
			['rewind', 'last', '--to', first, '--files', '-y'],
			['-c', '-p', `/rewind ${first} --files`],
			['rewind', 'last', '--to', first, '--files', '-y', '--json'],
		];
		for (const args of rounds) {
			for (const part of ['home', 'own', 'project']) {
				rmSync(join(saved, '..', part), { recursive: true, force: true });
				cpSync(join(saved, part), join(saved, '..', part), { recursive: true, preserveTimestamps: true });
			}
			const { out, code } = await stage.run(args);
			expect(code).toBe(0);
			expect(out, args.join(' ')).toContain(inner);
			if (!args.includes('--json'))
				expect(out, args.join(' ')).toContain(`${ignored}. Since then these have changed:\n  .env`);
			else expect(JSON.parse(out).ignored.changed).toEqual(['.env']);
		}
	});

	it('for a file that is larger than 64 MB', async () => {
		const stage = newStage();
		await prompt(stage, [runs('truncate -s 65M huge.bin; echo n > n.txt'), runs('echo x >> huge.bin')]);
		const [first = ''] = await entries(stage, 'prompt');
		const { code, out } = await stage.run([
			'rewind',
			'last',
			'--to',
			first,
			'--only-files',
			'-y',
			'--conflicts',
			'keep',
		]);
		expect([code, out]).toEqual([0, expect.stringContaining('huge.bin is larger than 64 MB')]);
		expect([existsSync(stage.file('huge.bin')), existsSync(stage.file('n.txt'))]).toEqual([true, false]);
	});

	it('also where there was nothing to restore, and by an undo', async () => {
		const stage = newStage();
		await prompt(stage, [runs('echo 1 > inner/f; echo B=2 >> .env')]);
		const [first = ''] = await entries(stage, 'prompt');
		const none = await stage.run(['rewind', 'last', '--to', first, '--only-files', '-y']);
		expect(none.out).toMatch(/^nothing was changed\n/);
		expect(none.out).toContain(inner);
		expect(none.out).toContain(ignored);
		const asked = await stage.run(['-c', '-p', `/rewind ${first} --only-files`]);
		expect(asked.out).toMatch(/^Nothing was changed\.\n/);
		expect(asked.out).toContain(inner);
		expect((await stage.run(['rewind', 'last', '--to', first, '--files', '-y'])).out).toContain(inner);
		await prompt(stage, [runs('echo 2 > inner/f')], ['-c']);
		expect((await stage.run(['rewind', 'last', '--undo', '-y'])).out).toContain(inner);
		expect(readFileSync(stage.file('inner/f'), 'utf8')).toBe('2\n');
	});
});

it('what commands may change in the repository around the folder is said to stay', async () => {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	git(dirname(stage.cwd), 'init');
	await prompt(stage, [runs('echo 1 > ../above.txt; echo 1 > n.txt')]);
	const [first = ''] = await entries(stage, 'prompt');
	const go = ['rewind', 'last', '--to', first, '--only-files'];
	const said = `what commands changed in ${dirname(stage.cwd)} outside ${stage.cwd} is not kept, and stays`;
	expect((await stage.run([...go, '--dry-run'])).out).toContain(said);
	expect((await stage.run([...go, '-y'])).out).toContain(said);
	expect([existsSync(stage.file('../above.txt')), existsSync(stage.file('n.txt'))]).toEqual([true, false]);
});

describe('files that git ignores', () => {
	const asked = ['--settings', '{"keepIgnored": [".env", "conf/*.local", "../outside", "/etc/hostname"]}'];

	it('go back where the user has asked for them by name, and large ones are named', async () => {
		const stage = newStage();
		writeFileSync(stage.file('.gitignore'), '.env\nconf/\nother\n');
		mkdirSync(stage.file('conf'));
		writeFileSync(stage.file('conf/big.local'), 'x'.repeat(2 ** 20 + 1));
		writeFileSync(stage.file('../outside'), 'outside\n');
		const command =
			'echo B=2 >> .env; echo n > conf/new.local; echo x >> conf/big.local; echo y > other; echo 1 > ../outside';
		await prompt(stage, [runs(command)], asked);
		await prompt(stage, [runs('rm .env conf/new.local')], ['-c', ...asked]);
		const [first = '', second = ''] = await entries(stage, 'prompt');
		const go = (to: string) => ['rewind', 'last', '--to', to, '--only-files', '-y'];
		expect((await stage.run(go(second))).code).toBe(0);
		expect(readFileSync(stage.file('.env'), 'utf8')).toBe('A=1\nB=2\n');
		expect(readFileSync(stage.file('conf/new.local'), 'utf8')).toBe('n\n');
		const { code, out } = await stage.run(go(first));
		expect(code).toBe(0);
		expect(readFileSync(stage.file('.env'), 'utf8')).toBe('A=1\n');
		expect(existsSync(stage.file('conf/new.local'))).toBe(false);
		expect(out).toContain('conf/big.local is ignored by git and larger than 1 MB');
		expect(out).toContain('Since then these have changed:\n  other\n');
		expect([readFileSync(stage.file('other'), 'utf8'), readFileSync(stage.file('../outside'), 'utf8')]).toEqual([
			'y\n',
			'1\n',
		]);
	});

	it('are asked for by a project only where it is trusted', async () => {
		const stage = newStage();
		mkdirSync(stage.file('.claude'));
		writeFileSync(stage.file('.claude/settings.json'), '{"keepIgnored": [".env"]}');
		await prompt(stage, [runs('echo B=2 >> .env')]);
		const [first = ''] = await entries(stage, 'prompt');
		const go = ['rewind', 'last', '--to', first, '--only-files', '-y'];
		expect((await stage.run(go)).out).toMatch(/^nothing was changed\n/);
		await prompt(stage, [runs('echo C=3 >> .env')], ['-c', '--trust']);
		const [, second = ''] = await entries(stage, 'prompt');
		go[3] = second;
		expect((await stage.run(go)).code).toBe(0);
		expect(readFileSync(stage.file('.env'), 'utf8')).toBe('A=1\nB=2\n');
	});
});

describe('a file that was there before a command is never removed for it', () => {
	/** What a rewind would do, and then what is there after it. */
	async function rewound(stage: ClientStage) {
		const [first = ''] = await entries(stage, 'prompt');
		const go = ['rewind', 'last', '--to', first, '--only-files'];
		const { out } = await stage.run([...go, '--dry-run']);
		const done = await stage.run([...go, '-y', '--conflicts', 'overwrite']);
		return { told: out, done };
	}

	function withIgnored(): ClientStage {
		const stage = newStage();
		writeFileSync(stage.file('.gitignore'), '.env\nbuild/\n*.log\n');
		mkdirSync(stage.file('build'));
		writeFileSync(stage.file('build/out.js'), 'out\n');
		writeFileSync(stage.file('note.log'), 'note\n');
		return stage;
	}

	it('by a command that takes names out of .gitignore', async () => {
		const stage = withIgnored();
		const before = readFileSync(stage.file('.gitignore'), 'utf8');
		await prompt(stage, [runs('echo > .gitignore; echo B=2 >> .env; echo n > n.txt')]);
		await prompt(stage, [runs('echo more >> note.log')], ['-c']);
		const { told, done } = await rewound(stage);
		expect(told).toMatch(/: \.env, build\/, note\.log existed before it and was not looked at/);
		expect(done.code).toBe(0);
		expect(readFileSync(stage.file('.gitignore'), 'utf8')).toBe(before);
		expect(existsSync(stage.file('n.txt'))).toBe(false);
		const names = ['.env', 'build/out.js', 'note.log'];
		// What the second command changed was looked at by then.
		expect(names.map((name) => readFileSync(stage.file(name), 'utf8'))).toEqual(['A=1\nB=2\n', 'out\n', 'note\n']);
	});

	it.each([
		['adds ignored files to git', 'git add -f .env build', ['.env', 'build/out.js']],
		['removes the repository', 'rm -rf .git; mv b.txt a.txt', ['.env', 'build/out.js', 'note.log', 'inner/f']],
		['removes a repository inside', 'rm -rf inner/.git', ['inner/f']],
		['gives an ignored file a name that is not', 'mv .env kept.env; mv build/out.js out.js', ['kept.env', 'out.js']],
	])('by a command that %s', async (_, command, names) => {
		const stage = withIgnored();
		await prompt(stage, [runs(`mv a.txt b.txt; ${command}; echo n > n.txt`)]);
		const { told, done } = await rewound(stage);
		expect(told).toContain('existed before it and was not looked at');
		expect(done.code).toBe(0);
		expect(names.filter((name) => !existsSync(stage.file(name)))).toEqual([]);
		const others = ['n.txt', 'a.txt', 'b.txt'].map((name) => existsSync(stage.file(name)));
		expect(others).toEqual([false, true, false]);
	});

	it('and one that git ignores from then on goes back like others', async () => {
		const stage = newStage();
		const before = readFileSync(stage.file('a.txt'), 'utf8');
		await prompt(stage, [runs('echo a.txt >> .gitignore; git rm -q --cached a.txt; echo x > a.txt')]);
		await rewound(stage);
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe(before);
	});
});
