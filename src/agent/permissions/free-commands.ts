/** Which shell commands need no rule because all that they call only looks: by the rows of `look-programs.ts`, and for echo, find, git, ps, printf, test, sed, docker by hand. */
import { readFind } from './find-command.ts';
import { beginsAsItMay, gitCommand } from './git-commands.ts';
import { type LookProgram, lookPrograms } from './look-programs.ts';
import { readOptions } from './options.ts';
import { isPlainProcessList } from './process-list.ts';
import type { ShellWord } from './shell-words.ts';

type Test = (given: readonly ShellWord[], values: readonly string[]) => boolean;

const anything: Test = () => true;

/** Programs whose arguments follow a grammar of their own. */
const special: { readonly [name: string]: Test } = {
	echo: anything,
	true: anything,
	false: anything,
	expr: anything,
	find: (given) => readFind(given).looks,
	git: isFreeGit,
	ps: (_given, values) => isPlainProcessList(values),
	printf: isPlainFormat,
	test: isPlainTest,
	'[[': isPlainTest,
	'[': (given, values) => values.at(-1) === ']' && isPlainTest(given.slice(0, -1), values.slice(0, -1)),
	sed: isPlainPrint,
	node: (_given, values) => values.length === 1 && /^(-v|--version)$/.test(values[0] ?? ''),
	python3: (_given, values) => values.length === 1 && values[0] === '--version',
	docker: (given) => isFreeRow(given.slice(1), dockerCommand(given[0]?.value ?? '')),
};

/** Programs whose first word says what they do. */
const choosing: readonly string[] = ['git', 'docker', 'xargs'];

const docker: { readonly [command: string]: LookProgram | undefined } = {
	ps: { words: 'none', short: 'alqs fn=', long: 'all latest no-trunc quiet size filter= format= last=' },
	images: { words: /^[\w.:/@-]+$/, short: 'aq f=', long: 'all digests no-trunc quiet filter= format=' },
	logs: { words: /^[\w.-]+$/, short: 'ft n=', long: 'follow timestamps details tail= since= until=' },
};

function dockerCommand(name: string): LookProgram | undefined {
	return Object.hasOwn(docker, name) ? docker[name] : undefined;
}

/** The words are all plain, and patterns are what they stand for; what they name as files is looked at elsewhere. */
export function isFree(words: readonly ShellWord[]): boolean {
	const [name, ...given] = words;
	if (name?.value === undefined || !isNoPattern(name)) return false;
	// Which name comes first where a pattern stands for several, the shell decides: none of them may choose what is done.
	if (choosing.includes(name.value) && !isNoPattern(given[0])) return false;
	const test = Object.hasOwn(special, name.value) ? special[name.value] : undefined;
	if (test)
		return test(
			given,
			given.map(({ value, raw }) => value ?? raw),
		);
	return isFreeRow(given, Object.hasOwn(lookPrograms, name.value) ? lookPrograms[name.value] : undefined);
}

function isFreeRow(given: readonly ShellWord[], row: LookProgram | undefined): boolean {
	if (!row) return false;
	const read = readOptions(given, row);
	if (!read.exact || row.test?.(read) === false) return false;
	const { words: wanted } = row;
	if (wanted === 'none') return read.words.length === 0;
	return !(wanted instanceof RegExp) || [...read.words, ...read.maybe].every(({ value }) => wanted.test(value ?? ''));
}

function isFreeGit([name, ...given]: readonly ShellWord[]): boolean {
	const row = name && gitCommand([name]);
	if (!row || ((row.first ?? row.test) && !isNoPattern(given[0]))) return false;
	return beginsAsItMay(row, given) && isFreeRow(given, row);
}

/** An index in a test is evaluated, and may run something; so may the names that a pattern stands for. */
function isPlainTest(given: readonly ShellWord[], values: readonly string[]): boolean {
	return !values.some((value) => /[[$`*?]/.test(value) || value === '-v' || value === '-R') && given.every(isNoPattern);
}

/** `%n` sets a variable, and so does `-v`. */
function isPlainFormat(given: readonly ShellWord[], [format]: readonly string[]): boolean {
	if (format === undefined || format.startsWith('-') || given[0]?.value === undefined) return false;
	return given.every(isNoPattern) && !/%[-+ #0'*.\d$]*[hlLjztqv]*n/.test(format.replaceAll('%%', ''));
}

/** Lines by their numbers: with a second script, or any other option, sed writes files and runs programs. */
function isPlainPrint(given: readonly ShellWord[], [flag, script = '', ...files]: readonly string[]): boolean {
	if (flag !== '-n' || !/^(\d+|\$)(,(\d+|\$))?p$/.test(script)) return false;
	return isNoPattern(given[1]) && files.every((value) => !value.startsWith('-'));
}

function isNoPattern(word: ShellWord | undefined): boolean {
	return word?.glob === undefined;
}
