/** Which arguments of well-known programs are files that they read or write. */
import type { ShellWord } from './shell-words.ts';
import { programName } from './wrappers.ts';

interface FileProgram {
	/** Which of its words are files: all, all but the first, the last one, or the way of a program of its own. */
	readonly reads?: Which;
	readonly writes?: Which;
	/** Letters of options whose value is no file. */
	readonly texts?: string;
	/** Options that give the pattern or program which else is the first word. */
	readonly instead?: RegExp;
}

type Which = 'all' | 'after-first' | 'last' | 'before-last';

const read = (texts = ''): FileProgram => ({ reads: 'all', texts });
const search: FileProgram = {
	reads: 'after-first',
	texts: 'eABCmdDgtTrEjM',
	instead: /^(-[A-Za-z]*[ef].*|--(regexp|file|expression)(=.*)?|--files)$/,
};
const write = (texts = ''): FileProgram => ({ writes: 'all', texts });

const programs: { readonly [name: string]: FileProgram } = {
	cat: read(),
	tac: read(),
	rev: read(),
	head: read('nc'),
	tail: read('nc'),
	wc: read(),
	nl: read('bdfhilnsvw'),
	cut: read('dfbc'),
	paste: read('d'),
	sort: read('tkS'),
	uniq: read('fsw'),
	column: read('sco'),
	stat: read('c'),
	file: read(),
	du: read('dBt'),
	df: read('Bt'),
	diff: read('UCWIx'),
	cmp: read('in'),
	comm: read(),
	md5sum: read(),
	sha1sum: read(),
	sha256sum: read(),
	base64: read('w'),
	hexdump: read('ens'),
	od: read('AjNtw'),
	strings: read('nte'),
	xxd: read('clsg'),
	fold: read('w'),
	realpath: read(),
	readlink: read(),
	ls: read('IwT'),
	tree: read('LIP'),
	cd: read(),
	pushd: read(),
	less: read(),
	more: read(),
	bat: read(),
	test: read(),
	'[': read(),
	'[[': read(),
	grep: search,
	egrep: search,
	fgrep: search,
	rg: search,
	awk: { reads: 'after-first', texts: 'Fv', instead: /^-[A-Za-z]*f/ },
	jq: { reads: 'after-first', instead: /^(-[A-Za-z]*f|--from-file)$/ },
	touch: write('dt'),
	mkdir: write('m'),
	rm: write(),
	rmdir: write(),
	unlink: write(),
	tee: write(),
	truncate: write('s'),
	shred: write('ns'),
	chmod: { writes: 'after-first' },
	chown: { writes: 'after-first' },
	mv: { reads: 'before-last', writes: 'all' },
	cp: { reads: 'before-last', writes: 'last' },
	ln: { writes: 'last' },
	install: { reads: 'before-last', writes: 'last', texts: 'mog' },
	rsync: { reads: 'before-last', writes: 'last', texts: 'e' },
};

export interface FileUse {
	readonly reads: readonly ShellWord[];
	readonly writes: readonly ShellWord[];
}

/** Undefined: not a program whose files are known. */
export function filesOf(words: readonly ShellWord[]): FileUse | undefined {
	const name = programName(words[0]);
	const given = words.slice(1);
	if (name === undefined) return undefined;
	if (name === 'sed') return sedFiles(given);
	if (name === 'find') return { reads: startPoints(given), writes: findWrites(given) };
	if (name === 'dd') return ddFiles(given);
	if (name === 'git') return gitFiles(given);
	const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
	if (!program) return undefined;
	const { files, named } = positionals(given, program);
	const skipFirst = !given.some(({ value }) => program.instead?.test(value ?? '') === true);
	const use = {
		reads: [...chosen(files, program.reads, skipFirst), ...(program.reads ? named : [])],
		writes: [...chosen(files, program.writes, skipFirst), ...(program.reads ? [] : named)],
	};
	return name === 'sort' ? { ...use, writes: optionValue(given, /^(-[A-Za-z]*o|--output)$/) } : intoFolder(use, given);
}

