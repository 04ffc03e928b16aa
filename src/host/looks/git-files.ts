/** What git knows of a folder (tracked, new, changed files and their copies), and the settings with which git is run so that a repository runs nothing. */
import { spawn } from 'node:child_process';
import { existsSync, type Stats, statSync } from 'node:fs';
import { devNull, homedir } from 'node:os';
import { join } from 'node:path';

/** A tracked file whose bytes on disk git has as an object: nobody has to copy it. */
export interface GitFile {
	readonly oid: string;
	readonly size: number;
	readonly mtimeMs: number;
	readonly ctimeMs: number;
	readonly ino: number;
}

export interface GitFiles {
	/** Tracked files by their path from the folder; undefined where git's copy cannot stand for the file on disk. */
	readonly tracked: ReadonlyMap<string, GitFile | undefined>;
	/** What is not ours to look into, such as a repository of its own. */
	readonly closed: readonly string[];
	/** git may keep other bytes of some of them than the disk has. */
	readonly converts: boolean;
	/** When git last noted all this: a file that is not older may have changed since without a trace. */
	readonly writtenMs: number;
}

/** Runs git in the folder so that nothing of the repository's own configuration is run; undefined where it fails. */
export async function git(
	folder: string,
	args: readonly string[],
	input?: string,
	settings: readonly (readonly [string, string])[] = [],
): Promise<Buffer | undefined> {
	const child = spawn('git', [...harmless, ...args], {
		cwd: folder,
		env: { ...withoutGit(process.env), ...quiet, ...asVariables(settings) },
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	const pieces: Buffer[] = [];
	child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
	child.stdin.on('error', () => undefined); // it ended before it had read everything: its exit code tells
	child.stdin.end(input ?? '');
	const code = await new Promise<number | null>((resolve) => {
		child.on('error', () => resolve(null));
		child.on('close', resolve);
	});
	return code === 0 ? Buffer.concat(pieces) : undefined;
}

/** A repository that somebody else prepared may name programs to run: here none of them is. */
const harmless = [
	...['-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false', '-c', `core.hooksPath=${devNull}`],
	...['-c', 'core.trustctime=true', '-c', 'core.checkStat=default', '-c', 'core.quotePath=false', '--no-pager'],
];

const quiet = {
	GIT_OPTIONAL_LOCKS: '0',
	GIT_NO_REPLACE_OBJECTS: '1',
	GIT_NO_LAZY_FETCH: '1',
	GIT_ALLOW_PROTOCOL: 'none',
	GIT_TERMINAL_PROMPT: '0',
	LC_ALL: 'C',
};

/** Settings for one call. As variables, because a name in one may hold any sign. */
function asVariables(settings: readonly (readonly [string, string])[]): { readonly [name: string]: string } {
	const named = settings.flatMap(([key, value], n) => [
		[`GIT_CONFIG_KEY_${n}`, key],
		[`GIT_CONFIG_VALUE_${n}`, value],
	]);
	return Object.fromEntries([['GIT_CONFIG_COUNT', String(settings.length)], ...named]);
}

/** Variables of a git that runs us would lead to another repository. */
function withoutGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
}

/** Files that are neither tracked nor ignored; a name with a slash at its end is a repository of its own. */
export async function untrackedFiles(folder: string): Promise<readonly string[] | undefined> {
	const told = await git(folder, ['ls-files', '--others', '--exclude-standard', '-z']);
	return told && split(told.toString('utf8'));
}

/** Those of the paths that git ignores. */
export async function ignoredOf(folder: string, paths: readonly string[]): Promise<ReadonlySet<string> | undefined> {
	const named = paths.map((path) => `./${path}\0`).join(''); // a name that begins with a colon would be a pattern
	const told = await git(folder, ['check-ignore', '--stdin', '-z', '--verbose', '--non-matching'], named);
	if (told === undefined) return new Set(); // it fails where none is ignored
	const words = split(told.toString('utf8'));
	const found = new Set<string>();
	// Source, line, pattern, path; a pattern that begins with `!` takes back what another said.
	for (let at = 0; at + 3 < words.length; at += 4) {
		const pattern = words[at + 2] ?? '';
		if (pattern !== '' && !pattern.startsWith('!')) found.add((words[at + 3] ?? '').slice('./'.length));
	}
	return found;
}

function split(text: string): readonly string[] {
	return text === '' ? [] : text.slice(0, -1).split('\0');
}

/** By what a change of the index is noticed. */
export function indexStamp(gitFolder: string): string {
	const stat = statSync(join(gitFolder, 'index'), { throwIfNoEntry: false });
	return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : '';
}

export async function trackedFiles(folder: string, gitFolder: string): Promise<GitFiles | undefined> {
	const stat = statSync(join(gitFolder, 'index'), { throwIfNoEntry: false });
	const told = await git(folder, ['ls-files', '--stage', '-v', '--debug', '-z']);
	if (told === undefined) return undefined;
	const found = readIndex(told.toString('utf8'));
	const converts = await mayConvert(folder, gitFolder, found);
	const [sizes, odd] = converts ? await Promise.all([objectSizes(folder, found), converted(folder, found)]) : plainly;
	if (!sizes || !odd) return undefined;
	const tracked = new Map<string, GitFile | undefined>();
	const closed: string[] = [];
	for (const [path, file] of found) {
		if (file.mode === '160000') closed.push(`${path}/`);
		// git may keep a file in another form than it has on disk: with other line ends, packed away, encoded.
		else
			tracked.set(
				path,
				file.plain && !odd.has(path) && (!converts || sizes.get(file.oid) === file.size) ? file : undefined,
			);
	}
	return { tracked, closed, converts, writtenMs: stat?.mtimeMs ?? 0 };
}

interface IndexLine extends GitFile {
	readonly mode: string;
	/** A regular file, merged, and watched by git. */
	readonly plain: boolean;
}

/** Read by hand: a pattern takes as long for this as all of git's work. */
function readIndex(text: string): ReadonlyMap<string, IndexLine> {
	const found = new Map<string, IndexLine>();
	let at = 0;
	/** The number behind the next of these signs. */
	const number = (sign: string): number => {
		at = text.indexOf(sign, at) + 1;
		let value = 0;
		for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(at)) {
			value = value * 10 + code - 48;
			at += 1;
		}
		return value;
	};
	const after = (label: string): number => {
		at = text.indexOf(label, at) + label.length - 1;
		return number(' ');
	};
	const time = (label: string): number => after(label) * 1000 + number(':') / 1e6;
	for (let end = text.indexOf('\0'); end !== -1; end = text.indexOf('\0', at)) {
		// `H 100644 0123… 0<tab>path`
		const tab = text.indexOf('\t', at);
		const [tag, mode = '', oid = '', stage] = text.slice(at, tab).split(' ');
		const path = text.slice(tab + 1, end);
		at = end;
		const [ctimeMs, mtimeMs] = [time('ctime: '), time('mtime: ')];
		const [ino, size] = [after('ino: '), after('size: ')];
		const plain = tag === 'H' && stage === '0' && mode.startsWith('100');
		found.set(path, { mode, oid, plain, size, ino, ctimeMs, mtimeMs });
		at = text.indexOf('\n', at) + 1;
	}
	return found;
}

