/** Ways around permissions that an attacker has tried: none of them runs unasked, and everyday commands still do. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell commands.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowedCases, runAllowed } from '../support/allowed.ts';
import { type Scratch, scratchMachine } from '../support/scratch.ts';

interface Given {
	readonly allow?: readonly string[];
	readonly ask?: readonly string[];
	readonly deny?: readonly string[];
	readonly mode?: string;
}

let scratch: Scratch;
let home: string;
let project: string;

beforeAll(() => {
	scratch = scratchMachine();
	home = join(scratch.root, 'home');
	project = join(home, 'project');
	const files = 'a.txt package.json .env src/x.ts locked/x a/b/f secret.txt sub/x .git/HEAD .git/config d/x';
	for (const name of files.split(' ')) put(name);
	writeFileSync(join(project, '.git/config'), '[core]\n\tbare = false\n');
	symlinkSync('../..', join(project, 'a/b/l'));
	symlinkSync('../../package.json', join(project, 'a/b/lf'));
	for (const name of ['HEAD', 'config', 'objects/x', 'refs/x', 'deep/x']) put(`bare/${name}`);
});
afterAll(() => scratch[Symbol.dispose]());

function put(name: string): void {
	const path = join(project, name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, 'x\n');
}

function decisions(commands: readonly string[], { mode = 'default', ...rules }: Given, folder = '.') {
	const file = join(scratch.root, 'cases.jsonl');
	const lines = commands.map((command) => JSON.stringify({ mode, rules, tool: 'Bash', input: { command } }));
	writeFileSync(file, lines.join('\n'));
	const answers = allowedCases(file, { cwd: join(project, folder), home });
	return commands.map((command, index) => `${answers[index]?.decision}: ${command}`);
}

function all(decision: string, commands: readonly string[]): readonly string[] {
	return commands.map((command) => `${decision}: ${command}`);
}

/** Asked about or denied. */
function stopped(commands: readonly string[], given: Given, folder?: string): void {
	const answers = decisions(commands, given, folder);
	expect(answers.filter((answer) => !/^(ask|deny): /.test(answer))).toEqual([]);
}

const denyRemoving: Given = { allow: ['Bash'], deny: ['Bash(rm:*)'] };

describe('what a shell evaluates twice', () => {
	const evaluated = [
		"RANDOM='a[$(rm x)]'",
		"OPTIND='a[$(rm x)]'",
		"HISTCMD='a[$(rm x)]'",
		"SRANDOM='a[$(rm x)]'",
		"x='a[$(rm x)]'; RANDOM=x",
		"for RANDOM in 'a[$(rm x)]'; do ls; done",
		"for SECONDS in 'a[$(rm x)]'; do ls; done",
		"x='a[$(rm x)]'; [[ x -eq 1 ]]",
		"for x in 'a[$(rm x)]'; do [[ x -eq 1 ]]; done",
		"x='a[$(rm y)]'; let x",
		"x='a[$(rm y)]'; declare -i z=x",
		"x='a[$(rm y)]'; z[x]=1",
		'x=\'a[$(rm y)]\'; printf -v "$x" y',
		'x=\'a[$(rm y)]\'; test -v "$x"',
		"x='a[$(rm y)]'; read $x <<< 1",
		'x=\'a[$(rm y)]\'; unset "$x"',
		'y=1; x="a[\\$(rm $y)]"; [[ x -eq 1 ]]',
		"declare -n r='a[$(rm y)]'; echo $r",
		"PS4='$(rm x)'; set -x; :",
		"mapfile -C 'rm x' -c 1 a < a.txt",
		"compgen -C 'rm x'",
	];
	it('is not run unasked without a rule', () => stopped(evaluated, {}));
	it('is seen by a rule that denies', () => stopped(evaluated, denyRemoving));
	it('variables that bash and programs obey are not set unasked', () =>
		stopped(
			[
				'RANDOM=x',
				'PATH=./evil',
				'OLDPWD=/tmp; cd -',
				'BASH_ENV=x',
				'http_proxy=x',
				'for PATH in ./evil; do ls; done',
				'for HOME in /tmp; do cd; grep -r x; done',
				'for OLDPWD in /tmp; do cd -; ls; done',
				"for x in 'a b'; do ls; done",
			],
			{},
		));
	it('nor before a command that a rule allows', () =>
		stopped(['for PATH in ./evil; do npm test; done', 'for NODE_OPTIONS in x; do npm test; done'], {
			allow: ['Bash(npm test:*)'],
		}));
});

