/** Which arguments of well-known programs are files that they read or write: by the tables of `look-programs.ts` and `write-programs.ts`, and for sed, find, dd, tar, curl … by hand. */
import { readFind } from './find-command.ts';
import { gitFiles } from './git-commands.ts';
import { lookPrograms, type Traversal } from './look-programs.ts';
import { type OptionKind, type OptionTable, type ReadOptions, readOptions } from './options.ts';
import { sedScriptFiles } from './sed-script.ts';
import { literalWord, type ShellWord } from './shell-words.ts';
import { programName } from './wrappers.ts';
import { type FileProgram, filePrograms, moreOptions, type Which } from './write-programs.ts';

export interface FileUse {
	readonly reads: readonly ShellWord[];
	readonly writes: readonly ShellWord[];
	/** Files that are copied or moved: if `into` is a folder, each gets its own name in it. */
	readonly copies?: { readonly sources: readonly ShellWord[]; readonly into: ShellWord };
	/** Links inside a folder that it reads are followed. */
	readonly follows?: boolean;
	/** What lies below the written folders is written as well. */
	readonly tree?: boolean;
	/** Folders of which it reads everything. */
	readonly through?: readonly ShellWord[];
	/** What it leaves out on its way through them. */
	readonly leaves?: Leaves;
	/** Git, which reads what it tracks, or all: the words may be versions, and where none of them is a file everything is meant. */
	readonly repository?: 'tracked' | 'all';
}

export interface Leaves {
	/** Names that begin with a dot. */
	readonly hidden?: boolean;
	/** The whole folder, where it is sent something to read instead. */
	readonly folder?: boolean;
	/** Files by whose names none of these patterns is meant. */
	readonly only?: readonly ShellWord[];
}

const nothing: FileUse = { reads: [], writes: [] };
type Special = (given: readonly ShellWord[], home: string) => FileUse;

const special: { readonly [name: string]: Special } = {
	sed: sedFiles,
	find: findFiles,
	dd: ddFiles,
	git: gitFiles,
	cd: folderFiles,
	pushd: folderFiles,
	tar: tarFiles,
	perl: inPlaceFiles,
	ruby: inPlaceFiles,
	curl: (given) => downloadFiles(downloads.curl ?? {}, given),
	wget: (given) => downloadFiles(downloads.wget ?? {}, given),
	test: (given) => ({ ...nothing, reads: given }),
	'[': (given) => ({ ...nothing, reads: given }),
	'[[': (given) => ({ ...nothing, reads: given }),
};

/** Undefined: not a program whose files are known. */
export function filesOf(words: readonly ShellWord[], home: string): FileUse | undefined {
	const name = programName(words[0]);
	const given = words.slice(1);
	if (name === undefined) return undefined;
	const own = Object.hasOwn(special, name) ? special[name] : undefined;
	if (own) return own(given, home);
	const writer = Object.hasOwn(filePrograms, name) ? filePrograms[name] : undefined;
	if (writer) return writerFiles(given, writer);
	return Object.hasOwn(lookPrograms, name) ? lookFiles(name, given) : undefined;
}

function lookFiles(name: string, given: readonly ShellWord[]): FileUse {
	const row = lookPrograms[name];
	if (!row) return nothing;
	const more: OptionTable = (Object.hasOwn(moreOptions, name) ? moreOptions[name] : undefined) ?? {};
	const read = readOptions(given, {
		...row,
		short: `${row.short ?? ''} ${more.short ?? ''}`,
		long: `${row.long ?? ''} ${more.long ?? ''}`,
	});
	const { options, words, maybe, exact } = read;
	const has = (names: readonly string[]): boolean => options.some((one) => names.includes(one.name));
	const first = row.words === 'after-first' && exact && !has(row.instead ?? []) ? 1 : 0;
	const areFiles = row.words === 'files' || row.words === 'after-first' || name === 'uniq';
	const files = areFiles ? words.slice(first) : [];
	const goesHere = row.here === true || (row.here !== undefined && has(row.here));
	const named = files.length === 0 && goesHere ? [literalWord('.')] : files;
	return {
		...throughOf(row, read, [...named, ...maybe], files.length === 0),
		reads: [...named, ...(areFiles ? maybe : []), ...valuesOf(read, 'read'), ...argumentLists(name, words)],
		// `uniq IN OUT`
		writes: [...valuesOf(read, 'write', 'into'), ...(name === 'uniq' ? words.slice(1) : [])],
		follows: row.followsUnless !== undefined && !has([row.followsUnless]),
	};
}

