/** Prompts that a project or its user keeps in files: `/name words` stands for what `.claude/commands/name.md` says. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { readRegular } from '../log/regular-file.ts';
import { isInside } from '../store/find/project.ts';

export interface SlashCommand {
	/** Without the slash; folders are named before a colon, as in `web:lint`. */
	readonly name: string;
	readonly path: string;
}

/** Those of the project come first: where both have one of a name, the project's is meant. `trusted`: the project's count. */
export function slashCommands(cwd: string, claudeHome: string, trusted = true): readonly SlashCommand[] {
	const found = new Map<string, SlashCommand>();
	for (const command of [...(trusted ? projectCommands(cwd) : []), ...markdownFiles(join(claudeHome, 'commands'))]) {
		if (!found.has(command.name)) found.set(command.name, command);
	}
	return [...found.values()];
}

export function projectCommands(cwd: string): readonly SlashCommand[] {
	return markdownFiles(join(cwd, '.claude', 'commands'));
}

/** The Markdown files of a folder and those below it, by their names without the ending. */
export function markdownFiles(folder: string): readonly SlashCommand[] {
	if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
	const real = realpathSync(folder);
	return (
		readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((item) => item.isFile() && item.name.endsWith('.md'))
			.map((item) => join(item.parentPath, item.name))
			// A folder in it may be a link to another place, where other things end in .md.
			.filter((path) => isInside(real, path))
			.sort()
			.map((path) => ({ name: relative(folder, path).slice(0, -'.md'.length).split(sep).join(':'), path }))
	);
}

/** No prompt that somebody wrote is longer. */
const longest = 1 << 20;

/** What the prompt stands for; undefined where it calls no command. */
export function expandCommand(prompt: string, commands: readonly SlashCommand[]): string | undefined {
	const called = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(prompt.trim());
	const command = called && commands.find(({ name }) => name === called[1] || name.endsWith(`:${called[1]}`));
	if (!command) return undefined;
	return filled(bodyOf(readRegular(command.path, longest).toString('utf8')), called[2]?.trim() ?? '');
}

/** Settings for the client stand before the text, between dashes. */
function bodyOf(text: string): string {
	return text.replace(/^\uFEFF?---\r?\n[\s\S]*?\n---[ \t]*(\r?\n|$)/, '').trim();
}

/** `$ARGUMENTS` is everything behind the name, `$1` its first word. Words that no place waits for are told at the end. */
function filled(text: string, given: string): string {
	const words = given === '' ? [] : given.split(/\s+/);
	let used = false;
	const made = text.replaceAll(/\$(ARGUMENTS\b|[1-9]\b)/g, (_, which: string) => {
		used = true;
		return which === 'ARGUMENTS' ? given : (words[Number(which) - 1] ?? '');
	});
	return used || given === '' ? made : `${made}\n\nARGUMENTS: ${given}`;
}