/** `cp -t FOLDER` names its target first. */
function intoFolder({ reads, writes }: FileUse, given: readonly ShellWord[]): FileUse {
	return {
		reads,
		writes: [...writes, ...optionValue(given, /^(-[A-Za-z]*t|--target-directory)$/).filter(() => writes.length > 0)],
	};
}

function chosen(files: readonly ShellWord[], which: Which | undefined, skipFirst: boolean): readonly ShellWord[] {
	switch (which) {
		case 'all':
			return files;
		case 'after-first':
			return files.slice(skipFirst ? 1 : 0);
		case 'last':
			return files.slice(-1);
		case 'before-last':
			return files.slice(0, -1);
		default:
			return [];
	}
}

/** The words that are no options, and files that are written into an option, as in `--file=x`. */
function positionals(
	given: readonly ShellWord[],
	{ texts = '' }: FileProgram,
): { files: readonly ShellWord[]; named: readonly ShellWord[] } {
	const files: ShellWord[] = [];
	const named: ShellWord[] = [];
	let options = true;
	for (let at = 0; at < given.length; at++) {
		const word = given[at];
		if (!word) continue;
		const { value } = word;
		if (options && value === '--') options = false;
		else if (!options || value === undefined || !/^-./.test(value)) files.push(word);
		else if (value.startsWith('--')) {
			const attached = value.slice(value.indexOf('=') + 1);
			if (value.includes('=') && /[/~]|^\.\.?$/.test(attached)) named.push(literal(attached));
		} else if (texts.includes(value.charAt(value.length - 1)) && /^-[A-Za-z]+$/.test(value)) at++;
		else if (value.includes('/') && !texts.includes(value.charAt(1))) named.push(literal(value.slice(2)));
	}
	return { files, named };
}

function literal(value: string): ShellWord {
	return { raw: value, value, plain: true, start: value };
}

function optionValue(given: readonly ShellWord[], option: RegExp): readonly ShellWord[] {
	return given.flatMap(({ value }, index) => {
		const next = given[index + 1];
		if (value === undefined) return [];
		if (option.test(value)) return next ? [next] : [];
		const [name = '', ...rest] = value.split('=');
		return rest.length > 0 && option.test(name) ? [literal(rest.join('='))] : [];
	});
}

function sedFiles(given: readonly ShellWord[]): FileUse {
	const { files } = positionals(given, { texts: 'el' });
	const scripted = given.some(({ value }) => /^(-[A-Za-z]*[ef]|--(expression|file)(=.*)?)$/.test(value ?? ''));
	const touched = files.slice(scripted ? 0 : 1);
	const inPlace = given.some(({ value }) => /^(-[nEruszl]*i.*|--in-place(=.*)?)$/.test(value ?? ''));
	return inPlace ? { reads: [], writes: touched } : { reads: touched, writes: [] };
}

/** Where `find` begins: before the first test. */
function startPoints(given: readonly ShellWord[]): readonly ShellWord[] {
	const rest = given.filter(({ value }) => !/^-([HLP]|O\d|D)$/.test(value ?? ''));
	const end = rest.findIndex(({ value }) => value !== undefined && /^[-(!,]/.test(value));
	return rest.slice(0, end === -1 ? undefined : end);
}

function findWrites(given: readonly ShellWord[]): readonly ShellWord[] {
	if (given.some(({ value }) => value === '-delete')) return startPoints(given);
	return optionValue(given, /^-(fprint|fprint0|fprintf|fls)$/);
}

function ddFiles(given: readonly ShellWord[]): FileUse {
	const of = (name: string): readonly ShellWord[] =>
		given.flatMap(({ value }) => (value?.startsWith(`${name}=`) ? [literal(value.slice(name.length + 1))] : []));
	return { reads: of('if'), writes: of('of') };
}

/** `git diff` compares any two files when one is outside the repository; everything else stays in it. */
function gitFiles(given: readonly ShellWord[]): FileUse {
	const anywhere = given.some(({ value }) => value === '--no-index');
	const reads = given
		.slice(1)
		.filter(({ value = '' }) => !value.startsWith('-') && (anywhere || /^(\/|\.\.(\/|$))/.test(value)));
	return { reads, writes: optionValue(given, /^--output$/) };
}
