/** Looks at the files of a folder, so that two looks show what happened between them: the limits of number, bytes and time, which files are copied, and when a stat is too fresh to be believed. */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from '../../log/sha256.ts';
import { compact } from '../../model/index.ts';
import type { Copies } from '../../store/checkpoints/copies.ts';
import type { KeptLook } from '../../store/checkpoints/file-history.ts';
import {
	absent,
	type FileForm,
	type FormedChange,
	formOf,
	largestCopy,
	sameForm,
	statOf,
	tooLarge,
} from '../../store/checkpoints/forms.ts';
import { keepLook, type LookedFile } from '../../store/checkpoints/kept-looks.ts';
import { repositoryOf } from '../../store/find/project.ts';
import { askedIgnored, largestIgnored } from './asked-ignored.ts';
import { FolderMarks } from './folder-marks.ts';
import {
	type GitFiles,
	gitObjects,
	ignoredOf,
	indexStamp,
	isAsGitHasIt,
	isSettled,
	touchedFiles,
	trackedFiles,
	untrackedFiles,
} from './git-files.ts';
import { formLeftOut, type LookBefore, sayThereBefore, thereBefore, withLeftOut } from './left-out.ts';
import { SeenForms } from './seen-forms.ts';
import { walkFiles } from './walk-files.ts';

/** A file at the moment of a look. */
export interface Looked {
	readonly stat: Stats;
	/** Absent where git has the bytes: they are asked for only if the file changes. */
	readonly form?: FileForm;
	readonly oid?: string;
	/** git tells when it changes. */
	readonly settled?: boolean;
	/** It was changed so shortly before that a later change may leave the same stat. */
	readonly fresh: boolean;
}

export interface Look {
	/** By path from the folder. */
	readonly files: ReadonlyMap<string, Looked>;
	/** What was not looked at, in words for the user. */
	readonly missed: readonly string[];
	/** Nothing could be looked at: that no file was found says nothing. */
	readonly closed?: true;
	/** What is there and was left out, by its path from the folder; that of a folder ends with a slash. */
	readonly leftOut: ReadonlySet<string>;
	readonly beganMs: number;
}

/** What happened between two looks. */
export interface Happened {
	readonly changes: readonly FormedChange[];
	/** What is not known of it, in words for the user. */
	readonly missed: readonly string[];
}

interface Listed {
	readonly paths: readonly string[];
	readonly missed: readonly string[];
	readonly leftOut: ReadonlySet<string>;
	/** True where the paths are those of the last listing. */
	readonly again?: boolean;
	/** Tracked files that git's notes do not fit any more; absent where nobody has asked. */
	readonly touched?: ReadonlySet<string>;
}

export interface LookLimits {
	/** The most files that a folder may have. */
	readonly files: number;
	/** The most bytes that are copied in one look. */
	readonly bytes: number;
	/** The longest that copying may take in one look. */
	readonly ms: number;
}

const usualLimits: LookLimits = { files: 100_000, bytes: 512 * 1024 * 1024, ms: 20_000 };

export class ProjectFiles {
	readonly folder: string;
	readonly #copies: Copies;
	readonly #limits: LookLimits;
	/** Patterns of files that git ignores and that are looked at all the same. */
	readonly #ignored: readonly string[];
	#asked: readonly string[] = [];
	#kept: { readonly files: Look['files']; readonly sum: string } | undefined;
	readonly #gitFolder: string | undefined;
	readonly #seen: SeenForms;
	#git: GitFiles | undefined;
	#stamp = '';
	#untracked: readonly string[] = [];
	#paths: readonly string[] = [];
	/** Files that git does not watch for us. */
	#loose: readonly string[] = [];
	readonly #marks: FolderMarks;
	#last: ReadonlyMap<string, Looked> = new Map();
	/** Files that cannot be asked for, because their names are not valid UTF-8. */
	#unnamed: readonly string[] = [];

