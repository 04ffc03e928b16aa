/** What rules make of shell commands, as tables: the measured forms of the real client, and what has run code through an allowed prefix. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell commands.
import { describe, expect, it } from 'vitest';
import { circumstances, judge, table } from '../../../test/support/shell-rules.ts';
import { suggestRule } from './index.ts';

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
