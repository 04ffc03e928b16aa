/** Shell commands under rules, run for real: what is denied is not done, what is allowed does no more. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell commands.
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { bash, put, settings, tryCalls } from '../support/permission-run.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const commandOf = (input: unknown): string => (input as { command: string }).command;

it.each([
	[
		'a command that is denied is found behind whatever stands before it',
		[
			'rm x;',
			'FOO=1 rm x',
			'(rm x)',
			'echo $(rm x)',
			'/bin/rm x',
			'sudo rm x',
			'rm x',
			'ls && rm x',
			'true | rm x',
			'{ rm x; }',
			"bash -c 'rm x'",
			'env rm x',
			'echo x | xargs rm',
			'if true; then rm x; fi',
			'f() { rm x; }; f',
			'eval rm x',
			'find . -name x -exec rm {} \\;',
			'"rm" x',
			'r\\m x',
			'timeout 5 rm x',
			'rm x &',
			'cat <<EOF\n$(rm x)\nEOF',
			"trap 'rm x' EXIT",
		],
	],
	[
		'where it cannot be known whether a denied command is meant, nothing is run without a question',
		['C=rm; $C x', 'eval "$C x"', '{rm,x}', 'echo "rm x" | sh', 'rm x"'],
	],
])('%s', async (_, commands) => {
	put(stage, 'x');
	const { denied } = await tryCalls(
		stage,
		commands.map(bash),
		'--allowedTools',
		'Bash',
		'--disallowedTools',
		'Bash(rm:*)',
	);
	expect(denied.map(commandOf)).toEqual(commands);
	expect(existsSync(stage.file('x'))).toBe(true);
});

it('a prefix that is allowed runs nothing else', async () => {
	const commands = [
		'echo hi; touch x',
		'echo hi && touch x',
		'echo $(touch x)',
		'echo `touch x`',
		'echo hi > x',
		'echo hi >> x',
		'echo <(touch x)',
		"x='$(touch x)'; echo ${x@P}",
		'echo $((a[$(touch x)]))',
		"echo $'a'",
		'echo <<EOF\n$(touch x)\nEOF',
		'echo hi & touch x',
		'echo hi | tee x',
		'echo "${y:-$(touch x)}"',
		'a[$(touch x)]=1; echo',
		"printf -v 'a[$(touch x)]' y",
		'PATH=.; echo',
	];
	const { denied } = await tryCalls(stage, commands.map(bash), '--allowedTools', 'Bash(echo:*)', 'Bash(printf:*)');
	expect(denied.map(commandOf)).toEqual(commands);
	expect(existsSync(stage.file('x'))).toBe(false);
});

it('words behind a prefix that is allowed run nothing when the shell expands them', async () => {
	const commands = [
		'echo ${x:=\\$\\(touch prompt\\)} ${x@P}',
		'echo ${x:=a[\\$\\(touch arithmetic\\)]} $[x]',
		'echo ${x:=a[\\$\\(touch subscript\\)]} ${z[x]}',
		'printf -v a[\\$\\(touch\\ element\\)] y',
		"printf -v $'a[\\x24(touch spelled)]' y",
		'echo "not closed',
	];
	const { denied } = await tryCalls(stage, commands.map(bash), '--allowedTools', 'Bash(echo:*)', 'Bash(printf:*)');
	const made = ['prompt', 'arithmetic', 'subscript', 'element', 'spelled'].filter((name) =>
		existsSync(stage.file(name)),
	);
	expect(made).toEqual([]);
	expect(denied.map(commandOf)).toEqual(commands);
});

it('what is allowed runs, and so does what only looks', async () => {
	put(stage, 'sub/f');
	const commands = [
		'touch a b',
		'touch c && ls',
		'timeout 5 touch d',
		'NODE_ENV=test touch e',
		'ls -la | head -3',
		'cat a.txt 2>&1',
		'cd sub && ls',
		'git status > /dev/null || true',
	];
	const { denied } = await tryCalls(stage, commands.map(bash), '--allowedTools', 'Bash(touch:*)');
	expect(denied).toEqual([]);
	expect(['a', 'b', 'c', 'd', 'e'].every((name) => existsSync(stage.file(name)))).toBe(true);
});

it('a rule that asks comes before one that allows, and nobody can be asked here', async () => {
	settings(stage, 'user', { allow: ['Bash'], ask: ['Bash(touch x:*)'] });
	const { denied } = await tryCalls(stage, [bash('touch y'), bash('ls; touch x'), bash('(touch x)')]);
	expect(denied.map(commandOf)).toEqual(['ls; touch x', '(touch x)']);
	expect(existsSync(stage.file('y'))).toBe(true);
});

it('a denial is told to the model in the client’s words, and to the user with the rule', async () => {
	const script = stage.script([
		{ content: [{ type: 'tool_use', ...bash('rm x') }] },
		{ content: [{ type: 'tool_use', ...bash('touch x') }] },
		{ text: 'done' },
	]);
	const { out } = await stage.run([
		'-p',
		'x',
		'--script',
		script,
		'--output-format',
		'stream-json',
		'--verbose',
		'--disallowedTools',
		'Bash(rm:*)',
	]);
	expect(out).toContain('Permission to use Bash with command rm x has been denied.');
	expect(out).toContain('This command requires approval');
});