	constructor(
		folder: string,
		copies: Copies,
		seenFolder: string,
		{ limits = usualLimits, ignored = [] }: { readonly limits?: LookLimits; readonly ignored?: readonly string[] } = {},
	) {
		this.folder = folder;
		this.#copies = copies;
		this.#limits = limits;
		this.#ignored = ignored;
		this.#gitFolder = repositoryOf(folder).git;
		this.#marks = new FolderMarks(folder);
		const name = createHash('sha256').update(folder).digest('hex').slice(0, 32);
		this.#seen = new SeenForms(join(seenFolder, `${name}.json`), copies);
	}

	async look(): Promise<Look> {
		const beganMs = Date.now();
		const found = await this.#list();
		const listed = typeof found === 'string' ? found : this.#withAsked(found);
		if (typeof listed === 'string')
			return { files: new Map(), missed: [listed], closed: true, leftOut: new Set(), beganMs };
		if (!listed.again) this.#unnamed = listed.paths.filter((path) => path.includes('\ufffd')).flatMap(this.#nameless);
		const copying = new Copying(this.#copies, this.#limits, new Way(this.folder));
		const { touched } = listed;
		const files = listed.again && touched ? this.#lookAgain(touched, copying) : this.#lookAtAll(listed, copying);
		if (files !== this.#last) {
			this.#last = files;
			this.#loose = [...files].flatMap(([path, { settled }]) => (settled ? [] : [path]));
			this.#seen.save(files);
		}
		const missed = [...listed.missed, ...this.#unnamed, ...copying.missed];
		return { files, missed, leftOut: listed.leftOut, beganMs };
	}

	/** The listing, and the ignored files that the user wants to be kept. */
	#withAsked(listed: Listed): Listed {
		if (this.#ignored.length === 0) return listed;
		const { paths, missed, again } = listed;
		const asked = askedIgnored(this.folder, this.#ignored);
		const known = new Set(paths);
		const more = asked.paths.filter((path) => !known.has(path));
		const isSame = more.join('\0') === this.#asked.join('\0');
		this.#asked = more;
		return {
			...listed,
			paths: [...paths, ...more],
			missed: [...missed, ...asked.missed],
			again: again === true && isSame,
		};
	}

	readonly #nameless = (path: string): readonly string[] => {
		if (statOf(`${this.folder}/${path}`)) return [];
		return [`${path} has a name that is not valid UTF-8: what commands change in it is not kept`];
	};

	#lookAtAll({ paths, touched }: Listed, copying: Copying): ReadonlyMap<string, Looked> {
		const files = new Map<string, Looked>();
		for (const path of paths) {
			const last = touched && !touched.has(path) ? this.#last.get(path) : undefined;
			const now = last?.settled ? last : this.#now(path, copying);
			if (now) files.set(path, now);
		}
		return files;
	}

	/** The same files as last time: only those that git does not watch for us, and those that it saw touched, are looked at. */
	#lookAgain(touched: ReadonlySet<string>, copying: Copying): ReadonlyMap<string, Looked> {
		let files: Map<string, Looked> | undefined;
		for (const path of new Set([...this.#loose, ...touched])) {
			const now = this.#now(path, copying);
			if (now === this.#last.get(path)) continue;
			files ??= new Map(this.#last);
			if (now) files.set(path, now);
			else files.delete(path);
		}
		return files ?? this.#last;
	}

	#now(path: string, copying: Copying): Looked | undefined {
		// A tracked file whose folder has become a link is gone, whatever is found through the link.
		const stat = copying.way.leadsTo(path) ? statOf(`${this.folder}/${path}`) : undefined;
		return stat && !stat.isDirectory() ? this.#lookAt(path, stat, copying) : undefined;
	}

	async #list(): Promise<Listed | string> {
		const byGit = this.#gitFolder === undefined ? undefined : await this.#listByGit(this.#gitFolder);
		const tooMany = `${this.folder} has more than ${this.#limits.files} files: what commands change there is not kept`;
		if (byGit) return byGit.paths.length > this.#limits.files ? tooMany : byGit;
		const walked = walkFiles(this.folder, this.#limits.files);
		return walked ? { ...walked, missed: [] } : tooMany;
	}

	async #listByGit(gitFolder: string): Promise<Listed | undefined> {
		const stamp = indexStamp(gitFolder);
		const known = stamp === this.#stamp ? this.#git : undefined;
		const beganMs = Date.now();
		const isListed = known !== undefined && this.#marks.areSame;
		const [untracked, tracked, touched] = await Promise.all([
			isListed ? this.#untracked : untrackedFiles(this.folder),
			known ?? trackedFiles(this.folder, gitFolder),
			known && touchedFiles(this.folder, known.converts || this.#untracked.some(isAttributes)),
		]);
		if (!untracked || !tracked) return undefined;
		this.#git = tracked;
		this.#stamp = stamp;
		this.#untracked = untracked;
		const inner = [...tracked.closed, ...untracked.filter((path) => path.endsWith('/'))];
		const missed = inner.map((path) => `${path} is a repository of its own: what commands change there is not kept`);
		const paths = isListed
			? this.#paths
			: [...tracked.tracked.keys(), ...untracked.filter((path) => !path.endsWith('/'))];
		this.#paths = paths;
		const ignored = (some: readonly string[]) => ignoredOf(this.folder, some);
		if (!isListed) await this.#marks.note({ paths, inner }, beganMs, ignored, [join(gitFolder, 'info/exclude')]);
		return { paths, missed, leftOut: this.#marks.leftOut, again: isListed, ...compact({ touched }) };
	}

	#lookAt(path: string, stat: Stats, copying: Copying): Looked {
		const last = this.#last.get(path);
		if (last && !last.fresh && sameStat(last.stat, stat)) return last;
		const fresh = isFresh(stat);
		if (!fresh) {
			const file = this.#git?.tracked.get(path);
			const writtenMs = this.#git?.writtenMs ?? 0;
			if (file && isAsGitHasIt(stat, file, writtenMs))
				return { stat, oid: file.oid, fresh, settled: isSettled(stat, writtenMs) };
			const form = this.#seen.find(path, stat);
			if (form) return { stat, form, fresh };
		}
		return { stat, form: copying.formOf(join(this.folder, path), path, stat, this.#asked.includes(path)), fresh };
	}

	/** Writes a look down, so that it outlives us. Nothing has to be done where nothing has changed. */
	keep(look: Look, looks: Copies): KeptLook {
		const { files } = look;
		if (this.#kept?.files !== files) this.#kept = { files, sum: keepLook(withLeftOut(look), looks) };
		const ignored = this.#ignored;
		return { folder: this.folder, sum: this.#kept.sum, ...(ignored.length > 0 ? { ignored } : {}) };
	}

	/** What is different between two looks, with copies of everything that is gone. */
	async changes(before: LookBefore, after: Look): Promise<Happened> {
		if (before.files === after.files) return { changes: [], missed: [] };
		const differing: { path: string; was?: LookedFile; is?: Looked }[] = [];
		for (const [path, was] of before.files) {
			const is = after.files.get(path);
			if (is !== was && !(is?.oid !== undefined && is.oid === was.oid && is.stat.mode === was.stat.mode))
				differing.push({ path, was, ...(is ? { is } : {}) });
		}
		const nameBefore = thereBefore(before);
		const names = new Set<string>();
		for (const [path, is] of after.files) {
			if (before.files.has(path)) continue;
			// What is asked for by name is looked at each time, whatever git ignores.
			const name = this.#asked.includes(path) ? undefined : nameBefore(path, is);
			if (name === undefined) differing.push({ path, is });
			else names.add(name);
		}
		const fromGit = await this.#takeFromGit(differing.flatMap(({ was }) => was?.oid ?? []));
		const changes = differing.map(({ path, was, is }) => {
			const place = join(this.folder, path);
			return { path: place, before: formBefore(was, fromGit), after: formAfter(place, is) };
		});
		return { changes: changes.filter((one) => !sameForm(one.before, one.after)), missed: sayThereBefore(names) };
	}

	/** The sums of git's objects, each of which is a copy of ours from now on: git may throw away its own. */
	async #takeFromGit(oids: readonly string[]): Promise<ReadonlyMap<string, { sha256: string; size: number }>> {
		const sums = new Map<string, { sha256: string; size: number }>();
		if (oids.length === 0) return sums;
		for await (const { oid, bytes } of gitObjects(this.folder, [...new Set(oids)])) {
			if (bytes.length > largestCopy) continue;
			const sha256 = sha256Of(bytes);
			this.#copies.keep(bytes, sha256);
			sums.set(oid, { sha256, size: bytes.length });
		}
		return sums;
	}
}

function isAttributes(path: string): boolean {
	return path === '.gitattributes' || path.endsWith('/.gitattributes');
}

function formBefore(
	was: LookedFile | undefined,
	sums: ReadonlyMap<string, { sha256: string; size: number }>,
): FileForm {
	if (!was) return absent;
	if (was.form) return was.form;
	const sum = sums.get(was.oid ?? '');
	if (!sum || sum.size !== was.stat.size) return { is: 'unknown', why: 'git has no copy of it any more' };
	return { is: 'file', mode: was.stat.mode & 0o7777, ...sum };
}

function formAfter(path: string, is: Looked | undefined): FileForm {
	return is ? (is.form ?? formOf(path, is.stat)) : formLeftOut(path);
}

/** Which folders of the project are folders, at the time of one look. */
class Way {
	readonly #root: string;
	readonly #real = new Map<string, boolean>();

	constructor(root: string) {
		this.#root = root;
	}

	leadsTo(path: string): boolean {
		const end = path.lastIndexOf('/');
		if (end === -1) return true;
		const folder = path.slice(0, end);
		const known = this.#real.get(folder);
		if (known !== undefined) return known;
		const real = this.leadsTo(folder) && statOf(`${this.#root}/${folder}`)?.isDirectory() === true;
		this.#real.set(folder, real);
		return real;
	}
}

/** Copies what is new, as long as there is room and time. */
class Copying {
	readonly missed: string[] = [];
	readonly way: Way;
	readonly #copies: Copies;
	readonly #began = performance.now();
	readonly #ms: number;
	#room: number;
	#left = 0;

	constructor(copies: Copies, { bytes, ms }: LookLimits, way: Way) {
		this.#copies = copies;
		this.way = way;
		this.#room = bytes;
		this.#ms = ms;
	}

	formOf(place: string, path: string, stat: Stats, isAsked: boolean): FileForm {
		const size = stat.isFile() ? stat.size : 0;
		if (isAsked && size > largestIgnored) {
			this.missed.push(`${path} is ignored by git and larger than 1 MB: what commands change in it is not kept`);
			return { is: 'unknown', why: 'ignored by git, and larger than 1 MB' };
		}
		if (size > largestCopy) {
			this.missed.push(`${path} is larger than 64 MB: what commands change in it is not kept`);
			return tooLarge;
		}
		if (size > this.#room || performance.now() - this.#began > this.#ms) {
			this.#left += 1;
			if (this.#left === 1) this.missed.push(`${path} and what came after it was not copied: it is too much at once`);
			return { is: 'unknown', why: 'not copied: too much at once' };
		}
		return formOf(place, stat, (bytes, sha256) => {
			this.#room -= bytes.length;
			this.#copies.keep(bytes, sha256);
		});
	}
}

function sameStat(one: Stats, other: Stats): boolean {
	return (
		one.mtimeMs === other.mtimeMs &&
		one.ctimeMs === other.ctimeMs &&
		one.size === other.size &&
		one.ino === other.ino &&
		one.mode === other.mode
	);
}

/** How long a file system may give two changes the same time: a tick of the clock, or two seconds where it counts whole ones. */
const tickMs = 40;
const wholeSecondsMs = 2100;

function isFresh({ mtimeMs, ctimeMs }: Stats): boolean {
	const age = Date.now() - Math.max(ctimeMs, mtimeMs);
	return age < (ctimeMs % 1000 === 0 ? wholeSecondsMs : tickMs);
}
