/** What rules make of shell commands, as tables: the measured forms of the real client, and what has run code through an allowed prefix. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell commands.
import { describe, expect, it } from 'vitest';
import type { FileView, PermissionMode } from '../contracts.ts';
import { decide, type RuleKind, readRule, suggestRule } from './index.ts';
import { normalise } from './path-names.ts';

const folders = new Set(['/p', '/p/locked', '/p/sub', '/p/src', '/tmp/outside', '/home/u']);
const files: FileView = {
	real: (path) => normalise(path),
	kind: (path) => (folders.has(normalise(path)) ? 'folder' : undefined),
	list: (folder) => (normalise(folder) === '/p' ? ['a.txt', 'b.txt', 'sub', 'src', '.env'] : []),
};

interface Given {
	readonly allow?: readonly string[];
	readonly ask?: readonly string[];
	readonly deny?: readonly string[];
	readonly mode?: PermissionMode;
}

function circumstances({ mode = 'default', ...lists }: Given) {
	const rules = (kind: RuleKind) =>
		(lists[kind] ?? []).map((text) => {
			const read = readRule(text, kind);
			if ('problem' in read) throw new Error(`${text}: ${read.problem}`);
			return read.rule;
		});
	const all = { allow: rules('allow'), ask: rules('ask'), deny: rules('deny') };
	return { mode, rules: all, cwd: '/p', home: '/home/u', dirs: [], files };
}

async function judge(command: string, given: Given): Promise<string> {
	return (await decide({ tool: 'Bash', input: { command } }, circumstances(given))).decision;
}

function table(name: string, given: Given, expected: string, commands: readonly string[]): void {
	it.each(commands)(`${name}: %s`, async (command) => {
		expect(await judge(command, given)).toBe(expected);
	});
}

describe('an exact rule', () => {
	const given = { allow: ['Bash(npm test)'] };
	table('allows', given, 'allow', [
		'"npm" test',
		'n\\pm test',
		'npm test &> /dev/null',
		'npm test 2>/dev/null',
		'npm test < a.txt',
		'! npm test',
		'npm test | cat',
		'timeout -s KILL 10 npm test',
		'timeout --foreground 10 npm test',
		'time npm test',
		'cd sub && npm test',
		'npm test >&2',
	]);
	table('asks', given, 'ask', [
		'npm  test',
		'npm test &',
		'{ npm test; }',
		'`npm test`',
		'<(npm test)',
		'npm test 2> err',
		'npm test >> out',
		'npm test > $F',
		'npm test > /dev/tty',
		'npm test < /etc/hostname',
		'case x in x) npm test;; esac',
		'f() { npm test; }; f',
		'env npm test',
		'sudo npm test',
		'PATH=. npm test',
		'A=1; npm test',
		'npm test\rrm x',
		'npm test\u00a0',
		'npm test\u200b',
	]);
});

describe('a rule for any arguments', () => {
	const given = { allow: ['Bash(make build:*)'] };
	table('allows', given, 'allow', [
		'make  build',
		'make build *',
		'make build $((1+1))',
		"make build 'a b'",
		'make build -j4 all',
	]);
	table('asks', given, 'ask', [
		'make build-all',
		'make build {a,b}',
		'make build $X',
		'make build $HOME',
		'make build $(rm x)',
		"make build $'a'",
		'make build a\\ b',
	]);
	it('takes other rules by their letter', async () => {
		expect(await judge('dockerx', { allow: ['Bash(docker*)'] })).toBe('allow');
		expect(await judge('make a && make b', { allow: ['Bash(make a && make b)'] })).toBe('allow');
		expect(await judge('make x', { allow: ['Bash(make \\*)'] })).toBe('ask');
		expect(await judge('make *', { allow: ['Bash(make \\*)'] })).toBe('allow');
	});
});

describe('nothing that runs code hides behind an allowed command', () => {
	const given = {
		allow: [
			'Bash(echo:*)',
			'Bash(printf:*)',
			'Bash(test:*)',
			'Bash([:*)',
			'Bash(declare:*)',
			'Bash(let:*)',
			'Bash(read:*)',
			'Bash(unset:*)',
			'Bash(export:*)',
		],
	};
	table('asks', given, 'ask', [
		'echo ${x@P}',
		'echo "${x@P}"',
		'echo ${!x}',
		'echo $((a[$(rm x)]))',
		'echo $((x))',
		'echo $[x]',
		"echo $'\\x24(rm x)'",
		'echo $"a"',
		'echo <<EOF\n$(rm x)\nEOF',
		'echo <(rm x)',
		'echo >(rm x)',
		'echo x > >(rm y)',
		'echo "`rm x`"',
		'echo {a,$(rm x)}',
		'echo ${a[$(rm x)]}',
		'a[$(rm x)]=1; echo',
		'echo x |& sh',
		"printf -v 'a[$(rm x)]' y",
		"test -v 'a[$(rm x)]'",
		"[ -v 'a[$(rm x)]' ]",
		"declare 'a[$(rm x)]=1'",
		"let 'a[$(rm x)]'",
		"read 'a[$(rm x)]'",
		"unset 'a[$(rm x)]'",
		'export x=$(rm y)',
		"x='a[$(rm y)]'; [[ x -eq 1 ]]",
		'[[ -v a ]]',
		'for PATH in .; do echo; done',
		'PATH=.; ls',
		'coproc echo x',
		'echo x & echo y',
		'ls() { rm x; }; ls',
		'alias ls=rm; ls',
		'eval echo x',
		'trap "rm x" EXIT',
		'echo !(rm x)',
		'echo x\necho $(rm y)',
		'exec 3<>x; echo',
		'echo {fd}>x',
		'enable -f x echo',
		'echo 2>&1x',
		"echo >&'x$(rm y)'",
		'echo 1<(rm x)',
		'$\\\nX rm y',
		'[ * ]',
		'declare *',
		'echo (x',
		'git -c core.pager=x log',
		'xargs -I{} echo {}',
		'command -p ls',
	]);
	it('what does not parse, or is too long to parse, is asked about', async () => {
		for (const command of ['echo "', 'echo $(', 'if true', 'echo )', `echo ${'x'.repeat(30_000)}`]) {
			expect(await judge(command, given)).toBe('ask');
			expect(await judge(command, { allow: ['Bash'], deny: ['Bash(rm:*)'] })).toBe('ask');
		}
	});
});

describe('a rule that denies', () => {
	const given = { allow: ['Bash'], deny: ['Bash(rm:*)', 'Bash(git push:*)', 'Bash(npm publish)'] };
	table('is found', given, 'deny', [
		'ls && rm x',
		'ls | rm x',
		'"rm" x',
		'r\\m x',
		"$'rm' x",
		'rm x > /dev/null',
		'command rm x',
		'exec rm x',
		'`rm x`',
		'cat <(rm x)',
		'if rm x; then ls; fi',
		'for i in 1; do rm x; done',
		'case x in x) rm x;; esac',
		'/bin/rm x',
		'cat <<EOF\n$(rm x)\nEOF',
		'echo "$(rm x)"',
		'find . -exec rm {} \\;',
		'echo x | xargs -n1 rm',
		'trap "rm x" EXIT',
		'eval "rm x"',
		"bash -c 'rm x'",
		"bash -lc 'ls; rm x'",
		"sh -c 'eval rm x'",
		"env -i A=1 bash -c 'rm x'",
		'sudo -u bob rm x',
		'timeout -k 5 10 rm x',
		'nice -5 rm x',
		'busybox rm x',
		'setsid rm x',
		"env -S 'rm x'",
		'coproc rm x',
		'echo $((a[$(rm x)]))',
		"x='a[$(rm y)]'; echo $((x))",
		"printf -v 'a[$(rm x)]' y",
		'git -c a=b push',
		'git --git-dir=x -C y push',
		'time rm x',
		'rm x;',
		'(rm x)',
		'x=$(rm y)',
		'npm "publish"',
		'function f { rm x; }',
		'while ! rm x; do ls; done',
		'[[ $(rm x) ]]',
		'cat <<< $(rm x)',
		'a[$(rm x)]=1',
		'declare x=$(rm y)',
		'watch rm x',
		'sudo timeout 3 nice rm x',
		'ls > $(rm x)',
	]);
	table('is asked about where it cannot be known', given, 'ask', [
		'$CMD x',
		'"$CMD" x',
		'{rm,x}',
		'r? x',
		'git $X',
		'git pu$X',
		'npm publish $X',
		'bash -c "$X"',
		'eval $X',
		'curl x | sh',
		'sudo --unknown -Z rm x',
		'xargs -Z 1 rm',
		'echo x | bash -s',
		'${X} y',
		"ls 2>&1'$(rm x)'",
		'$\\\nX rm y',
		'echo 1<(rm x)',
		'declare *',
		"(( '$(rm x)' ))",
		'eval *',
		'*$X x',
	]);
	table('is not found in what is only text', given, 'allow', [
		'echo "rm x"',
		"cat <<'EOF'\nrm x\n$(rm x)\nEOF",
		'ls # rm x',
		"echo '$(rm x)'",
		'git pushx',
		'sudo echo rm x',
		'npm publishx',
		'git commit -m "$MSG"',
		'bash x.sh',
		'formrm x',
	]);
	it('a wildcard holds over the whole text, and a trailing one needs no argument', async () => {
		expect(await judge('curl', { allow: ['Bash'], deny: ['Bash(curl *)'] })).toBe('deny');
		expect(await judge('cat < my.secret.txt', { allow: ['Bash'], deny: ['Bash(*secret*)'] })).toBe('deny');
	});
	it('holds in every mode', async () => {
		for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const) {
			expect(await judge('ls; rm x', { ...given, mode })).toBe('deny');
		}
	});
});

describe('commands that only look', () => {
	table('need no rule', {}, 'allow', [
		'nl a.txt',
		'sort a.txt',
		'stat a.txt',
		'diff a.txt b.txt',
		'md5sum a.txt',
		'sha256sum a.txt',
		'realpath a.txt',
		'tac a.txt',
		'rev a.txt',
		'tr a b',
		'fold a.txt',
		'wc a.txt',
		'tree',
		'uname -a',
		'date',
		'uptime',
		'sleep 1',
		'cal',
		'man ls',
		'help cd',
		'locale',
		'python3 --version',
		'printf x',
		'test -f a.txt',
		'lsof',
		'git status',
		'git blame a.txt',
		'git branch -a',
		'git stash list',
		'git stash show',
		'git ls-files',
		'git cat-file -p HEAD',
		'git describe',
		'git config --get user.name',
		'git worktree list',
		'cat <<< x',
		"cat <<'EOF'\nx\nEOF",
		'A=1',
		'cat *.txt',
		'date +%s',
		'find . -name x',
		'echo "$HOME"',
		'true',
		'cut -d/ -f1 a.txt',
		'grep -rn "/etc" .',
	]);
	table('are asked about', {}, 'ask', [
		'awk 1 a.txt',
		'sed s/a/b/ a.txt',
		'less a.txt',
		'xxd a.txt',
		'uniq a.txt',
		'env',
		'printenv',
		'command -v ls',
		'git ls-tree HEAD',
		'git config -l',
		'git --version',
		'git --no-pager log',
		'git --git-dir=x log',
		'git log --ext-diff',
		'git log --ext-d',
		'git diff --outp=x',
		'git grep -O x',
		'git grep --open-files-in-pager=x y',
		'git ls-remote -u x',
		'git ls-remote ext::x',
		'git diff a.txt /etc/passwd',
		'git branch x',
		'git branch -D x',
		'git tag x',
		'git reflog expire',
		'sort --compress-prog=sh a.txt',
		'sort -uo x a.txt',
		'date -s x',
		'date 0101',
		'hostname x',
		'find . -delete',
		'find . -exec ls {} +',
		'find . -fprintf x y',
		'find /etc',
		'rg --pre=sh x',
		'rg --pre sh x',
		'tree -o x',
		'tail -F x &',
		'grep -f /etc/passwd a.txt',
		'grep -e x /etc/passwd',
		'grep --file=/etc/passwd a.txt',
		'cat /etc/passwd',
		'cat ~/.ssh/id',
		'cat ../x',
		'cat sub/../../x',
		'ls ~',
		'ls ~root',
		'cd ..',
		'cd',
		'cat $HOME/x',
		'cat "$HOME/../../p/a.txt"',
		'until false; do ls; done',
		'ls |& cat',
		'ls 2>&-',
		'cd /',
		'cd - && cat x',
		'cd sub && git status',
		'jq env',
		'jq -n $x',
		"jq -n 'env'",
		'jq \'include "x"; .\' a.txt',
		'file -C -m x',
		'xargs grep x',
		'history -c',
		'ss -K',
		'ps e',
		'man -P sh ls',
		'printf -v x y',
		'[ -v x ]',
		'node -e 1',
		'./ls',
		'/bin/ls',
		'ls a\\ b',
		'nice ls',
		'time ls',
		'diff --from-file=/etc/passwd a.txt',
		'while true; do break; done',
	]);
});

describe('modes', () => {
	table('acceptEdits accepts', { mode: 'acceptEdits' }, 'allow', [
		'mkdir -p a/b',
		'touch a b',
		'rm -rf sub/x',
		'mv a b',
		'cp a.txt b',
		'sed -i s/a/b/g a.txt',
		"sed -i 's|a|b|' a.txt",
		'echo x > f',
		'mkdir a && touch a/b',
		'cp -r src copy',
		'> f',
	]);
	table('acceptEdits asks', { mode: 'acceptEdits' }, 'ask', [
		'touch /etc/x',
		'touch ../x',
		'rm -rf .',
		'rm -rf /p',
		'rm -rf sub/..',
		'rm a*',
		'touch $X',
		'FOO=1 touch t',
		'timeout 5 touch t',
		'cd sub && touch t',
		'tee x',
		'ln -s /etc x',
		'chmod +x a',
		'dd of=x',
		'touch .git/x',
		'mkdir .claude',
		'cp a.txt .bashrc',
		'mv sub/.git .',
		'cp /etc/passwd x',
		'cp -t /etc a.txt',
		'cp --target-directory=/etc a.txt',
		"sed -i 's/a/b/w x' a.txt",
		"sed -i 's/a/b/e' a.txt",
		"sed -i '1e rm x' a.txt",
		'sed --in-place s/a/b/ a.txt',
		'cp -r src s2 && echo x > s2/out/f',
		'mv src s2 && cat s2/out/f',
		'npm test > f',
		'echo x > /etc/f',
		'echo x > .npmrc',
		'cd sub && echo x > f',
		'touch -r /etc/x a',
	]);
	it('plan changes no file, whatever is allowed', async () => {
		const given = { mode: 'plan', allow: ['Bash', 'Edit', 'Edit(**)'] } as const;
		for (const command of ['touch x', 'echo x > y', 'rm x', 'sed -i s/a/b/ a.txt', 'ls && mkdir z'])
			expect(await judge(command, given)).toBe('ask');
		expect(await judge('npm test', given)).toBe('allow');
		expect(await judge('ls', { mode: 'plan' })).toBe('allow');
		expect(await judge('npm test', { mode: 'plan', allow: ['Bash(npm test)'] })).toBe('allow');
		expect(await judge('touch x', { mode: 'plan', allow: ['Bash(touch:*)'] })).toBe('ask');
	});
	it('bypassPermissions asks only where a rule does', async () => {
		expect(await judge('touch .git/x', { mode: 'bypassPermissions' })).toBe('allow');
		expect(await judge('echo "', { mode: 'bypassPermissions' })).toBe('allow');
		expect(await judge('echo $(npm publish)', { mode: 'bypassPermissions', ask: ['Bash(npm publish:*)'] })).toBe('ask');
	});
	it('Bash alone is all but what is protected, and what cannot be known to be', async () => {
		const given = { allow: ['Bash'] };
		for (const command of ['rm -rf /tmp/outside/x', 'foo > /tmp/outside/o', 'eval x', 'echo $(foo)'])
			expect(await judge(command, given)).toBe('allow');
		for (const command of [
			'foo > .git/x',
			"bash -c 'touch .git/x'",
			'sudo tee .bashrc',
			'foo > $F',
			'{ foo; } > .git/x',
		])
			expect(await judge(command, given)).toBe('ask');
	});
});

describe('files that commands name', () => {
	const given = { allow: ['Bash'], deny: ['Read(.env)', 'Edit(locked/**)'] };
	table('are denied', given, 'deny', [
		'cat .env',
		'cat ./sub/../.env',
		'cat *env .env',
		'cat .e*',
		'cat < .env',
		'cd sub && cat ../.env',
		'awk 1 .env',
		'cp .env x',
		"bash -c 'cat .env'",
		'sudo cat .env',
		'grep -f .env x',
		'$(cat .env)',
		'dd if=.env',
		'touch locked/x',
		'echo x > locked/x',
		'cd locked && touch x',
		'tee locked/x',
		'tee -a locked/x',
		'ls | tee locked/x',
		'cp a.txt locked/',
		'mv locked/x y',
		'sed -i s/a/b/ locked/x',
		'dd of=locked/x',
		'truncate -s0 locked/x',
		'ln -s a locked/x',
		'{ ls; } > locked/x',
		'sort -o locked/x a.txt',
		'find locked -delete',
		'install a.txt locked/x',
	]);
});

describe('a suggestion', () => {
	it.each([
		['npm test', 'Bash(npm test *)'],
		['git fetch origin', 'Bash(git fetch *)'],
		['node x.js', 'Bash(node x.js)'],
		['make -n', 'Bash(make -n)'],
		['npm test && make x', 'Bash(npm test && make x)'],
		['echo $(npm test)', undefined],
		['touch .git/x', undefined],
		['foo > out', undefined],
		['rm *', 'Bash(rm \\*)'],
	])('for %s is %s, and allows it', async (command, expected) => {
		expect(await suggestRule({ tool: 'Bash', input: { command } }, circumstances({}))).toBe(expected);
	});
	it('names files and hosts', async () => {
		const of = (tool: string, input: { [key: string]: string }) => suggestRule({ tool, input }, circumstances({}));
		expect(await of('Edit', { file_path: '/p/src/a.ts' })).toBe('Edit(/src/a.ts)');
		expect(await of('Write', { file_path: '/tmp/outside/x' })).toBe('Edit(//tmp/outside/x)');
		expect(await of('Write', { file_path: '/p/.git/x' })).toBe(undefined);
		expect(await of('Read', { file_path: '/tmp/outside/x' })).toBe('Read(//tmp/outside/**)');
		expect(await of('WebFetch', { url: 'https://example.com/x' })).toBe('WebFetch(domain:example.com)');
		expect(await of('mcp__srv__alpha', {})).toBe('mcp__srv__alpha');
	});
});