describe('a rule that denies a command', () => {
	it('is not escaped by a name that the shell completes', () => {
		const commands = [
			'/bin/r? x',
			'/bin/[r]m x',
			'/bin/r* x',
			'/b*/rm x',
			'/bin/$x y',
			'/bin/r$e"m" x',
			'/bin/r{m,} x',
			'/bin/${x}rm x',
			'/bi$n/rm x',
			'./r? x',
		];
		stopped(commands, denyRemoving);
		stopped(commands, { allow: ['Bash'], ask: ['Bash(rm:*)'] });
		stopped(commands, { mode: 'bypassPermissions', deny: ['Bash(rm:*)'] });
	});
	it('is found behind options of wrappers, written in any way', () =>
		stopped(
			[
				'env - rm x',
				"env --split-string='rm x'",
				"env --split 'rm x'",
				"watch -n1 'rm x'",
				'watch -n 1 rm x',
				"script --command='rm x'",
				"script --command 'rm x'",
				"script -qc 'rm x' f",
				"su --command='rm x'",
				"su root --command='rm x'",
				"su --session-command='rm x'",
				'sudo --user root rm x',
				'timeout --kill 1 5 rm x',
				'echo x | xargs -iI rm x',
				'sudo -zu rm x',
				'sudo --close-from=3 rm x',
				'flock f rm x',
				'flock -n f rm x',
				"flock f -c 'rm x'",
			],
			denyRemoving,
		));
	it('is found in code from elsewhere', () =>
		stopped(
			[
				'bash <(echo rm x)',
				"bash /dev/stdin <<< 'rm x'",
				"source /dev/stdin <<< 'rm x'",
				". /dev/stdin <<< 'rm x'",
				'source <(echo rm x)',
				"command . /dev/stdin <<< 'rm x'",
				"bash -o posix <<< 'rm x'",
				"bash /proc/self/fd/0 <<< 'rm x'",
				'echo "rm x" > f && bash f',
				'echo "rm x" > f; . ./f',
			],
			denyRemoving,
		));
	it('is found behind options and configuration of git', () => {
		stopped(['/usr/bin/git -C . push', 'git --$x push', 'git $x push', "git -c alias.x='!git push' x"], {
			allow: ['Bash'],
			deny: ['Bash(git push:*)'],
		});
		stopped(["git -c alias.x='!rm x' x", "git -c core.pager='rm x' log"], denyRemoving);
	});
	it('is found as an argument of programs that run their arguments', () =>
		stopped(
			[
				'runuser -u root -- rm x',
				'setpriv --nnp rm x',
				'systemd-run rm x',
				'gdb --args rm x',
				'xvfb-run rm x',
				'ssh localhost rm x',
				"ssh localhost 'cd /; sudo rm x'",
				"tmux new 'rm x'",
				'npx rm x',
				'uv run rm x',
				"fish -c 'rm x'",
				'git bisect run rm x',
				"git submodule foreach 'rm x'",
				"git rebase -x 'rm x' main",
				'hash -p /bin/rm foo',
				"at now <<< 'rm x'",
				'batch <<EOF\nrm x\nEOF',
				"batch <<'EOF'\nrm x\nEOF",
				"tar cf /dev/null --checkpoint-action=exec='rm x' .",
				"vim -c '!rm x'",
				"sed -n '1e rm x' a.txt",
				"sed 's/x/rm y/e' a.txt",
				'RM x',
				'/lib64/ld-linux-x86-64.so.2 /bin/rm x',
			],
			denyRemoving,
		));
	it('takes no time worth speaking of, however often a wrapper is repeated', () => {
		const started = Date.now();
		stopped([`${'sudo -Z '.repeat(60)}x`, `${'env --foo '.repeat(400)}x`], denyRemoving);
		expect(Date.now() - started).toBeLessThan(20_000);
	});
	it('leaves alone what only speaks of the command', () => {
		const commands = [
			'echo "rm x"',
			'git commit -m "rm old files"',
			'git rm a.txt',
			'git log --grep="rm x"',
			'grep rm a.txt',
			'grep -rn "rm x" src',
			'ls rm',
			'printf "%s" "rm x"',
			'timeout 5 echo "rm x"',
			'cat rm # rm x',
			'find . -name rm',
			"sed -i 's/rm x/y/' a.txt",
			"cat <<'EOF'\nrm x\nEOF",
			'npm test && npm run build',
			'for f in *.ts; do wc -l $f; done',
			'x=$(git rev-parse HEAD); echo $x',
			'bash build.sh --all',
			'source ./env.sh',
			'[ -f a.txt ] && cat a.txt',
			'NODE_ENV=test npm test -- --grep "a b"',
			'cat a.txt | sort | uniq -c > out.txt',
			'gh pr create --title "rm the old client" --body "x"',
			"python3 -c 'print(1)'",
			'sudo -u root ls',
			'env FOO=1 npm test',
			'xargs -0 -n 1 echo < a.txt',
			'timeout --foreground 10 npm test',
			'docker compose up -d',
			'make -j4 2>&1 | tail -20',
		];
		expect(decisions(commands, denyRemoving)).toEqual(all('allow', commands));
	});
});

