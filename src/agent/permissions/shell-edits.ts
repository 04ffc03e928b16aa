/** The shell commands that the mode `acceptEdits` accepts (mkdir, touch, rm, mv, cp, a plain `sed -i`), with the options that they may have. */
import type { ShellWord } from './shell-words.ts';

/** Options that do not change what is written. */
const flags: { readonly [program: string]: RegExp } = {
	mkdir: /^-[pv]+$/,
	touch: /^-[acm]+$/,
	rm: /^-[rRfvid]+$/,
	rmdir: /^-[pv]+$/,
	mv: /^-[fnviu]+$/,
	cp: /^-[rRapfnviud]+$/,
};

/** A substitution without the flags that run or write something. */
const simpleSubstitution = /^s([/|,#@!])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI0-9]*$/;

export function isSimpleEdit(words: readonly ShellWord[]): boolean {
	const [name, ...rest] = words;
	const program = name?.value;
	if (program === undefined || name?.raw !== program) return false;
	if (words.some(({ value, glob, plain }) => value === undefined || glob !== undefined || !plain)) return false;
	const values = rest.map(({ value }) => value ?? '');
	if (program === 'sed') return isSimpleSed(values);
	const allowed = Object.hasOwn(flags, program) ? flags[program] : undefined;
	return (
		allowed !== undefined && values.every((value) => !value.startsWith('-') || value === '--' || allowed.test(value))
	);
}

function isSimpleSed([flag, script, ...files]: readonly string[]): boolean {
	if (flag !== '-i' || script === undefined || files.length === 0) return false;
	return simpleSubstitution.test(script) && files.every((file) => !file.startsWith('-'));
}

/** A copy or move of a whole tree may meet links and protected names that nobody has looked at. */
export function isRecursive(words: readonly ShellWord[]): boolean {
	return words[0]?.value === 'cp' && words.some(({ value }) => /^-[a-zA-Z]*[rRa]/.test(value ?? ''));
}
