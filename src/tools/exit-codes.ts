/** Which commands say something with exit code 1 that is no failure, and what (grep, find, diff, test). */

const meanings: { readonly [program: string]: string } = {
	grep: 'No matches found',
	egrep: 'No matches found',
	fgrep: 'No matches found',
	rg: 'No matches found',
	find: 'Some directories were inaccessible',
	diff: 'Files differ',
	test: 'Condition is false',
	'[': 'Condition is false',
};

/** What the code of a command line means where it means something else than failure: its last command decides. */
export function meaningOf(command: string, code: number | null): string | undefined {
	if (code !== 1) return undefined;
	const bare = command.replace(/\\./g, 'x').replace(/'[^']*'|"[^"]*"/g, 'x');
	const last = bare.split(/\|\||&&|[|;&\n]/).findLast((part) => part.trim() !== '');
	const program = last?.trim().split(/\s+/)[0]?.replace(/^.*\//, '');
	return program !== undefined && Object.hasOwn(meanings, program) ? meanings[program] : undefined;
}
