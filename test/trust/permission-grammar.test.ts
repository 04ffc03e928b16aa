/** Our reading of a command and bash's own: what bash runs is what rules were asked about. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell commands.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { namesCommand } from '../../src/agent/permissions/command-rules.ts';
import { allCommands } from '../../src/agent/permissions/hidden-commands.ts';
import { loadShell, readShell, type ShellScript } from '../../src/agent/permissions/shell.ts';
import { type Scratch, scratchMachine } from '../support/scratch.ts';

const count = 1000;
const seed = Number(process.env.REPRISE_SEED ?? 16);
const home = '/home/nobody';

let scratch: Scratch;
beforeEach(async () => {
	scratch = scratchMachine();
	await loadShell();
});
afterEach(() => scratch[Symbol.dispose]());

const grammar = [
	'P',
	'Q',
	'P a',
	'Q b',
	"P 'x y'",
	'Q "z"',
	';',
	'&&',
	'||',
	'|',
	'\n',
	'(',
	')',
	'{',
	'}',
	'!',
	'if',
	'then',
	'else',
	'fi',
	'for i in 1',
	'do',
	'done',
	'while',
	'case x in',
	'esac',
	';;',
	'x)',
	'#',
	"'",
	'"',
	'\\',
	'$',
	'`',
	'$(',
	'${',
	'<<EOF',
	"<<'EOF'",
	'\nEOF\n',
	'EOF',
	'<',
	'> /dev/null',
	'2>&1',
	'[[',
	']]',
	'((',
	'))',
	'=',
	'A=1',
	'function f',
	'f()',
	'f',
	'time',
	'\\\n',
	"$'",
	'\t',
	'  ',
	'>',
	'<<<',
	'~',
	'*',
	'-',
	'[',
	']',
	'; P',
	'; Q',
	'in',
	'until',
	'{a,b}',
	'\r',
];
const hiding = [
	'eval',
	"eval 'P'",
	"bash -c 'Q'",
	'xargs',
	'env',
	'sudo',
	'timeout 3',
	'command',
	'builtin',
	'exec',
	'nice',
	'$X',
	'${x:-P}',
	'A=$(P)',
	'a[$(Q)]=1',
	'$((a[$(P)]))',
	'"$(Q)"',
	"x='$(P)'",
	'${x@P}',
	"trap 'P' EXIT",
	'alias z=P',
	'let',
	'declare',
	'printf -v',
	'test -v',
	"'a[$(P)]'",
	"$'P'",
	"'P'",
	'\\P',
	"2>&1'$(P)'",
];
/** What runs beside the script would be told with the next one. */
const beside = /(^|[^&>])&($|[^&>\d])|[<>]\(/;

/** Random scripts from these parts that we can read, and accept. */
function scripts(parts: readonly string[], accept: (script: ShellScript) => boolean): readonly ShellScript[] {
	const part = fc.tuple(fc.constantFrom(...parts), fc.constantFrom(' ', ' ', ' ', '')).map((both) => both.join(''));
	const text = fc.array(part, { minLength: 2, maxLength: 10 }).map((all) => all.join(''));
	return fc
		.sample(text, { numRuns: count * 15, seed })
		.map((one) => readShell(one.trim(), [scratch.root], home))
		.filter((script) => script.problem === undefined && !beside.test(script.text) && accept(script))
		.slice(0, count);
}

/** What bash runs of each: the names and arguments of P, of Q, and of what it does not find. */
function ran(all: readonly ShellScript[]): readonly (readonly string[])[] {
	const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
	const told = (name: string, code: number): string =>
		`${name}() { local IFS=$'\\3'; printf '%s\\0' "${name === 'P' || name === 'Q' ? `${name}\${1+$IFS}` : ''}$*" >&9; return ${code}; }`;
	const lines = all.map(({ text }) => `(eval ${quoted(text)}) </dev/null >/dev/null 2>/dev/null; printf '\\2\\0'`);
	const input = ['exec 9>&1', told('P', 0), told('Q', 1), told('command_not_found_handle', 127), ...lines].join('\n');
	const { stdout } = spawnSync('/bin/bash', [], {
		input,
		encoding: 'utf8',
		cwd: scratch.folder('empty'),
		env: { HOME: home, PATH: scratch.folder('bin') },
		timeout: 60_000,
	});
	return stdout.split('\u0002\0').map((group) => group.split('\0').filter((line) => line !== ''));
}

it('what an allow rule is asked about is all that bash runs, with the same arguments', () => {
	const all = scripts(grammar, ({ obstacles, commands }) => {
		const plain = commands.every(({ words, redirections }) => {
			const files = redirections.every(
				({ does, target }) => does !== 'text' && (!target || target.value === '/dev/null'),
			);
			return files && words.every((word) => word.plain && word.value !== undefined && word.glob === undefined);
		});
		return obstacles.length === 0 && plain;
	});
	const groups = ran(all);
	const wrong = all.filter(({ commands }, index) => {
		const known = new Set(commands.map(({ words }) => words.map(({ value }) => value).join('\u0003')));
		return groups[index]?.some((one) => !known.has(one));
	});
	expect(all.length).toBeGreaterThan(count / 4);
	expect(wrong.map(({ text }) => text)).toEqual([]);
}, 90_000);

it('what a deny rule is asked about holds everything that bash runs, unless that cannot be known', () => {
	const all = scripts([...grammar, ...hiding], (script) => !allCommands(script, home).unseen);
	const groups = ran(all);
	const missed = all.filter((script, index) => {
		const { runs } = allCommands(script, home);
		const names = new Set(
			groups[index]?.map((one) => one.split('\u0003')[0] ?? '').filter((name) => /^[PQ]$/.test(name)),
		);
		return [...names].some((name) =>
			runs.every(({ words, before }) => namesCommand(`${name}:*`, words, before) === 'no'),
		);
	});
	expect(all.length).toBeGreaterThan(count / 4);
	expect(missed.map(({ text }) => text)).toEqual([]);
}, 90_000);