describe('redirections at any depth', () => {
	it('do not write to protected files', () =>
		stopped(
			["bash -c 'echo > .git/x'", "eval 'echo > .git/x'", "bash -c '> .git/x'", '{ echo; } > .git/x', 'cat <> .git/x'],
			{ allow: ['Bash'] },
		));
	it('are found by rules that ask about changing files', () =>
		stopped(["bash -c 'echo > src/q'", "eval 'echo > src/q'", "eval '> src/q'", 'f() { echo; } > src/q; f'], {
			allow: ['Bash'],
			ask: ['Edit(src/**)'],
		}));
	it('are found by rules that deny changing files', () => {
		const commands = [
			"bash -c '> locked/x'",
			"eval '{ echo; } > locked/x'",
			'echo <> locked/x',
			'if true; then echo; fi > locked/x',
		];
		expect(decisions(commands, { allow: ['Bash'], deny: ['Edit(locked/**)'] })).toEqual(all('deny', commands));
		const any = ['> x', '{ echo; } > x', "bash -c '> x'"];
		expect(decisions(any, { allow: ['Bash'], deny: ['Edit'] })).toEqual(all('deny', any));
	});
	it('are found by rules that deny reading files', () => {
		const commands = [
			'{ cat; } < .env',
			'( cat ) < .env',
			'while read l; do echo $l; done < .env',
			'echo "$(<.env)"',
			'x=$(<.env)',
			"bash -c '< .env'",
			"bash -c 'cat < .env'",
			'cat <> .env',
			'xargs -a .env echo',
			'xargs --arg-file=.env echo',
			'git diff /dev/null .env',
			'git grep . .env',
			'git show HEAD:.env',
			'git blame .env',
			'ln .env x',
			'ln -s .env x',
		];
		expect(decisions(commands, { allow: ['Bash'], deny: ['Read(.env)'] })).toEqual(all('deny', commands));
	});
	it('to a place that nobody knows are asked about where changing files is denied', () =>
		stopped(['echo > $F', "bash -c 'echo > $F'", 'tee $F < a.txt'], {
			mode: 'bypassPermissions',
			deny: ['Edit(locked/**)'],
		}));
});

