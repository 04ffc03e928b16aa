/** Finds the instructions that hold for a part of the project: those of a folder below, and rules with `paths` (`.claude/rules`). They are told when such a file is read. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import type { Recalled } from '../../agent/config.ts';
import { repositoryOf } from '../../store/find/project.ts';
import { readFrontMatter } from './front-matter.ts';
import { instructionNames, instructionText } from './project.ts';
import { itemsBelow, leadsOut } from './slash-commands.ts';

/** More rule files than this nobody keeps by hand; the others are not looked at. */
const mostRules = 200;

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
		.flatMap((folder) => instructionNames.map((one) => join(folder, one)))
		.filter((file) => existsSync(file));
}

async function rulesFor(name: string, cwd: string): Promise<readonly string[]> {
	const folder = join(cwd, '.claude', 'rules');
	if (leadsOut(folder, repositoryOf(cwd).root, [])) return [];
	const files = itemsBelow(folder)
		.filter((item) => !item.isDirectory() && item.name.endsWith('.md'))
		.map((item) => join(item.parentPath, item.name))
		// A link may lead nowhere.
		.filter((path) => existsSync(path));
	const found: string[] = [];
	for (const path of files.sort().slice(0, mostRules)) {
		if ((await pathsOf(path, cwd)).some((pattern) => ignore().add(pattern).ignores(name))) found.push(path);
	}
	return found;
}

/** The patterns of a rule; none for one that holds everywhere. */
async function pathsOf(path: string, cwd: string): Promise<readonly string[]> {
	const text = instructionText(path, cwd);
	const read = text === undefined ? undefined : await readFrontMatter(text);
	const paths = read?.ok ? read.fields.paths : undefined;
	const listed = typeof paths === 'string' ? paths.split(',') : Array.isArray(paths) ? paths : [];
	return listed.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
}
