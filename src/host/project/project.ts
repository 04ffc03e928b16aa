/** What a project's folder tells an agent: which files are its instructions (AGENTS.md, CLAUDE.md), their order and length, links that are not followed; and its git branch. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Instructions } from '../../agent/replies/system-prompt.ts';
import { codeOf } from '../../log/errors.ts';
import { readRegular } from '../../log/regular-file.ts';
import { isInside, repositoryOf } from '../../store/find/project.ts';

/** The files that hold instructions, in every folder. */
export const instructionNames = ['AGENTS.md', 'CLAUDE.md'];
/** So many characters of each are told. */
const longest = 40_000;

/**
 * The instruction files from the outermost folder of the project down to `cwd`. Where a folder has several that say the same,
 * because one is a link to the other, it is told once. A link that leads out of the project is not followed: what is behind it would
 * be sent to the model's provider, and whoever made the repository chose what that is.
 */
export function projectInstructions(cwd: string): readonly Instructions[] {
	const found: Instructions[] = [];
	const seen = new Set<string>();
	for (const path of instructionFiles(cwd)) {
		const text = instructionText(path, cwd);
		if (text === undefined || seen.has(text)) continue;
		seen.add(text);
		found.push({ path, text });
	}
	return found;
}

/** What such a file says; undefined where it says nothing, or leads out of the project. */
export function instructionText(path: string, cwd: string): string | undefined {
	const text = leadsOut(path, cwd) ? undefined : readText(path, longest + 1);
	if (text === undefined || text.trim() === '') return undefined;
	return text.length > longest ? `${text.slice(0, longest)}\n… (cut)` : text;
}

/** What the user should know about instructions that are not sent, a line each. */
export function instructionNotes(cwd: string): readonly string[] {
	return instructionFiles(cwd).flatMap((path) => {
		const target = leadsOut(path, cwd);
		return target ? [`${path} is not sent: it is a link to ${target}, outside of the project`] : [];
	});
}

function instructionFiles(cwd: string): readonly string[] {
	return foldersDownTo(cwd).flatMap((folder) =>
		instructionNames.map((name) => join(folder, name)).filter((path) => existsSync(path)),
	);
}

/** Where a file really is, if that is not in the project. */
function leadsOut(path: string, cwd: string): string | undefined {
	const target = realpathSync(path);
	return isInside(realpathSync(repositoryOf(cwd).root), target) ? undefined : target;
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

/** So many characters of a text; undefined where there is no regular file, or none that may be read. */
function readText(path: string, most: number): string | undefined {
	try {
		return readRegular(path, most * 4)
			.toString('utf8')
			.slice(0, most);
	} catch (error) {
		if (codeOf(error) !== undefined) return undefined;
		throw error;
	}
}

/** What git itself writes into its small files is never longer. */
const longestOfGit = 4096;

/** Undefined outside a repository, and where no branch is checked out. */
export function gitBranchOf(cwd: string): string | undefined {
	const { git } = repositoryOf(cwd);
	const head = git === undefined ? undefined : readText(join(git, 'HEAD'), longestOfGit);
	return head === undefined ? undefined : /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim();
}
