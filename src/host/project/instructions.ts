/** The instructions that a model gets with its first request: which files hold them (the user's own, those of each folder of the project, what they import), their order and length, and which are not sent. */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Instructions } from '../../agent/replies/system-prompt.ts';
import { isInside, realPath, repositoryOf } from '../../store/find/project.ts';
import { readFrontMatter } from './front-matter.ts';
import { readText } from './read-text.ts';
import { itemsBelow } from './slash-commands.ts';

/** Whose instructions count. */
export interface InstructionSources {
	/** The folder in which Claude Code keeps what belongs to its user; absent: the user's own instructions do not count. */
	readonly user?: string;
	readonly project: boolean;
	/** What a user has noted for this project alone (`CLAUDE.local.md`). */
	readonly local: boolean;
	/** True for a file that a rule keeps from being read. */
	readonly hides?: (path: string) => boolean;
}

export interface GivenInstructions {
	readonly files: readonly Instructions[];
	/** What is not sent, and why, a line each. */
	readonly notes: readonly string[];
}

/** So many characters of each file are told. */
const longest = 40_000;
/** More rule files than this nobody keeps by hand; the others are not looked at. */
const mostRules = 200;
/** So many files are imported in all, and over so many steps: whoever made the repository could name every file in it. */
const mostImported = 50;
const deepestImport = 5;

/**
 * In Claude Code's order: the user's own, then folder by folder from the outermost of the project down to `cwd`, each file followed by
 * what it imports. Files that say the same, because one is a link to the other, are told once. Neither a link nor an import that leads out
 * of the project is followed: what is behind it would be sent to the model's provider, and whoever made the repository chose what that is.
 */
export async function instructionsFor(cwd: string, sources: InstructionSources): Promise<GivenInstructions> {
	const gathered = new Gathered(sources.hides);
	const { user, project, local } = sources;
	if (user !== undefined) {
		const within = [user, homedir()];
		gathered.add(join(user, 'CLAUDE.md'), { within, isUsers: true });
		for (const path of await rulesWithoutPaths(join(user, 'rules'))) gathered.add(path, { within, isUsers: true });
	}
	const within = [repositoryOf(cwd).root];
	for (const folder of foldersDownTo(cwd)) {
		if (project) {
			for (const path of instructionFiles(folder)) gathered.add(path, { within });
			const rules = join(folder, '.claude', 'rules');
			for (const path of isOf(rules, within) ? await rulesWithoutPaths(rules) : []) gathered.add(path, { within });
		}
		if (local) gathered.add(join(folder, 'CLAUDE.local.md'), { within });
	}
	return gathered;
}

/** What a folder of the project holds for everybody, as far as it is there. `AGENTS.md` counts where there is no `CLAUDE.md`. */
export function instructionFiles(folder: string): readonly string[] {
	const own = join(folder, 'CLAUDE.md');
	const first = existsSync(own) ? own : join(folder, 'AGENTS.md');
	return [first, join(folder, '.claude', 'CLAUDE.md')].filter((path) => existsSync(path));
}

/** What such a file says; undefined where it says nothing, or leads out of the project. */
export function instructionText(path: string, cwd: string): string | undefined {
	return isOf(path, [repositoryOf(cwd).root]) ? textOf(path) : undefined;
}

/** The Markdown files in a folder of rules and below it. */
export function ruleFiles(folder: string): readonly string[] {
	if (!existsSync(folder)) return [];
	const files = itemsBelow(folder)
		.filter((item) => !item.isDirectory() && item.name.endsWith('.md'))
		.map((item) => join(item.parentPath, item.name))
		// A link may lead nowhere.
		.filter((path) => existsSync(path));
	return files.sort().slice(0, mostRules);
}

/** The patterns of the files that a rule is for; none for one that holds everywhere. */
export async function pathsOf(text: string): Promise<readonly string[]> {
	const read = await readFrontMatter(text);
	const paths = read.ok ? read.fields.paths : undefined;
	const listed = typeof paths === 'string' ? paths.split(',') : Array.isArray(paths) ? paths : [];
	return listed.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
}

async function rulesWithoutPaths(folder: string): Promise<readonly string[]> {
	const files = ruleFiles(folder);
	const paths = await Promise.all(files.map((path) => pathsOf(readText(path, longest) ?? '')));
	return files.filter((_, index) => paths[index]?.length === 0);
}

interface Place {
	/** The folders that neither the file nor what it imports may lead out of. */
	readonly within: readonly string[];
	/** It is the user's own: a link in it leads where the user wants. */
	readonly isUsers?: true;
}

class Gathered implements GivenInstructions {
	readonly files: Instructions[] = [];
	readonly notes: string[] = [];
	readonly #hides: (path: string) => boolean;
	readonly #seen = new Set<string>();
	#imported = 0;

	constructor(hides: (path: string) => boolean = () => false) {
		this.#hides = hides;
	}

	add(path: string, place: Place, depth = 0): void {
		if (!existsSync(path)) return;
		if (!place.isUsers && !isOf(path, place.within)) {
			this.notes.push(`${path} is not sent: it is a link to ${realpathSync(path)}, outside of the project`);
			return;
		}
		if (this.#hides(path)) {
			this.notes.push(`${path} is not sent: a rule denies reading it`);
			return;
		}
		const text = textOf(path);
		if (text === undefined || this.#seen.has(text)) return;
		this.#seen.add(text);
		this.files.push({ path, text, ...(place.isUsers ? { isUsers: true } : {}) });
		if (depth < deepestImport) for (const name of importsIn(text)) this.#import(name, path, place, depth + 1);
	}

	#import(name: string, from: string, place: Place, depth: number): void {
		const path = name.startsWith('~/') ? join(homedir(), name.slice(2)) : resolve(dirname(from), name);
		// Whatever else begins with @ names no file: a person, a package.
		if (!existsSync(path)) return;
		if (!isOf(path, place.within)) {
			this.notes.push(`${path} is not sent: it is outside of the project, and ${from} imports it`);
			return;
		}
		this.#imported += 1;
		if (this.#imported <= mostImported) this.add(path, place, depth);
		else if (this.#imported === mostImported + 1)
			this.notes.push(`${path} is not sent: instructions import more than ${mostImported} files`);
	}
}

/** The names behind an `@`, but for those in code. */
function importsIn(text: string): readonly string[] {
	const prose = text.replaceAll(/```[\s\S]*?(?:```|$)/g, '').replaceAll(/`[^`\n]*`/g, '');
	return [...prose.matchAll(/(?:^|\s)@((?:[^\s\\]|\\ )+)/g)].map(([, name = '']) =>
		name.replaceAll('\\ ', ' ').replace(/[.,;:!?)]+$/, ''),
	);
}

/** Undefined for a file that says nothing, and for one that is no text. */
function textOf(path: string): string | undefined {
	const text = readText(path, longest + 1);
	if (text === undefined || text.trim() === '' || text.includes('\0')) return undefined;
	return text.length > longest ? `${text.slice(0, longest)}\n… (cut)` : text;
}

function isOf(path: string, folders: readonly string[]): boolean {
	return !existsSync(path) || folders.some((folder) => existsSync(folder) && isInside(realPath(folder), path));
}

/** From the root of the repository, or from `cwd` alone where there is none. */
function foldersDownTo(cwd: string): readonly string[] {
	const { root } = repositoryOf(cwd);
	const folders = [cwd];
	for (let at = cwd; at !== root && dirname(at) !== at; ) {
		at = dirname(at);
		folders.unshift(at);
	}
	return folders;
}
