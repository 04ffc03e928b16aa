/** Commands that need no rule: they only look, whatever arguments of the named kinds they get. */
import type { ShellWord } from './shell-words.ts';

interface FreeProgram {
	/** Letters of options that make it write, run something, or follow links. */
	readonly notFlags?: string;
	/** Long options of that kind; a part of the name is enough, because programs take abbreviations. */
	readonly notLong?: readonly string[];
	/** What each word that is no option has to look like. */
	readonly words?: RegExp;
	readonly onlyFlags?: RegExp;
	readonly test?: (values: readonly string[]) => boolean;
}

const any: FreeProgram = {};
const noWords = /^$/;

const programs: { readonly [name: string]: FreeProgram } = {
	...Object.fromEntries(
		[
			'ls',
			'cat',
			'head',
			'tail',
			'wc',
			'nl',
			'cut',
			'paste',
			'column',
			'stat',
			'du',
			'df',
			'diff',
			'cmp',
			'md5sum',
			'sha256sum',
			'base64',
			'hexdump',
			'od',
			'strings',
			'basename',
			'dirname',
			'realpath',
			'readlink',
			'tac',
			'rev',
			'tr',
			'fold',
			'id',
			'uname',
			'uptime',
			'free',
			'which',
			'type',
			'echo',
			'true',
			'false',
			'sleep',
			'cal',
			'help',
			'groups',
			'nproc',
			'locale',
			'seq',
			'expr',
			'netstat',
			'pgrep',
		].map((name) => [name, any]),
	),
	// Alone it goes home, which is outside.
	cd: { test: (values) => values.length > 0 },
	pwd: { words: noWords, onlyFlags: noWords },
	whoami: { words: noWords, onlyFlags: noWords },
	arch: { words: noWords, onlyFlags: noWords },
	sort: { notFlags: 'oT', notLong: ['--output', '--compress-program', '--temporary-directory', '--files0-from'] },
	uniq: { words: noWords },
	file: {
		notFlags: 'Cmfzp',
		notLong: ['--compile', '--magic-file', '--files-from', '--uncompress', '--preserve-date'],
	},
	grep: { notFlags: 'R', notLong: ['--dereference-recursive'] },
	egrep: { notFlags: 'R', notLong: ['--dereference-recursive'] },
	rg: { notFlags: 'zL', notLong: ['--pre', '--pre-glob', '--hostname-bin', '--search-zip', '--follow'] },
	find: {
		test: (values) =>
			!values.some((value) => /^-(exec|execdir|ok|okdir|delete|fprint.*|fls|files0-from|L|follow)$/.test(value)),
	},
	tree: { notFlags: 'oRl', notLong: ['--fromfile', '--fromtabfile', '--output'] },
	date: { notFlags: 'sf', notLong: ['--set', '--file'], words: /^\+/ },
	hostname: { words: noWords, onlyFlags: /^-[adfiIsAy]+$/ },
	man: { onlyFlags: noWords, words: /^[\w.+-]+$/ },
	history: { onlyFlags: noWords, words: /^\d+$/ },
	ps: { words: /^[^e/]*$/ },
	printf: { test: ([first]) => first !== undefined && !first.startsWith('-') },
	test: { test: isPlainTest },
	'[[': { test: isPlainTest },
	'[': { test: (values) => values.at(-1) === ']' && isPlainTest(values.slice(0, -1)) },
	ss: { onlyFlags: /^-[alntuxpeimors46H]+$/, words: noWords },
	lsof: { onlyFlags: /^-[ialnPtu]+$/ },
	jq: {
		onlyFlags: /^(-[rcSesnMCaj]+|--(raw-output|compact-output|sort-keys|slurp|null-input|tab))$/,
		test: isPlainFilter,
	},
	sed: { test: ([flag, script]) => flag === '-n' && /^(\d+|\$)(,(\d+|\$))?p$/.test(script ?? '') },
	node: { test: (values) => values.length === 1 && /^(-v|--version)$/.test(values[0] ?? '') },
	python3: { test: (values) => values.length === 1 && values[0] === '--version' },
	docker: { test: ([command]) => /^(ps|images|logs)$/.test(command ?? '') },
	xargs: { test: ([program]) => program === 'echo' },
	git: { test: isFreeGit },
};

