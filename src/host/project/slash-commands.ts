/** The files in which a project or its user keeps commands and skills: `.claude/commands/**.md` and `.claude/skills/NAME/SKILL.md`. */
import { type Dirent, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isMissing } from '../../log/errors.ts';
import { isInside } from '../../store/find/project.ts';
import { listOf } from '../looks/walk-files.ts';

/** A Markdown file by the name that it goes by. */
export interface NamedFile {
	/** Without a slash before it; folders are named before a colon, as in `web:lint`. */
	readonly name: string;
	readonly path: string;
}

export interface CommandFile extends NamedFile {
	readonly kind: 'command' | 'skill';
	readonly from: 'project' | 'user';
}

export interface CommandFiles {
	/** One for each name: a skill comes before a command, and the project's before the user's. */
	readonly files: readonly CommandFile[];
	/** What was left out and why, a line each. */
	readonly notes: readonly string[];
}

/** Nobody has more of them; a folder that somebody made to be endless has an end here. */
const most = 1000;

/** `trusted`: the project's count. */
export function commandFiles(cwd: string, claudeHome: string, trusted: boolean): CommandFiles {
	const notes: string[] = [];
	const found = new Map<string, CommandFile>();
	const places = [
		...(trusted ? ([{ from: 'project', folder: join(cwd, '.claude'), within: cwd }] as const) : []),
		{ from: 'user', folder: claudeHome, within: undefined } as const,
	];
	for (const kind of ['skill', 'command'] as const) {
		for (const { from, folder, within } of places) {
			const looked = join(folder, `${kind}s`);
			if (within !== undefined && leadsOut(looked, within, notes)) continue;
			const files = kind === 'skill' ? skillFiles(looked, notes) : markdownFiles(looked);
			if (files.length > most) notes.push(`${looked} holds more than ${most} files: the others are not used`);
			for (const { name, path } of files.slice(0, most)) {
				if (!callable.test(name)) notes.push(`${path}: no command can be called by this name`);
				else if (!found.has(name)) found.set(name, { name, path, kind, from });
			}
		}
	}
	return { files: [...found.values()], notes };
}

/** A name that can be typed behind a slash, and that no terminal or tag takes for something else. */
const callable = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99}$/u;

/** True for a folder of a trusted project that is a link to elsewhere: who trusts the project has not looked there. */
export function leadsOut(folder: string, within: string, notes: string[]): boolean {
	if (!existsSync(folder)) return false;
	if (isInside(realpathSync(within), realpathSync(folder))) return false;
	notes.push(`${folder} leads out of the project: nothing of it is used`);
	return true;
}

/** The project's commands, whether it is trusted or not: to say what it would bring. */
export function projectCommands(cwd: string): readonly NamedFile[] {
	return markdownFiles(join(cwd, '.claude', 'commands'));
}

/** The Markdown files of a folder and those below it, by their names without the ending. Links are not followed. */
export function markdownFiles(folder: string): readonly NamedFile[] {
	if (!existsSync(folder)) return [];
	const real = realpathSync(folder);
	return itemsBelow(real)
		.filter((item) => item.isFile() && item.name.endsWith('.md'))
		.map((item) => join(item.parentPath, item.name))
		.sort()
		.map((path) => ({ name: relative(real, path).slice(0, -'.md'.length).split(sep).join(':'), path }));
}

/** All that lies in a folder and in those below it. Links to folders are not entered: two that lead back to their own have no end. */
export function itemsBelow(folder: string): readonly Dirent[] {
	const found: Dirent[] = [];
	const waiting = [folder];
	for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
		for (const item of listOf(place)) {
			found.push(item);
			if (item.isDirectory()) waiting.push(join(place, item.name));
		}
	}
	return found;
}

/** Each folder with a SKILL.md in it. A link may lead anywhere, and the model is told to work in the skill's folder. */
function skillFiles(folder: string, notes: string[]): readonly NamedFile[] {
	if (!existsSync(folder)) return [];
	const found: NamedFile[] = [];
	for (const item of listOf(realpathSync(folder))) {
		const path = join(item.parentPath, item.name, 'SKILL.md');
		if (item.isSymbolicLink() || isLink(path)) notes.push(`${path}: a link is not followed`);
		else if (item.isDirectory() && statSync(path, { throwIfNoEntry: false })?.isFile())
			found.push({ name: item.name, path });
	}
	return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isLink(path: string): boolean {
	try {
		return lstatSync(path).isSymbolicLink();
	} catch (error) {
		if (isMissing(error)) return false;
		throw error;
	}
}