/** Folders that it reads all of, and what it leaves out there. */
function throughOf(
	{ through, throughUnless = [], visibleUnless, only = [] }: Traversal,
	{ options }: ReadOptions,
	files: readonly ShellWord[],
	unnamed = false,
): Pick<FileUse, 'through' | 'leaves'> {
	const has = (names: readonly string[]): boolean => options.some(({ name }) => names.includes(name));
	if (!through || has(throughUnless) || !(through === true || has(through))) return {};
	const isRipgrep = visibleUnless !== undefined;
	const patterns = options.flatMap(({ name, value }) => (only.includes(name) && value ? [value] : []));
	return {
		through: files,
		leaves: { only: patterns, hidden: isRipgrep && !has(visibleUnless), folder: isRipgrep && unnamed },
	};
}

/** `strings @file` takes its arguments from the file, and prints what is none. */
function argumentLists(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
	if (name !== 'strings') return [];
	return words.flatMap(({ value }) => (value?.startsWith('@') ? [literalWord(value.slice(1))] : []));
}

function valuesOf({ options }: ReadOptions, ...kinds: readonly OptionKind[]): readonly ShellWord[] {
	return options.flatMap(({ kind, value }) => (kinds.includes(kind) && value ? [value] : []));
}

function writerFiles(given: readonly ShellWord[], row: FileProgram): FileUse {
	const read = readOptions(given, row);
	const { words, maybe, options, exact } = read;
	const has = (names: readonly string[] = []): boolean => options.some(({ name }) => names.includes(name));
	const skipFirst = exact && !has(row.instead);
	const all = has(row.all);
	const copies = row.copies === true && !all;
	const [folder] = copies ? valuesOf(read, 'into') : [];
	const alone = copies && (folder !== undefined || words.length === 1);
	const which = has(row.printsWith) ? undefined : row.writes;
	const writes = folder ? (which === 'all' ? words : []) : chosen(words, all ? 'all' : which, skipFirst);
	const into = folder ?? words.at(-1);
	const named = alone ? words : chosen(words, row.reads, skipFirst);
	return {
		...throughOf(row, read, [...named, ...maybe]),
		reads: [...named, ...valuesOf(read, 'read'), ...(row.reads ? maybe : [])],
		writes: [
			...writes,
			...(alone && !folder ? words.map(ownName) : []),
			...valuesOf(read, 'write', 'into'),
			...(row.writes ? maybe : []),
		],
		tree: row.tree === true || has(row.treeWith),
		...(copies && into ? { copies: { sources: folder ? words : words.slice(0, -1), into } } : {}),
	};
}

/** `ln -s /x/y` makes y here. */
function ownName(word: ShellWord): ShellWord {
	return word.value === undefined ? word : literalWord(word.value.replace(/\/+$/, '').split('/').at(-1) ?? '');
}

