/** Which commands of git need no rule because they only look, one row each with their options, and which files they read. What is not in the row is asked about. */
import type { FileUse } from './file-commands.ts';
import type { LookProgram } from './look-programs.ts';
import { type ReadOptions, readOptions } from './options.ts';
import { literalWord, type ShellWord } from './shell-words.ts';

interface GitCommand extends LookProgram {
	/** Its first word, where it has commands of its own or would make something without it. */
	readonly first?: RegExp;
	/** It looks without any word as well. */
	readonly bare?: true;
}

const shown =
	'patch no-patch unified= raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram anchored= diff-algorithm= stat? compact-summary numstat shortstat dirstat? cumulative summary patch-with-stat name-only name-status color? no-color color-moved? no-color-moved color-moved-ws= word-diff? word-diff-regex= color-words? no-renames rename-empty no-rename-empty check ws-error-highlight= full-index binary abbrev? break-rewrites? find-renames? find-copies? find-copies-harder irreversible-delete diff-filter= pickaxe-all pickaxe-regex find-object= skip-to= rotate-to= relative? no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv ignore-submodules? src-prefix= dst-prefix= no-prefix default-prefix line-prefix= ita-invisible-in-index';
const listed =
	'oneline pretty? format= abbrev-commit no-abbrev-commit encoding= expand-tabs? no-expand-tabs notes? no-notes relative-date date= parents children left-right graph no-graph show-linear-break? decorate? no-decorate decorate-refs= decorate-refs-exclude= clear-decorations source mailmap no-mailmap use-mailmap log-size max-count= skip= since= after= until= before= author= committer= grep-reflog= grep= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges min-parents= max-parents= no-min-parents no-max-parents first-parent exclude-first-parent-only not all branches? tags? remotes? glob= exclude= exclude-hidden= reflog alternate-refs single-worktree ignore-missing boundary cherry-mark cherry-pick left-only right-only cherry walk-reflogs merge simplify-by-decoration show-pulls full-history dense sparse simplify-merges ancestry-path? date-order author-date-order topo-order reverse no-walk? do-walk follow full-diff diff-merges= no-diff-merges cc remerge-diff combined-all-paths';
const history: LookProgram = {
	words: 'files',
	short: 'abEFgimpPqrRstuwWz nLSGUl= MBDX?',
	long: `${shown} ${listed}`,
	digits: true,
};

const commands: { readonly [name: string]: GitCommand } = {
	log: history,
	show: history,
	diff: {
		words: 'files',
		short: 'abpqrRsuwWz SGUl= MBDX?',
		long: `${shown} cached staged merge-base no-index base ours theirs`,
	},
	'rev-list': {
		...history,
		long: `${listed} count objects objects-edge unpacked header timestamp quiet bisect? disk-usage? no-commit-header`,
	},
	status: {
		words: 'files',
		short: 'bsvz u?',
		long: 'short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column ahead-behind no-ahead-behind renames no-renames find-renames? null',
	},
	blame: {
		words: 'files',
		short: 'befhklnpstw L= M?',
		long: 'root show-stats porcelain line-porcelain incremental date= show-name show-number show-email abbrev= reverse first-parent color-lines color-by-age since= encoding= progress no-progress',
	},
	'rev-parse': {
		words: 'files',
		short: 'q',
		long: 'revs-only no-revs flags no-flags verify quiet sq short? not abbrev-ref? symbolic symbolic-full-name all branches? tags? remotes? glob= exclude= absolute-git-dir git-common-dir is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository show-cdup show-prefix show-toplevel show-superproject-working-tree show-object-format? path-format= since= after= until= before=',
	},
	'ls-files': {
		words: 'files',
		short: 'cdikmostuvz x=',
		long: 'cached deleted modified others ignored stage directory no-empty-directory unmerged killed exclude= exclude-standard error-unmatch with-tree= full-name recurse-submodules abbrev? debug deduplicate eol format=',
	},
	'cat-file': { words: 'files', short: 'epst', long: 'batch? batch-check? batch-all-objects unordered buffer' },
	describe: {
		words: 'files',
		long: 'all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty? broken?',
	},
	shortlog: {
		...history,
		short: 'ens w?',
		long: `${listed} numbered summary email committer group=`.replace('committer= ', ''),
	},
	grep: {
		words: 'after-first',
		short: 'aEFGhHiIlLnopPqrvwWz ABCem=',
		long: 'cached untracked no-exclude-standard exclude-standard recurse-submodules text ignore-case max-depth= recursive no-recursive word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color? no-color break heading show-function context= after-context= before-context= function-context max-count= threads= and or not all-match quiet',
		digits: true,
		instead: ['e'],
	},
	'merge-base': { words: 'files', short: 'a', long: 'all octopus independent is-ancestor fork-point' },
	'for-each-ref': {
		words: 'texts',
		long: 'count= format= color? points-at= merged? no-merged? contains? no-contains? ignore-case omit-empty exclude= sort= shell perl python tcl',
	},
	branch: {
		words: 'none',
		short: 'ailqrv',
		long: 'all remotes verbose list quiet show-current abbrev? no-abbrev column? no-column color? no-color sort= merged? no-merged? contains? no-contains? points-at= format= ignore-case',
	},
	remote: { words: 'none', short: 'v', long: 'verbose' },
	tag: {
		words: 'texts',
		first: /^(-l|--list|-n\d*)$/,
		bare: true,
		short: 'il n?',
		long: 'list sort= contains? no-contains? merged? no-merged? points-at= format= column? no-column color? ignore-case',
	},
	stash: { ...history, first: /^(list|show)$/, long: `${shown} ${listed} include-untracked only-untracked` },
	reflog: { ...history, test: ({ words }) => words.length === 0 || words[0]?.value === 'show' },
	worktree: { words: /^list$/, first: /^list$/, short: 'vz', long: 'porcelain verbose' },
	config: {
		words: 'texts',
		first: /^--get$/,
		short: 'z',
		long: 'get global system local worktree null name-only show-origin show-scope type= default= bool int path includes no-includes',
	},
	'ls-remote': { words: 'none', short: 'htq', long: 'heads tags refs quiet symref' },
};

