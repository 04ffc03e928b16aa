/** Finds the instructions that hold for a part of the project: those of a folder below, and rules with `paths` (`.claude/rules`). They are told when such a file is read. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import type { Recalled } from '../../agent/config.ts';
import { repositoryOf } from '../../store/find/project.ts';
import { instructionFiles, instructionText, pathsOf, ruleFiles } from './instructions.ts';
import { leadsOut } from './slash-commands.ts';

/** What holds for the file at `path` and is not among what was `told`, which grows. */
export async function recallFor(path: string, cwd: string, told: Set<string>): Promise<readonly Recalled[]> {
	const name = relative(cwd, path);
	if (name === '' || name.startsWith('..') || name.startsWith(sep)) return [];
	const found: Recalled[] = [];
	for (const file of [...nestedFiles(name, cwd), ...(await rulesFor(name, cwd))]) {
		if (told.has(file)) continue;
		told.add(file);
		const content = instructionText(file, cwd);
		if (content !== undefined) found.push({ path: file, content });
	}
	return found;
}

/** Below the project's folder: what stands in that one itself is told with the first request. */
function nestedFiles(name: string, cwd: string): readonly string[] {
	const parts = dirname(name)
		.split(sep)
		.filter((part) => part !== '.');
	return parts
		.map((_, index) => join(cwd, ...parts.slice(0, index + 1)))
		.flatMap((folder) => [...instructionFiles(folder), join(folder, 'CLAUDE.local.md')])
		.filter((file) => existsSync(file));
}

async function rulesFor(name: string, cwd: string): Promise<readonly string[]> {
	const folder = join(cwd, '.claude', 'rules');
	if (leadsOut(folder, repositoryOf(cwd).root, [])) return [];
	const found: string[] = [];
	for (const path of ruleFiles(folder)) {
		if ((await pathsOf(instructionText(path, cwd) ?? '')).some((pattern) => ignore().add(pattern).ignores(name)))
			found.push(path);
	}
	return found;
}