/** An index in a test is evaluated, and may run something. */
function isPlainTest(values: readonly string[]): boolean {
	return !values.some((value) => /[[$`*?]/.test(value) || value === '-v' || value === '-R');
}

/** A filter can print the environment and load other files. */
function isPlainFilter(values: readonly string[]): boolean {
	const filter = values.find((value) => !value.startsWith('-')) ?? '';
	return !/\b(env|ENV|import|include|input|inputs|input_filename|modulemeta|get_search_list)\b/.test(filter);
}

interface GitCommand {
	/** Its first word, where it has commands of its own. */
	readonly first?: RegExp;
	/** Words that are no options are names to look up, not things to make. */
	readonly words?: boolean;
	/** The only options that it may have. */
	readonly only?: RegExp;
}

const looks: GitCommand = { words: true };
const gitCommands: { readonly [name: string]: GitCommand } = {
	...Object.fromEntries(
		[
			'status',
			'log',
			'diff',
			'show',
			'blame',
			'rev-parse',
			'rev-list',
			'ls-files',
			'cat-file',
			'describe',
			'shortlog',
			'grep',
			'merge-base',
			'for-each-ref',
		].map((name) => [name, looks]),
	),
	branch: {},
	remote: {},
	tag: { first: /^(-l|--list|-n\d*)$/, words: true },
	stash: { first: /^(list|show)$/, words: true },
	reflog: { first: /^(show|-.*)$/, words: true },
	worktree: { first: /^list$/, words: true },
	config: { first: /^--get$/, words: true },
	'ls-remote': { only: /^(-[htq]|--(heads|tags|refs|quiet|symref))$/ },
};
const gitBare: readonly string[] = ['tag', 'reflog'];
const notForGit: readonly string[] = [
	'--output',
	'--ext-diff',
	'--textconv',
	'--filters',
	'--open-files-in-pager',
	'--upload-pack',
	'--exec',
	'--contents',
	'--ignore-revs-file',
	'--git-dir',
	'--delete',
	'--move',
	'--copy',
	'--set-upstream-to',
	'--unset-upstream',
	'--edit-description',
	'--create-reflog',
	'--track',
	'--force',
	'--file',
	'--blob',
];
/** A whole name that is also the beginning of one of those. */
const fineForGit = '--text';

function isFreeGit([name = '', ...given]: readonly string[]): boolean {
	const command = Object.hasOwn(gitCommands, name) ? gitCommands[name] : undefined;
	if (!command) return false;
	const flags = given.filter((value) => value.startsWith('-'));
	if (flags.some((value) => isForbidden(value, notForGit) && value !== fineForGit)) return false;
	if (flags.some((value) => gitFlag(name).test(value))) return false;
	if (command.first && !(given.length === 0 && gitBare.includes(name)) && !command.first.test(given[0] ?? ''))
		return false;
	if (flags.some((value) => command.only?.test(value) === false)) return false;
	return command.words === true || flags.length === given.length;
}

/** Short options that change something, run something, or name a file. */
function gitFlag(name: string): RegExp {
	if (name === 'branch') return /^-[^-]*[dDmMcCfut]/;
	if (name === 'tag') return /^-[^-]*[adsfmFue]/;
	if (name === 'grep') return /^-[^-]*[Of]/;
	if (name === 'remote') return /^-[^v-]/;
	return /^-(O|[cC]$)/;
}

function isForbidden(value: string, forbidden: readonly string[]): boolean {
	const name = value.split('=')[0] ?? '';
	return name.startsWith('--') && name.length > 2 && forbidden.some((one) => one.startsWith(name));
}

/** The words are all plain; what they name as files is looked at elsewhere. */
export function isFree(words: readonly ShellWord[]): boolean {
	const [name, ...rest] = words;
	const program = name?.value !== undefined && Object.hasOwn(programs, name.value) ? programs[name.value] : undefined;
	if (!program) return false;
	const values = rest.map(({ value, raw }) => value ?? raw);
	if (program.test && !program.test(values)) return false;
	const end = values.indexOf('--');
	const options = (end === -1 ? values : values.slice(0, end)).filter((value) => /^-./.test(value));
	if (options.some((value) => !isFine(value, program))) return false;
	const { words: wanted } = program;
	return !wanted || values.every((value) => /^-./.test(value) || wanted.test(value));
}

function isFine(option: string, { notFlags = '', notLong = [], onlyFlags }: FreeProgram): boolean {
	if (onlyFlags) return onlyFlags.test(option);
	if (option.startsWith('--')) return !isForbidden(option, notLong);
	return ![...notFlags].some((letter) => option.includes(letter));
}
