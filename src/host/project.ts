/** What a project's folder tells an agent: its instructions and its branch. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Instructions } from '../agent/system-prompt.ts';

const names = ['AGENTS.md', 'CLAUDE.md'];
const longest = 40_000;

/**
 * The instruction files from the outermost folder of the project down to `cwd`. Where a folder has several that say the same,
 * because one is a link to the other, it is told once.
 */
export function projectInstructions(cwd: string): readonly Instructions[] {
	const found: Instructions[] = [];
	const seen = new Set<string>();
	for (const folder of foldersDownTo(cwd)) {
		for (const name of names) {
			const path = join(folder, name);
			const text = readText(path);
			if (text === undefined || text.trim() === '' || seen.has(text)) continue;
			seen.add(text);
			found.push({ path, text: text.length > longest ? `${text.slice(0, longest)}\n… (cut)` : text });
		}
	}
	return found;
}

/** From the root of the repository, or from `cwd` alone where there is none. */
function foldersDownTo(cwd: string): readonly string[] {
	const root = repositoryOf(cwd)?.root ?? cwd;
	const folders = [cwd];
	for (let at = cwd; at !== root && dirname(at) !== at; ) {
		at = dirname(at);
		folders.unshift(at);
	}
	return folders;
}

function readText(path: string): string | undefined {
	return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
}

interface Repository {
	readonly root: string;
	/** Where HEAD is; elsewhere in a worktree. */
	readonly git: string;
}

function repositoryOf(cwd: string): Repository | undefined {
	for (let root = cwd; ; root = dirname(root)) {
		const dot = join(root, '.git');
		if (existsSync(dot)) return { root, git: statSync(dot).isDirectory() ? dot : worktreeOf(dot, root) };
		if (dirname(root) === root) return undefined;
	}
}

function worktreeOf(file: string, root: string): string {
	const target = /^gitdir: (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.trim() ?? '.git';
	return isAbsolute(target) ? target : resolve(root, target);
}

/** Undefined outside a repository, and where no branch is checked out. */
export function gitBranchOf(cwd: string): string | undefined {
	const repository = repositoryOf(cwd);
	const head = repository && readText(join(repository.git, 'HEAD'));
	return head === undefined ? undefined : /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim();
}
