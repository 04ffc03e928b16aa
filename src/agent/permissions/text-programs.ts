/** Programs for which their arguments are texts or files: a command that stands among them is not run. */
import { isFree } from './free-commands.ts';
import type { ShellWord } from './shell-words.ts';
import { programName } from './wrappers.ts';

const programs: ReadonlySet<string> = new Set(
	'echo printf grep egrep fgrep rg find sort uniq ls cat touch mkdir rmdir cp mv ln rm chmod chown tee less more cd pushd test [ [[ gh jq'.split(
		' ',
	),
);

const gitCommands =
	/^(add|blame|branch|check-attr|check-ignore|checkout|cherry-pick|clone|commit|diff|fetch|grep|init|log|ls-files|merge|mv|notes|pull|push|remote|reset|restore|revert|rm|show|stash|status|switch|tag)$/;
const gitPrograms = /^--(exec|upload-pack|receive-pack|ext-diff|open-files|config)/;
/** The same with one letter, by the command that knows it. */
const gitLetters: ReadonlyMap<string, RegExp> = new Map([
	['clone', /^-[a-z]*[uc]/],
	['grep', /^-[A-Za-z]*O/],
]);

/** Options and words with which a program for texts runs a command. */
const runners: ReadonlyMap<string, RegExp> = new Map([
	['sort', /^--co/],
	['rg', /^--(pre|hostname-bin)(=|$)/],
	['less', /^\+/],
	['more', /^\+/],
	['gh', /^alias$/],
]);

/** The command `e`, and the flag `e` of a substitution. */
const sedRuns = /(^|[\d$/;{},!\s])e\s|^s(\W).*\2.*\2\w*e\w*$/s;

export function takesTexts(words: readonly ShellWord[]): boolean {
	const name = programName(words[0]);
	if (name === undefined) return false;
	if (name === 'git') return takesGitTexts(words.slice(1));
	if (words.some(({ value, start }) => runners.get(name)?.test(value ?? start))) return false;
	if (name === 'sed') return !words.some(({ value = '' }) => sedRuns.test(value));
	return programs.has(name) || isFree(words);
}

function takesGitTexts(given: readonly ShellWord[]): boolean {
	const [first, ...rest] = given;
	if (first?.value === '-C') return takesGitTexts(rest.slice(1));
	if (first?.value === '--no-pager') return takesGitTexts(rest);
	const letters = gitLetters.get(first?.value ?? '');
	const runs = rest.some(({ value = '', start }) => gitPrograms.test(value || start) || letters?.test(value || start));
	return gitCommands.test(first?.value ?? '') && !runs;
}