const plainly = [new Map<string, number>(), new Set<string>()] as const;

/** Only where there are attributes or settings for it does git keep other bytes than the disk has; to ask of every file takes a while. */
async function mayConvert(folder: string, gitFolder: string, files: ReadonlyMap<string, IndexLine>): Promise<boolean> {
	for (const path of files.keys()) if (path === '.gitattributes' || path.endsWith('/.gitattributes')) return true;
	const wanted = '^(core\\.(autocrlf|eol|attributesfile)|filter\\.|i18n\\.)';
	const [settings, above] = await Promise.all([
		git(folder, ['config', '--name-only', '--get-regexp', wanted]),
		git(folder, ['check-attr', '--all', '-z', '--', 'any']),
	]);
	const places = [join(gitFolder, 'info/attributes'), join(gitFolder, '../../info/attributes'), '/etc/gitattributes'];
	const home = process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config');
	return (
		(settings?.length ?? 0) > 0 ||
		(above?.length ?? 1) > 0 ||
		[...places, join(home, 'git/attributes'), join(folder, '.gitattributes')].some((place) => existsSync(place))
	);
}

async function objectSizes(
	folder: string,
	files: ReadonlyMap<string, IndexLine>,
): Promise<ReadonlyMap<string, number> | undefined> {
	const oids = [...new Set([...files.values()].filter(({ plain }) => plain).map(({ oid }) => oid))];
	if (oids.length === 0) return new Map();
	const told = await git(folder, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], `${oids.join('\n')}\n`);
	if (told === undefined) return undefined;
	const pairs = told
		.toString('utf8')
		.split('\n')
		.map((one) => one.split(' '));
	return new Map(pairs.map(([oid = '', size = '']) => [oid, /^\d+$/.test(size) ? Number(size) : -1]));
}

/** Files with a filter or an encoding of their own: what git keeps of them may be other bytes of the same length. */
async function converted(
	folder: string,
	files: ReadonlyMap<string, IndexLine>,
): Promise<ReadonlySet<string> | undefined> {
	if (files.size === 0) return new Set();
	const names = `${[...files.keys()].join('\0')}\0`;
	const told = await git(folder, ['check-attr', '--all', '--stdin', '-z'], names);
	if (told === undefined) return undefined;
	const odd = new Set<string>();
	const words = split(told.toString('utf8'));
	for (let at = 0; at + 2 < words.length; at += 3) {
		const [path = '', name = '', value] = words.slice(at, at + 3);
		if (/^(filter|working-tree-encoding)$/.test(name) && value !== 'unset') odd.add(path);
	}
	return odd;
}

