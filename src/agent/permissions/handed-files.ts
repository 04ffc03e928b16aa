/** Files that a rule denies to read, named to a program of which nobody knows what it opens or runs: in arguments, code, variables or what it is sent. Somebody is asked then. */
import type { FileView } from '../contracts.ts';
import type { FileAccess } from './file-access.ts';
import { filesOf } from './file-commands.ts';
import type { AllCommands } from './hidden-commands.ts';
import type { Rule } from './rule.ts';
import type { SimpleCommand } from './shell.ts';
import type { ShellWord } from './shell-words.ts';
import { takesTexts } from './text-programs.ts';
import { programName } from './wrappers.ts';

/** Only some of the files that they read or send are known. */
const partlyKnown: ReadonlySet<string> = new Set(['curl', 'wget', 'perl', 'ruby', 'git']);
/** An argument that holds one of these is more than a name: a command or a program may be written in it. */
const isCode = /[\s'"`(){}<>|&;!]/;
const between = /[\s'"`(){}[\]<>|&;!\\=@:,]+/;

export class HandedFiles {
	readonly #access: FileAccess;
	readonly #view: FileView;
	readonly #home: string;
	readonly #seen = new Set<string>();

	constructor(access: FileAccess, view: FileView, home: string) {
		this.#access = access;
		this.#view = view;
		this.#home = home;
	}

	/** The first name that a rule denies to read, of a file that is there. */
	find({ runs, commands }: AllCommands): { readonly name: string; readonly rule: Rule } | undefined {
		for (const { words, command } of runs)
			for (const name of this.#handed(words, command)) {
				const rule = this.#rule(name, command);
				if (rule) return { name, rule };
			}
		// A program may open, or run, what a variable holds: GIT_EXTERNAL_DIFF='cat .env' git diff
		for (const command of commands.filter(({ loop }) => !loop))
			for (const { value, outline } of command.assignments)
				for (const name of namesIn(value ?? outline)) {
					const rule = this.#rule(name, command);
					if (rule) return { name, rule };
				}
		return undefined;
	}

	/** What its arguments name, what it is given to read with `<<`, and what `echo` sends it. */
	#handed(words: readonly ShellWord[], { redirections, pipedFrom }: SimpleCommand): readonly string[] {
		if (takesTexts(words)) return [];
		const known = filesOf(words, this.#home) !== undefined && !partlyKnown.has(programName(words[0]) ?? '');
		const texts = words.slice(1).map(({ value, outline }) => value ?? outline ?? '');
		if (known) return texts.filter((text) => isCode.test(text)).flatMap(namesIn);
		const sent = pipedFrom && takesTexts(pipedFrom.words) ? sentTexts(pipedFrom) : [];
		return [...texts, ...redirections.map(({ text }) => text), ...sent].flatMap(namesIn);
	}

	#rule(name: string, { folders = [] }: SimpleCommand): Rule | undefined {
		for (const folder of folders) {
			const key = `${folder}\n${name}`;
			if (this.#seen.has(key)) continue;
			this.#seen.add(key);
			const target = this.#access.target(name, folder);
			const there = target.names.some((one) => this.#view.kind(one) !== undefined);
			const rule = there ? this.#access.rule('deny', ['Read'], target) : undefined;
			// A word alone that is also the name of a folder is rather a task: `make build`.
			if (rule && (!target.folder || name.includes('/'))) return rule;
		}
		return undefined;
	}
}

/** `echo`, `printf` and `cat <<` send what is written there. */
function sentTexts({ words, redirections }: SimpleCommand): readonly (string | undefined)[] {
	const said = /^(echo|printf)$/.test(programName(words[0]) ?? '') ? words.slice(1) : [];
	return [...said.map(({ value, outline }) => value ?? outline), ...redirections.map(({ text }) => text)];
}

/** As they stand, in `@file`, `-ofile`, `--option=file`, `name=@file`, `host:file` and `file://…`, and anywhere in code. */
function namesIn(text = ''): readonly string[] {
	const plain = text.replace(/^.*?file:\/\//, '');
	const attached = /^-[A-Za-z]([^-].*)$/s.exec(plain)?.[1] ?? '';
	const names = [plain, attached, ...plain.split(between), ...attached.split(between)];
	// Elsewhere, as in a container or from a folder that a variable names, the file may have another path.
	const ends = names.map((name) => /^(?:\/|\$|\.\.\/|x\/)(?:.*\/)?([^/]+)$/s.exec(name)?.[1] ?? '');
	return [...new Set([...names, ...ends])].filter((name) => name !== '');
}