function chosen(files: readonly ShellWord[], which: Which | undefined, skipFirst: boolean): readonly ShellWord[] {
	switch (which) {
		case 'all':
			return files;
		case 'first':
			return files.slice(0, 1);
		case 'second':
			return files.slice(1, 2);
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

/** Without a word it is the way home. */
function folderFiles(given: readonly ShellWord[], home: string): FileUse {
	const { words } = readOptions(given, lookPrograms.cd ?? {});
	if (words.length === 0) return { ...nothing, reads: [literalWord(home)] };
	return { ...nothing, reads: words.filter(({ value }) => value !== '-') };
}

const sedOptions: OptionTable = {
	short: 'nErsuzbla e= f< iI?',
	long: 'quiet silent expression= file< in-place? line-length= regexp-extended separate unbuffered null-data zero-terminated posix debug sandbox follow-symlinks',
};

function sedFiles(given: readonly ShellWord[]): FileUse {
	const read = readOptions(given, sedOptions);
	const scripts = read.options.filter(({ name }) => /^(e|f|expression|file)$/.test(name));
	const hasScript = scripts.length > 0;
	const touched = read.words.slice(hasScript || !read.exact ? 0 : 1);
	const texts = [...scripts.map(({ value }) => value), ...(hasScript ? [] : read.words.slice(0, 1))];
	const named = texts.map((word) => sedScriptFiles(word?.value ?? ''));
	const inPlace = read.options.some(({ name }) => /^([iI]|in-place)$/.test(name));
	return {
		reads: [
			...(inPlace ? [] : touched),
			...read.maybe,
			...valuesOf(read, 'read'),
			...named.flatMap(({ reads }) => reads.map(literalWord)),
		],
		writes: [...(inPlace ? touched : []), ...named.flatMap(({ writes }) => writes.map(literalWord))],
	};
}

/** `{}` is what was found: something at or below where it began. */
function findFiles(given: readonly ShellWord[], home: string): FileUse {
	const { starts, reads, writes, runs } = readFind(given);
	const run = runs.map((words) => {
		const inner = words.flatMap((word) => (word.value?.includes('{}') ? starts : [word]));
		return filesOf(inner, home) ?? nothing;
	});
	return {
		through: run.some((use) => use.reads.length > 0) ? starts : [],
		reads: [...starts, ...reads, ...run.flatMap((use) => use.reads)],
		writes: [...writes, ...run.flatMap((use) => use.writes)],
		tree: writes.length > 0 || run.some((use) => use.writes.length > 0),
	};
}

function ddFiles(given: readonly ShellWord[]): FileUse {
	const of = (name: string): readonly ShellWord[] =>
		given.flatMap((word) => {
			if (!word.start.startsWith(`${name}=`)) return word.value === undefined && word.start === '' ? [word] : [];
			return [word.value === undefined ? word : literalWord(word.value.slice(name.length + 1))];
		});
	return { reads: of('if'), writes: of('of') };
}

/** Letters may stand first without a dash. */
function tarFiles([first, ...given]: readonly ShellWord[]): FileUse {
	if (!first) return nothing;
	const dashed = /^[A-Za-z]+$/.test(first.value ?? '') ? literalWord(`-${first.value}`) : first;
	const read = readOptions([dashed, ...given], {
		short: 'AcdrtuxvzjJZpPkmOShlwWai fC= TX< KNVbgLHI=',
		long: 'create extract get list append update file= directory= files-from< exclude-from< exclude= strip-components= transform= one-top-level?',
	});
	const has = (names: RegExp): boolean => read.options.some(({ name }) => names.test(name));
	const named = (names: RegExp): readonly ShellWord[] =>
		read.options.flatMap(({ name, value }) => (names.test(name) && value ? [value] : []));
	const folders = named(/^(C|directory)$/);
	const archives = named(/^(f|file)$/);
	if (has(/^(x|extract|get)$/)) return { reads: archives, writes: [...folders, ...read.words, ...read.maybe] };
	const lists = has(/^(t|list)$/);
	return {
		through: lists ? [] : [...folders, ...read.words, ...read.maybe],
		reads: [...folders, ...read.words, ...read.maybe, ...valuesOf(read, 'read'), ...(lists ? archives : [])],
		writes: lists ? [] : archives,
	};
}

/** `perl -pi -e …` changes its files. */
function inPlaceFiles(given: readonly ShellWord[]): FileUse {
	const read = readOptions(given, { short: 'acnpstTuUvwWlS0 eEIFrC= iMmdDx?', digits: true });
	const has = (name: string): boolean => read.options.some((one) => one.name === name);
	if (!has('i')) return nothing;
	return { ...nothing, writes: read.words.slice(has('e') || has('E') ? 0 : 1) };
}

const downloads: { readonly [name: string]: OptionTable } = {
	curl: {
		short: '#0123456aBfgGIijJkLlMnNOpqRsSvVZ AbCdeEFHmPQrtuUwxXyYz= oDc> TK<',
		long: 'output> output-dir/ dump-header> cookie-jar> trace> trace-ascii> stderr> upload-file< config< remote-name remote-name-all header= request= data= user= form= user-agent= max-time= retry= cookie= url=',
	},
	wget: {
		short: '46bcdEFhHkKLmNnpqrSvVx ABDeIlQRtTUwXY= Ooa> i< P/',
		long: 'output-document> directory-prefix/ output-file> append-output> input-file< header= post-data= user= password= tries= timeout= user-agent=',
	},
};

/** What is loaded gets the last name of its address, unless it is given another; curl prints it, unless it is told to keep it. */
function downloadFiles(table: OptionTable, given: readonly ShellWord[]): FileUse {
	const read = readOptions(given, table);
	const [folder] = valuesOf(read, 'into');
	const keeps = table !== downloads.curl || read.options.some(({ name }) => /^(O|remote-name.*)$/.test(name));
	const sources = keeps ? read.words.filter(({ value }) => value !== undefined).map(ownName) : [];
	return {
		reads: valuesOf(read, 'read'),
		writes: [...valuesOf(read, 'write', 'into'), ...read.maybe, ...(folder ? [] : sources)],
		...(folder ? { copies: { sources, into: folder } } : {}),
	};
}