export function gitCommand(given: readonly ShellWord[]): GitCommand | undefined {
	const name = given[0]?.value ?? '';
	return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

/** Whether it begins as its row wants it to. */
export function beginsAsItMay({ first, bare }: GitCommand, given: readonly ShellWord[]): boolean {
	if (given.length === 0) return bare === true || first === undefined;
	return first === undefined || first.test(given[0]?.value ?? '');
}

/** Which files git is asked about: a name may as well be that of a version, which is no file of ours. */
export function gitFiles(given: readonly ShellWord[]): FileUse {
	const row = gitCommand(given);
	const { words, options, maybe } = readOptions(given.slice(1), {
		...(row ?? history),
		short: `${(row ?? history).short ?? ''} O<`,
		long: `${(row ?? history).long ?? ''} output>`,
	});
	const through = throughOf(given, { words, options });
	if (!row)
		return {
			...through,
			reads: [...given.slice(1).filter(({ value }) => /^(\/|\.\.(\/|$))/.test(value ?? '')), ...messageFiles(given)],
			writes: [],
		};
	const of = (kind: string): readonly ShellWord[] =>
		options.flatMap((one) => (one.kind === kind && one.value ? [one.value] : []));
	if (row.words === 'texts' || row.words === 'none')
		return { reads: [...of('read'), ...messageFiles(given)], writes: of('write') };
	const hasText = options.some(({ name }) => row.instead?.includes(name));
	const named = row.words === 'after-first' && !hasText ? words.slice(1) : words;
	return { ...through, reads: [...named.flatMap(versionOrFile), ...maybe, ...of('read')], writes: of('write') };
}

/** Files whose text becomes the message of a commit, a tag or a note, which anybody can read then. */
function messageFiles([command, ...given]: readonly ShellWord[]): readonly ShellWord[] {
	if (!/^(commit|merge|notes|tag)$/.test(command?.value ?? '')) return [];
	return given.flatMap(({ value = '' }, index) => {
		const [, attached] = /^(?:-[a-zA-Z]*[Ft]|--(?:file|template)=?)(.*)$/s.exec(value) ?? [];
		const file = attached === '' ? given[index + 1] : literalWord(attached ?? '-');
		return file === undefined || file.value === '-' ? [] : [file];
	});
}

/** `HEAD:file` is a file of a version: whoever may not read the file may not read that either. */
function versionOrFile(word: ShellWord): readonly ShellWord[] {
	const inVersion = /^[^:/]*:(?:\.\/|\d:)?([^:(!^/].*)$/.exec(word.value ?? '')?.[1];
	return inVersion === undefined ? [word] : [word, literalWord(inVersion)];
}

type Given = Pick<ReadOptions, 'words' | 'options'>;

const asPatch = 'p u U L patch unified patch-with-raw patch-with-stat binary cc remerge-diff diff-merges'.split(' ');
const asNames =
	's q no-patch quiet stat numstat shortstat dirstat X summary compact-summary name-only name-status raw'.split(' ');

const hasOne = ({ options }: Given, names: readonly string[]): boolean =>
	options.some(({ name }) => names.includes(name));
const patches = (read: Given): boolean => hasOne(read, asPatch);
const always = (): boolean => true;
const unlessNames = (read: Given): boolean => patches(read) || !hasOne(read, asNames);

/** Commands that print what files hold, and when they do. */
const printing: { readonly [name: string]: (read: Given) => boolean } = {
	log: patches,
	reflog: patches,
	stash: patches,
	whatchanged: patches,
	'diff-tree': patches,
	'diff-index': patches,
	'diff-files': patches,
	// One file of a version is known by its name.
	show: (read) =>
		unlessNames(read) && !(read.words.length > 0 && read.words.every((one) => versionOrFile(one).length > 1)),
	diff: unlessNames,
	status: (read) => hasOne(read, ['v', 'verbose']),
	grep: always,
	archive: always,
	'format-patch': always,
	'range-diff': always,
	'fast-export': always,
};

/** Where it prints what files hold: of the files it names behind `--` or by names that are files, else of all. */
function throughOf([name, ...given]: readonly ShellWord[], read: Given): Pick<FileUse, 'through' | 'repository'> {
	const command = name?.value ?? '';
	if (!Object.hasOwn(printing, command) || !printing[command]?.(read)) return {};
	const end = given.findIndex(({ value }) => value === '--');
	const untracked = given.some(({ value, start }) => /^--(no-index|(include-|only-)?untracked)/.test(value ?? start));
	return { through: end === -1 ? read.words : given.slice(end), repository: untracked ? 'all' : 'tracked' };
}