/**
 * Tracked files that are not, by their stat, what git has noted: the others need no look of our own. Asked for by the plumbing, which
 * compares times alone and reads nothing, but for files that were changed in the second in which git noted them.
 */
export async function touchedFiles(folder: string, converts: boolean): Promise<ReadonlySet<string> | undefined> {
	const off = converts ? await filtersOff(folder) : [];
	const flags = ['--name-only', '--no-renames', '--relative', '-z', committedSubmodules];
	const told = await git(folder, ['diff-files', ...flags], '', off);
	return told && new Set(split(told.toString('utf8')));
}

/** To see whether a submodule is changed, git would run a status in it, with the programs that the submodule's own settings name. */
const committedSubmodules = '--ignore-submodules=dirty';

export interface DiffFromHead {
	readonly diff: string;
	/** Changed files that are not to be told, from the top of the repository. */
	readonly omitted: readonly string[];
}

/**
 * What differs from the last commit, as the files lie on disk; undefined where there is no repository, or no commit. Files are asked for
 * by their names: one that changes meanwhile, or whose name is no text, is in no difference that nobody has judged.
 */
export async function diffFromHead(
	folder: string,
	isTold: (path: string) => Promise<boolean>,
): Promise<DiffFromHead | undefined> {
	const off = await filtersOff(folder);
	const differ = async (...args: readonly string[]) => await git(folder, [...plainDiff, ...args], '', off);
	const [top, names] = await Promise.all([
		git(folder, ['rev-parse', '--show-toplevel']),
		differ('--name-only', '-z', 'HEAD'),
	]);
	if (!top || !names) return undefined;
	const above = top.toString('utf8').replace(/\n$/, '');
	const told: string[] = [];
	const omitted: string[] = [];
	for (const path of split(names.toString('utf8'))) ((await isTold(join(above, path))) ? told : omitted).push(path);
	// The name of a file is that of a folder, too, where git has one and the disk the other.
	const asked = told.filter((path) => !omitted.some((one) => one.startsWith(`${path}/`)));
	let diff = '';
	for (let from = 0; from < asked.length; from += together) {
		const some = asked.slice(from, from + together).map((path) => `:(top,literal)${path}`);
		diff += (await differ('HEAD', '--', ...some))?.toString('utf8') ?? '';
	}
	return { diff, omitted };
}

/** Whatever the repository's settings say: no program of theirs is run, and every name is that of one file, from the top. */
const plainDiff = [
	...['diff', '--no-ext-diff', '--no-textconv', '--no-renames', '--no-relative'],
	...['--submodule=short', committedSubmodules],
];

/** Reading a file would run the filter that the repository names for it. */
async function filtersOff(folder: string): Promise<readonly (readonly [string, string])[]> {
	const named = await git(folder, ['config', '--null', '--name-only', '--get-regexp', '^filter\\.']);
	return split(named?.toString('utf8') ?? '').map((key) => [key, /\.required$/i.test(key) ? 'false' : '']);
}

/** True where the file on disk is, by its stat, the one that git has written down. */
export function isAsGitHasIt(stat: Stats, file: GitFile, writtenMs: number): boolean {
	return (
		stat.isFile() &&
		stat.size === file.size &&
		stat.ino % 2 ** 32 === file.ino &&
		near(stat.mtimeMs, file.mtimeMs) &&
		near(stat.ctimeMs, file.ctimeMs) &&
		stat.mtimeMs < writtenMs
	);
}

/** True for a file that is older than the second in which git noted it: git compares whole seconds, and ours are finer. */
export function isSettled({ mtimeMs, ctimeMs }: Stats, writtenMs: number): boolean {
	return Math.max(mtimeMs, ctimeMs) < Math.floor(writtenMs / 1000) * 1000;
}

/** Times go through fractions of milliseconds here. */
function near(one: number, other: number): boolean {
	return Math.abs(one - other) < 0.001;
}

/** The bytes of git's objects, one by one; an object that is not there is left out. */
export async function* gitObjects(
	folder: string,
	oids: readonly string[],
): AsyncGenerator<{ readonly oid: string; readonly bytes: Buffer }> {
	// A part at a time: all of a large checkout would not fit into memory.
	for (let from = 0; from < oids.length; from += together) {
		const some = oids.slice(from, from + together);
		const told = await git(folder, ['cat-file', '--batch'], `${some.join('\n')}\n`);
		let at = 0;
		while (told && at < told.length) {
			const end = told.indexOf(10, at);
			if (end === -1) break;
			const [oid = '', type, size = ''] = told.toString('latin1', at, end).split(' ');
			at = end + 1;
			if (type === 'missing') continue;
			const length = Number(size);
			yield { oid, bytes: told.subarray(at, at + length) };
			at += length + 1;
		}
	}
}

const together = 200;
