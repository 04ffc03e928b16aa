/** Programs for which their arguments are texts or files: a command that stands among them is not run. */
import { isFree } from './free-commands.ts';
import type { ShellWord } from './shell-words.ts';
import { programName } from './wrappers.ts';

const programs: ReadonlySet<string> = new Set(
	'echo printf grep egrep fgrep rg find sort uniq ls cat touch mkdir rmdir cp mv ln rm chmod chown tee less more cd pushd test [ [[ gh'.split(
		' ',
	),
);

const gitCommands =
	/^(add|blame|branch|checkout|cherry-pick|clone|commit|diff|fetch|grep|init|log|ls-files|merge|mv|pull|push|remote|reset|restore|revert|rm|show|stash|status|switch|tag)$/;
const gitPrograms = /^--(exec|upload-pack|receive-pack|ext-diff)/;

/** The command `e`, and the flag `e` of a substitution. */
const sedRuns = /(^|[\d$/;{},!\s])e\s|^s(\W).*\2.*\2\w*e\w*$/s;

export function takesTexts(words: readonly ShellWord[]): boolean {
	const name = programName(words[0]);
	if (name === undefined) return false;
	if (name === 'git') {
		return (
			gitCommands.test(words[1]?.value ?? '') && !words.some(({ value, start }) => gitPrograms.test(value ?? start))
		);
	}
	if (name === 'sed') return !words.some(({ value = '' }) => sedRuns.test(value));
	return programs.has(name) || isFree(words);
}