describe('one command prepares what the next one meets', () => {
	const edits: Given = { mode: 'acceptEdits' };
	it('names that were moved or copied are not used in the same command line', () =>
		stopped(
			[
				'mv a/b/l l && touch l/EVIL',
				'cp -a a/b/l l && touch l/EVIL',
				'cp -d a/b/l l; echo x > l/EVIL',
				'cp -r a/b bb && touch bb/l/../EVIL',
				'mv a/b bb && cat bb/l/../out/secret',
				'mv a/b/lf lf && cat lf',
				'for i in 1 2; do touch l/EVIL; mv a/b/l l; done',
				'cat lf | mv a/b/lf lf',
				'touch lf | mv a/b/lf lf',
				'{ sleep 1; cat bb/lf; } | mv a/b bb',
				'{ cat lf; } | { mv a/b/lf lf; }',
				'for i in 1 2; do cp -d a/b/l l; done',
			],
			edits,
		));
	it('a folder that looks like a repository of its own is not trusted by git', () => {
		stopped(['git status', 'git diff'], edits, 'bare');
		stopped(['git status', 'git log -3'], edits, 'bare/deep');
		stopped(['mkdir objects refs && git status', 'echo x > HEAD; git status', 'touch x && git log'], edits);
	});
	it('what follows plain files and folders is allowed as before', () => {
		const commands = [
			'mkdir -p n/m && touch n/m/x',
			'touch n.txt && rm n.txt',
			'mv a.txt b.txt && ls',
			'mkdir n && mv sub n/sub',
			'ls | head -3; mv a.txt b.txt',
			'cp a.txt b.txt && cat package.json',
			'cp a.txt b.txt && cat b.txt',
			'git status && git diff',
			'git diff > d.patch',
			'for i in 1 2; do touch x; done',
		];
		expect(decisions(commands, edits)).toEqual(all('allow', commands));
	});
});

describe('everyday commands without a rule', () => {
	it('are allowed as before', () => {
		const commands = [
			'A=1',
			'x=1; ls',
			'for i in 1 2; do ls; done',
			'if [ -f a.txt ]; then cat a.txt; fi',
			'[[ -f a.txt ]] && cat a.txt',
			'[[ 1 -eq 1 ]]',
			'git status',
			'git log --oneline -5',
			'cat package.json | jq .scripts',
			'ls -la src/*.ts',
			'echo $HOME',
		];
		expect(decisions(commands, {})).toEqual(all('allow', commands));
	});
	it('are allowed in a folder of the repository', () => {
		expect(decisions(['git status', 'git diff'], {}, 'src')).toEqual(all('allow', ['git status', 'git diff']));
	});
});

describe('a rule for files', () => {
	const readings = (paths: readonly string[], deny: readonly string[], folders: readonly string[] = []) => {
		const file = join(scratch.root, 'cases.jsonl');
		const lines = paths.map((path) =>
			JSON.stringify({
				rules: { deny },
				additionalDirectories: folders,
				tool: 'Read',
				input: { file_path: join(scratch.root, path) },
			}),
		);
		writeFileSync(file, lines.join('\n'));
		return allowedCases(file, { cwd: project, home }).map(({ decision }) => decision);
	};
	it('that names a folder by a link is meant for the folder itself', () => {
		mkdirSync(join(scratch.root, 'real/secrets'), { recursive: true });
		writeFileSync(join(scratch.root, 'real/secrets/x'), 'x');
		symlinkSync('real', join(scratch.root, 'link'));
		symlinkSync('../../real', join(project, 'inner'));
		const both = ['link/secrets/x', 'real/secrets/x'];
		const denied = ['deny', 'deny'];
		const link = join(scratch.root, 'link');
		expect(readings(both, ['Read(secrets/**)'], [link])).toEqual(denied);
		expect(readings(both, [`Read(/${link}/**)`], [link])).toEqual(denied);
		expect(readings(both, ['Read(inner/**)'], [link])).toEqual(denied);
		expect(readings(both, ['Read(~/project/inner/secrets/x)'], [link])).toEqual(denied);
		expect(readings(both, ['Read(other/**)'], [link])).toEqual(['allow', 'allow']);
	});
	it('does not hide a second pattern behind a line break', () => {
		const { code, err } = runAllowed(['Edit', 'b', '--allowedTools', 'Edit(a\n**)'], { cwd: project, home });
		expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('there is a control character') });
	});
});

it('a quoted command with a blank in its name is not the command of a longer rule', () =>
	stopped(["'./run test' x", './run\\ test', '"./run test"'], { allow: ['Bash(./run test:*)', 'Bash(./run test)'] }));
